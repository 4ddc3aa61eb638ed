/**
 * Vehicles that several feeds publish (R11; decisions, Vehicles and docks): when the vehicles of a system change,
 * they are compared with those of every system of its brand around it, in one pass over both, and what
 * was found is put in place in the step that shows them. A question only looks it up.
 */
import { areOneBrand, type Fleet, fleetOf } from "#core/identity/vehicle-brand.ts";
import { pairVehicles, type Side } from "#core/identity/vehicle-pairs.ts";
import { SOURCE_KINDS } from "#core/identity/observation.ts";
import { Budget } from "#core/budget.ts";
import { boxesTouch } from "#core/geo.ts";
import type { Shard } from "#core/shard/shard.ts";
import { feedOf } from "#core/shard/observations.ts";
import type { Statics } from "#core/shard/statics.ts";

/** A system as its vehicles are compared; an entry of the world is one. */
export type LinkedSystem = {
  readonly source_id: string;
  shard: Shard | null;
  /** Systems whose vehicles are among its own; null: none (the usual case). */
  vehicle_links: readonly VehicleLink<LinkedSystem>[] | null;
};

/** What one system's vehicles are to those of another, by the packs that both show now. */
export type VehicleLink<System> = Side & {
  other: System;
  /** Of two reports of one time the other's goes first. */
  yields: boolean;
};

/** What lies this close to a system's vehicles may hold the same ones: some 200 m. */
const MARGIN_DEG = 0.002;

/** Rows that one change compares at most, some 10 ms: vehicles of systems beyond it stay unresolved. */
const MOST_ROWS = 50_000;

export class VehicleLinks {
  readonly #fleets = new WeakMap<Statics, Fleet>();
  readonly #most_rows: number;

  constructor(most_rows: number = MOST_ROWS) {
    this.#most_rows = most_rows;
  }

  /** Compares the vehicles that a system shows now, within the bound of rows. `others`: all systems. */
  renew<System extends LinkedSystem>(entry: System, others: readonly System[]): void {
    for (const { other } of entry.vehicle_links ?? []) unlink(other, entry);
    entry.vehicle_links = null;
    const box = entry.shard?.vehicles?.data?.meta.box;
    if (!box) return;
    const budget = new Budget({ looks: this.#most_rows, keeps: 0 });
    for (const other of others) {
      const there = other.shard?.vehicles?.data?.meta.box;
      if (other === entry || !there || !boxesTouch(box, there, MARGIN_DEG)) continue;
      if (!areOneBrand(this.#fleetOf(entry), this.#fleetOf(other))) continue;
      if (budget.look(rowsOf(entry) + rowsOf(other))) link(entry, other);
    }
  }

  #fleetOf({ shard }: LinkedSystem): Fleet {
    const { statics } = shard!;
    let fleet = this.#fleets.get(statics);
    if (!fleet) {
      const { network, system } = statics.meta;
      fleet = fleetOf(feedOf(statics), network.name, system?.brand ?? null);
      this.#fleets.set(statics, fleet);
    }
    return fleet;
  }
}

function rowsOf({ shard }: LinkedSystem): number {
  return shard!.vehicles!.data!.count;
}

function unlink(from: LinkedSystem, entry: LinkedSystem): void {
  const left = from.vehicle_links?.filter(({ other }) => other !== entry) ?? [];
  from.vehicle_links = left.length > 0 ? left : null;
}

function link(one: LinkedSystem, other: LinkedSystem): void {
  const sides = pairVehicles(one.shard!.vehicles!.data!, other.shard!.vehicles!.data!);
  if (!sides) return;
  const yields = isBetter(other, one);
  one.vehicle_links = [...(one.vehicle_links ?? []), { ...sides.a, other, yields }];
  other.vehicle_links = [
    ...(other.vehicle_links ?? []),
    { ...sides.b, other: one, yields: !yields },
  ];
}

/** The order of R11: by kind of source, then by id. */
function isBetter(a: LinkedSystem, b: LinkedSystem): boolean {
  const byRank = rankOf(a) - rankOf(b);
  return byRank === 0 ? a.source_id < b.source_id : byRank < 0;
}

function rankOf({ shard }: LinkedSystem): number {
  return SOURCE_KINDS[feedOf(shard!.statics).kind].rank;
}
