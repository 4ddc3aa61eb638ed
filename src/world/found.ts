/**
 * Results of a search, as values: an item keeps the packs it was read from, which never change, so
 * an answer may be rendered whenever it is sent, whatever is asked or published meanwhile.
 */
import { caseOfRole, PLAIN } from "#core/identity/roles.ts";
import { countResolved, type Resolution } from "#core/identity/resolve.ts";
import { CLASS, DATA_CLASS_SHIFT, UNKNOWN_BIT } from "#core/nearby/bits.ts";
import type { Shard } from "#core/shard/shard.ts";
import type { Page, UnknownHits } from "#world/hits.ts";
import { readId } from "#world/head-id.ts";
import { type CaseHit, caseOf, type Hits, isVehicle } from "#world/hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { Tails } from "#world/tails.ts";

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
  readonly merged: FoundCase | null;
  /** Of a vehicle: id of the station where it is parked; null: at none, or it is a station. */
  readonly station_id: string | null;
};

export type FoundCase = CaseHit & {
  /** Of its members and its near misses, in their order. */
  readonly shards: readonly Shard[];
  readonly near_shards: readonly Shard[];
};

export type Found = {
  /** Everything that matched, listed or not. */
  readonly count: number;
  /** The listed ones in the order of R13. */
  readonly items: readonly FoundItem[];
  /** Observations inside the circle before the filters, and after, by system. */
  readonly raw: readonly number[];
  readonly matched: readonly number[];
  /** null: the question had no filter. */
  readonly unknown: UnknownHits | null;
  /** null: not asked for. */
  readonly tally: Tally | null;
};

/** Counts over everything that matched. */
export type Tally = {
  freshness: { fresh: number; stale: number; unknown: number };
  resolution: Resolution;
};

const NO_ITEMS: readonly FoundItem[] = [];

/** Copies what is listed out of the list of a search, which the next search overwrites. */
export function toFound(hits: Hits, page: Page | undefined, tallied: boolean): Found {
  const { count, raw, matched, unknown } = hits;
  const from = page?.from ?? 0;
  const to = Math.min(page?.to ?? count, count);
  return {
    count,
    items: from < to ? toItems(hits, from, to) : NO_ITEMS,
    raw,
    matched,
    unknown,
    tally: tallied ? tallyOf(hits) : null,
  };
}

function toItems(hits: Hits, from: number, to: number): FoundItem[] {
  const { order, systems, system, row, state, decimetres } = hits;
  const items: FoundItem[] = [];
  for (let position = from; position < to; position++) {
    const hit = order[position]!;
    const entry = systems[system[hit]!]!;
    const vehicle = isVehicle(state[hit]!);
    items.push({
      shard: entry.shard!,
      tails: vehicle ? entry.vehicle_tails! : entry.tails!,
      row: row[hit]!,
      state: state[hit]!,
      decimetres: decimetres[hit]!,
      merged: hits.case_at[hit] === 0 ? null : toFoundCase(caseOf(hits, hit)!),
      station_id: vehicle ? stationOf(entry, row[hit]!) : null,
    });
  }
  return items;
}

/** As the list names it: the id of its case where it is more than its row. */
function stationOf({ shard, roles }: SystemEntry, vehicle: number): string | null {
  const row = shard!.vehicles!.data!.station[vehicle] ?? -1;
  if (row === -1) return null;
  const role = roles?.of[row] ?? PLAIN;
  if (role !== PLAIN) return roles!.caseAt(caseOfRole(role)).id;
  return readId(shard!.statics.head, row).toString();
}

function toFoundCase({ of, live }: CaseHit): FoundCase {
  return {
    of,
    live,
    shards: of.members.map(({ entry }) => entry.shard!),
    near_shards: of.near.map(({ member }) => member.entry.shard!),
  };
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
  const statuses = hits.cases.map(({ of }) => of.status);
  return { freshness, resolution: countResolved(hits.count, statuses) };
}

/** The id an item is known and ordered by: a station's `id`, a vehicle's `source_id`. */
export function itemId({ shard, row, state, merged }: FoundItem): string {
  if (merged) return merged.of.id;
  const { head } = isVehicle(state) ? shard.vehicles!.data! : shard.statics;
  return readId(head, row).toString();
}
