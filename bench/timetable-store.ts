/**
 * `npm run bench -- timetable-store [--rounds N]`: storing and reading back timetables, by the thread that
 * the service has for it and on the serving thread, in turn; and how long the event loop was held up
 * meanwhile. The packs are those of the simulator's cities, repeated to the size of larger feeds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "../trials/arguments.ts";
import { toShared } from "#kit/shared-bytes.ts";
import type { TransitStore } from "#ports/transit.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { createEmbeddedTransitStore, createTransitWorker } from "#storage/embedded/transit.ts";
import { createTransitStore } from "#storage/embedded/transit-store.ts";
import { importGtfs } from "#transit/index.ts";
import { startSandbox } from "../sandbox/main.ts";
import { noFault } from "../test/support/faults.ts";

const { rounds } = readArguments(process.argv.slice(2), { rounds: 3 });

const MB = 1024 * 1024;
const SIZES_MB = [1, 8, 32, 64];
/** The monitor counts in steps of this, which are part of every delay. */
const STEP_MS = 1;
const NOW_MS = Date.UTC(2026, 10, 25, 11);

type Times = { put_ms: number; read_ms: number; held_up_ms: number };

const folder = mkdtempSync(join(tmpdir(), "vicinity-bench-"));
const path = join(folder, "vicinity.db");
const database = openDatabase(path);
const threaded = createEmbeddedTransitStore(database, createTransitWorker(path, noFault));
const stores = { here: createTransitStore(database), thread: threaded };

try {
  const packs = await importCities();
  await measure(stores.thread, packs[0]!);
  console.log("| pack | on the serving thread: store, read, held up | in a thread | (ms)");
  console.log("|---|---|---|");
  for (const size of SIZES_MB) {
    const pack = repeat(packs, size * MB);
    const times: Record<keyof typeof stores, Times[]> = { here: [], thread: [] };
    for (let round = 0; round < rounds; round++)
      for (const way of ["here", "thread"] as const)
        times[way].push(await measure(stores[way], pack));
    console.log(`| ${size} MB | ${show(times.here)} | ${show(times.thread)} |`);
  }
} finally {
  await threaded.close();
  database.close();
  rmSync(folder, { recursive: true });
}

async function importCities(): Promise<Uint8Array[]> {
  const sandbox = await startSandbox({ seed: 1, port: 0, now: () => NOW_MS });
  const packs: Uint8Array[] = [];
  for (const { id, url } of sandbox.gtfsFeeds()) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const read = await importGtfs({ bytes }, { feed_id: id, region: null, now_ms: NOW_MS });
    if (!read.ok) throw new Error(read.problem);
    packs.push(read.pack);
  }
  await sandbox.close();
  return packs;
}

/** In shared memory, as an import leaves it. */
function repeat(packs: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0, at = 0; at < length; i++) {
    const pack = packs[i % packs.length]!;
    bytes.set(pack.subarray(0, length - at), at);
    at += pack.length;
  }
  return toShared(bytes);
}

async function measure(store: TransitStore, pack: Uint8Array): Promise<Times> {
  const delay = monitorEventLoopDelay({ resolution: STEP_MS });
  delay.enable();
  // The monitor measures from one of its steps to the next.
  await sleep(20);
  const put_ms = await time(async () =>
    store.putFeed("feed", pack, { imported_at_ms: NOW_MS, etag: null, last_modified: null }),
  );
  await sleep(20);
  const read_ms = await time(async () => {
    const read = await store.readFeed("feed");
    if (read?.length !== pack.length) throw new Error("another feed was read");
  });
  await sleep(20);
  delay.disable();
  return { put_ms, read_ms, held_up_ms: delay.max / 1e6 - STEP_MS };
}

async function time(task: () => Promise<void>): Promise<number> {
  const begun_ms = performance.now();
  await task();
  return performance.now() - begun_ms;
}

/** Medians of the rounds. */
function show(times: readonly Times[]): string {
  const parts = (["put_ms", "read_ms", "held_up_ms"] as const).map((part) => {
    const sorted = times.map((each) => each[part]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)]!.toFixed(1);
  });
  return parts.join(", ");
}
