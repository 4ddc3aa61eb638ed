/** The bases in use: one appears, is replaced, is damaged, is removed, and the old one serves on. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pino } from "pino";
import type { BaseStore } from "#ports/bases.ts";
import { withFiles } from "#storage/base-files.ts";
import { listBases } from "#app/places/base-items.ts";
import type { HeldBase } from "#upstream/bases/held-base.ts";
import { BaseShelf } from "#upstream/bases/shelf.ts";
import { aBasePack, DATA_AT_S } from "../../../support/bases.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { fakeRanges } from "../../../support/paged-bases.ts";
import { options } from "../../../support/places.ts";

const NOTICE_MS = 4_000;

/** A store whose files tests change, and which counts what is read of it. */
function createStore() {
  const files = new Map<string, { bytes: Uint8Array; version: string }>();
  const reads: string[] = [];
  let version = 0;
  let fault: Error | null = null;
  const store: BaseStore = {
    list() {
      if (fault) return Promise.reject(fault);
      const rows = [...files].map(([id, file]) => ({
        id,
        version: file.version,
        bytes: file.bytes.length,
      }));
      return Promise.resolve(rows);
    },
    read: () => assert.fail("the shelf reads in ranges"),
    open(id) {
      reads.push(id);
      const file = files.get(id);
      return Promise.resolve(file ? fakeRanges(file.bytes, file.version) : null);
    },
    begin: () => assert.fail("the shelf writes nothing"),
    put: () => assert.fail("the shelf writes nothing"),
    remove: () => assert.fail("the shelf removes nothing"),
  };
  return {
    store,
    reads,
    lay: (id: string, bytes: Uint8Array) => files.set(id, { bytes, version: `v${++version}` }),
    take: (id: string) => files.delete(id),
    fail: (error: Error | null) => (fault = error),
  };
}

function open(t: TestContext) {
  const clock = createManualClock(0);
  const disk = createStore();
  const lines: { level: number; base?: string; reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const bases = new BaseShelf({ store: disk.store, clock, log, memory_bytes: 1e9 });
  t.after(() => bases.close());
  return { ...disk, bases, lines, notice: () => clock.advance(NOTICE_MS) };
}

const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
const AROUND = { lat: 48.855, lon: 2.355, radius_m: 500 };

/** Toilets that a base has around a point. */
async function countAround({ pages }: HeldBase): Promise<number> {
  using pinned = await pages.pin(pages.around(AROUND));
  const counts = pinned.pages.map(({ page }) => page.search(["toilets"], AROUND, options()).length);
  return counts.reduce((sum, count) => sum + count, 0);
}

test("a base that is imported while the service runs is in use some seconds later", async (t) => {
  const { bases, lay, notice, reads } = open(t);
  await bases.start();
  assert.deepEqual(bases.list(), []);
  lay("paris", await aBasePack("paris"));
  assert.deepEqual(bases.list(), []);
  await notice();
  const [base] = bases.list();
  assert.equal(base?.id, "paris");
  assert.equal(await countAround(base), 2);
  assert.ok(base.covers(48.855, 2.355));
  await notice();
  await notice();
  assert.deepEqual(reads, ["paris"], "read once");
});

test("a base that is there at the start is in use when the start has resolved; `notice` waits for nothing", async (t) => {
  const { bases, lay } = open(t);
  lay("a", await aBasePack("a"));
  await bases.start();
  assert.deepEqual(idsOf(bases.list()), ["a"]);
  lay("b", await aBasePack("b"));
  await bases.notice();
  assert.deepEqual(idsOf(bases.list()), ["a", "b"]);
});

test("a base is replaced by its next import, and only that one is read", async (t) => {
  const { bases, lay, notice, reads } = open(t);
  lay("a", await aBasePack("a"));
  lay("b", await aBasePack("b"));
  await bases.start();
  const [first, other] = bases.list();
  lay("a", await aBasePack("a", [], DATA_AT_S));
  await notice();
  const [second, same] = bases.list();
  assert.equal(second!.meta.counts.nodes, 0);
  assert.equal(same, other);
  assert.notEqual(second!.version, first!.version);
  assert.equal(await countAround(first!), 2, "who holds the old one may use it");
  assert.deepEqual(reads, ["a", "b", "a"]);
});

test("a damaged base leaves the one before in use, is named once, and is replaced when it is whole", async (t) => {
  const { bases, lay, notice, lines, reads } = open(t);
  const pack = await aBasePack("a");
  lay("a", pack);
  await bases.start();
  const [before] = bases.list();
  const flipped = Uint8Array.from(pack);
  flipped[pack.length - 9]! ^= 1;
  for (const [n, bad] of [flipped, pack.slice(0, 700), new Uint8Array(0)].entries()) {
    lay("a", bad);
    await notice();
    assert.deepEqual(bases.list(), [before]);
    assert.deepEqual(idsOf(bases.listUnread()), ["a"]);
    await notice();
    assert.equal(reads.length, n + 2, "not read again as long as it is the same");
  }
  const warned = lines.filter(({ level }) => level === 40);
  assert.deepEqual(
    warned.map(({ base, reason }) => [base, reason]),
    Array.from({ length: 3 }, () => ["a", "damaged"]),
  );
  lay("a", pack);
  await notice();
  assert.deepEqual(bases.listUnread(), []);
  assert.notEqual(bases.list()[0]!.version, before!.version);
});

test("a file that was never a base is listed as unread, and serves nothing", async (t) => {
  const { bases, lay, notice, take } = open(t);
  lay("a", new Uint8Array(5_000).fill(7));
  lay("b", await aBasePack("b"));
  await bases.start();
  assert.deepEqual(idsOf(bases.list()), ["b"]);
  assert.deepEqual(idsOf(bases.listUnread()), ["a"]);
  take("a");
  await notice();
  assert.deepEqual(bases.listUnread(), []);
});

test("a removed base is in use no longer", async (t) => {
  const { bases, lay, take, notice } = open(t);
  lay("a", await aBasePack("a"));
  lay("b", await aBasePack("b"));
  await bases.start();
  take("a");
  await notice();
  assert.deepEqual(idsOf(bases.list()), ["b"]);
});

test("of bases that cover a point the one with the newer data leads, then the first by id", async (t) => {
  const { bases, lay } = open(t);
  lay("old", await aBasePack("old", undefined, DATA_AT_S - 1));
  lay("b", await aBasePack("b"));
  lay("a", await aBasePack("a"));
  await bases.start();
  assert.deepEqual(idsOf(bases.list()), ["a", "b", "old"]);
});

test("a folder that cannot be read leaves what is held in use, and is looked at again", async (t) => {
  const { bases, lay, notice, fail, lines } = open(t);
  lay("a", await aBasePack("a"));
  await bases.start();
  fail(new Error("EIO"));
  lay("b", await aBasePack("b"));
  await notice();
  assert.deepEqual(idsOf(bases.list()), ["a"]);
  assert.ok(lines.some(({ level }) => level === 50));
  fail(null);
  await notice();
  assert.deepEqual(idsOf(bases.list()), ["a", "b"]);
});

test("what is read when the shelf is closed is not used", async (t) => {
  const { bases, lay } = open(t);
  lay("a", await aBasePack("a"));
  const started = bases.start();
  bases.close();
  await started;
  assert.deepEqual(bases.list(), []);
});

test("a closed shelf looks no more", async (t) => {
  const { bases, lay, notice, reads } = open(t);
  await bases.start();
  bases.close();
  lay("a", await aBasePack("a"));
  await notice();
  assert.deepEqual([bases.list(), reads], [[], []]);
});

test("a base that the configuration names is used when it comes, changes and goes", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelf-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "paris.vbase");
  const store = withFiles(createStore().store, [path]);
  const log = pino({ level: "silent" });
  const clock = createManualClock(0);
  const bases = new BaseShelf({ store, clock, log, memory_bytes: 1e9 });
  t.after(() => bases.close());
  await bases.start();
  assert.deepEqual(idsOf(bases.listUnread()), ["paris"]);
  await writeFile(path, await aBasePack("paris"));
  await bases.notice();
  assert.deepEqual([idsOf(bases.list()), bases.listUnread()], [["paris"], []]);
  await writeFile(path, "damaged");
  await bases.notice();
  assert.deepEqual([idsOf(bases.list()), idsOf(bases.listUnread())], [["paris"], ["paris"]]);
  assert.equal(await countAround(bases.list()[0]!), 2, "the one before serves on");
});

test("a base of another version is named with what to do, and a damaged one is unreadable", async (t) => {
  const { bases, lay, lines } = open(t);
  const pack = await aBasePack("a");
  const asVersion = (version: number): Uint8Array => {
    const copy = pack.slice();
    new DataView(copy.buffer).setUint32(4, version, true);
    return copy;
  };
  lay("old", asVersion(0));
  lay("new", asVersion(99));
  lay("cut", pack.subarray(0, 64));
  await bases.start();
  assert.deepEqual(
    bases.listUnread().map(({ id, reason }) => [id, reason]),
    [
      ["old", "earlier_version"],
      ["new", "later_version"],
      ["cut", "damaged"],
    ],
  );
  const msgs = lines.map((line) => (line as { msg?: string }).msg);
  assert.deepEqual(msgs, [
    "base old was imported by an earlier version: import it again (vicinity import osm FILE --id old)",
    "base new was imported by a later version: import it again (vicinity import osm FILE --id new)",
    "base cut cannot be read: import it again (vicinity import osm FILE --id cut)",
  ]);
  const [first] = listBases(bases, 0);
  assert.equal(first?.problem?.word, "of another version");
});
