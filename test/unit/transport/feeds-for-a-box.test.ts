/** Feeds of a deployment that are imported for a box, and several that are imported at the same time. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pino } from "pino";
import type { TransitStore } from "#ports/transit.ts";
import { importGtfs } from "#transit/archive/import-archive.ts";
import type { ImportFeed } from "#transit/imports.ts";
import type { FeedOrigin } from "#upstream/transit/feed-origin.ts";
import { TransitFeeds } from "#upstream/transit/timetable-shelf.ts";
import { NOW_MS } from "../../support/domain.ts";
import { noFault } from "../../support/faults.ts";
import { SMALL } from "../../support/gtfs.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createMemoryTransitStore } from "../../support/memory.ts";
import { zipOf } from "../../support/zip.ts";

const folder = mkdtempSync(join(tmpdir(), "vicinity-box-"));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, "a.zip");
writeFileSync(path, zipOf(SMALL));

/** Around the stop that has no parent; the other station is south of it. */
const BOX = { south: 48.855, west: 2.3, north: 48.9, east: 2.4 };
const WIDER = { ...BOX, south: 48 };
const UNKNOWN = { url: null, region: null, box: null, realtime: null, alerts: null, live: null };

function originOf(id: string, bbox: FeedOrigin["bbox"] = null): FeedOrigin {
  return { ...UNKNOWN, id, path, bbox };
}

function desk(store: TransitStore, importFeed: ImportFeed, at_once = 1) {
  const clock = createManualClock(NOW_MS);
  return new TransitFeeds({
    ...{ store, clock, importFeed, at_once, timeout_ms: 1_000, onFault: noFault },
    random: () => 0,
    openLive: () => assert.fail("a live feed was opened"),
    log: pino({ level: "silent" }),
    run: () => assert.fail("nothing is fetched"),
  });
}

function namesOf(feeds: TransitFeeds): string[] {
  const { feed } = feeds.list()[0]!;
  return Array.from({ length: feed?.count ?? 0 }, (_, row) => feed!.station(row).name).sort();
}

test("a configured feed is imported for its box, and again when the configuration has another", async () => {
  const store = createMemoryTransitStore();
  let imports = 0;
  const counting: ImportFeed = (source, options) => {
    imports++;
    return importGtfs(source, options);
  };
  for (const [bbox, names, expected] of [
    [BOX, ["Alone"], 1],
    [BOX, ["Alone"], 1],
    [WIDER, ["Alone", "Central"], 2],
    [null, ["Alone", "Central"], 3],
    [null, ["Alone", "Central"], 3],
    [BOX, ["Alone"], 4],
  ] as const) {
    const feeds = desk(store, counting);
    await feeds.add([originOf("a", bbox)]);
    assert.deepEqual([namesOf(feeds), imports], [names, expected]);
    feeds.close();
  }
});

test("what a command has imported for a box, an earlier version, is made again for that box", async () => {
  const store = createMemoryTransitStore();
  const options = { feed_id: "a", region: null, now_ms: 1, imported_from: path, box: BOX };
  const made = await importGtfs({ path }, options);
  assert.ok(made.ok);
  const earlier = made.pack.slice();
  new DataView(earlier.buffer).setUint32(4, 3, true);
  store.putFeed("a", earlier, { imported_at_ms: NOW_MS, etag: null, last_modified: null });
  const feeds = desk(store, importGtfs);
  for (let tries = 0; tries < 500 && feeds.list()[0]?.feed === null; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(namesOf(feeds), ["Alone"]);
  assert.deepEqual(feeds.list()[0]!.feed!.meta.imported_box, BOX);
  feeds.close();
});

test("as many feeds are imported at the same time as are allowed, in their order", async () => {
  const ids = ["a", "b", "c", "d", "e"];
  for (const at_once of [1, 2, 3]) {
    const begun: string[] = [];
    const waiting: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const slow: ImportFeed = async (source, options) => {
      begun.push(options.feed_id);
      most = Math.max(most, ++running);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      // Each waits for the others that may run with it.
      if (running === at_once || begun.length === ids.length)
        for (const go of waiting.splice(0)) go();
      await promise;
      const result = await importGtfs(source, options);
      running--;
      return result;
    };
    const feeds = desk(createMemoryTransitStore(), slow, at_once);
    await feeds.add(ids.map((id) => originOf(id)));
    // Of those that run together any may begin first: each reads its file before.
    for (const [place, id] of begun.entries())
      assert.ok(Math.abs(ids.indexOf(id) - place) < at_once, begun.join());
    assert.deepEqual([begun.toSorted(), most], [ids, at_once]);
    assert.ok(feeds.list().every(({ feed, failure }) => feed !== null && failure === null));
    feeds.close();
  }
});
