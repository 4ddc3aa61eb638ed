/** Answers of ask_here as they are shown: few members, and few enough bytes for a model to read at once. */
import { ASK_BYTES, type AskShown } from "#api/agent-ask.ts";
import type { Wish } from "#core/wishes/read-wish.ts";
import { parseRfc3339 } from "#kit/time.ts";
import { cutText } from "#kit/text/cut.ts";
import type { Static } from "typebox";
import { sizeAtPlace, toBriefName } from "../brief.ts";
import { toFoot } from "../on-foot.ts";
import { cleanAll } from "../tool-records.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import { toCredits } from "../answer-sources.ts";
import type { Candidate } from "./ask-found.ts";
import type { Chosen } from "./ask-pairs.ts";

type Shown = Static<typeof AskShown>["answers"][number];
/** `known_sources`: those of what is known alone. */
export type Row = {
  shown: Shown;
  sources: readonly string[];
  known_sources: readonly string[];
};

export function toAnswers(
  wishes: readonly Wish[],
  chosen: readonly Chosen[],
  now_ms: number,
): Row[] {
  return wishes.map((wish, index) => toRow(wish, chosen[index]!, now_ms));
}

/** The candidates of a wish that count, and which of them is the first that is known to fit; -1: none. */
function findKnown({ found, pick }: Chosen): { candidates: readonly Candidate[]; at: number } {
  const candidates = pick === null ? found.candidates : [pick];
  return { candidates, at: candidates.findIndex(({ lacks }) => lacks.length === 0) };
}

/** What an answer says is known; null: nothing. */
export function knownOf(chosen: Chosen): Candidate | null {
  const { candidates, at } = findKnown(chosen);
  return candidates[at] ?? null;
}

function toRow(wish: Wish, chosen: Chosen, now_ms: number): Row {
  const { found, pair } = chosen;
  const { candidates, at } = findKnown(chosen);
  const known = candidates[at] ?? null;
  // One that may fit is named where it is nearer, or where none is known to fit.
  const unknown = at === 0 ? null : (candidates[0] ?? null);
  const answer = known ? "known" : unknown ? "unknown" : found.failed ? "failed" : "none";
  const hasMessage = answer !== "known" && found.message !== null;
  const shown: Shown = {
    wish: wish.text,
    answer,
    ...(known ? {} : { within_meters: found.within_m }),
    ...(known && { known: toThing(known, now_ms) }),
    ...(unknown && { unknown: { ...toThing(unknown, now_ms), lacks: [...unknown.lacks] } }),
    ...(pair && { pair }),
    ...(hasMessage ? { message: found.message! } : {}),
  };
  return {
    shown: cleanAll(shown),
    sources: [known, unknown].flatMap((each) => each?.sources ?? []),
    known_sources: known?.sources ?? [],
  };
}

function toThing(each: Candidate, now_ms: number) {
  const { id, name, location, distance_m, walk, facts, price, true_until } = each;
  const { walk_minutes } = toFoot(walk, { profile: "foot", known: walk !== undefined });
  return {
    id,
    name: name && toBriefName(name),
    location: { lat: round(location.lat), lon: round(location.lon) },
    distance_meters: Math.round(distance_m),
    ...(walk_minutes === undefined ? {} : { walk_minutes }),
    ...facts,
    ...(price === null ? {} : { price: toBriefName(price) }),
    ...(true_until === null ? {} : { true_until }),
    proof: [each.sources[0] ?? "unknown source", ...sayAge(each.observed_at, now_ms)].join(", "),
  };
}

/** To a metre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

/** None where it is not stated. */
function sayAge(observed_at: string | null, now_ms: number): string[] {
  const seen_ms = observed_at === null ? null : parseRfc3339(observed_at);
  if (seen_ms === null) return [];
  return [`${Math.max(0, Math.round((now_ms - seen_ms) / 1000))} s old`];
}

/** Of names, where the answer would be too long with whole ones. */
const SHORT_MAX = 24;
const ALONE = "The answer would be too long: ask for it alone.";

/** What makes an answer shorter, in this order, each for the last wish first. */
const STEPS: readonly ((row: Row) => Row)[] = [
  withoutUnknown,
  withShortNames,
  ({ shown: { wish, answer } }) => ({
    shown: { wish: cutText(wish, SHORT_MAX), answer, message: ALONE },
    ...{ sources: [], known_sources: [] },
  }),
];

/**
 * Leaves out what is said of unknown things where another is known, then ends of names, then whole
 * answers but the first, until the answer is short enough.
 */
export function shrink<T extends object>(
  rows: readonly Row[],
  around: (rows: readonly Row[]) => T,
): T {
  let left = [...rows];
  for (const step of STEPS)
    for (let index = rows.length - 1; index >= 0; index--) {
      const answer = around(left);
      if (sizeAtPlace(answer) <= ASK_BYTES) return answer;
      left = left.map((row, at) => (at === index ? step(row) : row));
    }
  return around(left);
}

function withoutUnknown(row: Row): Row {
  if (row.shown.known === undefined) return row;
  const { unknown: _, ...shown } = row.shown;
  return { shown, sources: row.known_sources, known_sources: row.known_sources };
}

function withShortNames({ shown, ...sources }: Row): Row {
  const { known, unknown, message } = shown;
  return {
    ...sources,
    shown: {
      ...shown,
      ...(known && { known: withShort(known) }),
      ...(unknown && { unknown: { ...unknown, ...withShort(unknown) } }),
      ...(message === undefined ? {} : { message: cutText(message, 2 * SHORT_MAX) }),
    },
  };
}

function withShort<T extends NonNullable<Shown["known"]>>(thing: T): T {
  const { name, line, toward, price } = thing;
  return {
    ...thing,
    name: name && cutText(name, SHORT_MAX),
    ...(line === undefined ? {} : { line: cutText(line, SHORT_MAX) }),
    ...(toward && { toward: cutText(toward, SHORT_MAX) }),
    ...(price === undefined ? {} : { price: cutText(price, SHORT_MAX) }),
  };
}

/** Credits as texts, each once. */
export function toAttribution(rows: readonly Row[], termsOf: TermsOf): string[] {
  const texts = toCredits(rows, termsOf).map(({ provider, attribution, licence }) => {
    const licensed = licence === null ? "" : ` (${licence})`;
    return `${toBriefName(attribution ?? provider)}${licensed}`;
  });
  return [...new Set(texts)];
}
