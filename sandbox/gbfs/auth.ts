// Credentials of the systems that want one, and whether a request carries the right one.
import { hash, hex } from "../rng.ts";
import type { SandboxRequest } from "../http.ts";
import type { Credential, Operator } from "../world/model.ts";

const TOKEN_LIFE_S = 3600;

export type Guard = {
  readonly credential: Credential | null;
  admits(request: SandboxRequest): boolean;
  /** The token answer of OAuth 2.0 client credentials, or undefined when the client is unknown. */
  issue(request: SandboxRequest): Record<string, unknown> | undefined;
};

export function createGuard(operator: Operator, token_url: string, now_s: () => number): Guard {
  const credential = toCredential(operator, token_url);
  return {
    credential,
    admits: (request) => admits(credential, request, operator, now_s()),
    issue(request) {
      if (credential?.kind !== "oauth2" || !isClient(credential, request)) return undefined;
      return {
        access_token: sign(operator, now_s()),
        token_type: "Bearer",
        expires_in: TOKEN_LIFE_S,
      };
    },
  };
}

function toCredential(operator: Operator, token_url: string): Credential | null {
  const secret = (salt: number): string => hex(32, operator.key, salt);
  switch (operator.auth) {
    case null:
      return null;
    case "headers":
      return { kind: "headers", headers: { "x-api-key": secret(60) } };
    case "query":
      return { kind: "query", name: "api_key", value: secret(61) };
    case "basic":
      return { kind: "basic", username: "vicinity", password: secret(62) };
    case "oauth2":
      return {
        kind: "oauth2",
        token_url,
        client_id: `client-${hex(8, operator.key, 63)}`,
        client_secret: secret(64),
      };
  }
}

function admits(
  credential: Credential | null,
  request: SandboxRequest,
  operator: Operator,
  now_s: number,
): boolean {
  switch (credential?.kind) {
    case undefined:
      return true;
    case "headers":
      return Object.entries(credential.headers).every(
        ([name, value]) => request.headers[name] === value,
      );
    case "query":
      return request.query.get(credential.name) === credential.value;
    case "basic":
      return request.headers.authorization === basic(credential.username, credential.password);
    case "oauth2":
      return isToken(operator, request.headers.authorization, now_s);
  }
}

const basic = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;

/** RFC 6749 §2.3.1: the client in the Authorization header, or in the form. */
function isClient(
  credential: Extract<Credential, { kind: "oauth2" }>,
  request: SandboxRequest,
): boolean {
  const form = new URLSearchParams(request.body);
  if (form.get("grant_type") !== "client_credentials") return false;
  const { client_id, client_secret } = credential;
  if (request.headers.authorization === basic(client_id, client_secret)) return true;
  return form.get("client_id") === client_id && form.get("client_secret") === client_secret;
}

/** A token says when it was issued, so that it expires by the simulated clock and nothing is stored. */
function sign(operator: Operator, issued_s: number): string {
  const stamp = Math.floor(issued_s);
  return `${stamp.toString(36)}.${hex(32, operator.key, 65, stamp, hash(stamp, 66))}`;
}

function isToken(operator: Operator, header: string | undefined, now_s: number): boolean {
  const token = /^Bearer ([0-9a-z]+)\.[0-9a-f]{32}$/i.exec(header ?? "");
  const issued_s = Number.parseInt(token?.[1] ?? "", 36);
  if (!Number.isFinite(issued_s) || header?.slice(7) !== sign(operator, issued_s)) return false;
  return issued_s <= now_s && now_s < issued_s + TOKEN_LIFE_S;
}
