/** Calls that cost money, counted by source and day in the embedded database. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openDatabase } from "#storage/embedded/database.ts";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { createSpendStore } from "#storage/embedded/spend.ts";
import { openStorage, type Storage } from "#storage/open-storage.ts";

const [DAY, NEXT] = ["2026-11-21", "2026-11-22"];

function open(t: TestContext, data_dir: string): Storage {
  const storage = openStorage({ data_dir, mode: "live" });
  assert.ok(!("problem" in storage), "problem" in storage ? storage.problem : "");
  let isOpen = true;
  const close = (): void => {
    if (isOpen) storage.close();
    isOpen = false;
  };
  t.after(close);
  return { ...storage, close };
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "vicinity-spend-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("calls add up for each source and day, and those taken back are subtracted", async (t) => {
  const { spend } = open(t, folder(t));
  const add = async (source: string, day: string, calls: number): Promise<number> =>
    spend.add(source, day, calls);
  assert.equal(await add("google_maps", DAY, 1), 1);
  assert.equal(await add("google_maps", DAY, 4), 5);
  assert.equal(await add("openweathermap", DAY, 2), 2);
  assert.equal(await add("google_maps", DAY, -2), 3);
  assert.equal(await add("google_maps", DAY, 0), 3);
  assert.equal(await add("google_maps", NEXT, 1), 1, "a day begins with none");
  assert.equal(await add("openweathermap", DAY, 1), 3, "the days of another source stay");
});

test("the count survives a restart", async (t) => {
  const data_dir = folder(t);
  const first = open(t, data_dir);
  await first.spend.add("google_maps", DAY, 7);
  await first.close();
  const second = open(t, data_dir);
  assert.equal(await second.spend.add("google_maps", DAY, 1), 8);
});

test("what the disk refuses is counted in memory, and written with the next call", async () => {
  const database = openDatabase(":memory:", MIGRATIONS);
  const spend = createSpendStore(database);
  assert.equal(await spend.add("google_maps", DAY, 2), 2);
  database.exec("PRAGMA query_only = 1");
  assert.equal(await spend.add("google_maps", DAY, 3), 3, "what it owes; the rest is unknown");
  assert.equal(await spend.add("google_maps", DAY, 1), 4);
  database.exec("PRAGMA query_only = 0");
  assert.equal(await spend.add("google_maps", DAY, 1), 7);
  assert.equal(await spend.add("google_maps", DAY, 1), 8, "what was owed is owed no more");
  database.close();
});
