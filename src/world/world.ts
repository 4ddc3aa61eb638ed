/**
 * State of all systems, in memory: one entry per configured system, its shard swapped by pointer,
 * and a top index over the systems' boxes. No IO; writes come from the feed runtime through
 * `ShardSink`.
 */
import Flatbush from "flatbush";
import type { FailureWord } from "#api/sources.ts";
import type { Box } from "#kit/geo.ts";
import { boxesTouch, boxTouchesCircle, reachOf, unionBox, wrapLon } from "#kit/geo.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { ShardSink, Whereabouts } from "#ports.ts";
import type { Identity } from "#world/identity/world-identity.ts";
import { closuresOf } from "#world/closures.ts";
import { NO_TERRITORIES, stationHoursOf, type Territories } from "#world/station-hours.ts";
import { collectHits, type HitQuery } from "#world/collect-hits.ts";
import { type NearbyMatches, toFound } from "#world/found.ts";
import { type Keeps, toKept } from "#world/keep-hits.ts";
import { createHits } from "#world/nearby-hits.ts";
import { Settling } from "#world/settling.ts";
import { StationIndex, type StationPlace } from "#world/station-index.ts";
import type { Circle, Standing, SystemEntry } from "#world/system-entry.ts";
import { createTails } from "#world/tails.ts";
import { type RunSteps, VehicleLinks } from "#world/vehicles/vehicle-links.ts";

export type World = ShardSink &
  Required<Pick<ShardSink, "shown">> & {
    register(system: { source_id: string; country: string | null }): void;
    find(source_id: string): SystemEntry | undefined;
    list(): readonly SystemEntry[];
    /** Registers a list of systems that has not been read yet: its systems may be anywhere. */
    registerUnread(list: { source_id: string; name: string }): void;
    /**
     * Shows a system as another thread's world does, which has resolved its stations and compared its
     * vehicles (handed-world.ts); null: nothing of it has been read.
     */
    show(standing: Standing, shard: Shard | null): void;
    /** Notes why it could not be read. */
    noteUnread(source_id: string, problem: FailureWord): void;
    /** Appends the systems whose box touches the circle, in order of registration. */
    covering(circle: Circle, into: SystemEntry[]): void;
    /** Appends the systems whose box touches this one, in order of registration. */
    coveringBox(box: Box, into: SystemEntry[]): void;
    /**
     * Finds what the given systems have inside the circle or box, ordered by distance, then id. Only the
     * positions of `page` become items; `tallied` counts all of it by freshness and resolution.
     * `keeps`: which of the page are kept and counted; absent: all that matched.
     */
    search(systems: readonly SystemEntry[], query: HitQuery, keeps?: Keeps): NearbyMatches;
    /**
     * Finds the station that answers show under this id; null: no system that has been read has it.
     * `first`: the system that is looked at first.
     */
    findStation(id: string, first?: SystemEntry): StationPlace | null;
    /** Systems without a known box that may lie in one of these countries. */
    unsurveyed(countries: readonly string[]): SystemEntry[];
    /** True once every registered system has been surveyed; cheap, asked by every question. */
    isSurveyed(): boolean;
  };

/** Boxes enter the top index grown by this much, so that vehicles moving do not rebuild it. */
const MARGIN_DEG = 0.02;

const UNKNOWN = {
  unread: null,
  box: null,
  surveyed: false,
  lost: false,
  shard: null,
  tails: null,
  vehicle_tails: null,
  closures: null,
  hours: null,
  roles: null,
  vehicle_links: null,
};

/** How long vehicles of two systems are compared without a pause. */
export const COMPARISON = { slice_ms: 1 } as const;

/**
 * Makes an empty world. Without `identity` every observation is a station of its own. `run`: how
 * vehicles of two systems are compared, a step at a time; absent: at once.
 */
export function createWorld(
  identity: Identity | null = null,
  { territories = NO_TERRITORIES, run }: { territories?: Territories; run?: RunSteps } = {},
): World {
  let top: Top = { index: null, owners: [], indexed: new Map() };
  let dirty = false;
  const roster = createRoster((entry, box) => {
    const existing = top.indexed.get(entry);
    if (box ? !existing || !contains(existing, box) : existing) dirty = true;
  });
  const { entries, byId } = roster;
  const hits = createHits();
  const stations = new StationIndex();
  const links = new VehicleLinks<SystemEntry>({ entries, run });

  function upToDate(): Top {
    if (dirty) top = buildTop(entries);
    dirty = false;
    return top;
  }

  function show(entry: SystemEntry, shard: Shard): void {
    if (swap(entry, shard, territories)) links.place(entry);
    roster.setBox(entry, placeOf(shard, entry.box));
  }

  const settling = identity && new Settling({ identity, entries, show });

  return {
    register: (system) => roster.register({ ...system, unread: null }),
    registerUnread: ({ source_id, name }) =>
      roster.register({ source_id, country: null, unread: { name, problem: null } }),
    show(standing, shard) {
      roster.register(standing);
      const entry = byId.get(standing.source_id)!;
      roster.setStanding(entry, standing);
      if (shard && shard !== entry.shard) swap(entry, shard, territories);
    },
    noteUnread(source_id, problem) {
      const entry = byId.get(source_id);
      if (entry?.unread) entry.unread = { ...entry.unread, problem };
    },
    find: (source_id) => byId.get(source_id),
    list: () => entries,
    put(shard) {
      const entry = byId.get(shard.source_id);
      if (!entry) return null;
      return links.showCompared(entry, shard, () => {
        if (settling) return settling.put(entry, shard);
        show(entry, shard);
        return null;
      });
    },
    shown(source_id) {
      const entry = byId.get(source_id);
      return entry ? links.untilShown(entry) : null;
    },
    setBox(source_id, box) {
      const entry = byId.get(source_id);
      if (entry) roster.setBox(entry, box);
    },
    suspect(source_id, whereabouts) {
      const entry = byId.get(source_id);
      if (entry) roster.suspect(entry, whereabouts);
    },
    covering: (circle, into) => searchTop(upToDate(), circle, into),
    coveringBox: (box, into) => searchTopByBox(upToDate(), box, into),
    search(systems, query, keeps) {
      collectHits(hits, systems, query);
      if (keeps !== undefined) return toKept(hits, query, keeps);
      return toFound(hits, query.page, query.tallied === true);
    },
    findStation: (id, first) => stations.find(entries, id, first),
    unsurveyed: (countries) =>
      entries.filter(
        (entry) =>
          !entry.surveyed &&
          !entry.lost &&
          (entry.country === null || countries.includes(entry.country)),
      ),
    isSurveyed: () => roster.unsurveyed() === 0,
  };
}

type Roster = {
  readonly entries: SystemEntry[];
  readonly byId: ReadonlyMap<string, SystemEntry>;
  register(system: Pick<SystemEntry, "source_id" | "country" | "unread">): void;
  setBox(entry: SystemEntry, box: Box | null): void;
  setStanding(entry: SystemEntry, standing: Standing): void;
  suspect(entry: SystemEntry, whereabouts: Whereabouts): void;
  /** Of how many an answer has to wait for the survey. */
  unsurveyed(): number;
};

/** The systems, and what is known of where each is. `onBox`: before a box changes. */
function createRoster(onBox: (entry: SystemEntry, box: Box | null) => void): Roster {
  const entries: SystemEntry[] = [];
  const byId = new Map<string, SystemEntry>();
  let unsurveyed = 0;
  const setBox: Roster["setBox"] = (entry, box) => {
    if (!entry.surveyed && !entry.lost) unsurveyed--;
    Object.assign(entry, { surveyed: true, lost: false, unread: null, box });
    onBox(entry, box);
  };
  return {
    entries,
    byId,
    setBox,
    unsurveyed: () => unsurveyed,
    setStanding(entry, { country, unread, box, surveyed, lost }) {
      const waits = (of: Pick<Standing, "surveyed" | "lost">): number =>
        Number(!of.surveyed && !of.lost);
      unsurveyed += waits({ surveyed, lost }) - waits(entry);
      Object.assign(entry, { country, unread, box, surveyed, lost });
      onBox(entry, box);
    },
    register({ source_id, country, unread }) {
      if (byId.has(source_id)) return;
      const entry: SystemEntry = { ...UNKNOWN, source_id, country, unread };
      unsurveyed++;
      entries.push(entry);
      byId.set(entry.source_id, entry);
    },
    suspect(entry, whereabouts) {
      if (entry.shard) return;
      if (whereabouts === "nowhere") {
        if (entry.surveyed || entry.lost) return;
        unsurveyed--;
        entry.lost = true;
        return;
      }
      if (entry.lost) unsurveyed++;
      entry.lost = false;
      if ("box" in whereabouts) setBox(entry, whereabouts.box);
      else entry.country = whereabouts.country;
    },
  };
}

/**
 * What is derived from a part is rebuilt with it. Closures are kept by row, hence by statics. Returns
 * whether its vehicles are others.
 */
function swap(entry: SystemEntry, shard: Shard, territories: Territories): boolean {
  const same = entry.shard?.statics === shard.statics;
  if (!same) {
    entry.tails = createTails(shard.statics.meta, shard.statics.repeats);
    entry.hours = stationHoursOf(shard, entry.country, territories);
  }
  const vehicles = shard.vehicles?.data ?? null;
  const moved = !same || (entry.shard?.vehicles?.data ?? null) !== vehicles;
  if (moved) entry.vehicle_tails = vehicles && createTails(shard.statics.meta, vehicles.repeats);
  if (!same || entry.shard?.alerts?.data !== shard.alerts?.data) entry.closures = closuresOf(shard);
  entry.shard = shard;
  entry.roles?.cases.renew();
  return moved;
}

/**
 * Where to look for a system. Vehicles that have not been read, or have all been ridden away, will
 * be where it was found before: it must be asked there, or its failure would look like nothing.
 */
function placeOf(shard: Shard, box: Box | null): Box | null {
  const unread = shard.vehicles !== null && shard.vehicles.data === null;
  return unread || shard.box === null ? unionBox(shard.box, box) : shard.box;
}

type Top = {
  index: Flatbush | null;
  /** Owner of each rectangle; a box across the antimeridian has two. */
  owners: SystemEntry[];
  indexed: Map<SystemEntry, Box>;
};

function buildTop(entries: readonly SystemEntry[]): Top {
  const owners: SystemEntry[] = [];
  const rectangles: [number, number, number, number][] = [];
  const indexed = new Map<SystemEntry, Box>();
  for (const entry of entries) {
    if (!entry.box) continue;
    const box = grown(entry.box);
    indexed.set(entry, box);
    for (const rectangle of rectanglesOf(box)) {
      owners.push(entry);
      rectangles.push(rectangle);
    }
  }
  if (owners.length === 0) return { index: null, owners, indexed };
  const index = new Flatbush(owners.length);
  for (const rectangle of rectangles) index.add(...rectangle);
  index.finish();
  return { index, owners, indexed };
}

function searchTop(top: Top, circle: Circle, into: SystemEntry[]): void {
  if (!top.index) return;
  const reach = reachOf(circle.lat, circle.radius_m);
  const { dlat, dlon } = reach;
  const south = circle.lat - dlat;
  const north = circle.lat + dlat;
  const lon = wrapLon(circle.lon);
  const west = dlon >= 180 ? -180 : lon - dlon;
  const east = dlon >= 180 ? 180 : lon + dlon;
  const match = top.index.search(west, south, east, north);
  // What sticks out over the antimeridian comes in again on the other side.
  if (west < -180) match.push(...top.index.search(west + 360, south, 180, north));
  if (east > 180) match.push(...top.index.search(-180, south, east - 360, north));
  if (match.length > 1) match.sort((a, b) => a - b);
  const start = into.length;
  for (const i of match) {
    const entry = top.owners[i]!;
    const touches = boxTouchesCircle(entry.box!, circle, reach);
    if (touches && !into.includes(entry, start)) into.push(entry);
  }
}

/** Degrees: rounding, where two boxes share an edge. */
const EDGE_DEG = 1e-9;

function searchTopByBox({ index, owners }: Top, box: Box, into: SystemEntry[]): void {
  if (!index) return;
  const match = rectanglesOf(box).flatMap((rectangle) => index.search(...rectangle));
  match.sort((a, b) => a - b);
  const start = into.length;
  for (const i of match) {
    const entry = owners[i]!;
    if (boxesTouch(entry.box!, box, EDGE_DEG) && !into.includes(entry, start)) into.push(entry);
  }
}

function rectanglesOf(box: Box): [number, number, number, number][] {
  if (box.west <= box.east) return [[box.west, box.south, box.east, box.north]];
  return [
    [box.west, box.south, 180, box.north],
    [-180, box.south, box.east, box.north],
  ];
}

function grown(box: Box): Box {
  const wide = box.east - box.west + (box.east < box.west ? 360 : 0) > 359;
  return {
    south: box.south - MARGIN_DEG,
    north: box.north + MARGIN_DEG,
    west: wide ? -180 : wrapLon(box.west - MARGIN_DEG),
    east: wide ? 180 : wrapLon(box.east + MARGIN_DEG),
  };
}

function contains(outer: Box, inner: Box): boolean {
  if (inner.south < outer.south || inner.north > outer.north) return false;
  if (outer.west > outer.east || inner.west > inner.east)
    return outer.west === inner.west && outer.east === inner.east;
  return inner.west >= outer.west && inner.east <= outer.east;
}
