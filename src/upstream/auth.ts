/**
 * Credentials of a call (`Auth` of providers/provider.ts) as a query pair or headers. OAuth 2
 * client credentials (RFC 6749 4.4) are fetched through the same client, kept until shortly before
 * they expire, and asked for once however many calls wait.
 */
import type { Auth, SourceRequest } from "#providers/provider.ts";
import { orAbort } from "#upstream/deadline.ts";
import { fault } from "#upstream/fault.ts";

export type Credentials = {
  /** Appended to the query; the existing query stays as written. */
  query: { name: string; value: string } | null;
  headers: Record<string, string>;
};

export type Authoriser = {
  credentials(auth: Auth, signal: AbortSignal): Promise<Credentials>;
  /** After a 401: drops the token these credentials carry. False when there is nothing to renew. */
  forget(auth: Auth, credentials: Credentials): boolean;
};

type OAuth2 = Extract<Auth, { kind: "oauth2" }>;
type Token = { header: string; good_until_ms: number };
type TokenAnswer = { status: number; body: Uint8Array };
type Send = (request: SourceRequest & { signal: AbortSignal }) => Promise<TokenAnswer>;

const EXPIRY_MARGIN_MS = 30_000;
/** RFC 6749 5.1 lets a server leave expires_in out; then a 401 shows the end. */
const DEFAULT_LIFE_S = 3600;
const TOKEN_TIMEOUT_MS = 5_000;
const MAX_TOKEN_BYTES = 64 * 1024;

export function createAuthoriser({ send, now }: { send: Send; now: () => number }): Authoriser {
  const tokens = new Map<string, Token>();
  const renewals = new Map<string, Promise<Token>>();

  async function renew(auth: OAuth2): Promise<Token> {
    // Own deadline: the first caller giving up must not fail the others that wait.
    const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
    const token = await toToken(await send({ ...toTokenRequest(auth), signal }), now());
    tokens.set(toKey(auth), token);
    return token;
  }

  /** All that ask while it runs share one renewal; a failed one is not kept. */
  function renewOnce(auth: OAuth2, key: string): Promise<Token> {
    const running = renewals.get(key);
    if (running) return running;
    const renewal = renew(auth).finally(() => renewals.delete(key));
    renewals.set(key, renewal);
    return renewal;
  }

  async function bearer(auth: OAuth2, signal: AbortSignal): Promise<Credentials> {
    const key = toKey(auth);
    const known_token = tokens.get(key);
    const token =
      known_token && known_token.good_until_ms > now()
        ? known_token
        : await orAbort(renewOnce(auth, key), signal);
    return { query: null, headers: { authorization: token.header } };
  }

  return {
    credentials: async (auth, signal) =>
      auth.kind === "oauth2" ? await bearer(auth, signal) : toCredentials(auth),
    forget(auth, { headers }) {
      if (auth.kind !== "oauth2") return false;
      // Another call may have renewed it already: drop only the token that was refused.
      const key = toKey(auth);
      if (tokens.get(key)?.header === headers["authorization"]) tokens.delete(key);
      return true;
    },
  };
}

function toCredentials(auth: Exclude<Auth, OAuth2>): Credentials {
  switch (auth.kind) {
    case "none":
      return { query: null, headers: {} };
    case "query":
      return { query: { name: auth.name, value: auth.value }, headers: {} };
    case "headers":
      return { query: null, headers: auth.headers };
    case "basic":
      return { query: null, headers: { authorization: toBasic(auth.username, auth.password) } };
  }
}

function toBasic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** The secret is not part of it: a changed secret comes with a restart. */
function toKey(auth: OAuth2): string {
  return JSON.stringify([auth.token_url, auth.client_id, auth.scope ?? null]);
}

/** Basic for the client, as every server must accept (RFC 6749 2.3.1: form-encoded first). */
function toTokenRequest(auth: OAuth2): SourceRequest {
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  if (auth.scope !== undefined) body.set("scope", auth.scope);
  const [id, secret] = [encodeForm(auth.client_id), encodeForm(auth.client_secret)];
  return {
    url: auth.token_url,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    auth: { kind: "basic", username: id, password: secret },
    body: body.toString(),
    max_bytes: MAX_TOKEN_BYTES,
    timeout_ms: TOKEN_TIMEOUT_MS,
  };
}

function encodeForm(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

async function toToken(answer: TokenAnswer, now_ms: number): Promise<Token> {
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw fault("OAUTH_REFUSED");
  if (answer.status !== 200) throw fault("OAUTH_FAILED");
  const text = new TextDecoder().decode(answer.body);
  const grant = await Promise.resolve(text)
    .then(JSON.parse)
    .then(toGrant, () => null);
  if (!grant) throw fault("OAUTH_FAILED");
  const life_ms = grant.expires_in_s * 1000 - EXPIRY_MARGIN_MS;
  return { header: `Bearer ${grant.access_token}`, good_until_ms: now_ms + life_ms };
}

type Grant = { access_token: string; expires_in_s: number };

/** RFC 6749 A.12: a token is printable ASCII; anything else would be a header injection. */
function toGrant(reply: unknown): Grant | null {
  if (typeof reply !== "object" || reply === null) return null;
  const { access_token, expires_in } = reply as Record<string, unknown>;
  if (typeof access_token !== "string" || !/^[!-~]+$/.test(access_token)) return null;
  const life_s = Number(expires_in ?? DEFAULT_LIFE_S);
  return { access_token, expires_in_s: life_s >= 0 ? life_s : DEFAULT_LIFE_S };
}
