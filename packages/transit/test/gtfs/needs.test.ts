/** What an import takes, and that one which cannot end well is refused before it begins. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Lanes } from "#kit/run/lanes.ts";
import { threadImport } from "../../archive/archive-thread.ts";
import { findLack, needsOf } from "../../gtfs/feed-needs.ts";
import { noFault } from "../../../../test/support/faults.ts";
import { ZipFileWriter } from "../../../../test/support/zip-file.ts";

const folder = mkdtempSync(join(tmpdir(), "vicinity-needs-"));
after(() => rmSync(folder, { recursive: true }));

const GB = 1e9;
const OPTIONS = { feed_id: "f", region: null, now_ms: 5 };
/** No thread starts from it: an import that is let through fails there. */
const worker_url = new URL("./no-such-worker.ts", import.meta.url);

/** An archive of holes: nothing of it can be read, but its sizes are known. */
async function archiveOf(sizes: Readonly<Record<string, number>>): Promise<string> {
  const path = join(folder, "feed.zip");
  const zip = await ZipFileWriter.create(path);
  for (const [name, size] of Object.entries(sizes)) await zip.hole(name, size);
  await zip.close();
  return path;
}

test("needs grow with the files that are kept, also beyond 2^32 bytes, and not with others", () => {
  const of = (sizes: Readonly<Record<string, number>>) => needsOf(new Map(Object.entries(sizes)));
  const least = of({}).memory_bytes;
  assert.equal(of({ "shapes.txt": 90 * GB }).memory_bytes, least);
  let before = least;
  for (const size of [2 ** 31, 2 ** 32, 2 ** 33]) {
    const { memory_bytes, disk_bytes } = of({ "stop_times.txt": size });
    assert.ok(memory_bytes > before && disk_bytes > 0 && disk_bytes < size, String(size));
    before = memory_bytes;
  }
});

test("a lack of memory or of disk is one line with both figures; what is not known lacks nothing", () => {
  const needs = { memory_bytes: 1.5 * GB, disk_bytes: 0.2 * GB };
  const lack = (memory_bytes: number | null, disk_bytes: number | null) =>
    findLack(needs, { memory_bytes, disk_bytes });
  assert.equal(
    lack(1 * GB, null),
    "needs about 1.5 GB of memory, and this machine has 1 GB: import it on a larger one",
  );
  assert.equal(lack(2 * GB, 1e8), "needs up to 200 MB of disk, and 100 MB are free: make room");
  assert.equal(lack(1.5 * GB, 0.2 * GB), null);
  assert.equal(lack(null, null), null);
});

test("a file of an operator that memory does not suffice for is refused before a thread starts", async () => {
  const path = await archiveOf({ "stops.txt": 2 ** 31, "stop_times.txt": 2 ** 34 });
  let faults = 0;
  const imports = (memory_bytes: number | null) =>
    threadImport({
      worker_url,
      onFault: () => void faults++,
      capacity: () => Promise.resolve({ memory_bytes, disk_bytes: null }),
    })({ path }, OPTIONS);
  const refused = await imports(4 * GB);
  assert.match(
    refused.ok ? "" : refused.problem,
    /^feed: needs about \d+(\.\d+)? GB of memory, and this machine has 4 GB: import it on a larger one$/,
  );
  assert.equal(faults, 0);
  assert.equal((await imports(null)).ok, false);
  assert.equal(faults, 1, "one that is let through reaches the thread, which is none here");
});

test("an import that is stopped while it waits for others is a problem, and starts no thread", async () => {
  const path = await archiveOf({ "stops.txt": 5, "stop_times.txt": 5 });
  const lanes = new Lanes({ most: 1, memory_bytes: 1 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = lanes.run(1, () => held);
  const stop = new AbortController();
  let faults = 0;
  const load = threadImport({ worker_url, onFault: () => void faults++, lanes });
  const second = load({ path }, { ...OPTIONS, signal: stop.signal });
  setTimeout(() => stop.abort(), 20);
  assert.deepEqual(await second, { ok: false, problem: "the import was stopped" });
  assert.equal(faults, 0);
  release();
  await first;
});

test("what goes wrong while it waits is not taken for a stop", async () => {
  const path = await archiveOf({ "stops.txt": 5, "stop_times.txt": 5 });
  const lanes = { run: () => Promise.reject(new TypeError("planted")) } as unknown as Lanes;
  const load = threadImport({ worker_url, onFault: noFault, lanes });
  await assert.rejects(load({ path }, OPTIONS), { message: "planted" });
});
