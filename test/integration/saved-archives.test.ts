/** Archives of timetables that are fetched: large ones lie on the disk until they are imported, and no longer. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import pino from "pino";
import type { Outcome } from "#kit/outcome.ts";
import { createClock } from "#process/clock.ts";
import { importGtfs } from "#transit/index.ts";
import type { ImportFeed } from "#transit/imports.ts";
import { createEgress } from "#upstream/egress.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createRun, type Fetched, type RunRequest } from "#upstream/run.ts";
import type { FeedOrigin } from "#upstream/transit/feed-origin.ts";
import { TransitFeeds } from "#upstream/transit/timetable-shelf.ts";
import { noFault } from "../support/faults.ts";
import { SMALL } from "../support/gtfs.ts";
import { createMemoryTransitStore } from "../support/memory.ts";
import { makeZip, zipOf } from "../support/zip.ts";
import { listenHttp } from "../unit/upstream/local-server.ts";

const MIB = 1024 ** 2;
const folder = mkdtempSync(join(tmpdir(), "vicinity-saved-"));
after(() => rmSync(folder, { recursive: true }));

function createBench(): AsyncDisposable & { run: RunRequest } {
  const egress = createEgress({ allow_private: true });
  const client = createHttpClient({ egress, user_agent: "vicinity-test" });
  const run = createRun({ client, clock: createClock(), onFault: noFault });
  return { run, [Symbol.asyncDispose]: () => egress.close() };
}

const bodyOf = (length: number): Buffer => Buffer.alloc(length, "timetable ");
const LARGE = bodyOf(9 * MIB);
const MOST = 10 * MIB;
const plain = (body: Buffer, stated: number | null) => (response: ServerResponse) => {
  if (stated !== null) response.setHeader("content-length", stated);
  response.write(body, () => response.end());
};
const packed = (body: Buffer) => (response: ServerResponse) => {
  response.setHeader("content-encoding", "gzip");
  response.end(gzipSync(body));
};

/** What becomes of a body: in memory, in the file, or why neither. */
const BODIES: readonly [what: string, (response: ServerResponse) => void, expected: string][] = [
  ["small, of stated length", plain(bodyOf(1_000), 1_000), "memory 1000"],
  ["large, of stated length", plain(LARGE, LARGE.length), `file ${LARGE.length}`],
  ["small, of no stated length", plain(bodyOf(1_000), null), "file 1000"],
  ["large, of no stated length", plain(LARGE, null), `file ${LARGE.length}`],
  ["packed", packed(bodyOf(MIB)), `file ${MIB}`],
  ["too large, as stated", plain(bodyOf(MOST + 1), MOST + 1), "body_too_large"],
  ["too large, of no stated length", plain(bodyOf(MOST + 1), null), "body_too_large"],
  ["packed, and far too large", packed(Buffer.alloc(9 * MIB)), "decompression_bomb"],
  [
    "cut off",
    (response) =>
      response
        .writeHead(200, { "content-length": LARGE.length })
        .write(LARGE.subarray(0, MIB), () => response.destroy()),
    "connection_reset",
  ],
  ["refused", (response) => response.writeHead(500).end(LARGE), "http_500"],
];

for (const [what, answer, expected] of BODIES)
  test(`a body that may be saved: ${what}`, async () => {
    await using server = await listenHttp((_, response) => answer(response));
    await using bench = createBench();
    const save_to = join(folder, "body");
    rmSync(save_to, { force: true });
    const request = { url: server.origin, timeout_ms: 60_000, max_bytes: MOST, save_to };
    const outcome = await bench.run(request, {});
    assert.equal(describe(outcome), expected);
    if (outcome.status !== "ok" || outcome.value.kind !== "body") return;
    const { body, saved } = outcome.value;
    const bytes = saved === undefined ? body : readFileSync(saved);
    assert.ok(bodyOf(bytes.length).equals(bytes));
    if (saved === undefined) assert.deepEqual(readdirSync(folder), []);
  });

function describe(outcome: Outcome<Fetched>): string {
  if (outcome.status !== "ok") return outcome.reason;
  assert.ok(outcome.value.kind === "body");
  const { body, saved } = outcome.value;
  if (saved === undefined) return `memory ${body.length}`;
  assert.equal(body.length, 0);
  return `file ${readFileSync(saved).length}`;
}

const UNKNOWN = { path: null, region: null, box: null, realtime: null, alerts: null, live: null };

/** Feeds of a server, whose archives lie in a folder of their own. */
function desk(run: RunRequest, importFeed: ImportFeed, unpacked_bytes = 64 * MIB) {
  const fetched = join(folder, "fetched");
  const feeds = new TransitFeeds({
    ...{ run, importFeed, store: createMemoryTransitStore(), clock: createClock() },
    ...{ random: () => 0, timeout_ms: 60_000, onFault: noFault, log: pino({ level: "silent" }) },
    openLive: () => assert.fail("no live data are configured"),
    fetched: { archive_bytes: MOST, unpacked_bytes, folder: fetched },
  });
  const read = async (url: string): Promise<string | null | undefined> => {
    const origin: FeedOrigin = { ...UNKNOWN, id: "../a", url };
    await feeds.add([origin]);
    return feeds.list()[0]?.failure;
  };
  return { read, left: () => readdirSync(fetched), fetched, close: () => feeds.close() };
}

/** Beyond what stays in memory, most of it in a file that is no part of the feed. */
const ARCHIVE = makeZip([
  ...Object.entries(SMALL).map(([name, data]) => ({ name, data })),
  { name: "shapes.txt", data: LARGE, method: 0 },
]);

for (const [what, archive, expected] of [
  ["imported", ARCHIVE, null],
  ["no feed", zipOf({ "a.txt": "b" }), "not_importable"],
] as const)
  test(`an archive of no stated length is ${what} from the disk, and nothing of it stays there`, async () => {
    await using server = await listenHttp((_, response) => plain(archive, null)(response));
    await using bench = createBench();
    const sources: string[] = [];
    const one = desk(bench.run, (source, options) => {
      assert.ok("path" in source);
      sources.push(source.path);
      assert.deepEqual(readFileSync(source.path), archive);
      return importGtfs(source, options);
    });
    mkdirSync(one.fetched, { recursive: true });
    // Of a process that ended in the middle.
    writeFileSync(join(one.fetched, "left-over"), "x");
    assert.equal(await one.read(server.origin), expected);
    assert.equal(sources.length, 1);
    assert.deepEqual(one.left(), []);
    one.close();
  });

test("what an archive that is fetched may unpack to is a setting", async () => {
  await using server = await listenHttp((_, response) => plain(ARCHIVE, null)(response));
  await using bench = createBench();
  const problems: string[] = [];
  for (const [unpacked_bytes, expected] of [
    [20 * MIB, null],
    [17 * MIB, "not_importable"],
  ] as const) {
    const one = desk(
      bench.run,
      async (source, options) => {
        const result = await importGtfs(source, options);
        if (!result.ok) problems.push(result.problem);
        return result;
      },
      unpacked_bytes,
    );
    assert.equal(await one.read(server.origin), expected);
    one.close();
  }
  assert.deepEqual(problems, [
    `zip archive: 'shapes.txt': unpacks to more than ${8.5 * MIB} bytes`,
  ]);
});
