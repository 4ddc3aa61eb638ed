/**
 * Units of a period (decisions, "Authentication, plans, metering"): of an account in a calendar
 * month from the store of usage, of an address in a day from memory, both UTC. Requests under way
 * count one unit each, so that a crowd at once overshoots by what its last requests cost beyond
 * that, and by no more.
 */
import { LRUCache } from "lru-cache";
import { boundsOf, dayOf, monthOf } from "#core/metering/periods.ts";
import type { AddressKeys } from "#core/limits/address.ts";
import type { Usage } from "#ports.ts";
import { type Caller, ownerOf } from "./caller.ts";

export type Quota = {
  /** The period's name: `2026-11-21` or `2026-11`. */
  period: string;
  used: number;
  /** null: any number. */
  remaining: number | null;
  ends_at_ms: number;
};

export type Quotas = {
  /** null: the store of usage cannot be read, and nobody knows what is left. */
  of(caller: Caller, now_ms: number): Quota | null;
  /** When the caller's period ends; the store is not asked. */
  endOf(caller: Caller, now_ms: number): number;
  /** Units that are used by a reply; those of accounts are known to `usage` itself. */
  add(caller: Caller, units: number, now_ms: number): void;
  /**
   * How many requests of this owner are under way: counted up and down by whoever has it, who asks
   * anew for each request.
   */
  running(caller: Caller): { count: number };
};

const DAY_MS = 86_400_000;
/** Beyond that many addresses a day, who has not asked for longest begins anew. */
const ADDRESSES_MAX = 200_000;
/** Owners of whom it is remembered that nothing is under way. */
const IDLE_MAX = 10_000;

export function createQuotas(
  usage: Pick<Usage, "unitsOf">,
  onFault: (error: unknown) => void,
): Quotas {
  const days = new LRUCache<string, { day: string; units: number }>({ max: ADDRESSES_MAX });
  const running = new Map<string, { count: number }>();

  function usedByAccount(id: string, now_ms: number): number | null {
    try {
      return usage.unitsOf(id, monthOf(now_ms));
    } catch (error) {
      onFault(error);
      return null;
    }
  }
  function usedByAddress({ narrow }: AddressKeys, now_ms: number): number {
    const today = days.get(narrow);
    return today?.day === dayOf(now_ms) ? today.units : 0;
  }
  return {
    of(caller, now_ms) {
      const used =
        caller.kind === "keyed"
          ? usedByAccount(caller.account_id, now_ms)
          : usedByAddress(caller.address, now_ms);
      if (used === null) return null;
      const { units } = caller.plan;
      const remaining = units === null ? null : Math.max(0, units - used);
      return { ...periodOf(caller, now_ms), used, remaining };
    },
    endOf: (caller, now_ms) => periodOf(caller, now_ms).ends_at_ms,
    add(caller, units, now_ms) {
      if (caller.kind === "keyed" || units === 0) return;
      const used = usedByAddress(caller.address, now_ms);
      days.set(caller.address.narrow, { day: dayOf(now_ms), units: used + units });
    },
    running(caller) {
      const owner = ownerOf(caller);
      const held = running.get(owner);
      if (held) return held;
      if (running.size >= IDLE_MAX) dropIdle(running);
      const begun = { count: 0 };
      running.set(owner, begun);
      return begun;
    },
  };
}

/** Requests under way are fewer by far (http/shedding), so that it is long until the next time. */
function dropIdle(running: Map<string, { count: number }>): void {
  for (const [owner, { count }] of running) if (count === 0) running.delete(owner);
}

function periodOf(caller: Caller, now_ms: number): { period: string; ends_at_ms: number } {
  if (caller.kind === "anonymous") {
    const ends_at_ms = (Math.floor(now_ms / DAY_MS) + 1) * DAY_MS;
    return { period: dayOf(now_ms), ends_at_ms };
  }
  const period = monthOf(now_ms);
  return { period, ends_at_ms: endOfMonth(period) };
}

let lastMonth = "";
let lastEnd_ms = 0;

function endOfMonth(month: string): number {
  if (month === lastMonth) return lastEnd_ms;
  lastMonth = month;
  lastEnd_ms = boundsOf(month).until_ms;
  return lastEnd_ms;
}
