/**
 * The manual's online backup, `sqlite3 live/vicinity.db ".backup copy.db"`, deleted the write-ahead
 * log of the running service: each opening of a database first opened and closed its file to create
 * it, and with that close the process lost all its locks on it. The other program took itself for the
 * last one, moved the log into the database and deleted it. Keys, usage and datasets that were
 * acknowledged afterwards were gone after a kill, or the database was malformed.
 */
import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type EmbeddedStorage, openStorage } from "#storage/open-storage.ts";
import { CAN_LOOK, isLocked, numbersOf } from "../../trials/foreign-readers/open-files.ts";
import { listPrograms, TASKS } from "../../trials/foreign-readers/programs.ts";

const DATABASES = ["vicinity.db", "datasets.db"] as const;

/** Open as in a service: its threads have opened both databases as well. */
async function openUsed(t: TestContext): Promise<{ storage: EmbeddedStorage; folder: string }> {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-foreign-"));
  const storage = openStorage({ data_dir, mode: "live" });
  if ("problem" in storage) return assert.fail(storage.problem);
  t.after(async () => {
    await Promise.all([storage.usage.close(), storage.datasets.close(), storage.transit.close()]);
    storage.close();
    rmSync(data_dir, { recursive: true, force: true });
  });
  assert.equal(await storage.datasets.forget(1), "done");
  await storage.transit.putFeed("city", new Uint8Array(8), {
    imported_at_ms: 1,
    etag: null,
    last_modified: null,
  });
  return { storage, folder: join(data_dir, "live") };
}

test("other programs of SQLite leave the log of a running service where it is", async (t) => {
  const { storage, folder } = await openUsed(t);
  const paths = DATABASES.flatMap((name) => ["", "-wal", "-shm"].map((end) => name + end)).map(
    (name) => join(folder, name),
  );
  const before = numbersOf(paths);
  assert.ok(!before.includes(null), "both databases have a log");
  for (const name of DATABASES)
    if (CAN_LOOK) assert.ok(isLocked(process.pid, join(folder, name)), `${name} is locked`);
  for (const program of listPrograms())
    for (const [i, task] of TASKS.entries())
      for (const name of DATABASES) {
        const copy = join(folder, `copy-${program.name.replace(":", "-")}-${i}.db`);
        await program.run(task, { database: join(folder, name), copy });
        rmSync(copy, { force: true });
        assert.deepEqual(numbersOf(paths), before, `${program.name}: ${task} of ${name}`);
      }
  assert.deepEqual(storage.files.listLost(), []);
});

test("a file that has lost its name is noticed, whichever it is", async (t) => {
  const { storage, folder } = await openUsed(t);
  for (const name of ["vicinity.db-wal", "datasets.db", "datasets.db-shm", "lock.db"]) {
    const path = join(folder, name);
    renameSync(path, `${path}.away`);
    assert.deepEqual(storage.files.listLost(), [path]);
    renameSync(`${path}.away`, path);
    assert.deepEqual(storage.files.listLost(), [], "it has its name again");
  }
  const journals = ["spool-a.journal", "spool-b.journal"].map((name) => join(folder, name));
  for (const path of journals) renameSync(path, `${path}.away`);
  assert.deepEqual(storage.files.listLost(), journals);
});
