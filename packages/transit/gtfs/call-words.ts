/**
 * The calls of a trip while they are read, as words of six numbers each, and what they become: a
 * pattern of stops and a profile of times, each kept once (packages/transit/timetable/timetable-draft.ts).
 */
import { PATTERN, PROFILE } from "../timetable/timetable-draft.ts";
import { UNTIMED } from "../timetable/timetable-layout.ts";
import type { Sequences } from "../timetable/sequences.ts";
import type { Trips } from "./trip-table.ts";

/** Words of a call, and which is which. */
export const WORDS = 6;
export const WORD = {
  sequence: 0,
  stop: 1,
  arrival: 2,
  departure: 3,
  /** Bits of CALL. */
  bits: 4,
  /** A text, or NONE. */
  headsign: 5,
} as const;

/** Sequence of a row that states none, until all rows of its trip are there. */
export const UNSTATED = -1;

const MAX_DWELL_S = 0xffff;

export type CallCodec = {
  /** Sorts the words of a trip's calls, and keeps them; start: UNTIMED where no call has a time. */
  write(trip: number, words: Int32Array, count: number): { profile: number; start: number };
  /** The words again. */
  read(profile: number, start: number): Int32Array;
};

export function createCallCodec(
  trips: Trips,
  { patterns, profiles }: { patterns: Sequences; profiles: Sequences },
): CallCodec {
  const scratch = { pattern: new Int32Array(0), profile: new Int32Array(0) };

  function writePattern(route: number, words: Int32Array, count: number): number {
    const length = PATTERN.head + count * PATTERN.call;
    if (scratch.pattern.length < length) scratch.pattern = new Int32Array(length * 2);
    const { pattern } = scratch;
    pattern[0] = route;
    for (let call = 0; call < count; call++) {
      const from = call * WORDS;
      const to = PATTERN.head + call * PATTERN.call;
      pattern[to] = words[from + WORD.stop]!;
      pattern[to + 1] = words[from + WORD.sequence]!;
      pattern[to + 2] = words[from + WORD.bits]!;
      pattern[to + 3] = words[from + WORD.headsign]!;
    }
    return patterns.intern(pattern, length);
  }

  function writeProfile(
    pattern: number,
    frequent: number,
    { words, count, start }: { words: Int32Array; count: number; start: number },
  ): number {
    const length = PROFILE.head + count * PROFILE.call;
    if (scratch.profile.length < length) scratch.profile = new Int32Array(length * 2);
    const { profile } = scratch;
    profile[0] = pattern;
    profile[1] = frequent;
    for (let call = 0; call < count; call++) {
      const from = call * WORDS;
      const to = PROFILE.head + call * PROFILE.call;
      const departure = words[from + WORD.departure]!;
      const isTimed = departure !== UNTIMED;
      const dwell = isTimed ? departure - words[from + WORD.arrival]! : 0;
      profile[to] = isTimed ? departure - start : UNTIMED;
      profile[to + 1] = Math.min(MAX_DWELL_S, Math.max(0, dwell));
    }
    return profiles.intern(profile, length);
  }

  return {
    write(trip, words, count) {
      sortCalls(words, count);
      const start = startTime(words, count);
      const pattern = writePattern(trips.routeOf[trip]!, words, count);
      return {
        start,
        profile: writeProfile(pattern, trips.frequent[trip]!, { words, count, start }),
      };
    },
    read(profile, start) {
      const times = profiles.at(profile);
      const pattern = patterns.at(times[0]!);
      const calls = (pattern.length - PATTERN.head) / PATTERN.call;
      const words = new Int32Array(calls * WORDS);
      for (let call = 0; call < calls; call++) {
        const at = PATTERN.head + call * PATTERN.call;
        const timed = PROFILE.head + call * PROFILE.call;
        const isTimed = times[timed] !== UNTIMED;
        const departure = isTimed ? start + times[timed]! : UNTIMED;
        const to = call * WORDS;
        words[to + WORD.sequence] = pattern[at + 1]!;
        words[to + WORD.stop] = pattern[at]!;
        words[to + WORD.arrival] = isTimed ? departure - times[timed + 1]! : UNTIMED;
        words[to + WORD.departure] = departure;
        words[to + WORD.bits] = pattern[at + 2]!;
        words[to + WORD.headsign] = pattern[at + 3]!;
      }
      return words;
    },
  };
}

/** By sequence, then as they came: files are sorted already, as a rule. */
function sortCalls(words: Int32Array, count: number): void {
  for (let call = 0; call < count; call++)
    if (words[call * WORDS + WORD.sequence] === UNSTATED)
      words[call * WORDS + WORD.sequence] = call;
  let isSorted = true;
  for (let call = 1; call < count && isSorted; call++)
    isSorted = words[call * WORDS]! >= words[(call - 1) * WORDS]!;
  if (isSorted) return;
  const copy = words.slice(0, count * WORDS);
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => copy[a * WORDS]! - copy[b * WORDS]! || a - b,
  );
  order.forEach((from, to) =>
    words.set(copy.subarray(from * WORDS, (from + 1) * WORDS), to * WORDS),
  );
}

function startTime(words: Int32Array, count: number): number {
  for (let call = 0; call < count; call++)
    if (words[call * WORDS + WORD.departure] !== UNTIMED)
      return words[call * WORDS + WORD.departure]!;
  return UNTIMED;
}
