/**
 * One station of several publishers is one result, with one identity whichever of them were asked
 * (decisions, Station ids of transport). Two observations may be
 * one when they are near each other and their names do not contradict it. Without a common mode
 * they must be on one spot and share a name: railways and the city publish their halves of a
 * station apart. One publisher is never merged with itself, so that the two stops of a street stay
 * two.
 */
import { TRANSPORT_MODES } from "#api/tokens.ts";
import { distance_m } from "#kit/geo.ts";
import { createLexicon, type Lexicon, prepareName } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import type { TransitOperator, TransitRoute, TransitSource, TransitStation } from "./station.ts";

/**
 * A station as its sources describe it; `lead` gives it name, position and id: a timetable where one
 * knows the station, whether or not that is one of the sources.
 */
export type MergedStation = Omit<TransitStation, "source"> & {
  lead: TransitStation;
  sources: readonly TransitSource[];
};

/** Publishers put the pin of a station on another entrance. */
export const NEAR_M = 120;
/** Of packages/stations/identity's similarity. */
const ALIKE = 0.6;
/** So near, a name in another script or a bare number is no objection. */
const SAME_SPOT_M = 30;

type Publisher = readonly TransitStation[];

/**
 * Merges stations; `publishers`: the stations of each, leading ones first. `timetables`: those that
 * the timetables here have, which give a station its identity. To which of these a station belongs
 * depends on no other publisher, so that each of them alone leads to the same id. A station that no
 * publisher has is left out.
 */
export function mergeStations(
  publishers: readonly Publisher[],
  timetables: readonly Publisher[] = [],
): MergedStation[] {
  const steps = mergeSteps(publishers, timetables);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps. */
export function* mergeSteps(
  publishers: readonly Publisher[],
  timetables: readonly Publisher[] = [],
): Generator<void, MergedStation[]> {
  const lexicon = createLexicon();
  const groups: Group[] = [];
  for (const own of timetables) {
    const rest = yield* join(lexicon, groups, own, { names: identityOf, add: identify });
    for (const station of rest) groups.push({ identity: [station], members: [], from: new Set() });
    yield;
  }
  const cache = new Map<string, Group>();
  for (const group of groups) for (const station of group.identity) cache.set(idOf(station), group);
  const rests: Publisher[] = [];
  for (const [from, own] of publishers.entries()) {
    const rest = joinKnown(cache, own, from);
    rests.push(yield* join(lexicon, groups, rest, { names: identityOf, add: adder(from), from }));
    yield;
  }
  for (const [from, rest] of rests.entries()) {
    const others = yield* join(lexicon, groups, rest, { names: allOf, add: adder(from), from });
    for (const station of others) {
      const member = { station, from };
      groups.push({ identity: [], members: [member], from: new Set([from]) });
    }
    yield;
  }
  const merged: MergedStation[] = [];
  for (const [at, group] of groups.entries()) {
    if (group.members.length > 0) merged.push(toStation(group));
    if (at % STEP === STEP - 1) yield;
  }
  return merged;
}

/** Stations that are compared or made before others may have the thread. */
const STEP = 50;

/** `from`: the places of the publishers that are in it. */
type Group = { identity: TransitStation[]; members: Member[]; from: Set<number> };
type Member = { station: TransitStation; from: number };

const identityOf = ({ identity }: Group): TransitStation[] => identity;
const allOf = ({ identity, members }: Group): TransitStation[] => [
  ...identity,
  ...members.map(({ station }) => station),
];
const identify = ({ identity }: Group, station: TransitStation): unknown => identity.push(station);
const adder = (from: number) => (group: Group, station: TransitStation) => {
  group.members.push({ station, from });
  group.from.add(from);
};

/** Stations that are those of a timetable themselves; returns the others. */
function joinKnown(
  cache: ReadonlyMap<string, Group>,
  publisher: Publisher,
  from: number,
): Publisher {
  if (cache.size === 0) return publisher;
  const add = adder(from);
  return publisher.filter((station) => {
    const group = cache.get(idOf(station));
    if (group) add(group, station);
    return group === undefined;
  });
}

type Pair = { group: number; follower: number; metres: number };
type Joining = {
  /** What of a group a station is compared with, the leading one first; none: with nothing. */
  names: (group: Group) => TransitStation[];
  add: (group: Group, station: TransitStation) => unknown;
  /** Groups that this publisher is in have its station already. */
  from?: number;
};

/** Adds each station to the group that it is one with; returns those that are one with none. */
function* join(
  lexicon: Lexicon,
  groups: readonly Group[],
  followers: Publisher,
  { names, add, from = -1 }: Joining,
): Generator<void, Publisher> {
  if (groups.length === 0 || followers.length === 0) return followers;
  const taken = new Set<Group>(groups.filter((group) => group.from.has(from)));
  const used = new Set<number>();
  for (const { group: at, follower } of yield* listPairs(lexicon, groups.map(names), followers)) {
    const group = groups[at]!;
    if (taken.has(group) || used.has(follower)) continue;
    taken.add(group);
    used.add(follower);
    add(group, followers[follower]!);
  }
  return followers.filter((_, follower) => !used.has(follower));
}

/** Nearest first, then by id: what came first decides nothing. */
function* listPairs(
  lexicon: Lexicon,
  groups: readonly TransitStation[][],
  followers: readonly TransitStation[],
): Generator<void, Pair[]> {
  const bands = bandsOf(groups);
  const pairs: Pair[] = [];
  for (const [follower, station] of followers.entries()) {
    for (const group of candidatesAt(bands, station.lat)) {
      const metres = apart_m(lexicon, groups[group]!, station);
      if (metres !== null) pairs.push({ group, follower, metres });
    }
    if (follower % STEP === STEP - 1) yield;
  }
  return pairs.sort(
    (a, b) =>
      a.metres - b.metres ||
      compare(keyOf(groups[a.group]![0]!), keyOf(groups[b.group]![0]!)) ||
      compare(keyOf(followers[a.follower]!), keyOf(followers[b.follower]!)),
  );
}

/** A band of latitude is 222 m high, so that all within NEAR_M are in one of three. */
const BAND_DEGREES = 0.002;

function bandsOf(groups: readonly TransitStation[][]): Map<number, number[]> {
  const bands = new Map<number, number[]>();
  groups.forEach(([lead], group) => {
    if (lead === undefined) return;
    const band = Math.floor(lead.lat / BAND_DEGREES);
    const known_band = bands.get(band);
    if (known_band) known_band.push(group);
    else bands.set(band, [group]);
  });
  return bands;
}

function candidatesAt(bands: ReadonlyMap<number, number[]>, lat: number): number[] {
  const band = Math.floor(lat / BAND_DEGREES);
  return [band - 1, band, band + 1].flatMap((each) => bands.get(each) ?? []);
}

function idOf({ source: { provider, feed_id, source_id } }: TransitStation): string {
  return JSON.stringify([provider, feed_id, source_id]);
}

function keyOf({ source }: TransitStation): string {
  return JSON.stringify([source.feed_id, source.source_id]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How far from the nearest of a group that it may be one with; null: from none. */
function apart_m(lexicon: Lexicon, group: TransitStation[], station: TransitStation) {
  // Always near the lead as well: a chain of neighbours is no station.
  if (metresOf(group[0]!, station) > NEAR_M) return null;
  const fitting = group.filter((member) => mayBeOne(lexicon, member, station));
  if (fitting.length === 0) return null;
  return Math.min(...fitting.map((member) => metresOf(member, station)));
}

function metresOf(a: TransitStation, b: TransitStation): number {
  return distance_m(a.lat, a.lon, b.lat, b.lon);
}

function mayBeOne(lexicon: Lexicon, a: TransitStation, b: TransitStation): boolean {
  const metres = metresOf(a, b);
  if (metres > NEAR_M) return false;
  const [one, other] = [a, b].map(({ name }) => prepareName(lexicon, name, []));
  const finding = compareNames(lexicon, one!, other!);
  if (finding.number_conflict || finding.side_conflict) return false;
  const alike = finding.similarity >= ALIKE;
  if (a.modes.some((mode) => b.modes.includes(mode)))
    return alike || (finding.similarity < 0 && metres <= SAME_SPOT_M);
  return alike && metres <= SAME_SPOT_M && isTimetabled(a) && isTimetabled(b);
}

/** Bicycles next to a station are named after it, and are not part of it. */
function isTimetabled({ source }: TransitStation): boolean {
  return source.provider !== "gbfs";
}

/** Facts are those of the sources; whether live data exist, a timetable here knows best. */
function toStation({ identity, members }: Group): MergedStation {
  const group = members.toSorted((a, b) => a.from - b.from).map(({ station }) => station);
  const [lead] = [...identity, ...group] as [TransitStation];
  const modes = new Set(group.flatMap((station) => station.modes));
  const { lat, lon, name } = lead;
  return {
    lat,
    lon,
    name,
    lead,
    modes: TRANSPORT_MODES.filter((mode) => modes.has(mode)),
    operators: unite(
      group.map(({ operators }) => operators),
      operatorKey,
    ),
    routes: unite(
      group.map(({ routes }) => routes),
      routeKey,
    ),
    realtime: anyKnown([...identity, ...group].map(({ realtime }) => realtime)),
    alerts: anyKnown([...identity, ...group].map(({ alerts }) => alerts)),
    wheelchair: group.find(({ wheelchair }) => wheelchair !== "unknown")?.wheelchair ?? "unknown",
    fetched_at_ms: Math.min(...group.map(({ fetched_at_ms }) => fetched_at_ms)),
    sources: group.map(({ source }) => source),
  };
}

/** All of the first; of each later one what none before it has named, or not as often. */
function unite<T>(lists: readonly (readonly T[])[], toKey: (item: T) => string): T[] {
  const united: T[] = [];
  const counts = new Map<string, number>();
  for (const list of lists) {
    const left = new Map(counts);
    for (const item of list) {
      const key = toKey(item);
      const entry = left.get(key) ?? 0;
      left.set(key, entry - 1);
      if (entry > 0) continue;
      united.push(item);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return united;
}

function operatorKey({ name }: TransitOperator): string {
  return name.toLowerCase();
}

/** Ids differ from provider to provider; what is written on the vehicle does not. */
function routeKey({ mode, short_name, long_name, id }: TransitRoute): string {
  return `${mode} ${(short_name ?? long_name ?? id).toLowerCase()}`;
}

/** One yes is believed; a no needs a source that knows. */
function anyKnown(flags: readonly (boolean | null)[]): boolean | null {
  if (flags.includes(true)) return true;
  return flags.includes(false) ? false : null;
}
