/**
 * Units by account and month in memory: what is durable, and what is being written. A total is read
 * from the store before the first event of its month is sent there, so that none is counted twice.
 */
import { monthOf } from "#core/metering/periods.ts";
import type { UsageEvent } from "#ports.ts";

export type RunningTotals = {
  add(event: UsageEvent): void;
  /** `unknown`: the thread died with it; the store says what became of it. */
  settle(event: UsageEvent, fate: "counted" | "dropped" | "unknown"): void;
  unitsOf(account_id: string, month: string): number;
};

type Total = { stored: number; pending: number; events: number };

/** Months of accounts that are remembered; what is being written is never forgotten. */
const MAX_TOTALS = 50_000;

export function createRunningTotals(
  read: (account_id: string, month: string) => number,
): RunningTotals {
  const totals = new Map<string, Total>();
  /** Of each account the one asked for last: nearly always the one that is asked for next. */
  const latest = new Map<string, { month: string; one: Total }>();

  function total(account_id: string, month: string): Total {
    const held = latest.get(account_id);
    return held?.month === month ? held.one : find(account_id, month);
  }
  function find(account_id: string, month: string): Total {
    if (totals.size >= MAX_TOTALS) {
      latest.clear();
      shrink(totals);
    }
    // A month is of a fixed length: no two names run into one another.
    const name = month + account_id;
    const one = totals.get(name) ?? { stored: read(account_id, month), pending: 0, events: 0 };
    totals.set(name, one);
    latest.set(account_id, { month, one });
    return one;
  }

  return {
    add({ account_id, at_ms, units }) {
      if (account_id === null) return;
      const one = total(account_id, monthOf(at_ms));
      one.pending += units;
      one.events += 1;
    },
    settle({ account_id, at_ms, units }, fate) {
      if (account_id === null) return;
      const one = total(account_id, monthOf(at_ms));
      one.pending -= units;
      one.events -= 1;
      if (fate === "counted") one.stored += units;
      if (fate === "unknown") one.stored = read(account_id, monthOf(at_ms));
    },
    unitsOf(account_id, month) {
      const { stored, pending } = total(account_id, month);
      return stored + pending;
    },
  };
}

/** The older half of those at rest goes: they are read again when they are asked for. */
function shrink(totals: Map<string, Total>): void {
  let left = MAX_TOTALS / 2;
  for (const [name, { events }] of totals) {
    if (left === 0) return;
    if (events > 0) continue;
    totals.delete(name);
    left -= 1;
  }
}
