/** A ledger that lasts as long as the test, and that can be away. */
import { type Ledger, readEvents } from "#storage/usage/usage-ledger.ts";
import { createMemoryUsage } from "./memory-usage.ts";

export type MemoryLedger = Ledger & {
  /** `lost`: it takes the events, and its answer does not arrive. */
  state: "here" | "away" | "lost";
  /** The number of times that each event was handed over. */
  handed: Map<string, number>;
  /** How often events were brought to it. */
  attempts: number;
};

export function createMemoryLedger(): MemoryLedger {
  const events = createMemoryUsage();
  const ledger: MemoryLedger = {
    state: "here",
    handed: new Map(),
    attempts: 0,
    async apply(text, onCounted) {
      ledger.attempts += 1;
      if (ledger.state === "away") return false;
      const applied = readEvents(text);
      for (const { event_id } of applied)
        ledger.handed.set(event_id, (ledger.handed.get(event_id) ?? 0) + 1);
      events.record(applied);
      if (ledger.state !== "here") return false;
      onCounted();
      return true;
    },
    unitsOf: events.unitsOf,
    listUsage: events.listUsage,
    forget: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return ledger;
}
