/** GTFS feeds of a deployment over time: taken up, renewed, never lost to one that is broken. */
import assert from "node:assert/strict";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pino } from "pino";
import { createManualClock } from "../../support/manual-clock.ts";
import { touches } from "#upstream/transit/held-feed.ts";
import type { Outcome } from "#kit/outcome.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { TransitStore } from "#ports/transit.ts";
import type { SourceRequest } from "#providers/provider.ts";
import type { Fetched } from "#upstream/run.ts";
import type { FeedOrigin } from "#upstream/transit/feed-origin.ts";
import { TransitFeeds, type UntilTurn } from "#upstream/transit/timetable-shelf.ts";
import { NOW_MS } from "../../support/domain.ts";
import { importGtfs } from "#transit/archive/import-archive.ts";
import { SMALL } from "../../support/gtfs.ts";
import { turn } from "../../support/lookup.ts";
import { createMemoryTransitStore } from "../../support/memory.ts";
import { CENTRE, packOf } from "../../support/transit.ts";
import { zipOf } from "../../support/zip.ts";
import { collectFaults, noFault } from "../../support/faults.ts";

/** No feed here has live data. */
const noLive = (): never => assert.fail("a live feed was opened");

const HOUR_MS = 3_600_000;
const URL_OF = "https://feeds.example/a.zip";

function originOf(id: string, members: Partial<FeedOrigin> = {}): FeedOrigin {
  const nothing = { path: null, url: null, region: null, box: null, realtime: null, alerts: null };
  return { id, live: null, ...nothing, ...members };
}

/** The small feed, its lone stop under another name. */
function zipWith(name: string): Buffer {
  return zipOf({ ...SMALL, "stops.txt": SMALL["stops.txt"]!.replace("A,Alone", `A,${name}`) });
}

function bodyOf(body: Uint8Array, etag: string | null = null): Outcome<Fetched> {
  const nothing = { last_modified: null, max_age_s: null, content_type: null, link: null };
  return {
    status: "ok",
    fetched_at_ms: NOW_MS,
    cache: "miss",
    value: { kind: "body", body, url: URL_OF, etag, ...nothing },
  };
}
const SAME: Outcome<Fetched> = {
  status: "ok",
  fetched_at_ms: NOW_MS,
  cache: "miss",
  value: { kind: "not_modified" },
};

function desk(
  store: TransitStore = createMemoryTransitStore(),
  order: { untilTurn?: UntilTurn; onFault?: NoteFault } = {},
) {
  const clock = createManualClock(NOW_MS);
  const requested: SourceRequest[] = [];
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const state = { reply: (): Outcome<Fetched> | Promise<Outcome<Fetched>> => SAME };
  const open = () =>
    new TransitFeeds({
      store,
      clock,
      random: () => 0,
      openLive: noLive,
      log,
      timeout_ms: 1000,
      onFault: noFault,
      importFeed: importGtfs,
      ...order,
      run: (request) => {
        requested.push(request);
        return Promise.resolve(state.reply());
      },
    });
  const warnings = (): string[] =>
    lines.flatMap(({ level, msg }) => (level >= 40 && msg !== "gtfs" ? [msg] : []));
  return { clock, store, requested, state, warnings, open, feeds: open() };
}

type Feeds = ReturnType<typeof desk>["feeds"];
const namesOf = (feeds: Feeds): Record<string, string[] | null> =>
  Object.fromEntries(
    feeds.list().map(({ feed_id, feed }) => [
      feed_id,
      feed &&
        Array.from({ length: feed.count }, (_, row) => feed.station(row).name)
          .filter((name) => name !== "Central")
          .toSorted(),
    ]),
  );
const failuresOf = (feeds: Feeds): (string | null)[] => feeds.list().map(({ failure }) => failure);

/** A file is read meanwhile, which no clock of a test moves. */
async function eventually(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 4_000, "not within a minute");
    await new Promise((resolve) => void setTimeout(resolve, 15));
  }
}

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "vicinity-feeds-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("feeds in the store and feeds still to come are missing until they are read, not absent", async () => {
  const store = createMemoryTransitStore();
  store.putFeed("a", packOf("a", [{ id: "One", metres: 0 }]), {
    imported_at_ms: NOW_MS,
    etag: null,
    last_modified: null,
  });
  const { feeds } = desk(store);
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: null }, [null]]);
  await turn();
  assert.deepEqual(namesOf(feeds), { a: ["One"] });
  const box = { south: 1, west: 2, north: 3, east: 4 };
  feeds.expect([originOf("b", { url: URL_OF, box, realtime: true })]);
  assert.deepEqual(namesOf(feeds), { a: ["One"], b: null });
  const [, b] = feeds.list();
  assert.deepEqual([b!.box, b!.realtime, b!.alerts, b!.failure], [box, true, null, null]);
  feeds.close();
});

test("a feed that waits for its turn is missing until then, and one that was tried says so", async () => {
  const rest = Promise.withResolvers<void>();
  const untilTurn: UntilTurn = (id) => (id === "a" ? Promise.resolve() : rest.promise);
  const { requested, state, feeds } = desk(createMemoryTransitStore(), { untilTurn });
  state.reply = () => bodyOf(zipWith("First"));
  const ended: string[] = [];
  for (const id of ["a", "b"]) void feeds.tried(id).then(() => ended.push(id));
  const all = feeds.add([originOf("a", { url: URL_OF }), originOf("b", { url: URL_OF })]);
  await feeds.tried("a");
  assert.deepEqual(ended, ["a"]);
  assert.deepEqual([namesOf(feeds), requested.length], [{ a: ["First"], b: null }, 1]);
  rest.resolve();
  await all;
  assert.deepEqual(ended, ["a", "b"]);
  assert.deepEqual(namesOf(feeds), { a: ["First"], b: ["First"] });
  feeds.close();
});

test("a new feed is fetched, stored with its tag, and asked for by it a day later", async () => {
  const { clock, store, requested, state, feeds } = desk();
  state.reply = () => bodyOf(zipWith("First"), '"1"');
  await feeds.add([originOf("a", { url: URL_OF, realtime: true, alerts: false })]);
  assert.deepEqual(namesOf(feeds), { a: ["First"] });
  const [stored] = feeds.list();
  assert.deepEqual([stored!.realtime, stored!.alerts, stored!.failure], [true, false, null]);
  const origin = { imported_at_ms: NOW_MS, etag: '"1"', last_modified: null };
  assert.deepEqual(store.listFeeds(), [{ feed_id: "a", version: 1, ...origin }]);
  state.reply = () => SAME;
  await clock.advance(23 * HOUR_MS);
  assert.equal(requested.length, 1);
  await clock.advance(HOUR_MS);
  assert.deepEqual(
    requested.map(({ url, etag }) => [url, etag]),
    [
      [URL_OF, null],
      [URL_OF, '"1"'],
    ],
  );
  assert.equal(store.listFeeds()[0]!.version, 1);
  state.reply = () => bodyOf(zipWith("Second"), '"2"');
  await clock.advance(24 * HOUR_MS);
  assert.deepEqual(namesOf(feeds), { a: ["Second"] });
  assert.equal(store.listFeeds()[0]!.version, 2);
  feeds.close();
});

test("a restart does not import what has not changed", async () => {
  const store = createMemoryTransitStore();
  const first = desk(store);
  first.state.reply = () => bodyOf(zipWith("First"), '"1"');
  await first.feeds.add([originOf("a", { url: URL_OF })]);
  first.feeds.close();
  const second = desk(store);
  await turn();
  assert.deepEqual(namesOf(second.feeds), { a: ["First"] });
  await second.feeds.add([originOf("a", { url: URL_OF })]);
  assert.deepEqual(
    second.requested.map(({ etag }) => etag),
    ['"1"'],
  );
  assert.deepEqual(failuresOf(second.feeds), [null]);
  assert.equal(store.listFeeds()[0]!.version, 1);
  second.feeds.close();
});

test("another process's import is noticed within five seconds", async () => {
  const { clock, store, feeds } = desk();
  await turn();
  const origin = { imported_at_ms: NOW_MS, etag: null, last_modified: null };
  for (const name of ["One", "Two"]) {
    store.putFeed("by-hand", packOf("by-hand", [{ id: name, metres: 0 }]), origin);
    await clock.advance(5_000);
    assert.deepEqual(namesOf(feeds), { "by-hand": [name] });
  }
  feeds.close();
});

test("a feed that fails keeps the one before, says why, and is tried again", async () => {
  const { clock, store, requested, state, feeds } = desk();
  state.reply = () => bodyOf(zipWith("Old"), '"1"');
  await feeds.add([originOf("a", { url: URL_OF })]);
  const failures: [Outcome<Fetched>, string][] = [
    [{ status: "unavailable", reason: "http_500" }, "http_500"],
    [bodyOf(Buffer.from("no zip"), '"2"'), "not_importable"],
    [bodyOf(zipOf({ ...SMALL, "stops.txt": "nothing" }), '"3"'), "not_importable"],
  ];
  await clock.advance(23.9 * HOUR_MS);
  for (const [reply, reason] of failures) {
    const before = requested.length;
    state.reply = () => reply;
    await clock.advance(600_000);
    assert.equal(requested.length, before + 1, reason);
    assert.equal(requested.at(-1)!.etag, '"1"');
    assert.deepEqual(failuresOf(feeds), [reason]);
    assert.deepEqual(namesOf(feeds), { a: ["Old"] });
    assert.equal(store.listFeeds()[0]!.version, 1);
  }
  // Twice the pause after the second failure. What the publisher has withdrawn is well again.
  state.reply = () => SAME;
  await clock.advance(600_000);
  assert.deepEqual(failuresOf(feeds), ["not_importable"]);
  await clock.advance(600_000);
  assert.deepEqual(failuresOf(feeds), [null]);
  assert.equal(store.findAttempt("a"), null);
  feeds.close();
});

test("one feed that fails does not hold up the next", async () => {
  const { state, requested, feeds } = desk();
  state.reply = () =>
    requested.length === 1 ? { status: "timeout", reason: "deadline" } : bodyOf(zipWith("Two"));
  await feeds.add([originOf("a", { url: URL_OF }), originOf("b", { url: `${URL_OF}?b` })]);
  assert.deepEqual(namesOf(feeds), { a: null, b: ["Two"] });
  assert.deepEqual(failuresOf(feeds), ["deadline", null]);
  feeds.close();
});

test("a file is imported again when it was written to, and only then", async (t) => {
  const path = join(await folder(t), "a.zip");
  const { clock, store, feeds } = desk();
  await feeds.add([originOf("a", { path })]);
  assert.deepEqual(failuresOf(feeds), ["no_such_file"]);
  await writeFile(path, zipWith("First"));
  await clock.advance(600_000);
  assert.deepEqual(namesOf(feeds), { a: ["First"] });
  await clock.advance(24 * HOUR_MS);
  assert.equal(store.listFeeds()[0]!.version, 1);
  await writeFile(path, zipWith("Other"));
  await utimes(path, 1, 2);
  await clock.advance(24 * HOUR_MS);
  assert.deepEqual(namesOf(feeds), { a: ["Other"] });
  await rm(path);
  await clock.advance(24 * HOUR_MS);
  assert.deepEqual(namesOf(feeds), { a: ["Other"] });
  assert.deepEqual(failuresOf(feeds), ["no_such_file"]);
  feeds.close();
});

// The folder's own time stays when a file in it is written to.
test("a folder is imported again when a file in it was written to", async (t) => {
  const path = await folder(t);
  for (const [name, text] of Object.entries(SMALL)) await writeFile(join(path, name), text);
  const { clock, store, feeds } = desk();
  await feeds.add([originOf("a", { path })]);
  assert.deepEqual(namesOf(feeds), { a: ["Alone"] });
  await clock.advance(24 * HOUR_MS);
  assert.equal(store.listFeeds()[0]!.version, 1);
  await writeFile(join(path, "stops.txt"), SMALL["stops.txt"]!.replace("Alone", "Lonely"));
  await clock.advance(24 * HOUR_MS);
  assert.deepEqual(namesOf(feeds), { a: ["Lonely"] });
  feeds.close();
});

// After an update of the program whose packs have another layout, "not modified" would be for ever.
test("a pack that cannot be read is fetched again, whatever its tag", async () => {
  const store = createMemoryTransitStore();
  const origin = { imported_at_ms: NOW_MS, etag: '"1"', last_modified: null };
  store.putFeed("a", Buffer.from("of another version"), origin);
  const { requested, state, feeds } = desk(store);
  await turn();
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: null }, ["damaged"]]);
  state.reply = () => bodyOf(zipWith("First"), '"1"');
  await feeds.add([originOf("a", { url: URL_OF })]);
  assert.equal(requested[0]!.etag, null);
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: ["First"] }, [null]]);
  feeds.close();
});

/** As another version would have written it: the checksum does not cover the number. */
function asVersion(pack: Uint8Array, version: number): Uint8Array {
  const copy = pack.slice();
  new DataView(copy.buffer).setUint32(4, version, true);
  return copy;
}

const BY_HAND = { imported_at_ms: NOW_MS, etag: null, last_modified: null };

test("a pack of another version is named in one line, and is missing where its stations are alone", async () => {
  const store = createMemoryTransitStore();
  const pack = packOf("a", [
    { id: "One", metres: 0 },
    { id: "Two", metres: 2_000 },
  ]);
  store.putFeed("a", asVersion(pack, 2), BY_HAND);
  store.putFeed("b", asVersion(pack, 99), BY_HAND);
  store.putFeed("c", pack.subarray(0, 200), BY_HAND);
  const { clock, feeds, warnings } = desk(store);
  await turn();
  assert.deepEqual(failuresOf(feeds), ["earlier_version", "later_version", "damaged"]);
  const [a, b, c] = feeds.list();
  assert.deepEqual(a!.box, {
    south: CENTRE.lat,
    north: CENTRE.lat + 2_000 / 111_195,
    west: CENTRE.lon,
    east: CENTRE.lon,
  });
  assert.deepEqual(b!.box, a!.box);
  const here = { ...CENTRE, radius_m: 500 };
  const other = { lat: -30, lon: 150, radius_m: 500 };
  assert.deepEqual(
    [a, b, c].map((stored) => touches(stored!, here)),
    [true, true, false],
  );
  assert.deepEqual(
    [a, b, c].map((stored) => touches(stored!, other)),
    [false, false, false],
  );
  await clock.advance(40_000);
  assert.deepEqual(warnings(), [
    "timetable a was imported by an earlier version: import it again (vicinity import gtfs FILE --id a)",
    "timetable b was imported by a later version: import it again (vicinity import gtfs FILE --id b)",
    "timetable c is damaged in the store: import it again (vicinity import gtfs FILE --id c)",
  ]);
  store.putFeed("a", packOf("a", [{ id: "Far", metres: 50_000 }]), BY_HAND);
  await clock.advance(4_000);
  const [again] = feeds.list();
  assert.deepEqual([again!.failure, again!.box], [null, null], "imported again, it is where it is");
  feeds.close();
});

test("a pack of an earlier version is made again from the file it was imported from", async (t) => {
  const path = join(await folder(t), "a.zip");
  await writeFile(path, zipWith("Again"));
  const made = await importGtfs(
    { path },
    { feed_id: "a", region: null, now_ms: 1, imported_from: path },
  );
  assert.ok(made.ok);
  const store = createMemoryTransitStore();
  store.putFeed("a", asVersion(made.pack, 3), BY_HAND);
  const { clock, feeds, warnings } = desk(store);
  await eventually(() => namesOf(feeds)["a"] !== null);
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: ["Again"] }, [null]]);
  assert.equal(warnings().length, 1);
  // It can be made again once more.
  store.putFeed("a", asVersion(store.readFeed("a")!, 3), BY_HAND);
  await clock.advance(4_000);
  await eventually(() => failuresOf(feeds)[0] === null);
  feeds.close();
});

test("a configured feed of an earlier version comes again by itself, and is not complained of", async () => {
  const store = createMemoryTransitStore();
  store.putFeed("a", asVersion(packOf("a", [{ id: "One", metres: 0 }]), 2), BY_HAND);
  const { state, feeds, warnings } = desk(store);
  state.reply = () => bodyOf(zipWith("First"));
  await feeds.add([originOf("a", { url: URL_OF })]);
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: ["First"] }, [null]]);
  assert.deepEqual(warnings(), []);
  feeds.close();
});

test("another process's broken pack leaves the one before in use, and is read once", async () => {
  const memory = createMemoryTransitStore();
  let reads = 0;
  const store: TransitStore = {
    ...memory,
    readFeed(feed_id) {
      reads++;
      if (reads > 1) throw new Error("the disk is broken");
      return memory.readFeed(feed_id);
    },
  };
  const origin = { imported_at_ms: NOW_MS, etag: null, last_modified: null };
  memory.putFeed("a", packOf("a", [{ id: "One", metres: 0 }]), origin);
  const { onFault, faults } = collectFaults();
  const { clock, feeds } = desk(store, { onFault });
  await turn();
  memory.putFeed("a", packOf("a", [{ id: "Two", metres: 0 }]), origin);
  for (let i = 0; i < 3; i++) await clock.advance(4_000);
  assert.equal(reads, 2);
  assert.deepEqual(faults, [{ part: "timetables", message: "the disk is broken" }]);
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: ["One"] }, ["damaged"]]);
  feeds.close();
});

test("a feed that is read slowly leaves the one before in use, and does not come again", async () => {
  const memory = createMemoryTransitStore();
  const origin = { imported_at_ms: NOW_MS, etag: '"1"', last_modified: null };
  memory.putFeed("a", packOf("a", [{ id: "One", metres: 0 }]), origin);
  const { promise, resolve } = Promise.withResolvers<void>();
  let reads = 0;
  const store: TransitStore = {
    ...memory,
    async readFeed(feed_id) {
      if (++reads > 1) await promise;
      return memory.readFeed(feed_id);
    },
  };
  const { clock, requested, feeds } = desk(store);
  await turn();
  memory.putFeed("a", packOf("a", [{ id: "Two", metres: 0 }]), origin);
  const noticed = clock.advance(4_000);
  await turn();
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: ["One"] }, [null]]);
  const added = feeds.add([originOf("a", { url: URL_OF })]);
  await turn();
  resolve();
  await Promise.all([noticed, added]);
  assert.deepEqual([namesOf(feeds), reads], [{ a: ["Two"] }, 2]);
  assert.deepEqual(
    requested.map(({ etag }) => etag),
    ['"1"'],
    "what is in use need not come again",
  );
  feeds.close();
});

test("a store that cannot be written to fails the import, not the service", async () => {
  const store: TransitStore = {
    ...createMemoryTransitStore(),
    putFeed() {
      throw new Error("the disk is full");
    },
  };
  const { onFault, faults } = collectFaults();
  const { clock, requested, state, feeds } = desk(store, { onFault });
  state.reply = () => bodyOf(zipWith("First"));
  await feeds.add([originOf("a", { url: URL_OF })]);
  assert.deepEqual([namesOf(feeds), failuresOf(feeds)], [{ a: null }, ["not_stored"]]);
  await clock.advance(600_000);
  assert.equal(requested.length, 2);
  assert.deepEqual([...new Set(faults.map(({ message }) => message))], ["the disk is full"]);
  feeds.close();
});

test("closed in the middle of an import: nothing is stored, nothing is scheduled", async () => {
  const store = createMemoryTransitStore();
  const { clock, requested, state, feeds } = desk(store);
  const { promise, resolve } = Promise.withResolvers<Outcome<Fetched>>();
  state.reply = () => promise;
  const added = feeds.add([originOf("a", { url: URL_OF }), originOf("b", { url: URL_OF })]);
  await turn();
  feeds.close();
  resolve(bodyOf(zipWith("First")));
  await added;
  await clock.advance(48 * HOUR_MS);
  assert.deepEqual(store.listFeeds(), []);
  assert.equal(requested.length, 1);
});
