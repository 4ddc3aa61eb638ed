/** A ledger that lasts as long as the test, and that can be away. */
import { readEvents } from "#storage/events.ts";
import type { Ledger } from "#storage/ledger.ts";
import { createMemoryUsage } from "./memory-usage.ts";

export type MemoryLedger = Ledger & {
  /** `lost`: it takes the events, and its answer does not arrive. */
  state: "here" | "away" | "lost";
  /** How often each event was handed over. */
  handed: Map<string, number>;
};

export function createMemoryLedger(): MemoryLedger {
  const events = createMemoryUsage({ max_pending: Infinity });
  const ledger: MemoryLedger = {
    state: "here",
    handed: new Map(),
    async apply(batches) {
      if (ledger.state === "away") return false;
      for (const event of batches.flatMap(readEvents)) {
        ledger.handed.set(event.event_id, (ledger.handed.get(event.event_id) ?? 0) + 1);
        await events.record(event);
      }
      return ledger.state === "here";
    },
    unitsOf: events.unitsOf,
    listUsage: events.listUsage,
    forget: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return ledger;
}
