/** The thread of the spool (spool.ts asks): batches of events in, and out again in their order. */
import { type DatabaseSync, openDatabase } from "#storage/embedded/database.ts";
import { type Failed, obeyOrders } from "#storage/embedded/obey.ts";
import type { Taken } from "#storage/embedded/spool.ts";
import { SPOOL_MIGRATIONS } from "#storage/embedded/spool-migrations.ts";
import type { EventsText } from "#storage/events.ts";

export type Order =
  | { kind: "put"; events: EventsText }
  /** The oldest, at most so many batches. */
  | { kind: "take"; count: number }
  | { kind: "drop"; through: number };

export type Report =
  | { kind: "kept"; seq: number }
  | { kind: "taken"; batches: readonly Taken[] }
  | { kind: "dropped" }
  | Failed;

obeyOrders<Order, Report>((path) => {
  const database = openDatabase(path, SPOOL_MIGRATIONS);
  return { obey: createKeeper(database), close: () => database.close() };
});

function createKeeper(database: DatabaseSync): (order: Order) => Report {
  const put = database.prepare("INSERT INTO batch (events) VALUES (?)");
  const take = database.prepare("SELECT seq, events FROM batch ORDER BY seq LIMIT ?");
  const drop = database.prepare("DELETE FROM batch WHERE seq <= ?");
  return (order) => {
    switch (order.kind) {
      case "put":
        return { kind: "kept", seq: Number(put.run(order.events).lastInsertRowid) };
      case "take": {
        const rows = take.all(order.count) as unknown as Taken[];
        return { kind: "taken", batches: rows.map((row) => ({ ...row })) };
      }
      case "drop":
        drop.run(order.through);
        return { kind: "dropped" };
    }
  };
}
