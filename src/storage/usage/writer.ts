/**
 * Metered usage: written to the journal before a reply leaves, and moved to the ledger behind. An
 * event may be handed to the ledger more than once, after a crash or an answer that was lost; its id
 * counts once. Nothing waits for the ledger, and nothing is lost while it is away.
 */
import { dayOf, kindOfPeriod } from "#core/metering/metering-periods.ts";
import type { Usage, UsageEvent } from "#ports.ts";
import type { Time } from "#storage/store-time.ts";
import { Checkpoint } from "./checkpoint.ts";
import type { Journal } from "./journal.ts";
import { type Ledger, readEvents, writeEvents } from "./usage-ledger.ts";

/** Time that usage left by an earlier process may delay the start. */
export const RECOVERY = { within_ms: 5_000 } as const;

export type UsageWriter = Usage & {
  /** Moves what an earlier process left to the ledger, if the ledger takes it now. */
  start(): Promise<void>;
  /** Deletes the events before this time from the ledger; totals stay. */
  forget(before_ms: number): Promise<void>;
  /** Events that the ledger does not have yet. */
  depth(): number;
  /** When the oldest of them was recorded; null: there is none. */
  oldestAt_ms(): number | null;
  /** Bytes of the journal that they take, and bytes that it can still take. */
  room(): { used: number; free: number };
};

export type UsageDeps = {
  journal: Journal;
  ledger: Ledger;
  time: Time;
  /** Free bytes on the volume of the journal; absent: what its files have already is all there is. */
  diskFree?: () => number;
};

export function createUsageWriter({ journal, ledger, time, diskFree }: UsageDeps): UsageWriter {
  const pending = new Pending();
  let closed = false;
  const checkpoint = new Checkpoint({
    journal,
    ledger,
    time,
    onMoved: (events) => events.forEach((event) => pending.change(event, -1)),
    isBehind: () => pending.count > 0,
  });
  for (const { events } of journal.entries())
    for (const event of readEvents(events)) pending.change(event, 1);

  return {
    start: () => checkpoint.run(),
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
    forget: (before_ms) => ledger.forget(before_ms),
    depth: () => pending.count,
    oldestAt_ms: () => pending.oldestAt_ms,
    room() {
      const { used, provided } = journal.room();
      return { used, free: provided + (diskFree?.() ?? 0) };
    },
    async close() {
      closed = true;
      await checkpoint.close();
      journal.close();
      await ledger.close();
    },
  };
}

/** Events of so long share a place in the queue, ms. */
const TOGETHER_MS = 1_000;

/** Times of events that leave in the order in which they came. */
class Queue {
  readonly #places: { at_ms: number; events: number }[] = [];
  /** Index of the first place that is not empty. */
  #first = 0;

  add(at_ms: number): void {
    const last = this.#places.at(-1);
    if (last && Math.abs(at_ms - last.at_ms) < TOGETHER_MS) last.events++;
    else this.#places.push({ at_ms, events: 1 });
  }

  /** Removes the oldest. */
  take(): void {
    const first = this.#places[this.#first];
    if (!first || --first.events > 0) return;
    this.#first++;
    if (this.#first < this.#places.length) return;
    this.#places.length = 0;
    this.#first = 0;
  }

  get oldest_ms(): number | null {
    return this.#places[this.#first]?.at_ms ?? null;
  }
}

/** Events that the ledger does not have yet, and their units by day and account. */
class Pending {
  // Few: events leave within a second, unless the ledger is away.
  readonly #days = new Map<string, Map<string, number>>();
  readonly #queue = new Queue();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** null: there is none. */
  get oldestAt_ms(): number | null {
    return this.#queue.oldest_ms;
  }

  /** `sign`: 1 for an event that comes, -1 for one that the ledger has. */
  change({ account_id, at_ms, units }: UsageEvent, sign: 1 | -1): void {
    this.#count += sign;
    if (sign === 1) this.#queue.add(at_ms);
    else this.#queue.take();
    if (account_id === null) return;
    const day = dayOf(at_ms);
    let accounts = this.#days.get(day);
    if (!accounts) this.#days.set(day, (accounts = new Map()));
    const left = (accounts.get(account_id) ?? 0) + sign * units;
    if (left !== 0) accounts.set(account_id, left);
    else if (accounts.delete(account_id) && accounts.size === 0) this.#days.delete(day);
  }

  /** Of a day, or of the days of a month. */
  unitsOf(account_id: string, period: string): number {
    if (kindOfPeriod(period) === "day") return this.#days.get(period)?.get(account_id) ?? 0;
    let units = 0;
    for (const [day, accounts] of this.#days)
      if (day.startsWith(period)) units += accounts.get(account_id) ?? 0;
    return units;
  }
}
