/**
 * Units of a period (decisions, "Authentication, plans, metering"): of an account in a calendar
 * month from the store of usage, of an address in a day from memory, both UTC. The block around an
 * address (IPv4 /24, IPv6 /48) has eight times the units of one. Requests under way count one unit
 * each, so that a crowd at once overshoots by what its last requests cost beyond that, and by no more.
 */
import { LRUCache } from "lru-cache";
import type { MeBody } from "#contract/me.ts";
import { monthBounds, dayOf, monthOf } from "#core/metering/periods.ts";
import { BLOCK_FACTOR } from "#core/limits/address.ts";
import type { Usage } from "#ports.ts";
import { type Caller, ownerOf } from "./caller.ts";
import { DAY_MS } from "#core/time.ts";

export type UnitQuota = {
  used: number;
  /** Of the caller's own units and of those of the block around an address, whichever is less; null: any number. */
  remaining: number | null;
  /** What is left to the block around an address; null: there is no such bound. */
  block_remaining: number | null;
  ends_at_ms: number;
};

export type Quotas = {
  /** null: the store of usage cannot be read, so what is left is unknown. */
  of(caller: Caller, now_ms: number): UnitQuota | null;
  /** When the caller's period ends; the store is not asked. */
  endOf(caller: Caller, now_ms: number): number;
  /** Units that are used by a reply; those of accounts are known to `usage` itself. */
  add(caller: Caller, units: number, now_ms: number): void;
  /** Requests under way of this owner; to be looked up for each request. */
  running(caller: Caller): Running;
};

/** Requests under way of one owner. Those of an address count for the block around it as well. */
export class Running {
  count = 0;
  readonly block: Running | null;

  constructor(block: Running | null) {
    this.block = block;
  }

  begin(): void {
    this.count++;
    this.block?.begin();
  }

  end(): void {
    this.count--;
    this.block?.end();
  }
}

/** Returns the bound that leaves nothing for a request beyond those under way; null: none does. */
export function findUsedUp(quota: UnitQuota, running: Running): "own" | "block" | null {
  const { remaining, block_remaining } = quota;
  if (block_remaining !== null && block_remaining - (running.block?.count ?? 0) <= 0)
    return "block";
  if (remaining !== null && remaining - running.count <= 0) return "own";
  return null;
}

type QuotaBounds = {
  /** Beyond that many addresses a day, the one that was silent for longest is reset. */
  addresses: number;
  /** Blocks apart from addresses, so that no crowd of addresses makes their blocks forgotten. */
  blocks: number;
};
const BOUNDS: QuotaBounds = { addresses: 200_000, blocks: 100_000 };
/** Owners of whom it is remembered that nothing is under way. */
const IDLE_MAX = 10_000;

export function createQuotas(
  usage: Pick<Usage, "unitsOf">,
  onFault: (error: unknown) => void,
  bounds: QuotaBounds = BOUNDS,
): Quotas {
  const addresses = createDays(bounds.addresses);
  const blocks = createDays(bounds.blocks);
  const running = new Map<string, Running>();

  function usedByAccount(id: string, now_ms: number): number | null {
    try {
      return usage.unitsOf(id, monthOf(now_ms));
    } catch (error) {
      onFault(error);
      return null;
    }
  }
  function runningOf(name: string, block: string | null): Running {
    const held = running.get(name);
    if (held) return held;
    if (running.size >= IDLE_MAX) dropIdle(running);
    const begun = new Running(block === null ? null : runningOf(block, null));
    running.set(name, begun);
    return begun;
  }
  return {
    of(caller, now_ms) {
      const { units } = caller.plan;
      const isKeyed = caller.kind === "keyed";
      const used = isKeyed
        ? usedByAccount(caller.account_id, now_ms)
        : addresses.of(caller.address.narrow, now_ms);
      if (used === null) return null;
      const own = units === null ? null : Math.max(0, units - used);
      const block_remaining =
        isKeyed || units === null
          ? null
          : Math.max(0, units * BLOCK_FACTOR - blocks.of(caller.address.wide, now_ms));
      const remaining =
        own === null || block_remaining === null ? own : Math.min(own, block_remaining);
      return { used, remaining, block_remaining, ends_at_ms: endOf(caller, now_ms) };
    },
    endOf,
    add(caller, units, now_ms) {
      if (caller.kind === "keyed" || units === 0) return;
      addresses.add(caller.address.narrow, units, now_ms);
      blocks.add(caller.address.wide, units, now_ms);
    },
    running: (caller) =>
      runningOf(ownerOf(caller), caller.kind === "keyed" ? null : caller.address.wide),
  };
}

type Days = {
  /** Units of this UTC day. */
  of(key: string, now_ms: number): number;
  add(key: string, units: number, now_ms: number): void;
};

function createDays(max: number): Days {
  // With `max` instead, room for all would be taken at once.
  const days = new LRUCache<string, { day: number; units: number }>({
    maxSize: max,
    sizeCalculation: () => 1,
  });
  return {
    of(key, now_ms) {
      const held = days.get(key);
      return held?.day === dayNumber(now_ms) ? held.units : 0;
    },
    add(key, units, now_ms) {
      const day = dayNumber(now_ms);
      const held = days.get(key);
      if (held?.day === day) held.units += units;
      else days.set(key, { day, units });
    },
  };
}

/** Requests under way are fewer by far (http/shedding), so that it is long until the next time. */
function dropIdle(running: Map<string, Running>): void {
  for (const [owner, { count }] of running) if (count === 0) running.delete(owner);
}

function endOf({ kind }: Caller, now_ms: number): number {
  return kind === "anonymous"
    ? (dayNumber(now_ms) + 1) * DAY_MS
    : monthBounds(monthOf(now_ms)).until_ms;
}

/** Days since 1970. */
function dayNumber(at_ms: number): number {
  return Math.floor(at_ms / DAY_MS);
}

/** GET /v1/me: the caller's plan, and what is left of it; null: the usage cannot be read. */
export type Profile = (caller: Caller, now_ms: number) => MeBody | null;

export function createProfile(quotas: Quotas): Profile {
  return (caller, now_ms) => {
    const quota = quotas.of(caller, now_ms);
    if (quota === null) return null;
    const { used, remaining, ends_at_ms } = quota;
    const { kind, plan } = caller;
    const period = kind === "anonymous" ? dayOf(now_ms) : monthOf(now_ms);
    const usage = { period, used, remaining, ends_at: new Date(ends_at_ms).toISOString() };
    if (caller.kind === "anonymous") return { kind, account: null, key: null, plan, usage };
    const { account_id, key_id, standing, scopes } = caller;
    const account = { id: account_id, standing };
    return { kind, account, key: { id: key_id, scopes: [...scopes] }, plan, usage };
  };
}
