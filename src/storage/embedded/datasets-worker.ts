/** The thread that makes datasets durable. Batches in, what became of them out (datasets.ts asks). */
import type { NewDataset } from "#ports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { DATASET_MIGRATIONS } from "#storage/embedded/datasets-migrations.ts";
import { createDatasetRoom } from "#storage/embedded/datasets-room.ts";
import { createDatasetWriter, type PutFate } from "#storage/embedded/datasets-writer.ts";
import { type Failed, obeyOrders } from "#storage/embedded/obey.ts";

export type Order =
  | { kind: "put"; datasets: readonly NewDataset[] }
  | { kind: "forget"; now_ms: number };

export type Report =
  /** Of each, in their order. */
  | { kind: "put"; fates: readonly (PutFate | "disk_full")[] }
  | { kind: "forgotten"; more: boolean }
  | Failed;

obeyOrders<Order, Report>((path) => {
  const database = openDatabase(path, DATASET_MIGRATIONS);
  const writer = createDatasetWriter(database);
  const hasRoom = createDatasetRoom(database, path);
  const put = (datasets: readonly NewDataset[]): Report => ({
    kind: "put",
    fates: hasRoom(sizeOf(datasets)) ? writer.put(datasets) : datasets.map(() => "disk_full"),
  });
  return {
    obey: (order) =>
      order.kind === "put"
        ? put(order.datasets)
        : { kind: "forgotten", more: writer.forgetSome(order.now_ms) },
    close: () => database.close(),
  };
});

/** Before it is packed, which is what it takes at most. */
function sizeOf(datasets: readonly NewDataset[]): number {
  return datasets.reduce((sum, { observation, body }) => sum + observation.length + body.length, 0);
}
