/**
 * How many stations and vehicles of a system lie in each cell, made once for what it shows: when another
 * file of it is published, or the time changes what is shown of it, they are made again. What several
 * sources have is counted with the one that shows it.
 */
import { MODES_MASK } from "#stations/shard/bits.ts";
import { collectHits } from "#world/collect-hits.ts";
import { createHits, isVehicle } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { areVehiclesGone, VEHICLE_UNKNOWN_S } from "#world/vehicles/sightings.ts";
import { CellCounts, cellOf } from "./cell-counts.ts";

export type SystemCounts = {
  stations: CellCounts;
  /** null: its vehicles are not known now. */
  vehicles: CellCounts | null;
};

type Made = { of: readonly unknown[]; counts: SystemCounts };

const EVERYWHERE = { south: -90, west: -180, north: 90, east: 180 };
const CONDITIONS = { modes: MODES_MASK, stations: true, vehicles: true, page: { from: 0, to: 0 } };

export class CountsOfSystems {
  readonly #made = new WeakMap<SystemEntry, Made>();
  readonly #hits = createHits();

  /** Whether they are at hand. */
  has(entry: SystemEntry, now_ms: number): boolean {
    return this.#find(entry, shownOf(entry, now_ms)) !== null;
  }

  /** null: nothing of it has been read. */
  of(entry: SystemEntry, now_ms: number): SystemCounts | null {
    if (entry.shard === null) return null;
    const of = shownOf(entry, now_ms);
    const known_counts = this.#find(entry, of);
    if (known_counts) return known_counts;
    const counts = this.#count(entry, now_ms);
    this.#made.set(entry, { of, counts });
    return counts;
  }

  #find(entry: SystemEntry, of: readonly unknown[]): SystemCounts | null {
    const made = this.#made.get(entry);
    return made && isSame(made.of, of) ? made.counts : null;
  }

  #count(entry: SystemEntry, now_ms: number): SystemCounts {
    const hits = this.#hits;
    collectHits(hits, [entry], { ...CONDITIONS, now_ms, box: EVERYWHERE });
    const { statics, vehicles } = entry.shard!;
    const points = { stations: new Uint32Array(hits.count), vehicles: new Uint32Array(hits.count) };
    const counts = { stations: 0, vehicles: 0 };
    for (let hit = 0; hit < hits.count; hit++) {
      const [family, index] = isVehicle(hits.state[hit]!)
        ? (["vehicles", vehicles!.data!.index] as const)
        : (["stations", statics.index] as const);
      const row = hits.row[hit]!;
      const cell = cellOf(index.lat[row]!, index.lon[row]!);
      if (cell !== null) points[family][counts[family]++] = cell;
    }
    hits.systems = [];
    hits.views = [];
    const isKnown =
      vehicles?.data != null && vehicles.live && !areVehiclesGone(vehicles.live, now_ms);
    return {
      stations: new CellCounts(points.stations.subarray(0, counts.stations)),
      vehicles: isKnown ? new CellCounts(points.vehicles.subarray(0, counts.vehicles)) : null,
    };
  }
}

/** All that decides which things are listed where: packs, what merges them, and what time changes of it. */
export function shownOf(entry: SystemEntry, now_ms: number): unknown[] {
  const { shard, roles, vehicle_links } = entry;
  if (shard === null) return [null];
  const { statics, status, vehicles } = shard;
  const shown: unknown[] = [statics, status?.data, vehicles?.data, vehicle_links];
  shown.push(roles?.cases.viewAt(now_ms / 1000), ageOf(entry, now_ms));
  for (const { other } of vehicle_links ?? []) shown.push(ageOf(other, now_ms), reportOf(other));
  if (vehicle_links) shown.push(reportOf(entry));
  return shown;
}

/** Of two feeds with the same vehicle the younger shows it. */
function reportOf({ shard }: Pick<SystemEntry, "shard">): number | undefined {
  return shard?.vehicles?.live?.doc_s;
}

/** 0: none has been read, 1: shown, 2: old, 3: not shown any more. */
function ageOf({ shard }: Pick<SystemEntry, "shard">, now_ms: number): number {
  const live = shard?.vehicles?.live;
  if (!live) return 0;
  if (areVehiclesGone(live, now_ms)) return 3;
  return now_ms / 1000 - live.doc_s > VEHICLE_UNKNOWN_S ? 2 : 1;
}

export function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, i) => each === other[i]);
}
