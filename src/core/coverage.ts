/**
 * The one place that says success, empty or partial (§3, R14): a failure never becomes an empty
 * list, and an unknown never becomes a nothing.
 */
import type { FailureWord } from "#api/sources.ts";
import {
  type Notice,
  ofAbsent,
  ofFailure,
  ofPartlyCovered,
  ofUncovered,
  ofUnheld,
  ofUnread,
  ofUnserved,
  ofUnstored,
  ofUnsurveyed,
  sayMetres,
  toEnded,
  toSentence,
} from "#core/notices.ts";
import { adviseOn, ASK_AGAIN, OPERATOR_ALONE } from "#core/failure-words.ts";
import type { SourceStatus } from "#kit/outcome.ts";

/** One source that was asked, and how it went. */
export type QueriedSource = {
  source_id: string;
  /** Absent: the id. */
  name?: string;
  status: SourceStatus;
  /** Machine token; null when ok. */
  reason: string | null;
  /** Of what is shown of it though it failed, s; null or absent: nothing is. */
  age_s?: number | null;
  /** It answered that it knows nothing of this part of the world. */
  uncovered?: boolean;
  /** It knows a part of the circle only. */
  partly?: boolean;
};

export type CoverageInput = {
  requested: readonly QueriedSource[];
  /** Families that were asked for and that no source of this deployment serves. */
  unserved: readonly string[];
  /** Names of the sources of a type that is asked for, none of which knows the point. */
  uncovered?: readonly string[];
  /** Names of sources that were asked for by name and that this deployment does not have. */
  absent?: readonly string[];
  /** Types of services not held near the point yet, for which no source may be asked there. */
  unheld?: readonly string[];
  /** Families whose sources, if there are any, hold nothing here: only their own searches ask them. */
  unstored?: readonly string[];
  /** Something was looked up in held data, so that no source was asked. */
  stored?: boolean;
  /** Systems of the point's country whose whereabouts are not known yet. */
  unsurveyed: number;
  /** Lists of systems that could never be read: what they would name may be anywhere. */
  unread?: readonly { name: string; problem: FailureWord | null }[];
  /** The family of which no source is configured anywhere; absent: there are some. */
  unconfigured?: string | null;
  /** Sources were asked for by name: each is said to know nothing of the point. */
  named?: boolean;
  /** Results of any kind. */
  found: number;
  radius_m: number;
  /** Largest radius that may be asked for; absent: the one asked. */
  radius_max?: number;
  /** Where results end though there may be more. */
  cuts?: readonly Notice[];
  /** Says up to where results were counted; null or absent: all were. */
  uncounted?: Notice | null;
  /** Time on foot within which results lie, and the most metres that are walked in it; null or absent: any. */
  on_foot?: { minutes: number; minutes_max: number; reach_m: number } | null;
};

/** Status of an answer (§3). */
export type CoverageStatus = "success" | "empty" | "partial";

/**
 * Partial as soon as something is missing of the answer or of what it is made of; otherwise success if
 * anything was found. Every face has its status from here.
 */
export function judgeStatus(of: { isIncomplete: true; found: boolean }): "partial";
export function judgeStatus(of: { isIncomplete: boolean; found: boolean }): CoverageStatus;
export function judgeStatus({
  isIncomplete,
  found,
}: {
  isIncomplete: boolean;
  found: boolean;
}): CoverageStatus {
  if (isIncomplete) return "partial";
  return found ? "success" : "empty";
}

/** Whether an answer may lack something. */
export function isPartial({ status }: { status: CoverageStatus }): boolean {
  return status === "partial";
}

export type Coverage = {
  status: CoverageStatus;
  /** One English sentence when the status is not success (decisions, Conventions). */
  message: string | null;
  /** Reasons for the message, and cuts, which complete answers may have as well. */
  notices: readonly Notice[];
};

/** More failures are counted, so that no answer is made of them. */
const MOST_NAMED = 3;
export const MOST_NOTICES = 20;
const NO_NOTICES: readonly Notice[] = [];

export function judgeCoverage(input: CoverageInput): Coverage {
  const { uncounted = null } = input;
  const { cuts: listed = NO_NOTICES } = input;
  const cuts = uncounted === null || input.found === 0 ? listed : [...listed, uncounted];
  const gaps = listGaps(input);
  // Nothing among what was looked at is no nothing.
  if (uncounted !== null && input.found === 0) gaps.push(uncounted);
  const status = judgeStatus({ isIncomplete: gaps.length > 0, found: input.found > 0 });
  if (status === "partial")
    return { status, message: sayGaps(gaps, input), notices: ended([...gaps, ...cuts]) };
  if (status === "success") return { status, message: null, notices: ended(cuts) };
  const uncovered = input.requested
    .filter((source) => source.uncovered)
    .map(nameOf)
    .map(ofUncovered);
  const { unconfigured = null } = input;
  const causes = unconfigured === null ? uncovered : [ofUnserved([unconfigured])];
  return { status, message: sayNothing(input, causes), notices: ended(causes) };
}

function ended(notices: readonly Notice[]): readonly Notice[] {
  if (notices.length === 0) return NO_NOTICES;
  return notices.slice(0, MOST_NOTICES).map(toEnded);
}

function listGaps({
  requested,
  unserved,
  uncovered = [],
  absent = [],
  unheld = [],
  unstored = [],
  unsurveyed,
  unread = [],
}: CoverageInput): Notice[] {
  const gaps: Notice[] = [];
  for (const source of requested) {
    const { status, reason, age_s = null } = source;
    if (status !== "ok")
      gaps.push(ofFailure(nameOf(source), { status, reason: reason ?? "unexpected" }, age_s));
    else if (source.partly) gaps.push(ofPartlyCovered(nameOf(source)));
  }
  for (const name of uncovered) gaps.push(ofUncovered(name));
  for (const name of absent) gaps.push(ofAbsent(name));
  if (unsurveyed) gaps.push(ofUnsurveyed(unsurveyed));
  for (const { name, problem } of unread) gaps.push(ofUnread(name, problem));
  if (unheld.length) gaps.push(ofUnheld(unheld));
  if (unstored.length) gaps.push(ofUnstored(unstored));
  if (unserved.length) gaps.push(ofUnserved(unserved));
  return gaps;
}

/** What is held of a source that failed may be old, and is all there. */
function sayGaps(gaps: readonly Notice[], input: CoverageInput): string {
  const isWhole = gaps.every(({ age_s }) => age_s !== null);
  const opening = isWhole ? "The answer is complete but old" : "The answer may be incomplete";
  const failures = gaps.filter(({ source }) => source !== null);
  const others = gaps.filter(({ source }) => source === null);
  const more = failures.length - MOST_NAMED;
  const parts = [
    ...failures.slice(0, MOST_NAMED).map(({ message }) => message),
    ...(more > 0 ? [`${more} more ${more === 1 ? "source" : "sources"} failed`] : []),
    ...others.map(({ message }) => message),
    ...adviceOn(input),
  ];
  return `${opening}: ${parts.join("; ")}.`;
}

const NAME_NONE = "without `providers` those of this deployment are asked";

/** Asking again is worth it as long as one of the gaps may pass. */
function adviceOn({ requested, absent = [], unserved, unsurveyed, unread = [] }: CoverageInput) {
  const advice = new Set(
    requested.flatMap(({ status, reason }) =>
      status === "ok" ? [] : [adviseOn({ status, reason: reason ?? "unexpected" })],
    ),
  );
  if (unsurveyed > 0 || unread.length > 0 || advice.has(ASK_AGAIN)) return [ASK_AGAIN];
  if (absent.length > 0) advice.add(NAME_NONE);
  if (unserved.length > 0) advice.add(OPERATOR_ALONE);
  return advice;
}

function sayNothing(input: CoverageInput, causes: readonly Notice[]): string {
  const { requested, stored = false, named = false, radius_m, radius_max = radius_m } = input;
  const { unconfigured = null, on_foot = null } = input;
  if (unconfigured !== null) return toSentence(`${causes[0]!.message}; ${OPERATOR_ALONE}`);
  const reasons = causes.map(({ message }) => message);
  const knowsNone = reasons.length === requested.length && !stored;
  if (knowsNone && (!named || reasons.length === 0)) return "No source covers this point.";
  if (knowsNone) return toSentence(reasons.join("; "));
  const isWide = radius_m >= Math.min(radius_max, on_foot?.reach_m ?? Infinity);
  const wider = isWide ? [] : [`the radius may be up to ${radius_max}`];
  const nothing = `Nothing was found within ${sayMetres(radius_m)}`;
  if (on_foot === null) return toSentence([nothing, ...reasons, ...wider].join("; "));
  const { minutes, minutes_max } = on_foot;
  const walked = `${nothing} that is reached on foot in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  const longer = minutes < minutes_max ? [`within_minutes may be up to ${minutes_max}`] : [];
  return toSentence([walked, ...reasons, ...wider, ...longer].join("; "));
}

function nameOf({ name, source_id }: QueriedSource): string {
  return name ?? source_id;
}
