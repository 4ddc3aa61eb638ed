/**
 * The one table from what went wrong upstream to what we say about it. The reason is a token of
 * ours: an upstream's own text goes nowhere (reliability 4.5 rule 6).
 */
import type { Failure, FailureStatus } from "#kit/outcome.ts";

type Row = readonly [codes: RegExp, status: FailureStatus, reason: string];

/** The first row that matches the error's code counts. */
const ERROR_TABLE: readonly Row[] = [
  [/^(DEADLINE|HEADERS_TIMEOUT|ETIMEDOUT|TimeoutError)$/, "timeout", "deadline"],
  [/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/, "timeout", "deadline"],
  [/^(ABORTED|AbortError|UND_ERR_ABORTED)$/, "timeout", "aborted"],
  [/^EGRESS_DENIED$/, "unavailable", "egress_denied"],
  [/^HOST_DENIED$/, "unavailable", "host_denied"],
  [/^URL_DENIED$/, "unavailable", "url_denied"],
  [/^OAUTH_REFUSED$/, "unauthorized", "oauth_refused"],
  [/^OAUTH_FAILED$/, "error", "oauth_failed"],
  [/^REDIRECT_DENIED$/, "error", "redirect_denied"],
  [/^TOO_MANY_REDIRECTS$/, "error", "too_many_redirects"],
  [/^BODY_TOO_LARGE$/, "error", "body_too_large"],
  [/^RATIO_TOO_HIGH$/, "error", "decompression_bomb"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "error", "headers_too_large"],
  [/^(BAD_ENCODING|Z_\w+|ERR_BROTLI\w*|ERR__ERROR_\w+|ERR_PADDING_\d)$/, "error", "bad_encoding"],
  [/^ECONNREFUSED$/, "error", "connection_refused"],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, "error", "connection_reset"],
  [/^UND_ERR_(RES|REQ)_CONTENT_LENGTH_MISMATCH$/, "error", "bad_http"],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, "error", "unreachable"],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_\w+)$/, "error", "dns_failed"],
  [/^(EPROTO|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|CRL_\w+)$/, "error", "tls_failed"],
  [
    /^(UNABLE_TO_\w+|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|INVALID_CA|HOSTNAME_MISMATCH)$/,
    "error",
    "tls_failed",
  ],
  [/^(HPE_\w+|HTTPParserError)$/, "error", "bad_http"],
  [/^(UND_ERR_DESTROYED|UND_ERR_CLOSED)$/, "unavailable", "shutting_down"],
  [/^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED)$/, "error", "bad_request"],
  // Of a body that is written to the disk.
  [/^(ENOSPC|EDQUOT|EROFS|EIO)$/, "error", "not_stored"],
];

/** Reason of an unknown code. */
export const UNEXPECTED = "unexpected";
const UNKNOWN: Failure = { status: "error", reason: UNEXPECTED };

/**
 * Statuses of failures of a source that is asked per question (places.md 0.1): it is not there,
 * or it was too slow. A feed keeps the statuses above (mobility.md 1.12 #21).
 */
const LOOKUP_TABLE: readonly (readonly [reasons: RegExp, status: FailureStatus])[] = [
  [/^http_(408|504)$/, "timeout"],
  [/^http_(404|429|5\d\d)$/, "unavailable"],
  [/^(connection_refused|connection_reset|unreachable|dns_failed|tls_failed)$/, "unavailable"],
];

export function toLookupFailure(failure: Failure): Failure {
  const row = LOOKUP_TABLE.find(([reasons]) => reasons.test(failure.reason));
  return row ? { ...failure, status: row[1] } : failure;
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_600_000;

export function fromError(error: unknown): Failure {
  const code = readCode(error);
  const row = ERROR_TABLE.find(([codes]) => codes.test(code));
  return row ? { status: row[1], reason: row[2] } : UNKNOWN;
}

/** Returns the failure of any status that is neither 2xx nor an expected 304. */
export function fromStatus(status: number, retry_after: string | null, now_ms: number): Failure {
  if (status === 401 || status === 403) return { status: "unauthorized", reason: `http_${status}` };
  // Gone and not found are the same to the caller.
  if (status === 404 || status === 410) return { status: "error", reason: "http_404" };
  const retry_at_ms = status === 429 || status >= 500 ? findRetryAt(retry_after, now_ms) : null;
  const failure: Failure = { status: "error", reason: `http_${status}` };
  return retry_at_ms === null ? failure : { ...failure, retry_at_ms };
}

/** RFC 9110 10.2.3: delta seconds or a date. Bounded, so that no upstream can switch us off. */
function findRetryAt(retry_after: string | null, now_ms: number): number | null {
  const text = retry_after?.trim() ?? "";
  const wait_ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now_ms;
  if (Number.isNaN(wait_ms)) return null;
  return now_ms + Math.min(Math.max(wait_ms, MIN_RETRY_MS), MAX_RETRY_MS);
}

function readCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  // A DOMException (AbortSignal.timeout) has a number for a code, undici's parser error often none:
  // their names identify them.
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error.name;
}
