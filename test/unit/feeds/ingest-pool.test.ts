/** Parsing outside the event loop: the same results, and a thread that dies costs one job. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ingest } from "#stations/gbfs/gbfs-ingest.ts";
import type { IngestJob } from "#stations/feed.ts";
import { IngestPool, type IngestPoolOptions } from "#upstream/feeds/ingest-pool.ts";
import { HANG_MS } from "../../support/size.ts";
import { ingestJobOf as jobOf } from "./jobs.ts";

const WORKER = new URL("../../../src/main/workers/ingest.ts", import.meta.url);
const HOSTILE = new URL("./workers/hostile.ts", import.meta.url);

/** What the pools of these tests reported, the newest last. */
const faults: { part: string; error: unknown }[] = [];

function poolOf(t: TestContext, options: Partial<IngestPoolOptions> = {}): IngestPool {
  const pool = new IngestPool({
    inline: ingest,
    onFault: (part, error) => faults.push({ part, error }),
    worker_url: WORKER,
    inline_below_bytes: 0,
    ...options,
  });
  t.after(() => pool.close());
  return pool;
}

test("a worker's result equals the one made here", async (t) => {
  const pool = poolOf(t);
  const expected = ingest(jobOf());
  const result = await pool.ingest(jobOf());
  assert.deepEqual(result.files, expected.files);
  assert.deepEqual(result.system, expected.system);
  assert.deepEqual(result.alerts, expected.alerts);
  assert.deepEqual(result.zones, expected.zones);
  for (const pack of ["statics", "status", "vehicles"] as const) {
    assert.ok(result[pack] instanceof SharedArrayBuffer, pack);
    assert.deepEqual(new Uint8Array(result[pack]), new Uint8Array(expected[pack]!), pack);
  }
  const again = await pool.ingest({ ...liveOnly(), statics: result.statics });
  assert.deepEqual(new Uint8Array(again.status!), new Uint8Array(expected.status!));
});

test("bodies that own their memory move; views of something bigger are copied", async (t) => {
  const pool = poolOf(t);
  const job = jobOf();
  const owned = job.bodies.station_status!.bytes;
  const shared = Buffer.from(`  ${new TextDecoder().decode(owned)}`).subarray(2);
  job.bodies.vehicle_types!.bytes = shared.subarray(0);
  await pool.ingest(job);
  assert.equal(owned.byteLength, 0, "moved");
  assert.ok(shared.byteLength > 0, "copied");
});

test("small jobs run here, and a throw of theirs is a value", async (t) => {
  let here = 0;
  const inline = (job: IngestJob): ReturnType<typeof ingest> => {
    here++;
    if (job.system_id === "throw") throw new Error("planted");
    return ingest(job);
  };
  const pool = poolOf(t, { inline, inline_below_bytes: 1_000_000, worker_url: HOSTILE });
  assert.ok((await pool.ingest(jobOf())).statics);
  const failed = await pool.ingest(jobOf({ system_id: "throw" }));
  assert.equal(here, 2);
  assert.deepEqual(failed.files.station_status, { ok: false, reason: "defect" });
  const { part, error } = faults.at(-1)!;
  assert.match(
    `${part}: ${(error as Error).stack}`,
    /^feed reader: Error: planted\n\s+at Object.inline/,
  );
  assert.equal(failed.statics, null);
});

for (const act of ["throw", "exit", "hang", "hoard"])
  test(`a thread that dies (${act}) costs its own job and is replaced`, async (t) => {
    // Only what hangs waits for it; on a busy machine the start of a thread alone takes seconds.
    const job_timeout_ms = act === "hang" ? 4_000 : HANG_MS;
    const pool = poolOf(t, { worker_url: HOSTILE, max_heap_mb: 32, job_timeout_ms });
    if (act === "hang") t.diagnostic("waits for the job's own deadline");
    const [before, failed, after] = await Promise.all([
      pool.ingest(jobOf()),
      pool.ingest(jobOf({ system_id: act })),
      pool.ingest(jobOf()),
    ]);
    assert.ok(before.statics);
    const reports = Object.values(failed.files);
    assert.equal(reports.length, 7);
    for (const report of reports) assert.deepEqual(report, { ok: false, reason: "worker_failed" });
    assert.ok(after.statics, "served by the next thread");
  });

test("jobs wait in line when too many bytes are in flight; one too big runs alone", async (t) => {
  const max_bytes = 1;
  const pool = poolOf(t, { workers: 3, max_bytes });
  const order: number[] = [];
  const jobs = [0, 1, 2, 3].map(async (n) => {
    const result = await pool.ingest(jobOf());
    order.push(n);
    assert.ok(result.statics);
  });
  await Promise.all(jobs);
  assert.deepEqual(order, [0, 1, 2, 3]);
});

test("closing ends the waiting jobs with a value", async (t) => {
  const pool = poolOf(t);
  const jobs = [pool.ingest(jobOf()), pool.ingest(jobOf())];
  await pool.close();
  for (const result of await Promise.all(jobs)) assert.equal(result.statics, null);
  assert.equal((await pool.ingest(jobOf())).statics, null);
});

function liveOnly(): IngestJob {
  const job = jobOf();
  const { station_status, vehicle_status } = job.bodies;
  return { ...job, bodies: { station_status: station_status!, vehicle_status: vehicle_status! } };
}
