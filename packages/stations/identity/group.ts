/**
 * The stations of a group of systems that may see the same ones, resolved together when the static
 * part of the first one is new: which rows are one station, and which id each station has. Pure, so
 * that it runs in a thread of its own: packs in, changes and roles out.
 */
import { STATION_ID_PREFIX, stationId } from "#kit/ids.ts";
import { TRI } from "../shard/bits.ts";
import { readTexts } from "#kit/bytes.ts";
import { feedOf, haveSameKeys, observationsOf } from "../shard/observations.ts";
import { openStatics, type Statics } from "../shard/shard-statics.ts";
import { isDense } from "./density.ts";
import { applyIds, type IdTexts, packIds, readIds } from "./id-texts.ts";
import { assignIds, type Bearer } from "./station-ids.ts";
import { type Before, inherit, toBefore } from "./inherit.ts";
import { type Matching, resolveObservations } from "./match-stations.ts";
import { type Feed, type Observation, type Overrides, SOURCE_KINDS } from "./observed-station.ts";
import { packRoles } from "./roles.ts";

/** Codec of the stations that a source has published: the store's own form. */
export type StationCodec = {
  pack(stations: readonly Before[]): Uint8Array;
  unpack(packed: Uint8Array): Before[];
};

type GroupSystem = {
  source_id: string;
  statics: SharedArrayBuffer;
  /** When this deployment first knew it, epoch ms. */
  since_ms: number;
  /** Key → id, where that is not the key's own. */
  ids: IdTexts;
  rents: boolean | null;
  /** Whether each of its docks rents, by row (packages/stations/shard/shard-status dockStates); null: no state is known. */
  docks: Uint8Array | null;
};

export type GroupJob = {
  /** At least one. */
  systems: readonly GroupSystem[];
  /** Set where the static part of the first system is new: what was published before it. */
  past: {
    /** null: nothing since the start. */
    statics: SharedArrayBuffer | null;
    /** Memory of the store; null: none. */
    recalled: Uint8Array | null;
  } | null;
  overrides: Overrides;
  now_s: number;
};

export type GroupResult = {
  /** By system: what changes of its ids. */
  changes: readonly IdTexts[];
  /** By system: all of its ids after the changes; null: as they were. */
  ids: readonly (IdTexts | null)[];
  /** What the first system publishes now, for the store; null: as it is remembered. */
  seen: Uint8Array | null;
  /** Places of systems that are beyond a bound: their stations were left alone. */
  crowded: readonly number[];
  /** See roles.ts. */
  roles: SharedArrayBuffer;
};

/** Reason for not showing a static pack: too many of its stations are at one place. */
export type StaticsRefusal = "too_dense";

/** Resolves a group; null: no result in time, or the thread died. */
export type GroupResolver = (job: GroupJob) => GroupResult | null | Promise<GroupResult | null>;

type System = Omit<GroupSystem, "statics" | "ids" | "docks"> & {
  statics: Statics;
  feed: Feed;
  stations: Observation[];
  /** A copy, in which heirs have the ids they inherit. */
  ids: Map<string, string>;
};

export function resolveGroup(job: GroupJob, codec: StationCodec): GroupResult {
  const systems = job.systems.map((system, place) => openSystem(system, place));
  if (job.past && isDense(systems[0]!.statics)) return refuse(systems);
  const { heirs, seen } = job.past ? renumber(systems[0]!, job, codec) : UNCHANGED;
  const rows = systems.flatMap((system, place) => rowsOf(system, place));
  const matching = systems.length > 1 ? match(systems, job.overrides) : ALONE;
  const stations = listStations(rows.length, matching);
  const ids = assignIds(stations.map((station) => station.map((i) => rows[i]!)));
  const changes = systems.map((): Map<string, string | null> => new Map());
  stations.forEach((station, n) => {
    for (const i of station) noteId(changes, rows[i]!, ids[n]!);
  });
  for (const [key, id] of heirs) if (!changes[0]!.has(key)) changes[0]!.set(key, id);
  const packs = systems.map(({ statics }) => statics);
  return {
    changes: changes.map((change) => packIds(change)),
    ids: systems.map((_, place) => idsAfter(job.systems[place]!, changes[place]!)),
    seen,
    crowded: matching.crowded,
    roles: packRoles(packs, { matching, stations, ids, rows }),
  };
}

function idsAfter(
  { ids }: GroupSystem,
  changes: ReadonlyMap<string, string | null>,
): IdTexts | null {
  if (changes.size === 0) return null;
  const entry = openIds(ids);
  applyIds(entry, changes);
  return packIds(entry);
}

function openIds(texts: IdTexts): Map<string, string> {
  const ids = new Map<string, string>();
  for (const text of texts) applyIds(ids, readIds(text));
  return ids;
}

const ALONE: Matching = { clusters: [], possible: [], crowded: [] };
const UNCHANGED = { heirs: new Map<string, string | null>(), seen: null };

/** Nothing of it is to be shown. */
function refuse(systems: readonly System[]): GroupResult {
  const nothing = { matching: ALONE, stations: [], ids: [], rows: [] };
  return {
    changes: systems.map(() => []),
    ids: systems.map(() => null),
    seen: null,
    crowded: [0],
    roles: packRoles(
      systems.map(({ statics }) => statics),
      nothing,
    ),
  };
}

function openSystem(
  { statics: buffer, ids, docks, ...system }: GroupSystem,
  place: number,
): System {
  const statics = openStatics(buffer);
  const feed = { ...feedOf(statics), rents: system.rents };
  const stations = observationsOf(statics, place);
  docks?.forEach((state, row) => {
    if (state !== TRI.unknown) stations[row]!.rents = state === TRI.yes;
  });
  return { ...system, statics, feed, stations, ids: openIds(ids) };
}

function match(systems: readonly System[], overrides: Overrides): Matching {
  return resolveObservations(
    systems.map(({ feed }) => feed),
    systems.flatMap(({ stations }) => stations),
    overrides,
  );
}

/** Stations with a new key keep their id. `seen` is null where it is remembered as it is. */
function renumber(
  { statics, feed, stations, ids }: System,
  { past, now_s }: GroupJob,
  codec: StationCodec,
): { heirs: Map<string, string | null>; seen: Uint8Array | null } {
  const before = past!.statics && openStatics(past!.statics);
  if (before && haveSameKeys(before, statics)) return UNCHANGED;
  const recalled = past!.recalled && codec.unpack(past!.recalled);
  const former = before ? latest(before, recalled ?? []) : (recalled ?? []);
  const { heirs, seen } = inherit(feed, former, stations, now_s);
  const { source, system_id } = statics.meta;
  const inherited = new Map<string, string | null>();
  for (const [key, origin] of heirs) {
    inherited.set(key, ids.get(origin) ?? stationId(source, system_id, origin));
    if (ids.has(origin)) inherited.set(origin, null);
  }
  applyIds(ids, inherited);
  const same = recalled !== null && JSON.stringify(recalled) === JSON.stringify(seen);
  return { heirs: inherited, seen: same ? null : codec.pack(seen) };
}

/** Stations as last published, and those that were gone by then. */
function latest(before: Statics, recalled: readonly Before[]): Before[] {
  const present = observationsOf(before, 0);
  const keys = new Set(present.map(({ id }) => id));
  return [...present.map(toBefore), ...recalled.filter(({ id }) => !keys.has(id))];
}

/** A row of a system, as far as ids go. */
type Row = Bearer & { system: number; row: number; station_id: string };

function rowsOf(system: System, place: number): Row[] {
  const derived = derivedIds(system.statics);
  return readTexts(system.statics.ids).map((station_id, row) => ({
    system: place,
    row,
    station_id,
    key: `${system.source_id}\u0000${station_id}`,
    derived: derived[row]!,
    bridged: system.ids.get(station_id) ?? null,
    since_ms: system.since_ms,
    rank: SOURCE_KINDS[system.feed.kind].rank,
  }));
}

const ID_AT = `{"id":"`.length;
const ID_CHARS = STATION_ID_PREFIX.length + 20;

/** Returns the ids the rows were rendered with: those of their own keys. */
export function derivedIds({ head, count }: Statics): string[] {
  const bytes = Buffer.from(head.bytes.buffer, head.bytes.byteOffset, head.bytes.length);
  return Array.from({ length: count }, (_, row) => {
    const start = head.offsets[row]! + ID_AT;
    return bytes.toString("latin1", start, start + ID_CHARS);
  });
}

/** Rows by station: the clusters, then everyone else alone. */
function listStations(count: number, { clusters }: Matching): number[][] {
  const stations = clusters.map(({ members }) => members);
  const clustered = new Set(stations.flat());
  for (let i = 0; i < count; i++) if (!clustered.has(i)) stations.push([i]);
  return stations;
}

function noteId(
  changes: readonly Map<string, string | null>[],
  { system, station_id, derived, bridged }: Row,
  id: string,
): void {
  const wanted = id === derived ? null : id;
  if (wanted !== bridged) changes[system]!.set(station_id, wanted);
}
