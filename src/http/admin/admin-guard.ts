/**
 * Access control of the admin API (reliability 4.4): a request must have a name of this listener as
 * its Host, so that a page whose own name was made to point here gets nowhere, and then the token.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { admit, type BucketState } from "#core/limits/gcra.ts";
import { refuse, type AdminRefusal } from "./admin-answer.ts";
import { createHostCheck } from "./host.ts";
import type { AdminApiDeps } from "./route.ts";

/** Wrong tokens a minute, of all callers together: good ones are not counted, nor held up. */
const WRONG_TOKENS = { rate_per_s: 10 / 60, burst: 10 } as const;

export type Guard = (headers: IncomingHttpHeaders) => AdminRefusal | null;

export function createGuard({
  token,
  host,
  clock,
}: Pick<AdminApiDeps, "token" | "host" | "clock">): Guard {
  const findHostFault = createHostCheck(host);
  const digest = sha256(token);
  let failures: BucketState = null;

  return (headers) => {
    const stranger = findHostFault(headers);
    if (stranger !== null) return stranger;
    const { authorization } = headers;
    if (authorization === undefined) return TOKEN_MISSING;
    const presented = BEARER.exec(authorization)?.[1] ?? "";
    // Of digests, so that the time it takes shows neither content nor length of the token.
    if (timingSafeEqual(sha256(presented), digest)) return null;
    const decision = admit(failures, WRONG_TOKENS, clock.now());
    failures = decision.state;
    return decision.admitted ? TOKEN_WRONG : tooMany(decision.retry_after_s);
  };
}

/** A change must say that it is JSON, which a form of another site cannot. */
export function findTypeFault(headers: IncomingHttpHeaders): AdminRefusal | null {
  return JSON_TYPE.test(headers["content-type"] ?? "") ? null : NOT_JSON;
}

const BEARER = /^bearer +([\u0021-\u007e]+)$/i;
const JSON_TYPE = /^application\/json(?:[ \t]*;.*)?$/i;

const CHALLENGE = { "www-authenticate": "Bearer" };

const TOKEN_MISSING = refuse(
  "invalid_token",
  "send Authorization: Bearer with the admin token",
  CHALLENGE,
);
const TOKEN_WRONG = refuse("invalid_token", "the admin token is not valid", CHALLENGE);
const NOT_JSON: AdminRefusal = refuse(
  "unsupported_media_type",
  "the request needs Content-Type: application/json",
);

function tooMany(retry_after_s: number): AdminRefusal {
  const headers = { "retry-after": String(retry_after_s) };
  return refuse("rate_limited", "too many wrong admin tokens", headers);
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
