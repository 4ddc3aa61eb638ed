/**
 * Candidates of several bases and the gazetteer as one list (decisions, Several bases and indexes): by
 * how much of the question they explain, importance and nearness, which mean the same in each of them;
 * the same thing once, of the newest base. Each keeps the order of its own.
 */
import { wordsOf } from "#osm/geocoder/fold-words.ts";
import { isOneThing } from "#osm/geocoder/same-thing.ts";
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import type { Location } from "#kit/geo.ts";
import { distance_m } from "#kit/geo.ts";
import { byNearness } from "#core/places/nearness.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";

/** A thing that was found, and the base that it is of. */
export type BaseHit = { item: GeocodeItem; base: GeocodingBase };

/** What the words of a question are worth: the shorter ones say less. */
const NUMBER = 0.5;
const SHORT = 0.3;
/** What words of a name besides those of the question cost, as `rank.ts` has it. */
const BESIDES = 0.3;
const BY_IMPORTANCE = 0.3;
/** A base that covers the point of the question leads. */
const COVERS = 0.08;
const SAME_M = 50;
/** Centres of one city differ by so much between two maps. */
const SAME_CITY_M = 30_000;
/** A city and the county of its name, which the gazetteer has as two. */
const TWIN_M = 30_000;

export type BaseQuery = {
  words: readonly string[];
  near: Location | null;
  /** The last word is the beginning of one. */
  prefix?: boolean;
};

/** `lists`: each in the order of its base. */
export function mergeHits(lists: readonly (readonly BaseHit[])[], request: BaseQuery): BaseHit[] {
  const queues = lists
    .filter((list) => list.length > 0)
    .toSorted(([a], [b]) => byAge(a!.base, b!.base))
    .map((list) => list.map((hit) => ({ hit, value: valueOf(hit, request) })));
  const merged: BaseHit[] = [];
  const next = queues.map(() => 0);
  for (;;) {
    let best = -1;
    for (const [i, queue] of queues.entries()) {
      const own = queue[next[i]!];
      if (own && (best < 0 || own.value > queues[best]![next[best]!]!.value)) best = i;
    }
    if (best < 0) return merged;
    addOnce(merged, queues[best]![next[best]!++]!.hit);
  }
}

/** The same thing of another base is there already: that of the newer one is kept, in its place. */
export function addOnce(merged: BaseHit[], hit: BaseHit): BaseHit[] {
  const at = merged.findIndex((other) =>
    other.base === hit.base ? isTwin(other, hit) : isSameThing(other.item, hit.item),
  );
  if (at < 0) merged.push(hit);
  else if (byAge(hit.base, merged[at]!.base) < 0) merged[at] = hit;
  return merged;
}

function isSameThing(a: GeocodeItem, b: GeocodeItem): boolean {
  return (
    isOneThing(a, b) ||
    (a.label === b.label &&
      distance_m(a.location.lat, a.location.lon, b.location.lat, b.location.lon) <= SAME_M)
  );
}

/** Of the gazetteer, a city and its county that are shown alike. */
function isTwin({ item: a, base }: BaseHit, { item: b }: BaseHit): boolean {
  return (
    base.isWorld === true &&
    a.label === b.label &&
    distance_m(a.location.lat, a.location.lon, b.location.lat, b.location.lon) <= TWIN_M
  );
}

/** The newest first; of unknown age last. */
function byAge({ statement: a }: GeocodingBase, { statement: b }: GeocodingBase): number {
  const [x, y] = [a.data_at ?? "", b.data_at ?? ""];
  return x === y ? 0 : x > y ? -1 : 1;
}

function valueOf({ item, base }: BaseHit, request: BaseQuery): number {
  const { near } = request;
  const covers = near !== null && !base.isWorld && base.covers(near.lat, near.lon);
  return (
    fitOf(item, request) +
    // Of a kind the nearest are wanted.
    (item.by_kind ? 0 : BY_IMPORTANCE * item.importance) +
    byNearness(near, item.location) +
    (covers ? COVERS : 0)
  );
}

/**
 * A base has what the question names, in the place that it names: what leaves a word of that place
 * unexplained is no candidate in another base, which does not know it.
 */
export function keepByName(hits: readonly BaseHit[]): BaseHit[] {
  const other = hits.find(({ item }) => item.unexplained.length === 0 && item.in_named_place);
  if (!other) return [...hits];
  const { city, region, country } = other.item.address;
  const names = new Set([city, region, country].flatMap((text) => wordsOf(text ?? "")));
  return hits.filter(
    ({ item, base }) => base === other.base || !item.unexplained.some((word) => names.has(word)),
  );
}

/** How well a candidate fits a question, at most 1, whatever base it is of. */
export function fitOf(item: GeocodeItem, { words }: Pick<BaseQuery, "words">): number {
  const [entry, all] = [
    new Set(item.unexplained),
    words.reduce((sum, word) => sum + worth(word), 0),
  ];
  const missing = words.reduce((sum, word) => sum + (entry.has(word) ? worth(word) : 0), 0);
  const explained = Math.min(item.explained, all === 0 ? 1 : 1 - missing / all);
  if (item.by_kind) return explained;
  const match = wordsOf(item.name);
  const besides = match.filter((word) => !words.includes(word)).length;
  // A thing of a kind that was asked for may be called as it likes.
  const weight = besides < match.length ? besides / 2 : 0;
  return explained - (BESIDES * weight) / (1 + weight / 2);
}

function worth(word: string): number {
  if (/^\d/.test(word)) return NUMBER;
  return word.length <= 2 ? SHORT : 1;
}

/** A city of a base is as important as the gazetteer has it, where its map does not say how large it is. */
export function weighCities(hits: readonly BaseHit[], items: readonly GeocodeItem[]): BaseHit[] {
  return hits.map((hit) => {
    const { item } = hit;
    if (item.osm_key !== "place") return hit;
    const same = items.filter(
      ({ name, location: { lat, lon } }) =>
        wordsOf(name).join(" ") === wordsOf(item.name).join(" ") &&
        distance_m(lat, lon, item.location.lat, item.location.lon) <= SAME_CITY_M,
    );
    const importance = Math.max(item.importance, ...same.map((each) => each.importance));
    return importance === item.importance ? hit : { ...hit, item: { ...item, importance } };
  });
}
