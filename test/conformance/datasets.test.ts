/** Datasets of the embedded database and of memory; and what only the one with a disk can suffer. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import type { Datasets } from "#ports.ts";
import type { EmbeddedDatasets } from "#storage/embedded/datasets.ts";
import { createDatasetsWorker } from "#storage/embedded/datasets.ts";
import { openStorage, type Storage } from "#storage/open.ts";
import { createMemoryDatasets } from "../support/memory-datasets.ts";
import { sized } from "../support/size.ts";
import { testHistories } from "./datasets-history.ts";
import { assertKept, datasetsSuite, forgetAll, rowOf, sampleDataset } from "./datasets.ts";
import { catchThread } from "../support/threads.ts";
import { collectFaults } from "../support/faults.ts";

const openMemory = () => ({ datasets: createMemoryDatasets() });
datasetsSuite("memory", { open: openMemory });
datasetsSuite("embedded", { open: openEmbedded });
testHistories("memory", { open: openMemory, runs: sized(40, 1_000) });
testHistories("embedded", { open: openEmbedded, runs: sized(15, 1_000) });

type Opened = {
  datasets: EmbeddedDatasets;
  path: string;
  reopen(): Promise<EmbeddedDatasets>;
  /** Runs a statement on a connection of its own. */
  exec(sql: string): Record<string, unknown>[];
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
  return {
    datasets: storage.datasets,
    path,
    async reopen() {
      await close();
      storage = opened(data_dir);
      return storage.datasets;
    },
    exec(sql) {
      const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
      const rows = database.prepare(sql).all();
      database.close();
      return rows.map((row) => ({ ...row }));
    },
  };
}

function opened(data_dir: string): Storage {
  const storage = openStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in storage), "problem" in storage ? storage.problem : "");
  return storage;
}

test("equal bodies are stored once, and go with the last dataset", async (t) => {
  const { datasets, exec } = openEmbedded(t);
  const body = Buffer.from("the same ".repeat(1_000));
  const all = Array.from({ length: 250 }, (_, i) =>
    sampleDataset(i, { body, expires_at_ms: 1_000 + (i < 249 ? 0 : 1) }),
  );
  await Promise.all(all.map((dataset) => datasets.put(dataset)));
  const contents = (): unknown => exec("SELECT count(*) AS count FROM content")[0]!["count"];
  assert.equal(contents(), 1);
  assert.equal(await forgetAll(datasets, 1_000), 3, "a hundred at a time");
  assert.equal(contents(), 1);
  await assertKept(datasets, all.at(-1)!);
  await forgetAll(datasets, 1_001);
  assert.equal(contents(), 0);
  assert.deepEqual(exec("SELECT * FROM dataset_count"), [], "no trace of the caller");
});

test("the secret is created once and differs between stores", async (t) => {
  const first = openEmbedded(t);
  const { secret } = first.datasets;
  assert.deepEqual((await first.reopen()).secret, secret);
  assert.notDeepEqual(openEmbedded(t).datasets.secret, secret);
});

/** Each leaves the dataset 1 in a state in which it must not be served. */
const DAMAGES: readonly [
  damage: string,
  sql: string,
  part: "observation" | "body",
  reason: string,
][] = [
  ["no content", "DELETE FROM content", "body", "content_mismatch"],
  ["unpackable", "UPDATE content SET packed = x'00ff'", "body", "unreadable"],
  [
    "another's bytes",
    "UPDATE content SET packed = (SELECT packed FROM content WHERE content_id = 2) WHERE content_id = 1",
    "body",
    "content_mismatch",
  ],
  ["another's content", set("content_id = 2"), "body", "content_mismatch"],
  ["another version", set("version = '1-2'"), "observation", "content_mismatch"],
  ["another owner", set("owner = 'public'"), "body", "content_mismatch"],
  ["a longer life", set("expires_at_ms = expires_at_ms + 1"), "body", "content_mismatch"],
  [
    "another's observation",
    set("observation = (SELECT observation FROM dataset WHERE id = 'nearby_2')"),
    "observation",
    "content_mismatch",
  ],
  ["no table", "ALTER TABLE content RENAME TO away", "body", "unreadable"],
];

function set(change: string): string {
  return `UPDATE dataset SET ${change} WHERE id = 'nearby_1'`;
}

for (const [damage, sql, part, reason] of DAMAGES)
  test(`a damaged dataset is never served: ${damage}`, async (t) => {
    const { datasets, exec } = openEmbedded(t);
    for (const id of [1, 2]) await datasets.put(sampleDataset(id));
    await assertKept(datasets, sampleDataset(1));
    if (sql.startsWith("UPDATE dataset")) {
      assert.throws(() => exec(sql), /a dataset never changes/);
      exec("DROP TRIGGER dataset_immutable");
    }
    exec(sql);
    assert.deepEqual(await datasets.read("nearby_1", part), { status: "unavailable", reason });
  });

test("damaged content is repaired by the next equal body", async (t) => {
  const { datasets, exec } = openEmbedded(t);
  await datasets.put(sampleDataset(1));
  exec("UPDATE content SET packed = x'00ff'");
  assert.equal(await datasets.put(sampleDataset(4)), "stored");
  assert.equal(exec("SELECT 1 FROM content").length, 1);
  await assertKept(datasets, sampleDataset(4));
  await assertKept(datasets, sampleDataset(1));
});

test("a failed commit stores nothing; the next one succeeds", async (t) => {
  const { datasets, exec } = openEmbedded(t);
  await datasets.put(sampleDataset(0));
  exec("ALTER TABLE dataset_count RENAME TO away");
  exec("DROP TRIGGER dataset_put");
  exec(
    "CREATE TRIGGER fails BEFORE INSERT ON dataset WHEN new.id = 'nearby_2' BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  exec("ALTER TABLE away RENAME TO dataset_count");
  const fates = await Promise.all([1, 2].map((id) => datasets.put(sampleDataset(id))));
  assert.deepEqual(fates, ["unavailable", "unavailable"]);
  assert.equal((await datasets.read("nearby_1", "body")).status, "absent");
  assert.equal(await datasets.put(sampleDataset(1)), "stored");
});

test("a store that cannot count or forget says so", async (t) => {
  const { datasets, exec } = openEmbedded(t);
  exec("DROP TABLE dataset_count");
  assert.equal(await datasets.count("acc_0", 0), null);
  exec("DROP TABLE dataset");
  assert.equal(await datasets.forget(0), "unavailable");
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

test("a closed store accepts nothing more and keeps what it had accepted", async (t) => {
  const { datasets, reopen } = openEmbedded(t);
  const all = Array.from({ length: 200 }, (_, i) => sampleDataset(i));
  const fates = all.map((dataset) => datasets.put(dataset));
  const again = reopen();
  assert.equal(await datasets.put(sampleDataset(200)), "unavailable");
  assert.equal(await datasets.forget(Infinity), "unavailable");
  assert.ok((await Promise.all(fates)).every((fate) => fate === "stored"));
  const after: Datasets = await again;
  for (const dataset of all) await assertKept(after, dataset);
});

test("a full queue refuses and loses nothing that it has accepted", async (t) => {
  const { datasets } = openEmbedded(t);
  const body = (i: number): Uint8Array => new Uint8Array(1024 * 1024).fill(i);
  const all = Array.from({ length: 80 }, (_, i) => sampleDataset(i, { body: body(i) }));
  const fates = await Promise.all(all.map((dataset) => datasets.put(dataset)));
  const first = fates.indexOf("unavailable");
  assert.equal(first, 63, "64 MB including what is kept alongside");
  for (const dataset of all.slice(0, first)) await assertKept(datasets, dataset);
  assert.equal(await datasets.put(all[first]!), "stored", "there is room again");
  assert.deepEqual(rowOf(all[first]!), rowOf(sampleDataset(first)));
});
