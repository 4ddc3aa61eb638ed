/**
 * The credential as it was presented (§5): a bearer header or the deprecated `token`, one of them. A
 * presented credential that is not good is refused and never falls back to anonymous.
 */
import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "#api/errors.ts";
import { type KeyPrefix, type ParsedKey, parseKey } from "#core/keys/key.ts";
import type { Problem } from "./error-replies.ts";
import { MALFORMED, REPEATED, type Slot } from "./query-decoder.ts";

export type PresentedKey = {
  text: string;
  /** null: nothing that we ever made. */
  parsed: ParsedKey | null;
};
/** null: none was presented. */
export type Presented = { ok: true; key: PresentedKey | null } | ({ ok: false } & Problem);
export type CredentialCode = Extract<ErrorCode, "invalid_api_key" | "expired_api_key">;

const BEARER = /^bearer +([\u0021-\u007e]+)$/i;
/** As nearly everybody writes it. */
const PLAIN = "Bearer ";
const VISIBLE = /^[\u0021-\u007e]+$/;
const NONE: Presented = { ok: true, key: null };

export function readCredential(header: string | undefined, token: Slot): Presented {
  if (header === undefined && token === undefined) return NONE;
  if (token === REPEATED) {
    return { ok: false, code: "invalid_request", message: "token must be given once" };
  }
  if (token === MALFORMED || token === "") return refuseKey("invalid_api_key");
  if (header === undefined) return present(token as string);
  const bearer = bearerOf(header);
  if (token !== undefined && token !== bearer) return CONFLICT;
  return bearer === undefined ? refuseKey("invalid_api_key") : present(bearer);
}

function present(text: string): Presented {
  return { ok: true, key: { text, parsed: parseKey(text) } };
}

/** The same of a request: what a connection presented last is mostly what it presents again. */
export function createCredentialReader(): (raw: Raw, token: Slot) => Presented {
  const last = new WeakMap<Raw["socket"], { header: string; presented: Presented }>();
  return ({ headers, rawHeaders, socket }, token) => {
    const header = headers.authorization;
    if (header !== undefined && hasAnother(rawHeaders, header)) return TWO_HEADERS;
    if (header === undefined || token !== undefined) return readCredential(header, token);
    const stored = last.get(socket);
    if (stored?.header === header) return stored.presented;
    const presented = readCredential(header, token);
    if (presented.ok) last.set(socket, { header, presented });
    return presented;
  };
}

type Raw = Pick<IncomingMessage, "headers" | "rawHeaders" | "socket">;

const AUTHORIZATION = "authorization";

/** Of several lines Node keeps the first; one that says something else must not go unseen. */
function hasAnother(raw: readonly string[], header: string): boolean {
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!;
    if (name.length !== AUTHORIZATION.length || raw[at + 1] === header) continue;
    if (name.toLowerCase() === AUTHORIZATION) return true;
  }
  return false;
}

const TWO_HEADERS: Presented = {
  ok: false,
  code: "conflicting_credentials",
  message: "there are two different Authorization headers; send one of them",
};

function bearerOf(header: string): string | undefined {
  const rest = header.startsWith(PLAIN) ? header.slice(PLAIN.length) : "";
  return VISIBLE.test(rest) ? rest : BEARER.exec(header)?.[1];
}

const CONFLICT: Presented = {
  ok: false,
  code: "conflicting_credentials",
  message: "the Authorization header and the parameter token differ; send one of them",
};

const KEY_MESSAGES: Record<CredentialCode, string> = {
  invalid_api_key:
    "the API key is not valid; send Authorization: Bearer <API_KEY>, or no credential",
  expired_api_key: "the API key has expired",
};

/** A key of the other mode will never be good here, which is said, as its prefix is no secret. */
const OTHER_MODE_MESSAGES: Record<KeyPrefix, string> = {
  svc_live_:
    "the API key is one of live mode (svc_live_), and this is a sandbox: send one of its own (svc_test_), or no credential",
  svc_test_:
    "the API key is one of a sandbox (svc_test_), and this is live mode: send one of its own (svc_live_), or no credential",
};

/** `other`: the prefix of a key that is of the other mode. */
export function refuseKey(code: CredentialCode, other?: KeyPrefix): { ok: false } & Problem {
  return { ok: false, code, message: other ? OTHER_MODE_MESSAGES[other] : KEY_MESSAGES[code] };
}
