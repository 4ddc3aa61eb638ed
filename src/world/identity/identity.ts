/**
 * Identity over the world's systems (§4.9): when the static part of one changes, the stations of it
 * and of the systems that may observe the same ones are resolved again; never per question. What
 * stands apart does not touch one another (core/identity/match), so the rest stays as it was.
 */
import { boxesTouch } from "#core/geo.ts";
import { assignIds, type Bearer } from "#core/identity/ids.ts";
import { type Before, inherit, toBefore } from "#core/identity/inherit.ts";
import { DIFFERENT, kinshipOf, type PreparedFeed, prepareFeed } from "#core/identity/kinship.ts";
import { type Matching, resolveObservations, type ScoredPair } from "#core/identity/match.ts";
import { type Observation, type Overrides, SOURCE_KINDS } from "#core/identity/observation.ts";
import { STATION_ID_PREFIX, stationId } from "#core/ids.ts";
import { readTexts } from "#core/shard/bytes.ts";
import { feedOf, haveSameKeys, observationsOf } from "#core/shard/observations.ts";
import type { Statics } from "#core/shard/statics.ts";
import type { Bridges } from "#ports.ts";
import { buildCase, type Case, type CasePair, type Member, type NearMiss } from "./cases.ts";
import type { SystemEntry } from "#world/world.ts";

export type IdentityDeps = { bridges: Bridges; overrides: Overrides; now(): number };

/** What resolution says of one system's rows; absent (null on the entry): every row is itself. */
export type Roles = {
  /** By row: PLAIN, HIDDEN (told by another system's row), else FIRST_CASE + place in `cases`. */
  of: Uint32Array;
  cases: Case[];
};
export const PLAIN = 0;
export const HIDDEN = 1;
export const FIRST_CASE = 2;

export type Identity = {
  /** Sources as they become known, so that the ids of the older ones hold. */
  meet(source_ids: readonly string[]): void;
  /** The static part of `entry` is new; `others` are all systems of the world. */
  update(entry: SystemEntry, before: Statics | null, others: readonly SystemEntry[]): void;
};

/** What is kept of a system between resolutions. */
type Known = {
  feed: PreparedFeed;
  /** Key → id, where that is not the key's own. */
  ids: Map<string, string>;
};

/** A station's length north of the box's edge: no two observations of one stand further apart. */
const MARGIN_DEG = 0.0025;

export function createIdentity(deps: IdentityDeps): Identity {
  const since = new Map<string, number>();
  const ids = new Map<string, Map<string, string>>();
  const feeds = new WeakMap<Statics, PreparedFeed>();

  function idsOf(source_id: string): Map<string, string> {
    let known = ids.get(source_id);
    if (!known) ids.set(source_id, (known = deps.bridges.listIds(source_id)));
    return known;
  }

  function know(entry: SystemEntry): Known {
    const { statics } = entry.shard!;
    let feed = feeds.get(statics);
    if (!feed) feeds.set(statics, (feed = prepareFeed(feedOf(statics))));
    return { feed, ids: idsOf(entry.source_id) };
  }

  function meet(source_ids: readonly string[]): void {
    for (const [id, ms] of deps.bridges.meet(source_ids, deps.now())) since.set(id, ms);
  }

  return {
    meet,
    update(entry, before, others) {
      if (!since.has(entry.source_id)) meet([entry.source_id]);
      const { statics } = entry.shard!;
      // Its place in the group is the first.
      const own_stations = observationsOf(statics, 0);
      const same = before !== null && haveSameKeys(before, statics);
      const { heirs, seen } = same
        ? UNCHANGED
        : renumber(entry, [before, own_stations], know(entry), deps);
      const group = findGroup(entry, others, know);
      const resolving = { know, since, overrides: deps.overrides, own_stations };
      const changes = resolveGroup(group, resolving);
      const own = changes.get(entry.source_id)!;
      for (const [key, id] of heirs) if (!own.has(key)) own.set(key, id);
      for (const [source_id, change] of changes) {
        keepIds(idsOf(source_id), change);
        const news = source_id === entry.source_id ? seen : null;
        if (change.size > 0 || news) deps.bridges.save(source_id, { ids: change, seen: news });
      }
    },
  };
}

function keepIds(ids: Map<string, string>, changes: ReadonlyMap<string, string | null>): void {
  for (const [key, id] of changes)
    if (id === null) ids.delete(key);
    else ids.set(key, id);
}

const UNCHANGED = { heirs: new Map<string, string | null>(), seen: null };

/**
 * Stations that bear a new key keep their id. `before`: what was published until now, null after a
 * restart. `seen` is null where it is remembered as it is.
 */
function renumber(
  entry: SystemEntry,
  [before, present]: readonly [Statics | null, readonly Observation[]],
  { feed, ids }: Known,
  { bridges, now }: IdentityDeps,
): { heirs: Map<string, string | null>; seen: Before[] | null } {
  const { source, system_id } = entry.shard!.statics.meta;
  const recalled = bridges.recall(entry.source_id);
  const former = before ? latest(before, recalled ?? []) : (recalled ?? []);
  const { heirs, seen } = inherit(feed.feed, former, present, Math.floor(now() / 1000));
  const told = new Map<string, string | null>();
  for (const [key, origin] of heirs) {
    told.set(key, ids.get(origin) ?? stationId(source, system_id, origin));
    if (ids.has(origin)) told.set(origin, null);
  }
  keepIds(ids, told);
  const same = recalled !== null && JSON.stringify(recalled) === JSON.stringify(seen);
  return { heirs: told, seen: same ? null : seen };
}

/** Stations as last published, and those that were gone by then. */
function latest(before: Statics, recalled: readonly Before[]): Before[] {
  const present = observationsOf(before, 0);
  const keys = new Set(present.map(({ id }) => id));
  return [...present.map(toBefore), ...recalled.filter(({ id }) => !keys.has(id))];
}

/** The systems that may see the same stations as this one, or as one that may, and so on. */
function findGroup(
  entry: SystemEntry,
  others: readonly SystemEntry[],
  know: (entry: SystemEntry) => Known,
): SystemEntry[] {
  const group = [entry];
  for (const one of group)
    for (const other of others)
      if (!group.includes(other) && mayShare(one, other, know)) group.push(other);
  return group;
}

function mayShare(a: SystemEntry, b: SystemEntry, know: (entry: SystemEntry) => Known): boolean {
  const [here, there] = [a.shard?.statics.meta.box, b.shard?.statics.meta.box];
  if (!here || !there || !boxesTouch(here, there, MARGIN_DEG)) return false;
  return kinshipOf(know(a).feed, know(b).feed) !== DIFFERENT;
}

/** A member with its source's key, and the id made of it. */
type Row = Member & { station_id: string; derived: string };

type Resolving = {
  know: (entry: SystemEntry) => Known;
  since: ReadonlyMap<string, number>;
  overrides: Overrides;
  /** Of the group's first entry. */
  own_stations: readonly Observation[];
};

/** Gives the entries their roles; returns the changes of ids by source. */
function resolveGroup(
  group: readonly SystemEntry[],
  { know, since, overrides, own_stations }: Resolving,
): Map<string, Map<string, string | null>> {
  const members = group.flatMap((entry) => {
    const { statics } = entry.shard!;
    const derived = derivedIds(statics);
    return readTexts(statics.ids).map((station_id, row): Row => ({
      entry,
      statics,
      row,
      station_id,
      derived: derived[row]!,
    }));
  });
  const changes = new Map(
    group.map((entry) => [entry.source_id, new Map<string, string | null>()]),
  );
  const matching = group.length > 1 ? match(group, own_stations, know, overrides) : ALONE;
  const bearers = members.map((member) => bearerOf(member, know(member.entry), since));
  const stations = listStations(members.length, matching);
  const ids = assignIds(stations.map((station) => station.map((i) => bearers[i]!)));
  stations.forEach((station, n) => {
    for (const i of station) noteId(changes, members[i]!, bearers[i]!, ids[n]!);
  });
  giveRoles(group, members, { matching, stations, ids, bearers });
  return changes;
}

const ALONE: Matching = { clusters: [], possible: [] };

/** Indices are those of the group's rows, entry by entry. */
function match(
  group: readonly SystemEntry[],
  own_stations: readonly Observation[],
  know: (entry: SystemEntry) => Known,
  overrides: Overrides,
): Matching {
  const feeds = group.map((entry) => know(entry).feed.feed);
  const observations = group.flatMap((entry, place) =>
    place === 0 ? own_stations : observationsOf(entry.shard!.statics, place),
  );
  return resolveObservations(feeds, observations, overrides);
}

function bearerOf(
  { entry, station_id, derived }: Row,
  { feed, ids }: Known,
  since: ReadonlyMap<string, number>,
): Bearer {
  return {
    key: `${entry.source_id}\u0000${station_id}`,
    derived,
    bridged: ids.get(station_id) ?? null,
    since_ms: since.get(entry.source_id) ?? 0,
    rank: SOURCE_KINDS[feed.feed.kind].rank,
  };
}

const ID_AT = `{"id":"`.length;
const ID_CHARS = STATION_ID_PREFIX.length + 20;

/** The ids the rows were rendered with: those of their own keys. */
function derivedIds({ head, count }: Statics): string[] {
  const bytes = Buffer.from(head.bytes.buffer, head.bytes.byteOffset, head.bytes.length);
  return Array.from({ length: count }, (_, row) => {
    const start = head.offsets[row]! + ID_AT;
    return bytes.toString("latin1", start, start + ID_CHARS);
  });
}

/** Observations by station: the clusters, then everyone else alone. */
function listStations(count: number, { clusters }: Matching): number[][] {
  const stations = clusters.map(({ members }) => members);
  const clustered = new Set(stations.flat());
  for (let i = 0; i < count; i++) if (!clustered.has(i)) stations.push([i]);
  return stations;
}

function noteId(
  changes: ReadonlyMap<string, Map<string, string | null>>,
  { entry, station_id }: Row,
  { derived, bridged }: Bearer,
  id: string,
): void {
  const wanted = id === derived ? null : id;
  if (wanted !== bridged) changes.get(entry.source_id)!.set(station_id, wanted);
}

type Resolved = {
  matching: Matching;
  stations: readonly (readonly number[])[];
  ids: readonly string[];
  bearers: readonly Bearer[];
};

function giveRoles(
  group: readonly SystemEntry[],
  members: readonly Member[],
  { matching, stations, ids, bearers }: Resolved,
): void {
  for (const entry of group) entry.roles = null;
  const near = findNear(members, stations, matching.possible);
  stations.forEach((station, n) => {
    const cluster = matching.clusters[n];
    const misses = near.get(n) ?? [];
    const plain = !cluster && misses.length === 0 && ids[n] === bearers[station[0]!]!.derived;
    if (plain) return;
    const made = buildCase({
      id: ids[n]!,
      members: station.map((i) => members[i]!),
      pairs: cluster ? pairsWithin(station, cluster.pairs) : [],
      near: misses,
      confidence: confidenceOf(cluster?.confidence, misses),
    });
    for (const i of station.slice(1)) rolesOf(members[i]!).of[members[i]!.row] = HIDDEN;
    const lead = members[station[0]!]!;
    const roles = rolesOf(lead);
    roles.of[lead.row] = FIRST_CASE + roles.cases.push(made) - 1;
  });
}

function rolesOf({ entry, statics }: Member): Roles {
  return (entry.roles ??= { of: new Uint32Array(statics.count), cases: [] });
}

function pairsWithin(station: readonly number[], pairs: readonly ScoredPair[]): CasePair[] {
  return pairs.map(({ a, b, score, reasons }) => ({
    ...{ a: station.indexOf(a), b: station.indexOf(b) },
    ...{ score: round(score), reasons },
  }));
}

function confidenceOf(merged: number | undefined, near: readonly NearMiss[]): number | null {
  if (merged !== undefined) return round(merged);
  return near.length > 0 ? Math.max(...near.map(({ score }) => score)) : null;
}

/** Near misses by station, both ways; a conflict within one station is none. */
function findNear(
  members: readonly Member[],
  stations: readonly (readonly number[])[],
  possible: readonly ScoredPair[],
): Map<number, NearMiss[]> {
  const near = new Map<number, NearMiss[]>();
  if (possible.length === 0) return near;
  const stationOf = new Uint32Array(members.length);
  stations.forEach((station, n) => station.forEach((i) => (stationOf[i] = n)));
  const add = (of: number, other: number, { score, reasons }: ScoredPair): void => {
    const misses = near.get(stationOf[of]!) ?? [];
    misses.push({ member: members[other]!, score: round(score), reasons });
    near.set(stationOf[of]!, misses);
  };
  for (const pair of possible) {
    if (stationOf[pair.a] === stationOf[pair.b]) continue;
    add(pair.a, pair.b, pair);
    add(pair.b, pair.a, pair);
  }
  return near;
}

function round(probability: number): number {
  return Math.round(probability * 1000) / 1000;
}
