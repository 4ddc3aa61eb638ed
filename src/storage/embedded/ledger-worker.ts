/** The thread of the ledger (ledger.ts asks). */
import { openDatabase } from "#storage/embedded/database.ts";
import { createBook } from "#storage/embedded/ledger-statements.ts";
import { type Failed, obeyOrders } from "#storage/embedded/obey.ts";
import type { EventsText } from "#storage/events.ts";
import type { MonthRow } from "#storage/ledger.ts";

export type Order =
  | { kind: "apply"; batches: readonly EventsText[] }
  | { kind: "forget"; before_ms: number; after_id: string };

export type Report =
  /** `months`: of the accounts of the batches, what they have used by now. */
  | { kind: "applied"; months: readonly MonthRow[] }
  /** `next_id`: to go on from; null: that was all. */
  | { kind: "forgotten"; next_id: string | null }
  | Failed;

obeyOrders<Order, Report>((path) => {
  const database = openDatabase(path);
  const book = createBook(database);
  return {
    obey: (order) =>
      order.kind === "apply"
        ? { kind: "applied", months: book.apply(order.batches) }
        : { kind: "forgotten", next_id: book.forgetSome(order.before_ms, order.after_id) },
    close: () => database.close(),
  };
});
