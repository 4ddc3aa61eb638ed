/**
 * A circle or box, answered: every entity within it, filtered by mode, with its state at this moment (R12),
 * the first of them in their order (R13).
 */
import {
  CLASS,
  CLOSED_BIT,
  DATA_CLASS_SHIFT,
  EXPIRED_BIT,
  getField,
  HIDDEN_BIT,
  LISTED_BIT,
  MATCHED_SHIFT,
  MODES_MASK,
  NO_STATUS_BIT,
  RESOLVED_SHIFT,
  TRI,
  UNKNOWN_BIT,
  withField,
} from "#stations/shard/bits.ts";
import { type Aim, aimAt, type Box } from "#kit/geo.ts";
import {
  type BandIndex,
  type HitSink,
  searchBands,
  searchBox,
} from "#stations/shard/band-index.ts";
import type { ShardPart, Shard } from "#stations/shard/shard.ts";
import type { Closures } from "#world/closures.ts";
import type { CaseView } from "#world/identity/case-view.ts";
import { DOCUMENT_OLD_S } from "#world/identity/live-groups.ts";
import { caseOfRole, isHidden, PLAIN } from "#stations/identity/roles.ts";
import { closedByHours } from "#world/station-hours.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";
import { filterHits } from "./filter.ts";
import type { HitFilter } from "./fits.ts";
import { type Hits, type Page, pushHit } from "./nearby-hits.ts";
import { bringOnly } from "./only-hit.ts";
import { orderHits } from "./order-hits.ts";
import {
  areVehiclesGone,
  linksAt,
  resolveRow,
  SHOWN_ELSEWHERE,
  VEHICLE_UNKNOWN_S,
} from "./vehicles/sightings.ts";

/** What a question asks of whatever lies in its area. */
export type HitConditions = {
  /** Mask of requested modes (packages/stations/shard/bits). */
  modes: number;
  stations: boolean;
  vehicles: boolean;
  now_ms: number;
  /** null or absent: none. */
  filter?: HitFilter | null;
  /** Id of the one item that is wanted: the others are counted only. */
  only?: string | undefined;
  /** Only vehicles that are neither reserved nor disabled, as far as the publisher says. */
  free?: boolean;
  /** Systems that are looked at at all: a vehicle of another is not shown there. Absent: all. */
  takes?: ((system: Pick<SystemEntry, "source_id">) => boolean) | undefined;
  /** Positions that are wanted in their order; absent: all. */
  page?: Page | undefined;
  /** Everything in the circle is counted, also what another row shows. */
  tallied?: boolean;
};

/** Where: in a circle, or in a box, whose items have the distance 0. */
type HitArea = { circle: Circle; box?: undefined } | { circle?: undefined; box: Box };

export type HitQuery = HitConditions & HitArea;

/** A part of the rows that an area has of one pack, by their places in the scratch of the hits. */
export type Span = { from: number; to: number };

type Search = HitQuery & { aim: Aim | null };

/** Fills `hits` with what the given systems have inside the area; counts are of all of it. */
export function collectHits(hits: Hits, systems: readonly SystemEntry[], query: HitQuery): void {
  hits.count = 0;
  hits.listed = Infinity;
  hits.systems = systems;
  hits.views = [];
  hits.now_ms = query.now_ms;
  hits.takes = query.takes;
  hits.raw = [];
  hits.matched = [];
  const aim = query.circle ? aimAt(query.circle, query.circle.radius_m) : null;
  const search: Search = { ...query, aim };
  for (let i = 0; i < systems.length; i++) {
    const shard = systems[i]!.shard;
    const before = hits.count;
    let raw = 0;
    hits.views.push(systems[i]!.roles?.cases.viewAt(query.now_ms / 1000) ?? null);
    if (shard && query.stations) raw += collectStations(hits, i, shard, search);
    if (shard?.vehicles?.data && query.vehicles) raw += collectVehicles(hits, i, shard, search);
    hits.raw.push(raw);
    hits.matched.push(hits.count - before);
  }
  hits.unknown = query.filter ? filterHits(hits, query.filter) : null;
  if (query.only === undefined) orderHits(hits, query.page?.to ?? Infinity);
  else hits.listed = bringOnly(hits, query.only);
}

function collectStations(hits: Hits, system: number, shard: Shard, query: Search): number {
  const { sink } = hits;
  sink.count = 0;
  const { roles } = hits.systems[system]!;
  const listed = query.tallied === true ? null : (roles?.shown ?? null);
  findRows(listed?.index ?? shard.statics.index, query, sink);
  if (listed) for (let i = 0; i < sink.count; i++) sink.rows[i] = listed.rows[sink.rows[i]!]!;
  pushStations(hits, system, query, { from: 0, to: sink.count });
  return sink.count;
}

function findRows(index: BandIndex, { aim, box }: Search, sink: HitSink): void {
  if (aim !== null) searchBands(index, aim, sink);
  else searchBox(index, box!, sink);
}

/** Adds the hits of rows of stations that lie in the scratch. */
export function pushStations(
  hits: Hits,
  system: number,
  query: HitConditions,
  { from, to }: Span,
): void {
  const shard = hits.systems[system]!.shard!;
  const { statics } = shard;
  const { sink } = hits;
  const status = shard.status?.data ?? null;
  const now_s = query.now_ms / 1000;
  const time = stationTime(shard.status, now_s);
  const { closures, hours, roles } = hits.systems[system]!;
  const systemClosed = closures?.isSystemClosed(now_s) ? CLOSED_BIT : 0;
  const states = status ? status.state : statics.state;
  const view = hits.views[system]!;
  const holds = query.vehicles ? holdsOf(shard, query.now_ms) : NO_HITS;
  const is_relayed = isRelayed(shard);
  for (let i = from; i < to; i++) {
    const row = sink.rows[i]!;
    if (roles !== null && roles.of[row] !== PLAIN) {
      const role = roles.of[row]!;
      if (isHidden(role)) continue;
      const place = caseOfRole(role);
      const state = caseState(view, place, query);
      if (state === null) continue;
      pushHit(hits, system, row, state, sink.metres[i]!);
      hits.case_at[hits.count - 1] = place + 1;
      continue;
    }
    const base = states[row]!;
    const matched = base & MODES_MASK & query.modes;
    if (matched === 0 || base & HIDDEN_BIT) continue;
    let state = base | (matched << MATCHED_SHIFT) | systemClosed;
    if (!(base & NO_STATUS_BIT)) {
      const reported_s = status!.last_reported[row]!;
      state |= is_relayed ? relayedTime(time, reported_s, now_s) : time;
      if (isSilent(reported_s, now_s)) state |= UNKNOWN_BIT;
    }
    if (closures?.isStationClosed(row, now_s)) state |= CLOSED_BIT;
    if (hours?.isClosed(row, query.now_ms))
      state |= closedByHours(base, spokeAt(shard, status?.last_reported[row] ?? 0), now_s);
    if (holds.length > 0 && holds[row] === 1) state |= LISTED_BIT;
    pushHit(hits, system, row, state, sink.metres[i]!);
  }
}

/**
 * A station of several observations: the best source gives its location, the freshest its counts. null:
 * it does not match.
 */
function caseState(view: CaseView, place: number, query: HitConditions): number | null {
  const now_s = query.now_ms / 1000;
  const base = view.stateOf(place);
  const matched = base & MODES_MASK & query.modes;
  if (matched === 0 || base & HIDDEN_BIT) return null;
  let state = base | (matched << MATCHED_SHIFT);
  const live = view.liveShardOf(place);
  if (live) {
    const reported_s = view.reportedOf(place);
    const time = stationTime(live.status, now_s);
    state |= isRelayed(live) ? relayedTime(time, reported_s, now_s) : time;
    if (isSilent(reported_s, now_s)) state |= UNKNOWN_BIT;
  }
  const { closures, shards } = view;
  if (
    view.has_closures &&
    view.someMember(place, (part, row) => isClosed(closures[part]!, row, now_s))
  )
    state |= CLOSED_BIT;
  if (
    view.has_hours &&
    view.someMember(place, (part, row) => view.hours[part]?.isClosed(row, query.now_ms) === true)
  )
    state |= closedByHours(base, live && spokeAt(live, view.reportedOf(place)), now_s);
  const isHolding = (part: number, row: number): boolean =>
    holdsOf(shards[part]!, query.now_ms)[row] === 1;
  if (query.vehicles && view.has_holds && view.someMember(place, isHolding)) state |= LISTED_BIT;
  return state;
}

/** When a publisher spoke of a station: its report, else its document, epoch s; null: never. */
function spokeAt({ status }: Shard, reported_s: number): number | null {
  return reported_s === 0 ? (status?.live?.doc_s ?? null) : reported_s;
}

const NO_HITS = new Uint8Array(0);

/** By station row: 1 where vehicles of the list are parked. Empty: at none. */
function holdsOf({ vehicles }: Shard, now_ms: number): Uint8Array {
  if (!vehicles?.data || !vehicles.live) return NO_HITS;
  return areVehiclesGone(vehicles.live, now_ms) ? NO_HITS : vehicles.data.holds;
}

function isSilent(reported_s: number, now_s: number): boolean {
  return reported_s !== 0 && reported_s < now_s - SILENT_S;
}

function isClosed(closures: Closures | null, row: number, now_s: number): boolean {
  if (!closures) return false;
  return closures.isSystemClosed(now_s) || closures.isStationClosed(row, now_s);
}

/** R7: a station that has not reported for a day is unknown. */
const SILENT_S = 24 * 3600;

function stationTime(part: ShardPart<unknown> | null, now_s: number): number {
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

/** Whether another hands on what the operator published, at a time of its own. */
function isRelayed({ statics }: Pick<Shard, "statics">): boolean {
  return statics.meta.source === "citybikes";
}

/** R6: what is handed on is as young as the station's own word, which may be older than the document. */
function relayedTime(time: number, reported_s: number, now_s: number): number {
  const isOld = reported_s !== 0 && now_s - reported_s > RELAYED_OLD_S;
  if (!isOld || getField(time, "data_class") !== CLASS.realtime) return time;
  return withField(time, "data_class", CLASS.semi_static);
}

const RELAYED_OLD_S = 15 * 60;

function isFree(state: number): boolean {
  return getField(state, "reserved") !== TRI.yes && getField(state, "disabled") !== TRI.yes;
}

function collectVehicles(hits: Hits, system: number, shard: Shard, query: Search): number {
  const { sink } = hits;
  sink.count = 0;
  findRows(shard.vehicles!.data!.index, query, sink);
  pushVehicles(hits, system, query, { from: 0, to: sink.count });
  return sink.count;
}

/** Adds the hits of rows of vehicles that lie in the scratch. */
export function pushVehicles(
  hits: Hits,
  system: number,
  query: HitConditions,
  { from, to }: Span,
): void {
  const shard = hits.systems[system]!.shard!;
  const vehicles = shard.vehicles!.data!;
  const live = shard.vehicles!.live;
  const { sink } = hits;
  if (!live || areVehiclesGone(live, query.now_ms)) return;
  const now_s = query.now_ms / 1000;
  const age_s = now_s - live.doc_s;
  const closures = hits.systems[system]!.closures;
  const time =
    (dataClass(age_s, live.ttl_s) << DATA_CLASS_SHIFT) |
    (age_s > VEHICLE_UNKNOWN_S ? UNKNOWN_BIT : 0) |
    (closures?.isSystemClosed(now_s) ? CLOSED_BIT : 0);
  const expires = vehicles.meta.has_expiry;
  const links = linksAt(hits.systems[system]!, query.now_ms, query.takes);
  for (let i = from; i < to; i++) {
    const row = sink.rows[i]!;
    const base = vehicles.state[row]!;
    const matched = base & MODES_MASK & query.modes;
    if (matched === 0 || (query.free === true && !isFree(base))) continue;
    let state = base | (matched << MATCHED_SHIFT) | time;
    if (expires) {
      const until = vehicles.until[row]!;
      if (until !== 0 && until <= now_s) state |= EXPIRED_BIT;
    }
    if (links !== null) {
      const resolved = resolveRow(shard, row, links, query.now_ms);
      if (resolved === SHOWN_ELSEWHERE) continue;
      state |= resolved << RESOLVED_SHIFT;
    }
    pushHit(hits, system, row, state, sink.metres[i]!);
  }
}
