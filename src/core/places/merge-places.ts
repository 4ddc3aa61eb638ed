/**
 * Merges the same toilet or defibrillator from two sources (decisions, Urban services): equal
 * keys, else within 30 metres with names that do not speak against it. One source never merges with
 * itself, each place of the leading source takes at most one of each other, and the order in which
 * sources answered decides nothing.
 */
import { FACTS, type Fact } from "#api/attributes.ts";
import { distance_m } from "#kit/geo.ts";
import { fold } from "#kit/names/fold.ts";
import { createLexicon, type Lexicon, prepareName } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import { ownNameOf } from "./place-naming.ts";
import type { Place } from "./place.ts";

/** One result: `lead` gives position and type, the others add what it leaves out. */
export type MergedPlace = { place: Place; lead: Place; others: readonly Place[] };
type Group = { place: Place; others: readonly Place[] };

const NEAR_M = 30;
/** Of packages/stations/identity's similarity: from here on two names may be the same place's. */
const COMPATIBLE = 0.5;

/**
 * Merges places; `sources`: the places of each source, leading ones first. null: more than
 * `most_pairs` would have to be compared.
 */
export function mergePlaces(
  sources: readonly (readonly Place[])[],
  most_pairs: number,
): MergedPlace[] | null {
  const [first = [], ...rest] = sources.filter((places) => places.length > 0);
  let groups: Group[] | null = first.map((place) => ({ place, others: [] }));
  for (const followers of rest) {
    groups = join(groups, followers, most_pairs);
    if (groups === null) return null;
  }
  return groups.map(({ place: lead, others }) => ({
    place: withDetails(lead, others),
    lead,
    others,
  }));
}

function join(
  leaders: readonly Group[],
  followers: readonly Place[],
  most_pairs: number,
): Group[] | null {
  const taken = new Map<number, Place>();
  const used = new Set<Place>();
  const pairs = listPairs(leaders, followers, most_pairs);
  if (pairs === null) return null;
  for (const { leader, follower } of pairs) {
    if (taken.has(leader) || used.has(follower)) continue;
    taken.set(leader, follower);
    used.add(follower);
  }
  const joined = leaders.map((each, i) => {
    const follower = taken.get(i);
    return follower ? { place: each.place, others: [...each.others, follower] } : each;
  });
  const rest = followers.filter((place) => !used.has(place));
  return [...joined, ...rest.map((place) => ({ place, others: [] }))];
}

type Pair = { leader: number; follower: Place; byKey: boolean; metres: number };

/** Possible pairs, the surest first: by key, then by distance, then by id. */
function listPairs(
  leaders: readonly Group[],
  followers: readonly Place[],
  most: number,
): Pair[] | null {
  const lexicon = createLexicon();
  const byKey = indexByKey(leaders);
  const cells = indexByCell(leaders);
  const pairs: Pair[] = [];
  let looked = 0;
  for (const follower of followers) {
    const sure = new Set(follower.keys.flatMap((key) => byKey.get(key) ?? NONE));
    const near = neighbours(cells, follower);
    looked += sure.size + near.length;
    if (looked > most) return null;
    const metresTo = (leader: number): number => {
      const { lat, lon } = leaders[leader]!.place;
      return distance_m(lat, lon, follower.lat, follower.lon);
    };
    for (const leader of sure)
      pairs.push({ leader, follower, byKey: true, metres: metresTo(leader) });
    for (const leader of near) {
      const metres = metresTo(leader);
      if (metres > NEAR_M || sure.has(leader)) continue;
      looked += NAMES_COST;
      if (areCompatible(lexicon, leaders[leader]!.place, follower))
        pairs.push({ leader, follower, byKey: false, metres });
    }
  }
  return pairs.sort(
    (a, b) =>
      Number(b.byKey) - Number(a.byKey) ||
      a.metres - b.metres ||
      compare(leaders[a.leader]!.place.external_id, leaders[b.leader]!.place.external_id) ||
      compare(a.follower.external_id, b.follower.external_id),
  );
}

const NONE: readonly number[] = [];

/** Two names take as long as this many distances. */
const NAMES_COST = 8;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function indexByKey(leaders: readonly Group[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  const add = (key: string, leader: number): void => {
    const entry = index.get(key);
    if (entry) entry.push(leader);
    else index.set(key, [leader]);
  };
  leaders.forEach(({ place, others }, leader) => {
    for (const key of place.keys) add(key, leader);
    for (const { keys } of others) for (const key of keys) add(key, leader);
  });
  return index;
}

/** Cells a thousandth of a degree high (111 m): what is near is in one of nine. */
const CELL_DEGREES = 0.001;

function indexByCell(leaders: readonly Group[]): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  leaders.forEach(({ place }, leader) => {
    const cell = cellOf(place, 0, 0);
    const inside = cells.get(cell);
    if (inside) inside.push(leader);
    else cells.set(cell, [leader]);
  });
  return cells;
}

const STEPS = [-1, 0, 1] as const;

function neighbours(cells: ReadonlyMap<number, readonly number[]>, place: Place): number[] {
  const near: number[] = [];
  const seen = new Set<number>();
  for (const up of STEPS)
    for (const right of STEPS) {
      const cell = cellOf(place, up, right);
      const inside = cells.get(cell);
      // Where a row has fewer than three columns, they are each other's neighbours.
      if (inside === undefined || seen.has(cell)) continue;
      seen.add(cell);
      for (const leader of inside) near.push(leader);
    }
  return near;
}

/** This close to a pole a row is one cell: what is near may lie beyond the pole. */
const POLAR_DEGREES = 0.5;
/** More columns than a row has. */
const COLUMNS = 400_000;

/** Columns widen towards the poles, so that one is never narrower than the bound. */
function cellOf({ lat, lon }: Place, up: number, right: number): number {
  const row = Math.floor(lat / CELL_DEGREES) + up;
  const row_lat = row * CELL_DEGREES;
  const polar = Math.abs(row_lat) > 90 - POLAR_DEGREES;
  // Whole columns: a sliver at the antimeridian would part what is near.
  const columns = polar
    ? 1
    : Math.floor((360 / CELL_DEGREES) * Math.cos((row_lat * Math.PI) / 180));
  const column = Math.floor(((lon + 180) / 360) * columns) + right;
  return row * COLUMNS + (((column % columns) + columns) % columns);
}

/** What has no name of its own fits any; two that have one must be alike. */
function areCompatible(lexicon: Lexicon, a: Place, b: Place): boolean {
  const names = [ownNameOf(a), ownNameOf(b)];
  if (names[0] == null || names[1] == null) return true;
  const [one, other] = [prepareName(lexicon, names[0], []), prepareName(lexicon, names[1], [])];
  const finding = compareNames(lexicon, one, other);
  if (finding.number_conflict || finding.side_conflict) return false;
  return finding.similarity < 0 || finding.similarity >= COMPATIBLE;
}

/**
 * What the leader does not say, others may; one value a fact, and the facts on which they disagree
 * are listed (decisions, Attributes).
 */
function withDetails(place: Place, others: readonly Place[]): Place {
  if (others.length === 0) return place;
  const all = [place, ...others];
  const match = all.find((each) => ownNameOf(each) !== null) ?? place;
  const located = all.find(({ address }) => address?.street !== undefined) ?? place;
  const attributes: Record<string, unknown> = {};
  for (const each of all.toReversed()) Object.assign(attributes, each.attributes);
  // "unknown" is no knowledge that could outrank another's.
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== "unknown") continue;
    const entry = others.map((each) => each.attributes[name]).find(isKnown);
    if (entry !== undefined) attributes[name] = entry;
  }
  const conflicts = listConflicts(all, attributes);
  const { name, names } = match;
  const { names: _, address: __, ...rest } = place;
  // The first that publishes hours decides, readable or not: the attribute is of the same one.
  const hours = all.find((each) => each.opening)?.opening;
  // A zone that one of them states is that of the thing.
  const time_zone = all.map((each) => each.opening?.time_zone).find(Boolean);
  const opening = hours && { ...hours, ...(time_zone !== undefined && { time_zone }) };
  return {
    ...rest,
    name,
    ...(names ? { names } : {}),
    ...(located.address ? { address: located.address } : {}),
    ...(opening ? { opening } : {}),
    attributes: {
      ...attributes,
      sources: all.map(({ source_id, external_id }) => ({ source_id, external_id })),
      ...(conflicts.length > 0 ? { conflicts } : {}),
    },
    keys: [...new Set(all.flatMap(({ keys }) => keys))],
  };
}

function isKnown(value: unknown): boolean {
  return value !== undefined && value !== "unknown";
}

const COMPARED = FACTS.flatMap((fact: Fact) => (fact.compared ? [fact.name] : []));

/** Facts of which the sources have several values: all of them, each once, the one shown first. */
function listConflicts(all: readonly Place[], listed: Readonly<Record<string, unknown>>) {
  return COMPARED.flatMap((name) => {
    const values = new Map<string, { source_id: string; value: unknown }>();
    for (const { source_id, attributes } of all) {
      const value = attributes[name];
      const key = comparable(value);
      if (isKnown(value) && !values.has(key)) values.set(key, { source_id, value });
    }
    if (values.size < 2) return [];
    const isShown = ({ value }: { value: unknown }): boolean => value === listed[name];
    const [first, rest] = [[...values.values()].filter(isShown), [...values.values()]];
    return [{ name, values: [...first, ...rest.filter((each) => !isShown(each))] }];
  });
}

/** Spelling is no disagreement. */
function comparable(value: unknown): string {
  return typeof value === "string" ? fold(value).replaceAll(/\s/g, "") : String(value);
}
