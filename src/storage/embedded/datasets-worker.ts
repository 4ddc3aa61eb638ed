/** The thread that makes datasets durable (datasets.ts sends the messages). */
import type { LongerLife, NewDataset } from "#ports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { createDatasetWriter, type PutFate } from "#storage/embedded/datasets-writer.ts";
import { createDatasetRoom } from "#storage/embedded/disk.ts";
import { DATASET_MIGRATIONS } from "#storage/embedded/migrations.ts";
import { serveMessages } from "#storage/embedded/worker.ts";

export type DatasetsMessage =
  | { kind: "put"; datasets: readonly NewDataset[] }
  | { kind: "keep_on"; id: string; life: LongerLife }
  | { kind: "forget"; now_ms: number };

export type DatasetsReply =
  /** Of each, in their order. */
  | { kind: "put"; fates: readonly (PutFate | "disk_full")[] }
  | { kind: "kept"; kept: boolean }
  | { kind: "forgotten"; more: boolean };

serveMessages<DatasetsMessage, DatasetsReply>((path) => {
  const database = openDatabase(path, DATASET_MIGRATIONS);
  const writer = createDatasetWriter(database);
  const hasRoom = createDatasetRoom(database, path);
  const put = (datasets: readonly NewDataset[]): DatasetsReply => ({
    kind: "put",
    fates: hasRoom(sizeOf(datasets)) ? writer.put(datasets) : datasets.map(() => "disk_full"),
  });
  return {
    handle(message) {
      switch (message.kind) {
        case "put":
          return put(message.datasets);
        case "keep_on":
          return { kind: "kept", kept: writer.keepOn(message.id, message.life) };
        case "forget":
          return { kind: "forgotten", more: writer.forgetSome(message.now_ms) };
      }
    },
    close: () => database.close(),
  };
});

/** Before they are packed, which is what they take at most. */
function sizeOf(datasets: readonly NewDataset[]): number {
  return datasets.reduce((sum, { observation, body }) => sum + observation.length + body.length, 0);
}
