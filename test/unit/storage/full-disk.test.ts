/** A disk without room: what is kept in memory meanwhile, what is refused, and what is left to others. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { createBridges } from "#storage/embedded/bridges.ts";
import { openDatabase, transact } from "#storage/embedded/database.ts";
import { createDatasetRoom, isDiskFull } from "#storage/embedded/disk.ts";
import { createReserve, RESERVE_FILE } from "#storage/embedded/reserve.ts";
import { stationCodec } from "#storage/station-ids-store.ts";

const MB = 1024 * 1024;

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "vicinity-full-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** SQLite refuses to grow, with the error of a full disk; `grow` gives the room back. */
function fullDatabase(): { database: DatabaseSync; grow(): void } {
  const database = openDatabase(":memory:");
  const pages = Number(database.prepare("PRAGMA page_count").get()!["page_count"]);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  return { database, grow: () => database.exec("PRAGMA max_page_count = 1000000") };
}

const MANY = new Map(Array.from({ length: 2_000 }, (_, i) => [`station ${i}`, `svc_${i}`]));

test("ids of stations that the disk does not take are known all the same, and written later", () => {
  const { database, grow } = fullDatabase();
  const faults: unknown[] = [];
  const bridges = createBridges(database, (error) => faults.push(error));
  assert.deepEqual([...bridges.meet(["a"], 5)], [["a", 5]]);
  bridges.save("a", { ids: MANY, seen: stationCodec.pack([]) });
  assert.ok(faults.length > 0 && faults.every(isDiskFull), "the full disk is reported");
  assert.deepEqual(bridges.listIds("a"), MANY);
  assert.deepEqual(stationCodec.unpack(bridges.recall("a")!), []);
  assert.deepEqual([...bridges.meet(["a"], 9)], [["a", 5]], "met once");
  bridges.save("a", { ids: new Map([["station 0", null]]), seen: null });
  assert.equal(bridges.listIds("a").has("station 0"), false);
  grow();
  const before = faults.length;
  bridges.save("b", { ids: new Map(), seen: null });
  assert.equal(faults.length, before, "everything was written");
  const reopened = createBridges(database, assert.ifError);
  assert.equal(reopened.listIds("a").size, MANY.size - 1);
  assert.deepEqual([...reopened.meet(["a"], 9)], [["a", 5]]);
});

test("a transaction that a full disk has ended leaves the connection fit for the next", () => {
  const { database, grow } = fullDatabase();
  database.exec("PRAGMA cache_size = 1; PRAGMA cache_spill = 1");
  const write = (): void =>
    transact(database, () => {
      for (const [station, id] of MANY)
        database.prepare("INSERT INTO bridge VALUES ('a', ?, ?)").run(station, id);
    });
  assert.throws(write, isDiskFull);
  assert.equal(database.isTransaction, false);
  grow();
  write();
});

test("opening a database of this version writes nothing", (t) => {
  const path = join(folder(t), "vicinity.db");
  openDatabase(path).close();
  const holder = new DatabaseSync(path);
  t.after(() => holder.close());
  // Any writer would wait for this transaction, and fail.
  holder.exec("BEGIN IMMEDIATE");
  openDatabase(path).close();
});

test("datasets leave room on the disk to others, but use the pages they have", (t) => {
  const database = new DatabaseSync(":memory:");
  t.after(() => database.close());
  let free = 0;
  const hasRoom = createDatasetRoom(database, "/x", () => ({ free, size: 5_000 * MB }));
  for (const [left, expected] of [
    [64 * MB + 1_000, true],
    [64 * MB + 999, false],
    [0, false],
  ] as const) {
    free = left;
    assert.equal(hasRoom(1_000), expected, `${left} bytes are free`);
  }
  database.exec("CREATE TABLE big (bytes BLOB); INSERT INTO big VALUES (zeroblob(200000))");
  database.exec("DROP TABLE big");
  assert.equal(hasRoom(90_000), true, "in pages that were given up");
  assert.equal(hasRoom(110_000), false);
  const small = createDatasetRoom(database, "/x", () => ({ free: 3 * MB, size: 40 * MB }));
  assert.equal(small(MB), true, "a small disk is not kept for others as a whole");
});

test("the reserve is there after the start, and is given up only where there is no room", (t) => {
  const path = folder(t);
  const reserve = createReserve(path, {
    now: () => 0,
    schedule: () => assert.fail("there is room"),
  });
  reserve.hold();
  assert.equal(statSync(join(path, RESERVE_FILE)).size, 4 * MB);
  reserve.hold();
  assert.equal(statSync(join(path, RESERVE_FILE)).size, 4 * MB, "once");
  assert.equal(reserve.release(), false, "the disk of this test has room");
  assert.equal(statSync(join(path, RESERVE_FILE)).mode & 0o777, 0o600);
  reserve.close();
});
