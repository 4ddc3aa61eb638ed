/**
 * Who asks (§5). A presented credential that is not good is refused and never falls back to
 * anonymous. `authenticate` is the seam where a key store will stand.
 */
import type { Caller, Plan } from "#app/types.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { MALFORMED, REPEATED, type Slot } from "./query.ts";

export type CredentialRefusal = { ok: false; code: ErrorCode; message: string };
export type CredentialResult = { ok: true; caller: Caller } | CredentialRefusal;

/** Looks a credential up: the caller it stands for, or why it is refused. */
export type Authenticate = (credential: string) => Caller | CredentialCode;
export type CredentialCode = Extract<ErrorCode, "invalid_api_key" | "expired_api_key">;

/** No keys exist yet, so that none is good. */
export const authenticate: Authenticate = () => "invalid_api_key";

type Anonymous = Extract<CredentialResult, { ok: true }>;

export type CallerFinder = (header: string | undefined, token: Slot) => CredentialResult;

export function createCallerFinder(plan: () => Plan, lookUp: Authenticate): CallerFinder {
  let anonymous: Anonymous = { ok: true, caller: { kind: "anonymous", plan: plan() } };
  return (header, token) => {
    if (header === undefined && token === undefined) {
      const current = plan();
      if (anonymous.caller.plan !== current) {
        anonymous = { ok: true, caller: { kind: "anonymous", plan: current } };
      }
      return anonymous;
    }
    const credential = readCredential(header, token);
    if (typeof credential !== "string") return credential;
    const caller = lookUp(credential);
    return typeof caller === "string" ? refuseKey(caller) : { ok: true, caller };
  };
}

const BEARER = /^bearer +([\u0021-\u007e]+)$/i;

function readCredential(header: string | undefined, token: Slot): string | CredentialRefusal {
  if (token === REPEATED) {
    return { ok: false, code: "invalid_request", message: "token must be given once" };
  }
  if (token === MALFORMED || token === "") return refuseKey("invalid_api_key");
  if (header === undefined) return token as string;
  const bearer = BEARER.exec(header)?.[1];
  if (token !== undefined && token !== bearer) return CONFLICT;
  return bearer ?? refuseKey("invalid_api_key");
}

const CONFLICT: CredentialRefusal = {
  ok: false,
  code: "conflicting_credentials",
  message: "the Authorization header and the parameter token differ; send one of them",
};

const KEY_MESSAGES: Record<CredentialCode, string> = {
  invalid_api_key:
    "the API key is not valid; send Authorization: Bearer <API_KEY>, or no credential",
  expired_api_key: "the API key has expired",
};

function refuseKey(code: CredentialCode): CredentialRefusal {
  return { ok: false, code, message: KEY_MESSAGES[code] };
}
