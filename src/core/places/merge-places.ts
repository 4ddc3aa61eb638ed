/**
 * Merges the same thing from several sources (decisions, Urban services). Car parks and charging
 * stations are weighed (facility-groups.ts). Of other kinds equal keys make one, else 30 metres with
 * names that do not speak against it: one source never merges with itself, each place of the leading
 * source takes at most one of each other, and the order in which sources answered decides nothing.
 */
import { distance_m } from "#kit/geo.ts";
import { createLexicon, type Lexicon, prepareName } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import { CHARGING_IDENTITY } from "./charging-identity.ts";
import { groupFacilities, type PlaceGroup } from "./facility-groups.ts";
import { withDetails } from "./merged-facts.ts";
import { NearCells } from "./near-cells.ts";
import { PARKING_IDENTITY } from "./parking-identity.ts";
import { ownNameOf } from "./place-naming.ts";
import type { Place } from "./place.ts";

/** One result: `lead` gives position and type, the others add what it leaves out. */
export type MergedPlace = { place: Place; lead: Place; others: readonly Place[] };

const NEAR_M = 30;
/** Of packages/stations/identity's similarity: from here on two names may be the same place's. */
const COMPATIBLE = 0.5;

/** Things of several sources that are made one, and places that are looked at for others, in one step. */
const STEP = 20;

/**
 * Merges places in steps; `sources`: the places of each source, leading ones first. null: more than
 * `most_pairs` would have to be compared.
 */
export function* mergePlaces(
  sources: readonly (readonly Place[])[],
  most_pairs: number,
): Generator<void, MergedPlace[] | null> {
  const filled = sources.filter((places) => places.length > 0);
  const groups = yield* groupsOf(filled, most_pairs);
  if (groups === null) return null;
  const merged: MergedPlace[] = [];
  let joined = 0;
  for (const { place: lead, others } of groups) {
    merged.push({ place: withDetails(lead, others), lead, others });
    if (others.length > 0 && ++joined % STEP === 0) yield;
  }
  return merged;
}

function* groupsOf(
  sources: readonly (readonly Place[])[],
  most_pairs: number,
): Generator<void, PlaceGroup[] | null> {
  const [first = [], ...rest] = sources;
  if (rest.length > 0) {
    if (first[0]!.kind === "charging")
      return yield* groupFacilities(sources, CHARGING_IDENTITY, most_pairs);
    if (first[0]!.kind === "parking")
      return yield* groupFacilities(sources, PARKING_IDENTITY, most_pairs);
  }
  let groups: PlaceGroup[] | null = first.map((place) => ({ place, others: [] }));
  for (const followers of rest) {
    groups = yield* join(groups, followers, most_pairs);
    if (groups === null) return null;
  }
  return groups;
}

function* join(
  leaders: readonly PlaceGroup[],
  followers: readonly Place[],
  most_pairs: number,
): Generator<void, PlaceGroup[] | null> {
  const taken = new Map<number, Place>();
  const used = new Set<Place>();
  const pairs = yield* listPairs(leaders, followers, most_pairs);
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
function* listPairs(
  leaders: readonly PlaceGroup[],
  followers: readonly Place[],
  most: number,
): Generator<void, Pair[] | null> {
  const lexicon = createLexicon();
  const byKey = indexByKey(leaders);
  const cells = new NearCells(NEAR_M);
  leaders.forEach(({ place }, leader) => cells.add(place, leader));
  const pairs: Pair[] = [];
  let looked = 0;
  for (const [i, follower] of followers.entries()) {
    if (i % STEP === STEP - 1) yield;
    const sure = new Set(follower.keys.flatMap((key) => byKey.get(key) ?? NONE));
    const near = cells.around(follower);
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

function indexByKey(leaders: readonly PlaceGroup[]): Map<string, number[]> {
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

/** What has no name of its own fits any; two that have one must be alike. */
function areCompatible(lexicon: Lexicon, a: Place, b: Place): boolean {
  const names = [ownNameOf(a), ownNameOf(b)];
  if (names[0] == null || names[1] == null) return true;
  const [one, other] = [prepareName(lexicon, names[0], []), prepareName(lexicon, names[1], [])];
  const finding = compareNames(lexicon, one, other);
  if (finding.number_conflict || finding.side_conflict) return false;
  return finding.similarity < 0 || finding.similarity >= COMPATIBLE;
}
