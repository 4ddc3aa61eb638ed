/**
 * Success or failure of an answer of either service, as one table (places.md 0.1, 1.1, 1.5). HTTP
 * 200 is no success with Geocoding, and a 400 may be a bad key with Places: what the body says goes
 * first, the reason before the status, and only then the status of HTTP.
 */
import { parseAnswer } from "#kit/json.ts";
import type { Failure, FailureStatus } from "#kit/outcome.ts";
import { type Row, toList, toNumber, toRow, toText } from "#kit/coerce.ts";
import type { WireAnswer } from "#providers/lookup.ts";

export type GoogleRows = { ok: true; rows: readonly unknown[] } | ({ ok: false } & Failure);

type Line = readonly [tokens: RegExp, status: FailureStatus, reason: string];

/** `status` of Geocoding; `error.details[].reason` and `error.status` of google.rpc. */
const TOKENS: readonly Line[] = [
  [/^(REQUEST_DENIED|PERMISSION_DENIED|UNAUTHENTICATED)$/, "unauthorized", "request_denied"],
  [/^(API_KEY|ACCESS_TOKEN|CREDENTIALS|CONSUMER)_[A-Z_]+$/, "unauthorized", "request_denied"],
  [/^(SERVICE|BILLING)_DISABLED$/, "unauthorized", "request_denied"],
  [/^OVER_(QUERY|DAILY)_LIMIT$/, "unavailable", "quota"],
  [/^(RESOURCE_EXHAUSTED|RATE_LIMIT_EXCEEDED|RESOURCE_QUOTA_EXCEEDED)$/, "unavailable", "quota"],
  [/^UNKNOWN_ERROR$/, "unavailable", "unknown_error"],
  [/^DEADLINE_EXCEEDED$/, "timeout", "http_504"],
  [/^(INVALID_REQUEST|INVALID_ARGUMENT)$/, "error", "bad_request"],
];

/** Of HTTP; a null reason is `http_<status>`. */
const STATUSES: readonly (readonly [
  codes: RegExp,
  status: FailureStatus,
  reason: string | null,
])[] = [
  [/^40[13]$/, "unauthorized", "request_denied"],
  [/^429$/, "unavailable", "quota"],
  [/^400$/, "error", "bad_request"],
  [/^(408|504)$/, "timeout", null],
  [/^(404|5\d\d)$/, "unavailable", null],
];

/** Reads an answer; `list` finds the rows of a good body; null: it has another shape. */
export function readAnswer(
  wire: WireAnswer,
  list: (body: Row) => readonly unknown[] | null,
): GoogleRows {
  const parsed = parseAnswer(wire.body);
  const body = toRow(parsed);
  const failure = findFailure(wire.status, body);
  if (failure) return { ok: false, ...failure };
  if (parsed === undefined) return toFault("not_json");
  const rows = body && list(body);
  return rows ? { ok: true, rows } : toFault("wrong_shape");
}

/** Results of Geocoding; ZERO_RESULTS may come without a list. */
export function listResults(body: Row): readonly unknown[] | null {
  if (body["status"] === "ZERO_RESULTS") return [];
  const { status, results } = body;
  return status === "OK" && Array.isArray(results) ? results : null;
}

/** Places of Places; an empty answer is `{}`. */
export function listPlaces(body: Row): readonly unknown[] | null {
  if (Array.isArray(body["places"])) return body["places"];
  return Object.keys(body).length === 0 ? [] : null;
}

/**
 * Reports whether a bad request is about a place type that this Google does not know ("Unsupported
 * types: …"): some are new, and not in force everywhere.
 */
export function isAboutTypes(wire: WireAnswer, types: readonly string[]): boolean {
  const error = toRow(toRow(parseAnswer(wire.body))?.["error"]);
  const details = toList(error?.["details"]).map(toRow);
  const violations = details.flatMap((row) => toList(row?.["fieldViolations"])).map(toRow);
  const reported = [
    toText(error?.["message"]),
    ...violations.flatMap((row) => [toText(row?.["field"]), toText(row?.["description"])]),
  ].filter((text) => text !== null);
  return reported.some(
    (text) =>
      /\bunsupported (place )?types?\b|\bincluded_?types\b/i.test(text) ||
      text.split(/[^a-z_]+/).some((word) => word.includes("_") && types.includes(word)),
  );
}

function findFailure(http_status: number, body: Row | null): Failure | null {
  const error = toRow(body?.["error"]);
  for (const token of tokensOf(body, error)) {
    const line = TOKENS.find(([tokens]) => tokens.test(token));
    if (line) return { status: line[1], reason: line[2] };
  }
  if (http_status < 200 || http_status > 299) return fromStatus(http_status);
  if (!error) return null;
  const code = toNumber(error["code"]);
  const isStatus = code !== null && code >= 400 && code < 600 && Number.isInteger(code);
  return isStatus ? fromStatus(code) : { status: "error", reason: "wrong_shape" };
}

function tokensOf(body: Row | null, error: Row | null): string[] {
  const reasons = toList(error?.["details"]).map((detail) => toRow(detail)?.["reason"]);
  return [...reasons, error?.["status"], body?.["status"]].filter(
    (token) => typeof token === "string",
  );
}

function fromStatus(code: number): Failure {
  const line = STATUSES.find(([codes]) => codes.test(String(code)));
  return { status: line?.[1] ?? "error", reason: line?.[2] ?? `http_${code}` };
}

function toFault(reason: string): GoogleRows {
  return { ok: false, status: "error", reason };
}
