/**
 * The circle, answered: every entity within it, filtered by mode, with its state at this moment (R12),
 * the first of them in their order (R13).
 */
import {
  CLASS,
  CLOSED_BIT,
  DATA_CLASS_SHIFT,
  EXPIRED_BIT,
  HIDDEN_BIT,
  LISTED_BIT,
  MATCHED_SHIFT,
  MODES_MASK,
  NO_STATUS_BIT,
  UNKNOWN_BIT,
} from "#core/nearby/bits.ts";
import { type Aim, aimAt } from "#core/geo.ts";
import { searchBands } from "#core/shard/band-index.ts";
import type { LiveState, Part, Shard } from "#core/shard/shard.ts";
import type { Member, ResolvedSystem, StationCase } from "#world/identity/cases.ts";
import { DOCUMENT_OLD_S, findLive } from "#world/identity/live.ts";
import { caseOfRole, isHidden, PLAIN } from "#core/identity/roles.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";
import { filterHits } from "./filter.ts";
import type { HitFilter } from "./fits.ts";
import { type Hits, type Page, pushHit } from "./hits.ts";
import { orderHits } from "./order-hits.ts";

export type HitQuery = {
  circle: Circle;
  /** Mask of requested modes (core/nearby/bits). */
  modes: number;
  stations: boolean;
  vehicles: boolean;
  now_ms: number;
  /** null or absent: none. */
  filter?: HitFilter | null;
  /** Positions that are wanted in their order; absent: all. */
  page?: Page | undefined;
};

type Search = HitQuery & { aim: Aim };

/** Fills `hits` with what the given systems have inside the circle; counts are of all of it. */
export function collectHits(hits: Hits, systems: readonly SystemEntry[], query: HitQuery): void {
  hits.count = 0;
  hits.systems = systems;
  hits.cases = [];
  hits.raw = [];
  hits.matched = [];
  const search: Search = { ...query, aim: aimAt(query.circle, query.circle.radius_m) };
  for (let i = 0; i < systems.length; i++) {
    const shard = systems[i]!.shard;
    const before = hits.count;
    let raw = 0;
    if (shard && query.stations) raw += collectStations(hits, i, shard, search);
    if (shard?.vehicles?.data && query.vehicles) raw += collectVehicles(hits, i, shard, search);
    hits.raw.push(raw);
    hits.matched.push(hits.count - before);
  }
  hits.unknown = query.filter ? filterHits(hits, query.filter) : null;
  if (hits.cases.length > 0) countMembers(hits);
  orderHits(hits, query.page?.to ?? Infinity);
}

function collectStations(hits: Hits, system: number, shard: Shard, query: Search): number {
  const { statics } = shard;
  const { sink } = hits;
  const status = shard.status?.data ?? null;
  sink.count = 0;
  searchBands(statics.index, query.aim, sink);
  const now_s = query.now_ms / 1000;
  const time = stationTime(shard.status, now_s);
  const closures = hits.systems[system]!.closures;
  const systemClosed = closures?.isSystemClosed(now_s) ? CLOSED_BIT : 0;
  const states = status ? status.state : statics.state;
  const { roles } = hits.systems[system]!;
  const holds = query.vehicles ? holdsOf(shard, query.now_ms) : NONE_HELD;
  for (let i = 0; i < sink.count; i++) {
    const row = sink.rows[i]!;
    if (roles !== null && roles.of[row] !== PLAIN) {
      const role = roles.of[row]!;
      if (!isHidden(role))
        collectCase(hits, roles.caseAt(caseOfRole(role)), query, [system, sink.metres[i]!]);
      continue;
    }
    const base = states[row]!;
    const matched = base & MODES_MASK & query.modes;
    if (matched === 0 || base & HIDDEN_BIT) continue;
    let state = base | (matched << MATCHED_SHIFT) | systemClosed;
    if (!(base & NO_STATUS_BIT)) {
      state |= time;
      if (isSilent(status!.last_reported[row]!, now_s)) state |= UNKNOWN_BIT;
    }
    if (closures?.isStationClosed(row, now_s)) state |= CLOSED_BIT;
    if (holds.length > 0 && holds[row] === 1) state |= LISTED_BIT;
    pushHit(hits, system, row, state, sink.metres[i]!);
  }
  return sink.count;
}

/** A station of several observations: the best source gives its location, the freshest its counts. */
function collectCase(
  hits: Hits,
  of: StationCase,
  query: HitQuery,
  [system, metres]: readonly [number, number],
): void {
  const now_s = query.now_ms / 1000;
  const [lead] = of.members;
  const live = findLive(of, now_s);
  const shown = of.members[live] ?? lead!;
  const { status, statics } = shown.entry.shard!;
  const base = (live === -1 ? statics.state : status!.data!.state)[shown.row]!;
  const modes = (base | lead!.statics.state[lead!.row]!) & MODES_MASK;
  const matched = modes & query.modes;
  if (matched === 0 || base & HIDDEN_BIT) return;
  let state = base | modes | (matched << MATCHED_SHIFT);
  if (live !== -1) {
    state |= stationTime(status, now_s);
    if (isSilent(status!.data!.last_reported[shown.row]!, now_s)) state |= UNKNOWN_BIT;
  }
  if (of.members.some(({ entry, row }) => isClosed(entry, row, now_s))) state |= CLOSED_BIT;
  if (query.vehicles && of.members.some((member) => isHolding(member, query.now_ms)))
    state |= LISTED_BIT;
  pushHit(hits, system, lead!.row, state, metres);
  hits.case_at[hits.count - 1] = hits.cases.push({ of, live });
}

const NONE_HELD = new Uint8Array(0);

/** By station row: 1 where vehicles of the list are parked. Empty: at none. */
function holdsOf({ vehicles }: Shard, now_ms: number): Uint8Array {
  if (!vehicles?.data || !vehicles.live) return NONE_HELD;
  return areVehiclesGone(vehicles.live, now_ms) ? NONE_HELD : vehicles.data.holds;
}

function isHolding({ entry, row }: Member, now_ms: number): boolean {
  return entry.shard !== null && holdsOf(entry.shard, now_ms)[row] === 1;
}

function isSilent(reported_s: number, now_s: number): boolean {
  return reported_s !== 0 && reported_s < now_s - SILENT_S;
}

function isClosed({ closures }: ResolvedSystem, row: number, now_s: number): boolean {
  if (!closures) return false;
  return closures.isSystemClosed(now_s) || closures.isStationClosed(row, now_s);
}

/** Each source that observes a listed station has matched, though one row is listed. */
function countMembers(hits: Hits): void {
  const systems: readonly ResolvedSystem[] = hits.systems;
  for (const { of } of hits.cases)
    for (const { entry } of of.members.slice(1)) {
      const system = systems.indexOf(entry);
      if (system !== -1) hits.matched[system]!++;
    }
}

/** R7: a station that has not reported for a day is unknown. */
const SILENT_S = 24 * 3600;
/** R6, R7 for vehicles: unknown after 15 minutes, gone after an hour. */
const VEHICLE_UNKNOWN_S = 900;
const VEHICLE_GONE_S = 3600;

function stationTime(part: Part<unknown> | null, now_s: number): number {
  if (!part?.live) return CLASS.static << DATA_CLASS_SHIFT;
  const age_s = now_s - part.live.doc_s;
  return (
    (dataClass(age_s, part.live.ttl_s) << DATA_CLASS_SHIFT) |
    (age_s > DOCUMENT_OLD_S ? UNKNOWN_BIT : 0)
  );
}

/** R6: realtime while the document is younger than max(300 s, 2 × ttl). */
function dataClass(age_s: number, ttl_s: number): number {
  return age_s <= Math.max(300, 2 * ttl_s) ? CLASS.realtime : CLASS.semi_static;
}

/** R6: vehicles of a document that is older than an hour are left out. */
export function areVehiclesGone(live: LiveState, now_ms: number): boolean {
  return now_ms / 1000 - live.doc_s > VEHICLE_GONE_S;
}

function collectVehicles(hits: Hits, system: number, shard: Shard, query: Search): number {
  const vehicles = shard.vehicles!.data!;
  const live = shard.vehicles!.live;
  const { sink } = hits;
  const now_s = query.now_ms / 1000;
  const age_s = live ? now_s - live.doc_s : Number.POSITIVE_INFINITY;
  sink.count = 0;
  searchBands(vehicles.index, query.aim, sink);
  if (!live || areVehiclesGone(live, query.now_ms)) return sink.count;
  const closures = hits.systems[system]!.closures;
  const time =
    (dataClass(age_s, live.ttl_s) << DATA_CLASS_SHIFT) |
    (age_s > VEHICLE_UNKNOWN_S ? UNKNOWN_BIT : 0) |
    (closures?.isSystemClosed(now_s) ? CLOSED_BIT : 0);
  const expires = vehicles.meta.has_expiry;
  for (let i = 0; i < sink.count; i++) {
    const row = sink.rows[i]!;
    const base = vehicles.state[row]!;
    const matched = base & MODES_MASK & query.modes;
    if (matched === 0) continue;
    let state = base | (matched << MATCHED_SHIFT) | time;
    if (expires) {
      const until = vehicles.until[row]!;
      if (until !== 0 && until <= now_s) state |= EXPIRED_BIT;
    }
    pushHit(hits, system, row, state, sink.metres[i]!);
  }
  return sink.count;
}
