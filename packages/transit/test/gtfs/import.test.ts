/** The import as its callers see it: folders and archives, progress, stopping, giving way. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { toEnd } from "#kit/steps.ts";
import { openFeed, packFeedSteps } from "../../schedule/feed-pack.ts";
import { importGtfs, type ImportOptions, type ImportResult } from "../../archive/import-archive.ts";
import { feedOf, SMALL } from "../../../../test/support/gtfs.ts";
import { makeZip, zipOf } from "../../../../test/support/zip.ts";
import { within } from "../../../../test/support/size.ts";

const OPTIONS: ImportOptions = { feed_id: "f", region: "fr-idf", now_ms: 5 };
const root = mkdtempSync(join(tmpdir(), "gtfs-import-"));
after(() => rmSync(root, { recursive: true }));

let made = 0;
function folderOf(files: Readonly<Record<string, string>>, inside = ""): string {
  const path = join(root, `${made++}`);
  mkdirSync(join(path, inside), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, inside, name, ".."), { recursive: true });
    writeFileSync(join(path, inside, name), text);
  }
  return path;
}

function packOf(result: ImportResult): Uint8Array {
  assert.ok(result.ok, result.ok ? "" : result.problem);
  return result.pack;
}

test("an archive, a folder, and either with a folder in between are the same feed", async () => {
  const zip = zipOf(SMALL);
  const path = join(root, "feed.zip");
  writeFileSync(path, zip);
  const sources = [
    { path },
    { bytes: zip },
    { bytes: zipOf(SMALL, "gtfs/") },
    { bytes: zipOf(SMALL, "Feed of 2026\\") },
    { bytes: zipOf({ ...SMALL, "__MACOSX/._stops.txt": "junk", ".DS_Store": "junk" }) },
    { path: folderOf(SMALL) },
    { path: folderOf(SMALL, "gtfs") },
    { path: folderOf({ ...SMALL, "old/stops.txt": "an older one" }) },
  ];
  const packs = await Promise.all(
    sources.map(async (source) => packOf(await importGtfs(source, OPTIONS))),
  );
  for (const [i, pack] of packs.entries()) assert.deepEqual(pack, packs[0], `source ${i}`);
  const { meta, count } = openFeed(packs[0]!)!;
  assert.equal(count, 2);
  assert.deepEqual(meta.counts, { stations: 2, routes: 1, operators: 1 });
  assert.equal(meta.region, "fr-idf");
});

const TAILS: readonly [name: string, tail: Buffer][] = [
  ["four bytes", Buffer.from("\r\n\r\n")],
  ["zeros up to a block", Buffer.alloc(4_096)],
  ["the most that is read", Buffer.alloc(65_535, 32)],
  ["a signature that ends nothing", Buffer.from("PK\x05\x06", "latin1")],
];

for (const [name, tail] of TAILS)
  test(`bytes after the end of an archive change nothing: ${name}`, async () => {
    const zip = zipOf(SMALL);
    const path = join(root, "tail.zip");
    writeFileSync(path, Buffer.concat([zip, tail]));
    const expected = packOf(await importGtfs({ bytes: zip }, OPTIONS));
    assert.deepEqual(packOf(await importGtfs({ path }, OPTIONS)), expected);
    const bytes = Buffer.concat([zip, tail]);
    assert.deepEqual(packOf(await importGtfs({ bytes }, OPTIONS)), expected);
  });

test("the report counts what was taken and says what was not", async () => {
  const result = await importGtfs(
    { bytes: zipOf({ ...SMALL, "stop_times.txt": "trip_id,stop_id\nT1,A\nT9,A\n" }) },
    OPTIONS,
  );
  assert.ok(result.ok);
  const { elapsed_ms, ...report } = result.report;
  assert.ok(elapsed_ms > 0);
  assert.deepEqual(report, {
    runs_from: null,
    runs_until: null,
    days_problem: "never_runs",
    within_stations: null,
    stations: 1,
    stops: 5,
    routes: 1,
    operators: 1,
    modes: ["metro"],
    stop_times: 2,
    rejected: [
      { reason: "call_of_unknown_trip", count: 1, examples: ["T9"] },
      { reason: "served_by_no_trip", count: 1, examples: ["S"] },
      { reason: "trip_without_times", count: 1, examples: ["T1"] },
    ],
    repaired: [],
  });
});

test("a file that cannot be opened is reported in one line", async () => {
  const text = join(root, "notes.txt");
  writeFileSync(text, "hello");
  const cases: [string, string | RegExp][] = [
    [join(root, "nowhere"), "feed: no such file or folder"],
    [folderOf({}), "stops.txt: not in the folder"],
    [
      folderOf({ "a/stops.txt": "", "b/stops.txt": "" }),
      "folder: stops.txt in more than one folder",
    ],
    [
      folderOf({ ...SMALL, "trips.txt": 'route_id,trip_id\n"R1' }),
      "trips.txt line 2: unterminated quote",
    ],
    [text, /^zip archive: .*Either not a zip file/],
  ];
  for (const [path, problem] of cases) {
    const result = await importGtfs({ path }, OPTIONS);
    assert.ok(!result.ok);
    if (typeof problem === "string") assert.equal(result.problem, problem);
    else assert.match(result.problem, problem);
  }
});

test("limits hold for folders, too", async () => {
  const path = folderOf(SMALL);
  for (const [limits, problem] of [
    [{ file_bytes: 100 }, /has more than 100 bytes$/],
    [{ total_bytes: 300 }, /^folder: above 300 bytes$/],
    [{ entries: 3 }, /^folder: more than 3 files$/],
  ] as const) {
    const result = await importGtfs({ path }, { ...OPTIONS, limits });
    assert.match(result.ok ? "" : result.problem, problem);
  }
});

/** Some megabytes of calls. */
function large(): Buffer {
  const calls = ["trip_id,stop_id,stop_headsign"];
  for (let i = 0; i < 120_000; i++) calls.push(`T1,P${1 + (i % 2)},Somewhere over there ${i}`);
  return zipOf({ ...SMALL, "stop_times.txt": calls.join("\n") });
}

test("progress goes forward from 0 to 1", async () => {
  const seen: number[] = [];
  const result = await importGtfs(
    { bytes: large() },
    { ...OPTIONS, onProgress: (x) => seen.push(x) },
  );
  assert.ok(result.ok);
  assert.equal(result.report.stop_times, 120_000);
  assert.ok(seen.length > 10);
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  );
  assert.equal(seen.at(-1), 1);
  assert.ok(seen[0]! > 0 && seen[0]! < 0.1);
});

test("others get the thread while a feed is read, stored or packed", async () => {
  const calls = SMALL["stop_times.txt"]!.repeat(80_000);
  const stored = makeZip(
    Object.entries({ ...SMALL, "stop_times.txt": calls }).map(([name, data]) => ({
      name,
      data,
      method: 0,
    })),
  );
  for (const bytes of [large(), stored]) {
    let pauses = 0;
    let worst_ms = 0;
    let last_ms = performance.now();
    const timer = setInterval(() => {
      worst_ms = Math.max(worst_ms, performance.now() - last_ms);
      last_ms = performance.now();
    }, 1);
    const pause = async (): Promise<void> => {
      pauses++;
      await new Promise((resolve) => setImmediate(resolve));
    };
    const result = await importGtfs({ bytes }, { ...OPTIONS, pause });
    clearInterval(timer);
    assert.ok(result.ok);
    assert.ok(pauses >= 3, `${pauses} pauses`);
    assert.ok(worst_ms < within(400), `${worst_ms} ms without a turn`);
  }
});

test("an import that is stopped is a problem, before, at the start and in the middle", async () => {
  const bytes = large();
  const stopped = { ok: false, problem: "the import was stopped" };
  assert.deepEqual(
    await importGtfs({ bytes }, { ...OPTIONS, signal: AbortSignal.abort() }),
    stopped,
  );
  for (const at of [0, 0.5]) {
    const controller = new AbortController();
    const onProgress = (fraction: number): void => {
      if (fraction > at) controller.abort();
    };
    const { signal } = controller;
    assert.deepEqual(await importGtfs({ bytes }, { ...OPTIONS, signal, onProgress }), stopped);
  }
});

test("a file that lies in pieces of any size reads the same", async () => {
  const bytes = large();
  const path = join(root, "large.zip");
  writeFileSync(path, bytes);
  const [a, b] = [await importGtfs({ bytes }, OPTIONS), await importGtfs({ path }, OPTIONS)];
  assert.deepEqual(packOf(a), packOf(b));
});

test("an import lets go of what it has packed, and packs the same as one that keeps it", async () => {
  const { feed } = feedOf(SMALL);
  const kept = toEnd(packFeedSteps(feed));
  assert.deepEqual(toEnd(packFeedSteps(feed)), kept, "what is kept can be packed again");
  const identity = { feed_id: feed.feed_id, region: feed.region, now_ms: feed.fetched_at_ms };
  const result = await importGtfs({ bytes: zipOf(SMALL) }, identity);
  assert.ok(result.ok);
  assert.deepEqual(result.pack, kept);
});
