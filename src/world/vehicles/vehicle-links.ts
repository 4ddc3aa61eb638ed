/**
 * Vehicles that several feeds publish (R11; decisions, Vehicles and docks): when the vehicles of a system change,
 * they are compared with those of every system of its brand around it, a step at a time, before they
 * are shown. A question only looks the result up, and a result holds for the very packs that were
 * compared and no others, so that whatever changes meanwhile is never read by the rows of another pack.
 */
import { areOneBrand, type BrandFleet, fleetOf } from "#stations/identity/vehicle-brand.ts";
import { pairSteps, type VehicleSide, type Sides } from "#stations/identity/vehicle-pairs.ts";
import { SOURCE_KINDS } from "#stations/identity/observed-station.ts";
import { Budget } from "#kit/budget.ts";
import { boxesTouch } from "#kit/geo.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { feedOf } from "#stations/shard/observations.ts";
import type { Statics } from "#stations/shard/shard-statics.ts";
import type { Vehicles } from "#stations/shard/shard-vehicles.ts";
import { continueWith, type Eventual } from "#world/eventual.ts";

/** A system as its vehicles are compared; an entry of the world is one. */
export type LinkedSystem = {
  readonly source_id: string;
  shard: Shard | null;
  /** Systems whose vehicles are among its own; null: none (the usual case). */
  vehicle_links: readonly VehicleLink<LinkedSystem>[] | null;
};

/** What one system's vehicles are to those of another, by the packs that both show now. */
export type VehicleLink<System> = VehicleSide & {
  other: System;
  /** Of two reports of one time the other's goes first. */
  yields: boolean;
};

/** Runs steps to their end; others may have the thread between two of them. */
export type RunSteps = <T>(steps: Generator<void, T>) => Eventual<T>;

type Options<System> = {
  /** All systems of the world. */
  entries: readonly System[];
  /** Absent: at once. */
  run?: RunSteps | undefined;
  /** Rows that one change compares at most. */
  most_rows?: number | undefined;
};

/** What lies this close to a system's vehicles may hold the same ones: some 200 m. */
const MARGIN_DEG = 0.002;

/** Some 40 ms in slices: vehicles of systems beyond it stay unresolved. */
const MOST_ROWS = 200_000;

export class VehicleLinks<System extends LinkedSystem> {
  readonly #entries: readonly System[];
  readonly #run: RunSteps;
  readonly #most_rows: number;
  readonly #fleets = new WeakMap<Statics, BrandFleet>();
  /** What was found between two packs, by the first; null: nothing, or beyond the bound of rows. */
  readonly #found = new WeakMap<Vehicles, WeakMap<Vehicles, Sides>>();
  /** Systems of which something waits to be shown, and when the newest of it is. */
  readonly #waiting = new Map<System, Promise<unknown>>();
  #last: Promise<unknown> | null = null;

  constructor({ entries, run = atOnce, most_rows = MOST_ROWS }: Options<System>) {
    this.#entries = entries;
    this.#run = run;
    this.#most_rows = most_rows;
  }

  /**
   * Shows a shard: at once where nothing of it is to be compared, else when it is. One comparison at a
   * time, and of a system one shard after the other. Resolves when what came meanwhile is compared too.
   */
  showCompared<T>(entry: System, shard: Shard, show: () => Eventual<T>): Eventual<T> {
    const before = this.#waiting.get(entry);
    if (!before && isShown(entry, shard)) return show();
    if (!before && this.#listUnknown(shard, entry).length === 0) return this.#show(entry, show);
    const compared = before
      ? before.then(() => this.#inTurn(() => this.#compare(entry, shard)))
      : this.#inTurn(() => this.#compare(entry, shard));
    if (!(compared instanceof Promise)) return this.#show(entry, show);
    // Vehicles that could not be compared are shown all the same.
    const listed = Promise.allSettled([compared]).then(() => ({ result: show() }));
    this.#waitFor(entry, listed);
    return listed.then(({ result }) =>
      compared.then(() => result).then((value) => continueWith(this.#catchUp(entry), () => value)),
    );
  }

  /** Resolves when all that came for a system is shown, as far as its vehicles go; null: it is. */
  untilShown(entry: System): Promise<unknown> | null {
    return this.#waiting.get(entry) ?? null;
  }

  /** Puts in place what was found of the very packs that are shown now; to be called in the step that shows one. */
  place(entry: System): void {
    for (const { other } of entry.vehicle_links ?? []) unlink(other, entry);
    entry.vehicle_links = null;
    const mine = dataOf(entry.shard);
    for (const other of mine ? this.#listAround(entry.shard!, entry) : []) {
      const sides = this.#sidesOf(mine!, dataOf(other.shard)!);
      if (sides) link(entry, other, sides);
    }
  }

  #show<T>(entry: System, show: () => Eventual<T>): Eventual<T> {
    const listed = show();
    if (!(listed instanceof Promise)) return listed;
    return listed.then((value) => continueWith(this.#catchUp(entry), () => value));
  }

  /** Another system may have changed between the comparison and the step that showed its result. */
  #catchUp(entry: System): Eventual<void> {
    const { shard } = entry;
    if (!shard || this.#listUnknown(shard, entry).length === 0) return;
    const compared = this.#inTurn(() => this.#compare(entry, shard));
    return continueWith(compared, () => this.place(entry));
  }

  /** Systems around a shard whose vehicles have not been compared with its own. */
  #listUnknown(shard: Shard, entry: System): System[] {
    const mine = dataOf(shard);
    if (!mine) return [];
    return this.#listAround(shard, entry).filter(
      (other) => this.#sidesOf(mine, dataOf(other.shard)!) === undefined,
    );
  }

  #listAround(shard: Shard, entry: System): System[] {
    const box = dataOf(shard)?.meta.box;
    if (!box) return [];
    return this.#entries.filter((other) => {
      const existing = dataOf(other.shard)?.meta.box;
      if (other === entry || !existing || !boxesTouch(box, existing, MARGIN_DEG)) return false;
      return areOneBrand(this.#fleetOf(shard), this.#fleetOf(other.shard!));
    });
  }

  /** By what the others show when their turn comes. */
  #compare(entry: System, shard: Shard): Eventual<void> {
    const mine = dataOf(shard)!;
    const budget = new Budget({ looks: this.#most_rows, keeps: 0 });
    const compareNext = (): Eventual<void> => {
      const other = this.#listUnknown(shard, entry)[0];
      if (!other) return;
      const theirs = dataOf(other.shard)!;
      const isWithin = budget.look(mine.count + theirs.count);
      const sides = isWithin ? this.#run(pairSteps(mine, theirs)) : null;
      return continueWith(sides, (match) => {
        this.#remember(mine, theirs, match);
        return compareNext();
      });
    };
    return compareNext();
  }

  #sidesOf(mine: Vehicles, theirs: Vehicles): Sides | undefined {
    const entry = this.#found.get(mine)?.get(theirs);
    if (entry !== undefined) return entry;
    const turned = this.#found.get(theirs)?.get(mine);
    return turned && { a: turned.b, b: turned.a };
  }

  #remember(mine: Vehicles, theirs: Vehicles, sides: Sides): void {
    let match = this.#found.get(mine);
    if (!match) this.#found.set(mine, (match = new WeakMap()));
    match.set(theirs, sides);
  }

  #inTurn(task: () => Eventual<void>): Eventual<void> {
    const turn = this.#last ? this.#last.then(task) : task();
    if (!(turn instanceof Promise)) return turn;
    // A turn that fails is its caller's; the next one comes all the same.
    const last = ended(turn, () => {
      if (this.#last === last) this.#last = null;
    });
    this.#last = last;
    return turn;
  }

  #waitFor(entry: System, listed: Promise<unknown>): void {
    const until = ended(listed, () => {
      if (this.#waiting.get(entry) === until) this.#waiting.delete(entry);
    });
    this.#waiting.set(entry, until);
  }

  #fleetOf({ statics }: Shard): BrandFleet {
    let fleet = this.#fleets.get(statics);
    if (!fleet) {
      const { network, system } = statics.meta;
      fleet = fleetOf(feedOf(statics), network.name, system?.brand ?? null);
      this.#fleets.set(statics, fleet);
    }
    return fleet;
  }
}

/** Reports whether nothing of it is new that vehicles are compared by. */
function isShown({ shard }: LinkedSystem, next: Shard): boolean {
  return shard?.statics === next.statics && dataOf(shard) === dataOf(next);
}

/** Resolves when a promise has ended, however it ends, and this is done. */
async function ended(promise: Promise<unknown>, then: () => void): Promise<void> {
  await Promise.allSettled([promise]);
  then();
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function dataOf(shard: Shard | null): Vehicles | null {
  return shard?.vehicles?.data ?? null;
}

function unlink(from: LinkedSystem, entry: LinkedSystem): void {
  const left = from.vehicle_links?.filter(({ other }) => other !== entry) ?? [];
  from.vehicle_links = left.length > 0 ? left : null;
}

function link(
  one: LinkedSystem,
  other: LinkedSystem,
  sides: { a: VehicleSide; b: VehicleSide },
): void {
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
