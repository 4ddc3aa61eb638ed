/**
 * Metered usage: written to the journal before a reply leaves, and moved to the ledger behind. An
 * event may be handed to the ledger more than once, after a crash or an answer that was lost; its id
 * counts once. Nothing waits for the ledger, and nothing is lost while it is away.
 */
import { dayOf, kindOfPeriod } from "#core/metering/periods.ts";
import type { Usage, UsageEvent } from "#ports.ts";
import type { Time } from "#storage/time.ts";
import { createCheckpoint } from "./checkpoint.ts";
import type { Journal } from "./journal.ts";
import { type Ledger, readEvents, writeEvents } from "./ledger.ts";

export type UsageWriter = Usage & {
  /** Moves what an earlier process left to the ledger, if the ledger takes it now. */
  start(): Promise<void>;
  /** Deletes the events before this time from the ledger; totals stay. */
  forget(before_ms: number): Promise<void>;
  /** Events that the ledger does not have yet. */
  depth(): number;
};

export type UsageDeps = {
  journal: Journal;
  ledger: Ledger;
  time: Time;
  /** The journal or the ledger cannot be reached; at each attempt. */
  onFault(what: "journal" | "ledger"): void;
};

export function createUsageWriter({ journal, ledger, time, onFault }: UsageDeps): UsageWriter {
  const pending = createPending();
  let closed = false;
  const checkpoint = createCheckpoint({
    journal,
    ledger,
    time,
    onFault,
    onMoved: (events) => events.forEach((event) => pending.change(event, -1)),
    isBehind: () => pending.count() > 0,
  });
  for (const { events } of journal.entries())
    for (const event of readEvents(events)) pending.change(event, 1);

  return {
    start: checkpoint.run,
    record(events) {
      if (closed || !journal.append(writeEvents(events))) return false;
      for (const event of events) pending.change(event, 1);
      checkpoint.schedule();
      return true;
    },
    unitsOf: (account_id, period) =>
      ledger.unitsOf(account_id, period) + pending.unitsOf(account_id, period),
    async listUsage(filter) {
      // So that it lists what has been recorded by now.
      await checkpoint.run();
      return await ledger.listUsage(filter);
    },
    forget: ledger.forget,
    depth: pending.count,
    async close() {
      closed = true;
      await checkpoint.close();
      journal.close();
      await ledger.close();
    },
  };
}

/** Events that the ledger does not have yet, and their units by day and account. */
type Pending = {
  /** `sign`: 1 for an event that comes, -1 for one that the ledger has. */
  change(event: UsageEvent, sign: 1 | -1): void;
  /** Of a day, or of the days of a month. */
  unitsOf(account_id: string, period: string): number;
  count(): number;
};

function createPending(): Pending {
  // Few: events leave within a second, unless the ledger is away.
  const days = new Map<string, Map<string, number>>();
  let count = 0;
  return {
    change({ account_id, at_ms, units }, sign) {
      count += sign;
      if (account_id === null) return;
      const day = dayOf(at_ms);
      let accounts = days.get(day);
      if (!accounts) days.set(day, (accounts = new Map()));
      const left = (accounts.get(account_id) ?? 0) + sign * units;
      if (left !== 0) accounts.set(account_id, left);
      else if (accounts.delete(account_id) && accounts.size === 0) days.delete(day);
    },
    unitsOf(account_id, period) {
      if (kindOfPeriod(period) === "day") return days.get(period)?.get(account_id) ?? 0;
      let units = 0;
      for (const [day, accounts] of days)
        if (day.startsWith(period)) units += accounts.get(account_id) ?? 0;
      return units;
    },
    count: () => count,
  };
}
