/** The thread that makes usage durable. Batches in, what became of them out (usage.ts asks). */
import { openDatabase } from "#storage/embedded/database.ts";
import { type Failed, obeyOrders } from "#storage/embedded/obey.ts";
import { type Batch, createJournal } from "#storage/embedded/usage-journal.ts";

export type Order = ({ kind: "commit" } & Batch) | { kind: "forget"; before_ms: number };

export type Report =
  /** `replayed`: indices of events that were there before. */
  | { kind: "committed"; replayed: readonly number[] }
  | { kind: "forgotten"; more: boolean }
  | Failed;

obeyOrders<Order, Report>((path) => {
  const database = openDatabase(path);
  const journal = createJournal(database);
  return {
    obey: (order) =>
      order.kind === "commit"
        ? { kind: "committed", replayed: journal.commit(order) }
        : { kind: "forgotten", more: journal.forgetSome(order.before_ms) },
    close: () => database.close(),
  };
});
