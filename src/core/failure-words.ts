/**
 * Names for a failure of a source: one of a few words for lists and messages, and a sentence for
 * the operator who has to fix it (decisions, Second edition, Messages). Nothing in it is an
 * upstream's text.
 */
import type { FailureWord, ProblemBody } from "#api/sources.ts";
import type { Failure } from "#kit/outcome.ts";
import { toDaysReason } from "#transit/timetable/days.ts";

type Row = readonly [reasons: readonly string[], word: FailureWord, cause: string];

const LEFT_ALONE = "it has failed too often and is left alone for a moment";

/** `$` is replaced by the reason; what is in no row is explained by its status. */
const CAUSES: readonly Row[] = [
  [["http_401", "http_403"], "refused our key", "it refused our credentials"],
  [["oauth_refused"], "refused our key", "it refused our credentials when asked for a token"],
  [["deadline"], "too slow", "it did not answer within its time limit"],
  [["aborted"], "too slow", "the request was called off before it was answered"],
  [
    ["http_408", "http_504", "query_timeout", "out_of_time"],
    "too slow",
    "it gave up for lack of time",
  ],
  [["http_429", "rate_limited"], "over its allowance", "it says that it was asked too often"],
  [["quota"], "over its allowance", "the requests that it allows are used up"],
  [
    ["spend_cap"],
    "over its allowance",
    "the calls a day that the configuration allows are used up",
  ],
  [["reserved_for_keys"], "over its allowance", "what is left for today is reserved for keys"],
  [["cooling_down"], "over its allowance", "it asked to be left alone for a while"],
  [["blocked"], "over its allowance", "it has blocked our requests"],
  [["busy"], "over its allowance", "as many requests as it can take were under way"],
  [["not_configured"], "not configured", "its address or its key is missing in the configuration"],
  [["no_coverage"], "does not cover this point", "it does not know this part of the world"],
  [["connection_refused"], "unreachable", "the connection was refused"],
  [["dns_failed"], "unreachable", "its host name could not be resolved"],
  [["unreachable"], "unreachable", "there is no route to its address"],
  [["tls_failed"], "unreachable", "a secure connection could not be made"],
  [["oauth_failed"], "unreachable", "no token could be had for it"],
  [["egress_denied"], "unreachable", "its address is private and not allowed by the configuration"],
  [["host_denied"], "unreachable", "it points to another site than its own"],
  [["url_denied"], "unreachable", "its address may not be asked (scheme, port or form)"],
  [
    ["redirect_denied", "too_many_redirects"],
    "unreachable",
    "it redirects to where we may not follow",
  ],
  [["circuit_open"], "unreachable", LEFT_ALONE],
  [["shutting_down"], "unreachable", "this service is shutting down"],
  [["not_found"], "unreadable", "the file does not exist"],
  [["not_loaded"], "unreachable", "it has not been read yet"],
  [["connection_reset"], "unreadable", "the connection broke before the answer was complete"],
  [
    ["bad_http", "bad_encoding", "bad_request"],
    "unreadable",
    "its answer does not follow the protocol",
  ],
  [
    ["body_too_large", "headers_too_large", "too_large"],
    "unreadable",
    "its answer is larger than we accept",
  ],
  [["decompression_bomb"], "unreadable", "its answer grows too large when decompressed"],
  [["too_many_pages"], "unreadable", "it has more pages than we read"],
  [["not_json"], "unreadable", "its answer is not JSON"],
  [["wrong_shape"], "unreadable", "its answer is of another shape than documented"],
  [["no_files"], "unreadable", "it lists none of the files that are needed"],
  [
    ["defect", "internal"],
    "unreadable",
    "a defect of this service kept it from being read; the log has the details",
  ],
  [["worker_failed"], "unreadable", "the thread that read it has ended"],
  [["outdated"], "unreadable", "its data have not changed for too long"],
  [
    ["earlier_version"],
    "of another version",
    "an earlier version of this service imported it, so it must be imported again",
  ],
  [
    ["later_version"],
    "of another version",
    "a later version of this service imported it: run that one, or import it again",
  ],
  [["damaged"], "unreadable", "it is damaged in the store, so it must be imported again"],
  [["never_runs"], "unreadable", "nothing in it runs on any day"],
  [["unreadable", "EACCES", "EISDIR"], "unreadable", "the file cannot be read"],
  [
    ["runtime_error", "out_of_memory", "upstream_error"],
    "answers with errors",
    "it reports an error of its own",
  ],
];

const FALLBACK = {
  timeout: ["too slow", "it did not answer in time"],
  unauthorized: ["refused our key", "it refused our credentials"],
  unavailable: ["unreachable", "it takes no requests at the moment ($)"],
  error: ["unreadable", "its answer could not be used ($)"],
} as const satisfies Record<Failure["status"], readonly [FailureWord, string]>;

/** Explains a failure; `reason` may have the file it is about in front: `station_status:http_500`. */
export function explainFailure({
  status,
  reason,
}: Pick<Failure, "status" | "reason">): ProblemBody {
  const colon = reason.indexOf(":");
  const token = colon < 0 ? reason : reason.slice(colon + 1);
  const row = rowOf(token);
  const [word, cause] = row ? [row[1], row[2]] : FALLBACK[status];
  const listed = token.startsWith("http_") ? token.slice("http_".length) : token;
  const file = colon < 0 ? "" : ` (${reason.slice(0, colon)})`;
  const text = `${cause.replace("$", () => listed)}${file}.`;
  return { word, reason, message: text.charAt(0).toUpperCase() + text.slice(1) };
}

function rowOf(token: string): Row | undefined {
  const listed = CAUSES.find(([reasons]) => reasons.includes(token));
  return listed ?? otherAnswer(token) ?? ofDays(token) ?? ofCircuit(token);
}

const CIRCUIT = /^circuit_open(?:_(\w+))?$/;

/** The reason of a source that is not asked for a moment, with the reason of the failure that led to it. */
export function toCircuitReason(last: string): string {
  return `circuit_open_${last}`;
}

/** Whether a source was not asked since it had failed too often. */
export function isLeftAlone(reason: string): boolean {
  return CIRCUIT.test(reason);
}

/** The same word as before it was left alone, so that a source does not seem to fail in two ways. */
function ofCircuit(token: string): Row | undefined {
  const [, last] = CIRCUIT.exec(token) ?? [];
  const row = last === undefined ? undefined : rowOf(last);
  if (row === undefined) return undefined;
  const cause = row[2].replace("$", () => last!.replace(/^http_/, ""));
  return [[token], row[1], `${LEFT_ALONE}: ${cause}`];
}

/** Reasons of a timetable whose days lie elsewhere than the question's, with the day that they end or begin on. */
const DAYS = /^(ended|begins)_(\d{4}-\d\d-\d\d)$/;

function ofDays(token: string): Row | undefined {
  const [, kind, date] = DAYS.exec(token) ?? [];
  if (kind === undefined) return undefined;
  return kind === "ended"
    ? [[token], "has ended", `its last day was ${date}`]
    : [[token], "has not begun", `its first day is ${date}`];
}

const HTTP = /^http_\d\d\d$/;

/** Any status that has no row of its own. */
function otherAnswer(token: string): Row | undefined {
  return HTTP.test(token) ? [[token], "answers with errors", "it answered HTTP $"] : undefined;
}

const STATUS_OF: Readonly<Record<FailureWord, Failure["status"]>> = {
  "too slow": "timeout",
  "refused our key": "unauthorized",
  "answers with errors": "error",
  unreadable: "error",
  unreachable: "unavailable",
  "over its allowance": "unavailable",
  "not configured": "unavailable",
  "does not cover this point": "unavailable",
  "of another version": "unavailable",
  "has ended": "error",
  "has not begun": "error",
};

/** Every reason with a status it may have, for the page of messages. @public */
export const FAILURES: readonly Failure[] = [
  ...CAUSES,
  otherAnswer("http_500")!,
  ofCircuit(toCircuitReason("http_500"))!,
  ofCircuit(toCircuitReason("deadline"))!,
  ofDays(toDaysReason("ended", "2026-09-06"))!,
  ofDays(toDaysReason("begins", "2026-12-13"))!,
].flatMap(([reasons, word]) =>
  reasons.map((reason) => ({
    status: isLeftAlone(reason) ? ("unavailable" as const) : STATUS_OF[word],
    reason,
  })),
);

export const ASK_AGAIN = "ask again in a moment";
export const OPERATOR_ALONE = "asking again changes nothing until the operator acts";
const TOMORROW = "ask again tomorrow";

/** What to do about a failure, where its word does not decide it. */
const ADVICE: Readonly<Record<string, string>> = {
  earlier_version: `${OPERATOR_ALONE} by importing it again`,
  later_version: `${OPERATOR_ALONE} by importing it again`,
  damaged: `${OPERATOR_ALONE} by importing it again`,
  spend_cap: TOMORROW,
  reserved_for_keys: `send a key, or ${TOMORROW}`,
  no_coverage: "another point may be covered",
  never_runs: OPERATOR_ALONE,
  egress_denied: OPERATOR_ALONE,
  host_denied: OPERATOR_ALONE,
  url_denied: OPERATOR_ALONE,
};

/** Says what a caller can do about a failure. */
export function adviseOn(failure: Pick<Failure, "status" | "reason">): string {
  const { word, reason } = explainFailure(failure);
  const own = ADVICE[reason.slice(reason.indexOf(":") + 1)];
  if (own !== undefined) return own;
  return ALONE.has(word) ? OPERATOR_ALONE : ASK_AGAIN;
}

const ALONE: ReadonlySet<FailureWord> = new Set([
  "refused our key",
  "not configured",
  "has ended",
  "has not begun",
]);

/** Says why an operation that depends on one source fails, and what to do. */
export function sayRefusal(name: string, failure: Pick<Failure, "status" | "reason">): string {
  return `${sayFailure(name, failure)}; ${adviseOn(failure)}`;
}

/** A source and its failure in a word: "MET Norway is unreachable", "Navitia refused our key". */
export function sayWord(name: string, word: FailureWord): string {
  const isState = !/^(refused|does not|has|answers) /.test(word);
  return `${name} ${isState ? "is " : ""}${word}`;
}

/** The same of a failure, with the day where there is one: "the timetable bart has ended on 2026-09-06". */
export function sayBriefly(name: string, failure: Pick<Failure, "status" | "reason">): string {
  const { word } = explainFailure(failure);
  const [, kind, date] = DAYS.exec(failure.reason) ?? [];
  const day = kind === undefined ? "" : kind === "ended" ? ` on ${date}` : `: it begins on ${date}`;
  return `${sayWord(name, word)}${day}`;
}

/** One sentence that names the source: "MET Norway is unreachable: the connection was refused". */
function sayFailure(name: string, failure: Pick<Failure, "status" | "reason">): string {
  const { word, message } = explainFailure(failure);
  const cause = message.charAt(0).toLowerCase() + message.slice(1, -1);
  return `${sayWord(name, word)}: ${cause}`;
}
