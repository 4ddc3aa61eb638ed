/** Bounds of archives and folders: at each of them a feed is read, one byte or file beyond it is a problem. */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type FeedSource, openArchive } from "../archive/open-archive.ts";
import type { Limits } from "../archive/entries.ts";
import { importGtfs } from "../archive/import-archive.ts";
import { threadImport } from "../archive/archive-thread.ts";
import { fetchBounds, FILE_BOUNDS } from "../gtfs/gtfs-bounds.ts";
import { SMALL } from "../../../test/support/gtfs.ts";
import { makeZip, type ZipEntry, zipOf } from "../../../test/support/zip.ts";

const root = mkdtempSync(join(tmpdir(), "archive-bounds-"));
after(() => rmSync(root, { recursive: true }));

/** Ten bytes and twenty. */
const FILES = { "stops.txt": "0123456789", "trips.txt": "01234567890123456789" };
const zipped = (change: Partial<ZipEntry> = {}, ...more: ZipEntry[]): FeedSource => ({
  bytes: makeZip([
    ...Object.entries(FILES).map(([name, data]) => ({ name, data, method: 0, ...change })),
    ...more,
  ]),
});
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
const BOTH: readonly FeedSource[] = [zipped(), { path: root }];

async function read(source: FeedSource, limits: Partial<Limits> = {}): Promise<string> {
  const archive = await openArchive(source, limits);
  const texts: string[] = [];
  for (const file of archive.files.values())
    for await (const chunk of file.chunks()) texts.push(Buffer.from(chunk).toString());
  await archive.close();
  return texts.join();
}

const LIMITS: readonly [limit: keyof Limits, most: number, problem: RegExp][] = [
  ["file_bytes", 20, /trips\.txt.*more than 19 bytes/],
  ["total_bytes", 30, /(above|more than) 29 bytes/],
  ["entries", 2, /more than 1 (entries|files)/],
];

test("files, bytes of one and bytes of all", async () => {
  for (const source of BOTH)
    for (const [limit, most, problem] of LIMITS) {
      assert.equal(await read(source, { [limit]: most }), Object.values(FILES).join());
      await assert.rejects(read(source, { [limit]: most - 1 }), problem);
    }
});

test("a file of a feed, and its packed size", async () => {
  const bounds = (bytes: number) => ({ ...FILE_BOUNDS, "stops.txt": { rows: 9, bytes } });
  const size = Buffer.byteLength(SMALL["stops.txt"]!);
  const options = { feed_id: "f", region: null, now_ms: 5 };
  const source = { bytes: zipOf(SMALL) };
  assert.ok((await importGtfs(source, { ...options, bounds: bounds(size) })).ok);
  const beyond = await importGtfs(source, { ...options, bounds: bounds(size - 1) });
  assert.equal(beyond.ok ? "" : beyond.problem, `stops.txt: more than ${size - 1} bytes`);
});

test("entries may touch, and share no byte", async () => {
  const second = 30 + "stops.txt".length + 10;
  const apart: ZipEntry = { name: "b.txt", data: "", offset: second };
  const problem = /"?stops\.txt'? and '?b\.txt'? share bytes/;
  const zip = (entry: ZipEntry): FeedSource => ({
    bytes: makeZip([{ name: "stops.txt", data: FILES["stops.txt"], method: 0 }, entry]),
  });
  assert.ok((await openArchive(zip(apart))).files.has("stops.txt"));
  await assert.rejects(openArchive(zip({ ...apart, offset: second - 1 })), problem);
});

test("an archive that is stored in an archive does not end it", async () => {
  const inner: ZipEntry = { name: "notes.zip", data: zipOf(FILES), method: 0 };
  const { bytes } = zipped({}, inner) as { bytes: Buffer };
  for (const tail of ["", "\r\n", "PK\x05\x06"]) {
    const all = Buffer.concat([bytes, Buffer.from(tail, "latin1")]);
    const { files } = await openArchive({ bytes: all });
    assert.deepEqual(
      [...files.keys()],
      ["stops.txt", "trips.txt", "notes.zip"],
      JSON.stringify(tail),
    );
  }
});

test("a file of a folder that grows or shrinks while it is read is a problem, and is not read on", async () => {
  const path = join(root, "trips.txt");
  for (const change of [() => appendFileSync(path, "more"), () => truncateSync(path, 5)]) {
    writeFileSync(path, FILES["trips.txt"]);
    const file = (await openArchive({ path: root })).files.get("trips.txt")!;
    change();
    let seen = 0;
    const reading = async (): Promise<void> => {
      for await (const chunk of file.chunks()) seen += chunk.length;
    };
    await assert.rejects(reading(), /changed while it was read/);
    assert.ok(seen <= file.size, `${seen}`);
  }
  writeFileSync(path, FILES["trips.txt"]);
});

test("an empty file that a feed need not have is as none, and the bytes of all are the progress", async () => {
  const seen: number[] = [];
  const result = await importGtfs(
    { bytes: zipOf({ ...SMALL, "transfers.txt": "", "attributions.txt": "" }) },
    { feed_id: "f", region: null, now_ms: 5, onProgress: (fraction) => seen.push(fraction) },
  );
  assert.ok(result.ok, result.ok ? "" : result.problem);
  assert.deepEqual(seen.slice(-3), [0.85, 0.9, 1]);
});

/** A feed whose archive has this length. */
function sized(bytes: number): FeedSource {
  const files = Object.entries(SMALL).map(([name, data]) => ({ name, data }));
  const zip = (length: number): Buffer =>
    makeZip([...files, { name: "notes", data: Buffer.alloc(length), method: 0 }]);
  return { bytes: zip(bytes - zip(0).length) };
}

test("an archive from half a megabyte on, and each file, has a thread of its own", async () => {
  let faults = 0;
  const load = threadImport({
    worker_url: new URL("./no-such-worker.ts", import.meta.url),
    onFault: () => void faults++,
  });
  for (const [source, isHere] of [
    [sized(512 * 1024 - 1), true],
    [sized(512 * 1024), false],
    [{ path: root }, false],
  ] as const)
    assert.equal((await load(source, { feed_id: "f", region: null, now_ms: 5 })).ok, isHere);
  assert.equal(faults, 2);
});

test("what an archive that is fetched may hold grows with what it may unpack to", () => {
  const usual = fetchBounds();
  assert.deepEqual(usual.bounds, FILE_BOUNDS);
  assert.deepEqual(usual.limits, { file_bytes: 2 ** 31, total_bytes: 2 ** 32 });
  assert.equal(usual.pack_bytes, 2 ** 28);
  const twice = fetchBounds(2 ** 33);
  assert.deepEqual(twice.bounds["stop_times.txt"], { rows: 300_000_000, bytes: 2 ** 32 });
  assert.deepEqual(twice.limits, { file_bytes: 2 ** 32, total_bytes: 2 ** 33 });
  assert.equal(twice.pack_bytes, 2 ** 29);
});
