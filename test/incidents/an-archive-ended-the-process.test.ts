/**
 * A timetable of millions of stops, a few megabytes as a zip, was imported by the serving process:
 * it ended with "heap out of memory", and as nothing was noted of the attempt, so did the next one,
 * and the next. An import runs in a thread of its own now, with bounds on rows, bytes, memory and
 * time, and an attempt is noted before it is made.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pino } from "pino";
import { createManualClock } from "../support/manual-clock.ts";
import type { Outcome } from "#kit/outcome.ts";
import { FILE_BOUNDS, type ImportFeed, threadImport } from "#transit/imports.ts";
import { importGtfs, type ImportResult } from "#transit/index.ts";
import type { SourceRequest } from "#providers/provider.ts";
import type { Fetched } from "#upstream/run.ts";
import type { FeedOrigin } from "#upstream/transit/feed-origin.ts";
import { TransitFeeds } from "#upstream/transit/timetable-shelf.ts";
import { NOW_MS } from "../support/domain.ts";
import { SMALL } from "../support/gtfs.ts";
import { createMemoryTransitStore } from "../support/memory.ts";
import { zipOf } from "../support/zip.ts";
import { noFault } from "../support/faults.ts";

const worker_url = new URL("../../src/main/workers/import.ts", import.meta.url);
const OPTIONS = { feed_id: "f", region: null, now_ms: 5 };
const MINUTE_MS = 60_000;

/** Every stop is served, so that something is kept of each. */
function feedOf(stops: number): Buffer {
  const ids = Array.from({ length: stops }, (_, i) => i);
  const lines = (head: string, line: (i: number) => string): string =>
    `${head}\n${ids.map(line).join("\n")}\n`;
  return zipOf({
    ...SMALL,
    "stops.txt": lines(
      "stop_id,stop_name,stop_lat,stop_lon",
      (i) => `s${i},Stop ${i} of many,48,2`,
    ),
    "stop_times.txt": lines("trip_id,stop_id", (i) => `T1,s${i}`),
  });
}

const problemOf = (result: ImportResult): string => (result.ok ? "" : result.problem);

test("an import in a thread gives the same result and reports its progress", async (t) => {
  const listed: number[] = [];
  const folder = await mkdtemp(join(tmpdir(), "thread-import-"));
  t.after(() => rm(folder, { recursive: true }));
  const bytes = zipOf(SMALL);
  const path = join(folder, "feed.zip");
  await writeFile(path, bytes);
  const here = await importGtfs({ bytes }, OPTIONS);
  // So small an archive would be imported here if it were in memory.
  const other = await threadImport({ worker_url, onFault: noFault })(
    { path },
    { ...OPTIONS, onProgress: (fraction) => listed.push(fraction) },
  );
  assert.ok(here.ok && other.ok);
  assert.deepEqual(other.pack, here.pack);
  assert.deepEqual({ ...other.report, elapsed_ms: 0 }, { ...here.report, elapsed_ms: 0 });
  assert.equal(listed.at(-1), 1);
  assert.deepEqual(
    listed,
    listed.toSorted((a, b) => a - b),
  );
});

test("a feed that needs more memory than an import may take is refused in one line", async () => {
  const result = await threadImport({ worker_url, onFault: noFault, max_heap_mb: 24 })(
    { bytes: feedOf(150_000) },
    OPTIONS,
  );
  assert.equal(
    problemOf(result),
    "feed: needs more than the 24 MB of memory that an import may take",
  );
});

test("a feed that takes longer than an import may take is refused in one line", async () => {
  // By its path: a small archive that was fetched is imported without a thread.
  const folder = await mkdtemp(join(tmpdir(), "vicinity-slow-"));
  const path = join(folder, "feed.zip");
  await writeFile(path, zipOf(SMALL));
  const result = await threadImport({ worker_url, onFault: noFault, job_timeout_ms: 1 })(
    { path },
    OPTIONS,
  );
  await rm(folder, { recursive: true });
  assert.match(
    problemOf(result),
    /^feed: takes more than the \S+ minutes that an import may take$/,
  );
});

test("every file has a bound of rows and of bytes, and beyond it the feed is refused in one line", async () => {
  for (const file of Object.keys(SMALL)) {
    const rows = SMALL[file]!.trim().split("\n").length - 1;
    const { bytes } = FILE_BOUNDS[file]!;
    const bound = (input: { rows: number; bytes: number }) =>
      importGtfs(
        { bytes: zipOf(SMALL) },
        { ...OPTIONS, bounds: { ...FILE_BOUNDS, [file]: input } },
      );
    assert.ok((await bound({ rows, bytes })).ok, file);
    const many = problemOf(await bound({ rows: rows - 1, bytes }));
    assert.match(many, new RegExp(`^${file} line \\d+: more than ${rows - 1} rows$`));
    const large = problemOf(await bound({ rows, bytes: 5 }));
    assert.equal(large, `${file}: more than 5 bytes`);
  }
});

function desk(
  importFeed: ImportFeed,
  store = createMemoryTransitStore(),
  clock = createManualClock(NOW_MS),
) {
  const requested: SourceRequest[] = [];
  const tag = { now: '"1"' as string | null };
  const run = (request: SourceRequest): Promise<Outcome<Fetched>> => {
    requested.push(request);
    const nothing = { last_modified: null, max_age_s: null, content_type: null, link: null };
    const body = {
      kind: "body",
      body: zipOf(SMALL),
      url: request.url,
      etag: tag.now,
      ...nothing,
    } as const;
    const same = tag.now !== null && request.etag === tag.now;
    const value = same ? ({ kind: "not_modified" } as const) : body;
    return Promise.resolve({ status: "ok", fetched_at_ms: NOW_MS, cache: "miss", value });
  };
  const openLive = (): never => assert.fail("a live feed was opened");
  const deps = { store, clock, run, importFeed, openLive, random: () => 0, timeout_ms: 1_000 };
  const feeds = new TransitFeeds({ ...deps, onFault: noFault, log: pino({ level: "silent" }) });
  return { feeds, requested, store, clock, tag };
}

const nothing = { path: null, region: null, box: null, realtime: null, alerts: null, live: null };
const ORIGIN: FeedOrigin = { id: "a", url: "https://feeds.example/a.zip", ...nothing };
const failing: ImportFeed = () =>
  Promise.resolve({ ok: false, problem: "stops.txt: not in the feed" });
/** The state left by the process that ended over it: an import that never finished. */
const ending: ImportFeed = () => new Promise(() => undefined);

test("after the process has ended over an archive three times, the next one does not import it again", async () => {
  const first = desk(ending);
  const { store, clock } = first;
  for (const failures of [1, 2, 3]) {
    void desk(ending, store, clock).feeds.add([ORIGIN]);
    await new Promise(setImmediate);
    assert.equal(store.findAttempt("a")?.failures, failures);
  }
  let imports = 0;
  const counting: ImportFeed = (source, options) => {
    imports++;
    return importGtfs(source, options);
  };
  const second = desk(counting, store, clock);
  await second.feeds.add([ORIGIN]);
  assert.deepEqual([second.requested.length, imports], [0, 0]);
  assert.equal(second.feeds.list()[0]?.failure, "not_importable");
  await clock.advance(41 * MINUTE_MS);
  assert.equal(imports, 1);
  assert.equal(second.feeds.list()[0]?.failure, null);
  assert.equal(store.findAttempt("a"), null);
  second.feeds.close();
});

test("an archive without a tag that failed is not fetched again before its time", async () => {
  const first = desk(failing);
  first.tag.now = null;
  await first.feeds.add([ORIGIN]);
  first.feeds.close();
  const second = desk(failing, first.store, first.clock);
  await second.feeds.add([ORIGIN]);
  assert.equal(second.requested.length, 0);
  await first.clock.advance(11 * MINUTE_MS);
  assert.equal(second.requested.length, 1);
  second.feeds.close();
});

test("pauses grow with every failure, to a day", async () => {
  const { feeds, requested, clock, store } = desk(failing);
  await feeds.add([ORIGIN]);
  const waits: number[] = [];
  for (let at_ms = clock.now(); waits.length < 9; at_ms = clock.now()) {
    const before = requested.length;
    while (requested.length === before) await clock.advance(5 * MINUTE_MS);
    waits.push((clock.now() - at_ms) / MINUTE_MS);
  }
  assert.deepEqual(waits, [10, 20, 40, 80, 160, 320, 640, 1_280, 1_440]);
  assert.equal(store.findAttempt("a")?.failures, 10);
  feeds.close();
});

test("another archive in the place of a bad one is imported at once after a restart", async () => {
  const first = desk(failing);
  await first.feeds.add([ORIGIN]);
  first.feeds.close();
  const second = desk(importGtfs, first.store, first.clock);
  second.tag.now = '"2"';
  await second.feeds.add([ORIGIN]);
  assert.equal(second.feeds.list()[0]?.failure, null);
  second.feeds.close();
});

test("an import stopped with the service is not counted as a failure", async () => {
  const { feeds, store } = desk(ending);
  void feeds.add([ORIGIN]);
  await new Promise(setImmediate);
  feeds.close();
  assert.equal(store.findAttempt("a"), null);
});
