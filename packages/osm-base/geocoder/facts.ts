/** What addresses say of where they are: postcodes, cities, regions, with how many say so. */
import type { Intake } from "./intake.ts";
import type { Texts } from "./name-texts.ts";
import { MENTION, type Weighed } from "./contexts.ts";

/** Texts by number, and how often each was said. */
export type Times = Map<number, number>;

export type Facts = {
  postcodes: Times;
  cities: Times;
  regions: Times;
  places: Times;
  suburbs: Times;
};

/** Of some rows of the addresses. */
export function factsOf({ addresses }: Intake, rows: Uint32Array): Facts {
  const { postcode, city, region, place, suburb } = addresses;
  return {
    postcodes: timesOf(postcode, rows),
    cities: timesOf(city, rows),
    regions: timesOf(region, rows),
    places: timesOf(place, rows),
    suburbs: timesOf(suburb, rows),
  };
}

function timesOf(column: { at(row: number): number }, rows: Uint32Array): Times {
  const times: Times = new Map();
  for (const row of rows) addTimes(times, column.at(row));
  return times;
}

export function addTimes(times: Times, text: number, more = 1): void {
  if (text !== 0) times.set(text, (times.get(text) ?? 0) + more);
}

/** Texts of all the counts, the most frequent first. */
export function topOf(
  texts: Texts,
  all: readonly (Times | undefined)[],
  most: number,
): readonly number[] {
  const sums: Times = new Map();
  for (const counts of all) for (const [text, times] of counts ?? []) addTimes(sums, text, times);
  if (sums.size <= 1) return [...sums.keys()];
  return [...sums]
    .sort(([a, n], [b, m]) => m - n || texts.compare(a, b))
    .slice(0, most)
    .map(([text]) => text);
}

/** Said by fewer than this part of them, it is of a part of the street. */
const MINOR = 0.3;

/** What a street's addresses say: all of it, or what only some of them do. */
export function mentionsOf(texts: Texts, counts: Times, most: number): Weighed[] {
  const all = sumOf(counts);
  return topOf(texts, [counts], most).map((text) => [
    text,
    counts.get(text)! >= all * MINOR ? MENTION.full : MENTION.part,
  ]);
}

/** The text that nearly all say; 0, where there are several. */
export function onlyOf(texts: Texts, counts: Times | undefined): number {
  const [first] = topOf(texts, [counts], 1);
  if (counts === undefined || first === undefined) return 0;
  return counts.get(first)! >= sumOf(counts) * 0.9 ? first : 0;
}

function sumOf(counts: Times): number {
  let sum = 0;
  for (const times of counts.values()) sum += times;
  return sum;
}
