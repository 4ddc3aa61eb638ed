/** Writes that do not wait for the disk, and those after them that do. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type DatabaseSync, openDatabase, writeUnsynced } from "#storage/embedded/database.ts";

const NORMAL = 1;
const FULL = 2;

function levelOf(database: DatabaseSync): unknown {
  return database.prepare("PRAGMA synchronous").get()?.["synchronous"];
}

test("a write that is not synced leaves every other one synced, also when it fails", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-unsynced-"));
  const database = openDatabase(join(folder, "a.db"));
  t.after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  assert.equal(levelOf(database), FULL);
  const levels: unknown[] = [];
  writeUnsynced(database, () => levels.push(levelOf(database)));
  assert.deepEqual(levels, [NORMAL]);
  assert.equal(levelOf(database), FULL);
  const fail = (): void => {
    throw new Error("disk full");
  };
  assert.throws(() => writeUnsynced(database, fail), /disk full/);
  assert.equal(levelOf(database), FULL);
});

test("what was written without a sync is there for another connection", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-unsynced-"));
  const [writer, reader] = [0, 1].map(() => openDatabase(join(folder, "a.db"))) as [
    DatabaseSync,
    DatabaseSync,
  ];
  t.after(() => {
    for (const each of [writer, reader]) each.close();
    rmSync(folder, { recursive: true });
  });
  writeUnsynced(writer, () =>
    writer.exec(
      "INSERT INTO feed_memo (source_id, url, surveyed_at_ms, entity_count) VALUES ('a', 'u', 1, 1)",
    ),
  );
  const rows = reader.prepare("SELECT source_id FROM feed_memo").all();
  assert.deepEqual(
    rows.map(({ source_id }) => source_id),
    ["a"],
  );
});
