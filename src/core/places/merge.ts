/**
 * Merges the same toilet or defibrillator from two sources (decisions, Urban services): equal
 * keys, else within 30 metres with names that do not speak against it. One source never merges with
 * itself, each place of the leading source takes at most one of each other, and the order in which
 * sources answered decides nothing.
 */
import { distance_m } from "#core/geo.ts";
import { createLexicon, type Lexicon, prepareName } from "#core/identity/name.ts";
import { compareNames } from "#core/identity/similarity.ts";
import type { Place } from "./place.ts";

/** One result: `lead` gives position and type, the others add what it leaves out. */
export type MergedPlace = { place: Place; lead: Place; others: readonly Place[] };
type Group = { place: Place; others: readonly Place[] };

const NEAR_M = 30;
/** Of core/identity's similarity: from here on two names may be the same place's. */
const COMPATIBLE = 0.5;

/** Merges places; `sources`: the places of each source, leading ones first. */
export function mergePlaces(sources: readonly (readonly Place[])[]): MergedPlace[] {
  const [first = [], ...rest] = sources.filter((places) => places.length > 0);
  let groups: Group[] = first.map((place) => ({ place, others: [] }));
  for (const followers of rest) groups = join(groups, followers);
  return groups.map(({ place: lead, others }) => ({
    place: withDetails(lead, others),
    lead,
    others,
  }));
}

function join(leaders: readonly Group[], followers: readonly Place[]): Group[] {
  const taken = new Map<number, Place>();
  const used = new Set<Place>();
  for (const { leader, follower } of listPairs(leaders, followers)) {
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
function listPairs(leaders: readonly Group[], followers: readonly Place[]): Pair[] {
  const lexicon = createLexicon();
  const byKey = indexByKey(leaders);
  const cells = indexByCell(leaders);
  const pairs = followers.flatMap((follower) => {
    const known = follower.keys.flatMap((key) => byKey.get(key) ?? []);
    const near = neighbours(cells, follower);
    return [...new Set([...known, ...near])].flatMap((leader) => {
      const { place } = leaders[leader]!;
      const metres = distance_m(place.lat, place.lon, follower.lat, follower.lon);
      const sure = known.includes(leader);
      const fits = sure || (metres <= NEAR_M && areCompatible(lexicon, place, follower));
      return fits ? [{ leader, follower, byKey: sure, metres }] : [];
    });
  });
  return pairs.sort(
    (a, b) =>
      Number(b.byKey) - Number(a.byKey) ||
      a.metres - b.metres ||
      compare(leaders[a.leader]!.place.external_id, leaders[b.leader]!.place.external_id) ||
      compare(a.follower.external_id, b.follower.external_id),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function indexByKey(leaders: readonly Group[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  leaders.forEach(({ place, others }, i) => {
    for (const key of [place, ...others].flatMap(({ keys }) => keys))
      index.set(key, [...(index.get(key) ?? []), i]);
  });
  return index;
}

/** Cells a thousandth of a degree high (111 m): what is near is in one of nine. */
const CELL_DEGREES = 0.001;

function indexByCell(leaders: readonly Group[]): Map<string, number[]> {
  const cells = new Map<string, number[]>();
  leaders.forEach(({ place }, i) => {
    const cell = cellOf(place, 0, 0);
    const inside = cells.get(cell);
    if (inside) inside.push(i);
    else cells.set(cell, [i]);
  });
  return cells;
}

function neighbours(cells: ReadonlyMap<string, number[]>, place: Place): number[] {
  const steps = [-1, 0, 1];
  return steps.flatMap((up) => steps.flatMap((right) => cells.get(cellOf(place, up, right)) ?? []));
}

/** This close to a pole a row is one cell: what is near may lie beyond the pole. */
const POLAR_DEGREES = 0.5;

/** Columns widen towards the poles, so that one is never narrower than the bound. */
function cellOf({ lat, lon }: Place, up: number, right: number): string {
  const row = Math.floor(lat / CELL_DEGREES) + up;
  const row_lat = row * CELL_DEGREES;
  const polar = Math.abs(row_lat) > 90 - POLAR_DEGREES;
  // Whole columns: a sliver at the antimeridian would part what is near.
  const columns = polar
    ? 1
    : Math.floor((360 / CELL_DEGREES) * Math.cos((row_lat * Math.PI) / 180));
  const column = Math.floor(((lon + 180) / 360) * columns) + right;
  return `${row} ${((column % columns) + columns) % columns}`;
}

/** A name that is only what or where the thing is says nothing; two that do must be alike. */
function areCompatible(lexicon: Lexicon, a: Place, b: Place): boolean {
  if (!hasName(a) || !hasName(b)) return true;
  const [one, other] = [prepareName(lexicon, a.name, []), prepareName(lexicon, b.name, [])];
  const finding = compareNames(lexicon, one, other);
  if (finding.number_conflict || finding.side_conflict) return false;
  return finding.similarity < 0 || finding.similarity >= COMPATIBLE;
}

/** Some sources title a thing with its address. */
function hasName({ name, named, attributes }: Place): boolean {
  const address = attributes["address"];
  return named && !(typeof address === "string" && address.startsWith(name));
}

/** What the leader does not say, others may; a name that says something goes before a label. */
function withDetails(place: Place, others: readonly Place[]): Place {
  if (others.length === 0) return place;
  const named = place.named ? place : (others.find((other) => other.named) ?? place);
  const attributes: Record<string, unknown> = {};
  for (const each of others.toReversed()) Object.assign(attributes, each.attributes);
  Object.assign(attributes, place.attributes);
  // "unknown" is no knowledge that could outrank another's.
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== "unknown") continue;
    const known = others.map((each) => each.attributes[name]).find(isKnown);
    if (known !== undefined) attributes[name] = known;
  }
  const sources = [place, ...others].map(({ source_id, external_id }) => ({
    source_id,
    external_id,
  }));
  // The first that publishes hours decides, readable or not: the attribute is of the same one.
  const opening = [place, ...others].find((each) => each.opening)?.opening;
  return {
    ...place,
    ...(opening ? { opening } : {}),
    name: named.name,
    named: named.named,
    attributes: { ...attributes, sources },
    keys: [...new Set([place, ...others].flatMap(({ keys }) => keys))],
  };
}

function isKnown(value: unknown): boolean {
  return value !== undefined && value !== "unknown";
}
