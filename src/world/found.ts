/**
 * Results of a search, as values: an item keeps the packs it was read from, which never change, so
 * an answer may be rendered whenever it is sent, whatever is asked or published meanwhile.
 */
import type { MatchBody, NearestKnown } from "#api/filter-match.ts";
import type { WalkBody } from "#api/walk.ts";
import type { Location } from "#kit/geo.ts";
import { caseOfRole, PLAIN } from "#stations/identity/roles.ts";
import {
  countResolved,
  type Resolution,
  type ResolutionStatus,
} from "#stations/identity/resolve.ts";
import { CLASS, DATA_CLASS_SHIFT, getField, RESOLVED, UNKNOWN_BIT } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { ResolvedSystem, StationCase } from "#world/identity/station-case.ts";
import { listUnknown, toMatch } from "#core/filter-match.ts";
import { findKnownHit, NOT_COUNTED } from "#world/filter.ts";
import { HIT_FILTERS } from "#world/fits.ts";
import type { Page, UnknownHits } from "#world/nearby-hits.ts";
import { readId } from "#world/head-id.ts";
import { type CaseHit, caseOf, type Hits, isVehicle } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { Tails } from "#world/tails.ts";
import { vehicleConflicts } from "#world/vehicles/conflicts.ts";
import {
  linksAt,
  neighboursOf,
  NO_SIGHTINGS,
  type Sighting,
  sightingsOf,
} from "#world/vehicles/sightings.ts";

/** A station or vehicle inside the circle. */
export type FoundItem = {
  /** Of the system that observes it; of several, the one that says where it is. */
  readonly shard: Shard;
  readonly tails: Tails;
  readonly row: number;
  /** Core/nearby/bits, with the fields that the time and the question set. */
  readonly state: number;
  /** Stated distance, tenths of a metre. */
  readonly decimetres: number;
  /** A station that is more than its row; null: it is not, or it is a vehicle. */
  readonly merged: CaseHit | null;
  /** Of a vehicle: id of the station where it is parked; null: at none, or it is a station. */
  readonly station_id: string | null;
  /** Of a vehicle: the rows of other feeds that are the same one. */
  readonly sightings: readonly Sighting[];
  /** Of a `possible_match`: the rows of other feeds that may be the same vehicle. */
  readonly neighbours: readonly Sighting[];
  /**
   * Items of `conflicts` as JSON: of a merged station that rents against its hours, and of a vehicle
   * whose feeds contradict one another; else empty.
   */
  readonly conflict: string;
  /** Way on foot, null: none is known; absent: none was asked for. */
  readonly walk?: WalkBody | null;
  /** Absent: the question had no filter that judges it. */
  readonly match?: MatchBody;
};

export type NearbyMatches = {
  /** Everything that matched, listed or not. */
  readonly count: number;
  /** The listed ones in the order of R13. */
  readonly items: readonly FoundItem[];
  /** null: the question had no filter. */
  readonly unknown: UnknownHits | null;
  /** The first that is known to fit the filters, listed or not; null: none is, or there are none. */
  readonly nearest_known: NearestKnown | null;
  /** null: not asked for. */
  readonly tally: Tally | null;
};

/** Counts over everything that matched. */
export type Tally = {
  freshness: { fresh: number; stale: number; unknown: number };
  resolution: Resolution;
  /** Observations inside the circle before the filters, and after, by system. */
  raw: readonly number[];
  matched: readonly number[];
};

const NO_ITEMS: readonly FoundItem[] = [];

/** Copies what is listed out of the list of a search, which the next search overwrites. */
export function toFound(hits: Hits, page: Page | undefined, tallied: boolean): NearbyMatches {
  const { count, unknown } = hits;
  const from = page?.from ?? 0;
  const to = Math.min(page?.to ?? count, count, hits.listed);
  return {
    count,
    items: from < to ? toItems(hits, from, to) : NO_ITEMS,
    unknown,
    nearest_known: unknown === null ? null : toKnown(hits),
    tally: tallied ? tallyOf(hits) : null,
  };
}

function toItems(hits: Hits, from: number, to: number): FoundItem[] {
  const items: FoundItem[] = [];
  for (let position = from; position < to; position++)
    items.push(itemAt(hits, hits.order[position]!));
  return items;
}

function itemAt(hits: Hits, hit: number): FoundItem {
  const { systems, system, row, state, decimetres } = hits;
  const entry = systems[system[hit]!]!;
  const vehicle = isVehicle(state[hit]!);
  const merged = caseOf(hits, hit);
  const sightings = sightingsAt(hits, hit);
  const item: FoundItem = {
    shard: entry.shard!,
    tails: vehicle ? entry.vehicle_tails! : entry.tails!,
    row: row[hit]!,
    state: state[hit]!,
    decimetres: decimetres[hit]!,
    merged,
    station_id: vehicle ? stationOf(entry, row[hit]!) : null,
    sightings,
    neighbours: neighboursAt(hits, hit),
    conflict:
      merged && getField(state[hit]!, "hours_conflict") === 1
        ? merged.view.hoursConflictOf(merged.place, hits.now_ms)
        : sightings.length > 0
          ? vehicleConflicts({ shard: entry.shard!, row: row[hit]! }, sightings)
          : "",
  };
  const doubts = hits.doubts[hit]!;
  if (hits.unknown === null || doubts === NOT_COUNTED) return item;
  return { ...item, match: toMatch(listUnknown(doubts, HIT_FILTERS)) };
}

function toKnown(hits: Hits): NearestKnown | null {
  const hit = findKnownHit(hits);
  return hit === -1 ? null : nearestOf(itemAt(hits, hit));
}

/** An item as the head of an answer names it. */
export function nearestOf(item: FoundItem): NearestKnown {
  return { id: itemId(item), distance_meters: item.decimetres / 10, location: itemPoint(item) };
}

function sightingsAt(hits: Hits, hit: number): readonly Sighting[] {
  if (!isResolved(hits.state[hit]!, RESOLVED.merged)) return NO_SIGHTINGS;
  const { systems, system, row, now_ms, takes } = hits;
  return sightingsOf(linksAt(systems[system[hit]!]!, now_ms, takes), row[hit]!);
}

function neighboursAt(hits: Hits, hit: number): readonly Sighting[] {
  if (!isResolved(hits.state[hit]!, RESOLVED.possible)) return NO_SIGHTINGS;
  const { systems, system, row, now_ms, takes } = hits;
  const entry = systems[system[hit]!]!;
  return neighboursOf(entry.shard!, linksAt(entry, now_ms, takes), row[hit]!);
}

function isResolved(state: number, how: number): boolean {
  return isVehicle(state) && getField(state, "resolved") === how;
}

/** As the list names it: the id of its case where it is more than its row. */
function stationOf({ shard, roles }: SystemEntry, vehicle: number): string | null {
  const row = shard!.vehicles!.data!.station[vehicle] ?? -1;
  if (row === -1) return null;
  const role = roles?.of[row] ?? PLAIN;
  if (role !== PLAIN) return roles!.cases.caseAt(caseOfRole(role)).id;
  return readId(shard!.statics.head, row).toString();
}

function tallyOf(hits: Hits): Tally {
  const freshness = { fresh: 0, stale: 0, unknown: 0 };
  for (let hit = 0; hit < hits.count; hit++) {
    const state = hits.state[hit]!;
    const data_class = (state >>> DATA_CLASS_SHIFT) & 3;
    if (state & UNKNOWN_BIT || data_class === CLASS.static) freshness.unknown++;
    else if (data_class === CLASS.realtime) freshness.fresh++;
    else freshness.stale++;
  }
  const cases = listCases(hits);
  const statuses = [...cases.map(({ status }) => status), ...vehicleStatuses(hits)];
  return {
    freshness,
    resolution: countResolved(hits.count, statuses),
    raw: hits.raw,
    matched: countMatched(hits, cases),
  };
}

function listCases(hits: Hits): StationCase[] {
  const cases: StationCase[] = [];
  for (let hit = 0; hit < hits.count; hit++) {
    const match = caseOf(hits, hit);
    if (match) cases.push(match.view.caseAt(match.place));
  }
  return cases;
}

/** Of the vehicles that other feeds have, or may have. */
function vehicleStatuses({ count, state }: Hits): ResolutionStatus[] {
  const statuses: ResolutionStatus[] = [];
  for (let hit = 0; hit < count; hit++) {
    const resolved = isVehicle(state[hit]!) ? getField(state[hit]!, "resolved") : RESOLVED.no;
    if (resolved === RESOLVED.merged) statuses.push("merged");
    else if (resolved === RESOLVED.possible) statuses.push("possible_match");
  }
  return statuses;
}

/** Each source that observes a listed station or vehicle has matched, though one row is listed. */
function countMatched(hits: Hits, cases: readonly StationCase[]): number[] {
  const systems: readonly ResolvedSystem[] = hits.systems;
  const matched = [...hits.matched];
  for (const { members } of cases)
    for (const { entry } of members.slice(1)) {
      const system = systems.indexOf(entry);
      if (system !== -1) matched[system]!++;
    }
  for (let hit = 0; hit < hits.count; hit++)
    for (const { shard } of sightingsAt(hits, hit)) {
      const system = systems.findIndex((each) => each.shard === shard);
      if (system !== -1) matched[system]!++;
    }
  return matched;
}

/** The id an item is known and ordered by: a station's `id`, a vehicle's `source_id`. */
export function itemId({ shard, row, state, merged }: FoundItem): string {
  if (merged) return merged.view.caseAt(merged.place).id;
  const { head } = isVehicle(state) ? shard.vehicles!.data! : shard.statics;
  return readId(head, row).toString();
}

/** Where an item is, as its answer states it. */
export function itemPoint({ shard, row, state }: FoundItem): Location {
  const { index } = isVehicle(state) ? shard.vehicles!.data! : shard.statics;
  return { lat: index.lat[row]!, lon: index.lon[row]! };
}
