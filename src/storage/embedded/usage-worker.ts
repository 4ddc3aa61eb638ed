/** The thread that makes usage durable. Batches in, what became of them out (usage.ts asks). */
import type { UsageEvent } from "#ports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { type Failed, obeyOrders } from "#storage/embedded/obey.ts";
import { createJournal } from "#storage/embedded/usage-journal.ts";

export type Order =
  | { kind: "commit"; events: readonly UsageEvent[] }
  | { kind: "forget"; before_ms: number };

export type Report =
  /** `replayed`: indices of events that were there before. */
  | { kind: "committed"; replayed: readonly number[] }
  | { kind: "forgotten"; more: boolean }
  | Failed;

obeyOrders<string, Report>((path) => {
  const database = openDatabase(path);
  const journal = createJournal(database);
  return {
    obey: (text) => {
      const order = JSON.parse(text) as Order;
      return order.kind === "commit"
        ? { kind: "committed", replayed: journal.commit(order.events) }
        : { kind: "forgotten", more: journal.forgetSome(order.before_ms) };
    },
    close: () => database.close(),
  };
});
