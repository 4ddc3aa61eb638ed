/**
 * Notices: what a reader of an answer should know beyond its results, each as a structured reason
 * and as the words for it. JSON, pages, command line and tools show these words and make none of
 * their own (decisions, Second edition, Messages).
 */
import type { FailureWord } from "#api/sources.ts";
import { adviseOn, explainFailure, sayBriefly, sayWord } from "#core/failure-words.ts";
import type { Failure } from "#kit/outcome.ts";
import { cutText } from "#kit/text/cut.ts";
import { type LostBase, toUnopenedSource } from "#osm/base/other-version.ts";

/** Where results end though there may be more: `total` is null where the source does not say. */
export type Cut = { shown: number; total: number | null; within_m: number };

/** A list that ends at a bound, and how many there are. */
export type ListedNotice<T> = { items: readonly T[]; total: number };

export type Notice = {
  /** Name of the source; null: it is about no single one. */
  source: string | null;
  cause: FailureWord | null;
  /** Age in seconds of the data shown in place of newer ones; null: none are shown. */
  age_s: number | null;
  cut: Cut | null;
  /** One English sentence without its full stop. */
  message: string;
};

/**
 * The JSON of a notice, member by member: each page of /v1/nearby that others follow has one, and
 * `JSON.stringify` of it cost 3 % of such an answer (docs/lab/performance.md).
 */
export function toNoticeJson({ source, cause, age_s, cut, message }: Notice): string {
  const cutJson =
    cut === null
      ? "null"
      : `{"shown":${cut.shown},"total":${cut.total},"within_m":${cut.within_m}}`;
  return `{"source":${textJson(source)},"cause":${textJson(cause)},"age_s":${age_s},"cut":${cutJson},"message":${textJson(message)}}`;
}

function textJson(text: string | null): string {
  return text === null ? "null" : JSON.stringify(text);
}

const ABOUT_NONE = { source: null, cause: null, age_s: null, cut: null } as const;

/** Names come from publishers, who may write what they like. */
const NAME_MAX = 80;

function shortName(name: string): string {
  return cutText(name, NAME_MAX);
}

/** Says that a source failed, and how old its data are where some are shown. */
export function ofFailure(
  source: string,
  failure: Pick<Failure, "status" | "reason">,
  age_s: number | null,
): Notice {
  const { word } = explainFailure(failure);
  const name = shortName(source);
  const old = age_s === null ? "" : `, its data are ${sayAge(age_s)} old`;
  const message = `${sayBriefly(name, failure)}${old}`;
  return { source: name, cause: word, age_s, cut: null, message };
}

/** Says of a source that is shown as it was read how old that is. */
export function ofAge(source: string, age_s: number): Notice {
  const name = shortName(source);
  const message = `${name}: its data are ${sayAge(age_s)} old`;
  return { ...ABOUT_NONE, source: name, age_s, message };
}

/** Says that more streets lie within the distance than one search looks at; `within_m`: it ended there. */
export function ofUnlookedStreets(within_m: number): Notice {
  const message = `there are more streets here than are looked at: what is further than ${sayMetres(within_m)} on foot may be missing`;
  return { ...ABOUT_NONE, message };
}

/** Says that no more than the nearest of a family were looked at; `within_m`: up to there these are all. */
export function ofUnlookedFamily(family: string, shown: number, within_m: number): Notice {
  const message = `${family}: the nearest ${shown} by beeline were looked at: beyond ${sayMetres(within_m)} some may be missing`;
  return { ...ABOUT_NONE, cut: { shown, total: null, within_m }, message };
}

/** Says of a source that was asked that it knows nothing of this part of the world. */
export function ofUncovered(source: string): Notice {
  const cause = "does not cover this point";
  const name = shortName(source);
  return { ...ABOUT_NONE, source: name, cause, message: sayWord(name, cause) };
}

/** Says of a source that its data end within the circle. */
export function ofPartlyCovered(source: string): Notice {
  const name = shortName(source);
  const message = `${name} covers a part of the circle only, so that places beyond may be missing`;
  return { ...ABOUT_NONE, source: name, message };
}

/** Says that a source that was asked for by name is none of this deployment's. */
export function ofAbsent(source: string): Notice {
  const cause = "not configured";
  return { ...ABOUT_NONE, source, cause, message: sayWord(source, cause) };
}

/** Says that nothing is configured for what was asked. */
export function ofUnserved(what: readonly string[]): Notice {
  return {
    ...ABOUT_NONE,
    cause: "not configured",
    message: `no source of ${what.join(" or ")} is configured`,
  };
}

export function ofUnsurveyed(count: number): Notice {
  const [systems, have] = count === 1 ? ["system", "has"] : ["systems", "have"];
  return {
    ...ABOUT_NONE,
    message: `${count} ${systems} of the area ${have} not been surveyed yet`,
  };
}

/** Says that a list of systems was never read; `problem`: why, once that is known. */
export function ofUnread(source: string, problem: FailureWord | null): Notice {
  const name = shortName(source);
  const message =
    problem === null ? `${name} has not been read yet` : `${name} could not be read (${problem})`;
  return { ...ABOUT_NONE, source: name, cause: problem, message };
}

/** Says which types of services have to be asked for, since nothing is held of them here. */
export function ofUnheld(types: readonly string[]): Notice {
  const message = `services not yet known here: ${types.join(", ")} (/v1/services/nearby asks for them)`;
  return { ...ABOUT_NONE, message };
}

/** Says that nothing is held of families whose sources, if any, are asked by their own searches alone. */
export function ofUnstored(families: readonly string[]): Notice {
  const message = `nothing of ${families.join(" or ")} is held here; their own searches ask a source where one is configured`;
  return { ...ABOUT_NONE, message };
}

/** Says that a source names no more than its nearest ones. */
export function ofSourceCut(source: string, of: string, cut: Cut): Notice {
  const { shown, total, within_m } = cut;
  const name = shortName(source);
  const message = `${name} names at most ${shown} places of ${of}, so that some beyond ${sayMetres(within_m)} may be missing`;
  return { ...ABOUT_NONE, source: name, cut: { shown, total, within_m }, message };
}

/** Says that there are more things around than are counted; `within_m`: up to where all of them are. */
export function ofUncounted(counted: number, within_m: number): Notice {
  const message = `there are more things here than are looked at: beyond ${sayMetres(within_m)} some may be missing; a smaller radius shows all`;
  return { ...ABOUT_NONE, cut: { shown: counted, total: null, within_m }, message };
}

/** Says that the page ends before the results do; `next`: how to get the others. */
export function ofPageCut(cut: Cut & { total: number; from: number }, next: string): Notice {
  const { shown, total, within_m, from } = cut;
  const range = from === 0 ? `the nearest ${shown}` : `${from + 1} to ${from + shown}`;
  const message = `shown are ${range} of ${total}, up to ${sayMetres(within_m)} away; ${next}`;
  return { ...ABOUT_NONE, cut: { shown, total, within_m }, message };
}

/** Says that a page in order of time on foot ends before the results do; `last_s`: to the last one, null: not known. */
export function ofWalkPageCut(
  cut: Cut & { total: number; from: number; last_s: number | null },
  next: string,
): Notice {
  const { shown, total, within_m, from, last_s } = cut;
  const range = from === 0 ? `the nearest ${shown}` : `${from + 1} to ${from + shown}`;
  const end =
    last_s === null
      ? "those without a known way last"
      : `up to ${plural(Math.ceil(last_s / 60), "minute")} away`;
  const message = `shown are ${range} of ${total} on foot, ${end}; ${next}`;
  return { ...ABOUT_NONE, cut: { shown, total, within_m }, message };
}

/** Says that ways on foot were looked for to the nearest alone; `within_m`: up to where to all. */
export function ofUnwalked(
  looked: number,
  within_m: number,
  lacks: "missing" | "nearer on foot than what is shown",
): Notice {
  const message = `ways on foot are looked for to the nearest ${looked} alone: beyond ${sayMetres(within_m)} some may be ${lacks}; a smaller radius shows all`;
  return { ...ABOUT_NONE, cut: { shown: looked, total: null, within_m }, message };
}

/** `until`: time of the last one, as clocks of the place show it; `isLeast`: `total` counts a part. */
type LaterCut = Cut & { total: number; until: string; isLeast: boolean };

/** Says that a list in order of time ends before its results do; `within_m`: the radius of the question. */
export function ofLaterCut(
  { shown, total, within_m, until, isLeast }: LaterCut,
  mayAskMore: boolean,
): Notice {
  const next = mayAskMore
    ? "a larger limit shows more"
    : "a shorter time or a line shows all of it";
  const of = isLeast ? `at least ${total}` : total;
  const message = `shown are the next ${shown} of ${of}, up to ${until}; ${next}`;
  return { ...ABOUT_NONE, cut: { shown, total: isLeast ? null : total, within_m }, message };
}

/** Says that not all were looked at, so that `total` counts a part; `within_m`: the radius of the question. */
export function ofUnlookedCut(shown: number, within_m: number): Notice {
  const message =
    "there are more departures than are looked at, so that the total counts a part of them; ask for less time, a smaller radius or a line";
  return { ...ABOUT_NONE, cut: { shown, total: null, within_m }, message };
}

/** Says that lines are those of the nearest stations alone; `within_m`: up to where these are all. */
export function ofUnlookedStations(shown: number, within_m: number): Notice {
  const message = `the lines are those of the nearest ${shown} stations: beyond ${sayMetres(within_m)} some may be missing; a smaller radius shows all`;
  return { ...ABOUT_NONE, cut: { shown, total: null, within_m }, message };
}

/** Says that departures name more alerts than are sent: ids of the others lead nowhere. */
export function ofAlertCut({ shown, total, within_m }: Cut & { total: number }): Notice {
  const message = `shown are ${shown} of the ${total} alerts about these departures; a smaller limit has fewer`;
  return { ...ABOUT_NONE, cut: { shown, total, within_m }, message };
}

const NO_WALKS = {
  outside_bases: "no imported base covers this point, so that ways on foot are not known",
  base_without_walking:
    "the imported base here is without ways on foot: they need a new import (vicinity import osm)",
  base_unreadable: "the imported base here cannot be read, so that ways on foot are not known",
  start_off_network:
    "no street is within 100 metres of this point, so that no way on foot begins here",
} as const;

/** Says why no result has a way on foot; `lost`: the base that cannot be read, where that is why. */
export function ofNoWalks(reason: keyof typeof NO_WALKS, lost: LostBase | null = null): Notice {
  if (lost === null) return { ...ABOUT_NONE, message: NO_WALKS[reason] };
  const { name, status, reason: cause } = toUnopenedSource(lost);
  const failed = ofFailure(name, { status, reason: cause }, null);
  const advice = adviseOn({ status, reason: cause });
  return { ...failed, message: `${failed.message}, ${UNKNOWN_WAYS}; ${advice}` };
}

const UNKNOWN_WAYS = "so that ways on foot are not known";

/** Whether it says that ways are not known since a base cannot be read. */
export function isOfLostWalks({ cause, message }: Pick<Notice, "cause" | "message">): boolean {
  return cause !== null && message.includes(`, ${UNKNOWN_WAYS}; `);
}

/** At most this many sentences are added to a short answer. */
const UNSAID_MAX = 5;

/** The sentences that neither `message` has nor a count of the results says. */
export function listOmitted(
  notices: readonly Pick<Notice, "cut" | "message">[] = [],
  message = "",
): string[] {
  const text = message.toLowerCase();
  return notices
    .filter(({ cut }) => cut === null || cut.total === null)
    .map((notice) => notice.message)
    .filter((words) => !text.includes(words.replace(/\.$/, "").toLowerCase()))
    .slice(0, UNSAID_MAX);
}

/** Says that a list by id ends at its bound; `within_m`: the radius of the question. */
export function ofListCut(of: string, { shown, total, within_m }: Cut & { total: number }): Notice {
  const message = `shown are the first ${shown} of ${total} ${of} by id; a smaller radius may have fewer`;
  return { ...ABOUT_NONE, cut: { shown, total, within_m }, message };
}

/** Says that of one kind only the nearest may be named (§4.6), whichever sources have more. */
export function ofKindCut(
  of: string,
  { shown, within_m }: Pick<Cut, "shown" | "within_m">,
): Notice {
  const message = `at most ${shown} places of ${of} are named; some beyond ${sayMetres(within_m)} are missing`;
  return { ...ABOUT_NONE, cut: { shown, total: null, within_m }, message };
}

const SPANS = [
  { unit: "second", s: 1, below_s: 100 },
  { unit: "minute", s: 60, below_s: 6_000 },
  { unit: "hour", s: 3_600, below_s: 172_800 },
  { unit: "day", s: 86_400, below_s: Number.POSITIVE_INFINITY },
] as const;

/** `40 seconds`, `8 minutes`, `30 hours`, `12 days`. */
function sayAge(age_s: number): string {
  const span = SPANS.find(({ below_s }) => age_s < below_s) ?? SPANS[3];
  return plural(Math.floor(Math.max(0, age_s) / span.s), span.unit);
}

export function sayMetres(metres: number): string {
  return metres > 0 && metres < 1 ? "less than 1 metre" : plural(metres, "metre");
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Ends a notice as a sentence; a name at its head stays as its source writes it. */
export function toEnded(notice: Notice): Notice {
  const { source, message } = notice;
  const isName = source !== null && message.startsWith(source) && !source.startsWith("the ");
  return { ...notice, message: isName ? `${message}.` : toSentence(message) };
}

export function toSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
