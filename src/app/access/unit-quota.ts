/**
 * Units of a period (docs/decisions/0031-reserve-before-the-work.md): the UTC day or the calendar month, as the
 * plan says; of an account from the store of usage, of an address from memory. The block around an
 * address (IPv4 /24, IPv6 /48) has eight times the units of one. What requests under way have
 * reserved is not left to others (reservation.ts).
 */
import { LRUCache } from "lru-cache";
import type { MeBody } from "#api/me.ts";
import { BLOCK_FACTOR } from "#core/limits/address-block.ts";
import type { Usage } from "#ports.ts";
import type { UnitCounts } from "#ports/unit-counts.ts";
import { type AnonymousCaller, type Caller, ownerOf } from "./request-caller.ts";
import { periodKind, Periods } from "./quota-periods.ts";
import { type Counter, Owner, Reservation } from "./reservation.ts";

export type UnitQuota = {
  used: number;
  /** Of the caller's own units and of those of the block around an address, whichever is less; null: any number. */
  remaining: number | null;
  /** What is left to the block around an address; null: there is no such bound. */
  block_remaining: number | null;
  ends_at_ms: number;
};

type Wanted = {
  operation: string;
  units: number;
  /** Other reservations of the same request. */
  next: Reservation | null;
  /** As `ownerOf` gave it; absent: it is looked up. */
  owner?: Owner;
};

type QuotaBounds = {
  /** Beyond that many addresses a period, the one that was silent for longest is reset. */
  addresses: number;
  /** Blocks apart from addresses, so that no crowd of addresses makes their blocks forgotten. */
  blocks: number;
};
const BOUNDS: QuotaBounds = { addresses: 200_000, blocks: 100_000 };
/** Owners of whom it is remembered that nothing is under way. */
const IDLE_MAX = 10_000;

/** Counts when the event is recorded. */
const RECORDED: Counter = { add: () => false };

export class Quotas {
  readonly #usage: Pick<Usage, "unitsOf">;
  readonly #onFault: (error: unknown) => void;
  readonly #periods = new Periods();
  readonly #addresses: Pick<Counts, "of" | "add">;
  readonly #blocks: Pick<Counts, "of" | "add">;
  readonly #shared: UnitCounts | null;
  readonly #owners = new Map<string, Owner>();
  readonly #memory: Counter = {
    add: (caller, units, now_ms) => {
      const { narrow, wide } = (caller as AnonymousCaller).address;
      const { from_ms } = this.#periods.at(periodKind(caller), now_ms);
      this.inOneStep(() => {
        this.#addresses.add(narrow, units, from_ms);
        this.#blocks.add(wide, units, from_ms);
      });
      return true;
    },
  };

  /** `shared`: where the threads that serve count together; null: this one is alone. */
  constructor(
    usage: Pick<Usage, "unitsOf">,
    onFault: (error: unknown) => void,
    bounds: QuotaBounds = BOUNDS,
    shared: UnitCounts | null = null,
  ) {
    this.#usage = usage;
    this.#onFault = onFault;
    this.#shared = shared;
    const of_threads = shared && { of: shared.used, add: shared.add };
    this.#addresses = of_threads ?? new Counts(bounds.addresses);
    this.#blocks = of_threads ?? new Counts(bounds.blocks);
  }

  /** Runs a task that ends at once, in which no other thread counts or reserves. */
  inOneStep<T>(task: () => T): T {
    return this.#shared === null ? task() : this.#shared.together(task);
  }

  /** null: the store of usage cannot be read, so what is left is unknown. */
  of(caller: Caller, now_ms: number): UnitQuota | null {
    const { units } = caller.plan;
    const isKeyed = caller.kind === "keyed";
    const { name, from_ms, until_ms: ends_at_ms } = this.#periods.at(periodKind(caller), now_ms);
    const used = isKeyed
      ? this.#usedByAccount(caller.account_id, name)
      : this.#addresses.of(caller.address.narrow, from_ms);
    if (used === null) return null;
    const own = units === null ? null : Math.max(0, units - used);
    const block_remaining =
      isKeyed || units === null
        ? null
        : Math.max(0, units * BLOCK_FACTOR - this.#blocks.of(caller.address.wide, from_ms));
    const remaining =
      own === null || block_remaining === null ? own : Math.min(own, block_remaining);
    return { used, remaining, block_remaining, ends_at_ms };
  }

  /** When the caller's period ends; the store is not asked. */
  endOf(caller: Caller, now_ms: number): number {
    return this.#periods.at(periodKind(caller), now_ms).until_ms;
  }

  /** Name of the caller's period. */
  periodOf(caller: Caller, now_ms: number): string {
    return this.#periods.at(periodKind(caller), now_ms).name;
  }

  /** Owner of the caller's units; to be looked up for each request. */
  ownerOf(caller: Caller): Owner {
    return this.#find(ownerOf(caller), caller.kind === "keyed" ? null : caller.address.wide);
  }

  /** Reserves units, or none, for a request. */
  reserve(
    caller: Caller,
    { operation, units, next, owner = this.ownerOf(caller) }: Wanted,
  ): Reservation {
    const counter = caller.kind === "keyed" ? RECORDED : this.#memory;
    return new Reservation({ caller, owner, counter, operation, units, next });
  }

  #usedByAccount(id: string, period: string): number | null {
    try {
      return this.#usage.unitsOf(id, period);
    } catch (error) {
      this.#onFault(error);
      return null;
    }
  }

  #find(name: string, block: string | null): Owner {
    const stored = this.#owners.get(name);
    if (stored) return stored;
    if (this.#owners.size >= IDLE_MAX) dropIdle(this.#owners);
    const shared = this.#shared && { name, counts: this.#shared };
    const made = new Owner(block === null ? null : this.#find(block, null), shared);
    this.#owners.set(name, made);
    return made;
  }
}

/** Units by key, within the period that begins at a moment. */
class Counts {
  readonly #counts: LRUCache<string, { from_ms: number; units: number }>;

  constructor(max: number) {
    // With `max` instead, room for all would be taken at once.
    this.#counts = new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
  }

  of(key: string, from_ms: number): number {
    const stored = this.#counts.get(key);
    return stored?.from_ms === from_ms ? stored.units : 0;
  }

  add(key: string, units: number, from_ms: number): void {
    const stored = this.#counts.get(key);
    if (stored?.from_ms === from_ms) stored.units += units;
    else this.#counts.set(key, { from_ms, units });
  }
}

/** Requests under way are fewer by far (http/shedding), so that it is long until the next time. */
function dropIdle(owners: Map<string, Owner>): void {
  for (const [name, { reserved }] of owners) if (reserved === 0) owners.delete(name);
}

/** GET /v1/me: the caller's plan, and what is left of it; null: the usage cannot be read. */
export type Profile = (caller: Caller, now_ms: number) => MeBody | null;

export function createProfile(quotas: Quotas): Profile {
  return (caller, now_ms) => {
    const quota = quotas.of(caller, now_ms);
    if (quota === null) return null;
    const { used, remaining, ends_at_ms } = quota;
    const { kind } = caller;
    const { exact: _, ...plan } = caller.plan;
    const period = quotas.periodOf(caller, now_ms);
    const usage = { period, used, remaining, ends_at: new Date(ends_at_ms).toISOString() };
    if (caller.kind === "anonymous") return { kind, account: null, key: null, plan, usage };
    const { account_id, key_id, standing, scopes } = caller;
    const account = { id: account_id, standing };
    return { kind, account, key: { id: key_id, scopes: [...scopes] }, plan, usage };
  };
}
