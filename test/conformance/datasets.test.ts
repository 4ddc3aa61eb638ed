/** Datasets of the embedded database and of memory; and what only the one with a disk can suffer. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import type { EmbeddedDatasets } from "#storage/embedded/datasets.ts";
import { createDatasetsWorker } from "#storage/embedded/datasets.ts";
import { openStorage, type Storage } from "#storage/open-storage.ts";
import { createMemoryDatasets } from "../support/memory-datasets.ts";
import { sized } from "../support/size.ts";
import { testHistories } from "./datasets-history.ts";
import { datasetsSuite, sampleDataset } from "./datasets.ts";
import { testTables } from "./datasets-tables.ts";
import { catchThread } from "../support/threads.ts";
import { collectFaults } from "../support/faults.ts";

const openMemory = () => ({ datasets: createMemoryDatasets() });
datasetsSuite("memory", { open: openMemory });
datasetsSuite("embedded", { open: openEmbedded });
testHistories("memory", { open: openMemory, runs: sized(40, 1_000) });
testHistories("embedded", { open: openEmbedded, runs: sized(15, 1_000) });
testTables("embedded", {
  open: openEmbedded,
  dialect: {
    contents: "content",
    unpackable: "x'00ff'",
    others_bytes:
      "UPDATE content SET packed = (SELECT packed FROM content WHERE content_id = 2) WHERE content_id = 1",
    others_content: "content_id = 2",
    refuse: [
      "ALTER TABLE dataset_count RENAME TO away",
      "DROP TRIGGER dataset_put",
      "CREATE TRIGGER fails BEFORE INSERT ON dataset WHEN new.id = 'nearby_2' BEGIN SELECT RAISE(ABORT, 'no'); END",
      "ALTER TABLE away RENAME TO dataset_count",
    ],
  },
});

type Opened = {
  datasets: EmbeddedDatasets;
  path: string;
  reopen(): Promise<EmbeddedDatasets>;
  /** Runs a statement on a connection of its own. */
  exec(sql: string): Record<string, unknown>[];
  damage(sql: string): void;
};

/** In memory where there is such a folder: a thousand histories must not wait for a disk. */
const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

function openEmbedded(t: TestContext): Opened {
  const data_dir = mkdtempSync(join(ROOM, "vicinity-datasets-"));
  let storage = opened(data_dir);
  const close = async (): Promise<void> => {
    await Promise.all([storage.usage.close(), storage.datasets.close()]);
    storage.close();
  };
  t.after(async () => {
    await close();
    rmSync(data_dir, { recursive: true, force: true });
  });
  const path = join(data_dir, "sandbox", "datasets.db");
  const exec = (sql: string): Record<string, unknown>[] => {
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    const rows = database.prepare(sql).all();
    database.close();
    return rows.map((row) => ({ ...row }));
  };
  return {
    datasets: storage.datasets,
    path,
    async reopen() {
      await close();
      storage = opened(data_dir);
      return storage.datasets;
    },
    exec,
    damage(sql) {
      exec("DROP TRIGGER dataset_immutable");
      exec(sql);
    },
  };
}

function opened(data_dir: string): Storage {
  const storage = openStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in storage), "problem" in storage ? storage.problem : "");
  return storage;
}

test("the secret is created once and differs between stores", async (t) => {
  const first = openEmbedded(t);
  const { secret } = first.datasets;
  assert.deepEqual((await first.reopen()).secret, secret);
  assert.notDeepEqual(openEmbedded(t).datasets.secret, secret);
});

test("requests to a thread that dies get no answer, and another thread takes its place", async (t) => {
  const { path } = openEmbedded(t);
  const { onFault, faults } = collectFaults();
  const worker = createDatasetsWorker(path, onFault);
  t.after(() => worker.close());
  const thread = await catchThread(t, () => worker.start());
  const lost = worker.send({ kind: "put", datasets: [sampleDataset(0)] });
  await thread.terminate();
  assert.equal(await lost, null);
  // No message at all is a defect, and costs itself alone.
  assert.equal((await worker.send(null as never))?.kind, "failed");
  assert.equal(faults.length, 1, "the defect is reported once");
  const report = await worker.send({ kind: "put", datasets: [sampleDataset(1)] });
  assert.deepEqual(report, { kind: "put", fates: ["stored"] });
});
