/** Answers before they are read: a refusal, JSON, or neither (places.md 0.1). */
import { parseAnswer } from "#kit/json.ts";
import type { Failure } from "#kit/outcome.ts";
import type { WireAnswer } from "#providers/lookup.ts";

/** Meaning of a status with one provider, where it differs from that with all. */
export type OwnStatuses = Readonly<Record<number, Failure>>;

/** Statuses of servers without keys: a caller that is turned away there has asked too much. */
export const KEYLESS: OwnStatuses = {
  403: { status: "unavailable", reason: "blocked" },
  429: { status: "unavailable", reason: "blocked" },
};

const STATUSES: OwnStatuses = {
  400: { status: "error", reason: "bad_request" },
  401: { status: "unauthorized", reason: "http_401" },
  403: { status: "unauthorized", reason: "http_403" },
  404: { status: "unavailable", reason: "http_404" },
  408: { status: "timeout", reason: "http_408" },
  410: { status: "unavailable", reason: "http_404" },
  429: { status: "unavailable", reason: "http_429" },
  504: { status: "timeout", reason: "http_504" },
};

export const NOT_JSON: Failure = { status: "error", reason: "not_json" };
export const WRONG_SHAPE: Failure = { status: "error", reason: "wrong_shape" };
/** The source says itself that it failed, and not how. */
export const UPSTREAM_ERROR: Failure = { status: "error", reason: "upstream_error" };

/** Returns the failure that an HTTP status means, in a head or in a body. */
export function failureOf(status: number, statuses: OwnStatuses): Failure {
  if (!Number.isInteger(status) || status < 400 || status > 599) return UPSTREAM_ERROR;
  const entry = statuses[status] ?? STATUSES[status];
  return entry ?? { status: status >= 500 ? "unavailable" : "error", reason: `http_${status}` };
}

/** Returns the refusal that a status means; null: the source does answer. */
export function answerRefusal(status: number, statuses: OwnStatuses): Failure | null {
  return status >= 200 && status <= 299 ? null : failureOf(status, statuses);
}

export type OpenedAnswer = { ok: true; json: unknown } | ({ ok: false } & Failure);

/** The JSON of an answer that is none of the refusals. */
export function openAnswer({ status, body }: WireAnswer, statuses: OwnStatuses): OpenedAnswer {
  const json = parseAnswer(body);
  const failure = answerRefusal(status, statuses) ?? (json === undefined ? NOT_JSON : null);
  return failure ? { ok: false, ...failure } : { ok: true, json };
}
