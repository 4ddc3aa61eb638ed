/** The thread that makes datasets durable. Batches in, what became of them out (datasets.ts asks). */
import type { NewDataset } from "#ports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { DATASET_MIGRATIONS } from "#storage/embedded/datasets-migrations.ts";
import { createDatasetWriter, type PutFate } from "#storage/embedded/datasets-writer.ts";
import { type Failed, obeyOrders } from "#storage/embedded/obey.ts";

export type Order =
  | { kind: "put"; datasets: readonly NewDataset[] }
  | { kind: "forget"; now_ms: number };

export type Report =
  /** Of each, in their order. */
  { kind: "put"; fates: readonly PutFate[] } | { kind: "forgotten"; more: boolean } | Failed;

obeyOrders<Order, Report>((path) => {
  const database = openDatabase(path, DATASET_MIGRATIONS);
  const writer = createDatasetWriter(database);
  return {
    obey: (order) =>
      order.kind === "put"
        ? { kind: "put", fates: writer.put(order.datasets) }
        : { kind: "forgotten", more: writer.forgetSome(order.now_ms) },
    close: () => database.close(),
  };
});
