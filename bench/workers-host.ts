/**
 * A process of the benchmark `workers`: a generated world in the main thread, and threads that serve it, as
 * many as its arguments say. Driven by messages: each is answered with where it listens and what is resident.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Shown } from "#app/threads/publication.ts";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { setHeapGrowth } from "#process/heap.ts";
import { ThreadGroup } from "#process/thread-group.ts";
import { openStorage } from "#storage/open-storage.ts";
import { createSharedTables } from "#storage/threads/shared-tables.ts";
import { WorldGiver } from "#world/handed-world.ts";
import { createWorld } from "#world/world.ts";
import {
  type ServingTask,
  THREAD_CALLS,
  type ThreadCalls,
  type Notice,
} from "../src/main/threads/serving-task.ts";
import { benchSeeds, benchShard, benchSystem } from "./world.ts";

/** `cpu_ms`: processor time of the process so far. */
export type HostState = { port: number; rss: number; entities: number; cpu_ms: number };

setHeapGrowth();
const [entities, count, port] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const data_dir = mkdtempSync(join(tmpdir(), "bench-workers-"));
const env = readEnv({
  PORT: String(port),
  LOG_LEVEL: "silent",
  VICINITY_DATA_DIR: data_dir,
  VICINITY_ENFORCE_LIMITS: "0",
});
if (!env.ok) throw new Error(env.message);
const loaded = loadConfig({ mode: "sandbox", env: env.value });
if (!loaded.ok) throw new Error(loaded.message);
const { sources } = loaded.value;
const off = <S extends { enabled: boolean }>(source: S): S => ({ ...source, enabled: false });
const config = {
  ...loaded.value,
  sources: { ...sources, openbase: off(sources.openbase), gtfs: off(sources.gtfs), registers: [] },
};
const storage = openStorage({ data_dir, mode: "sandbox" });
if ("problem" in storage) throw new Error(storage.problem);
const world = createWorld();
let count_of_entities = 0;
for (const seed of benchSeeds(entities)) {
  const system = benchSystem(seed);
  count_of_entities += system.stations.length + system.vehicles.length;
  world.register({ source_id: system.id, country: "FR" });
  // Without a pause, nothing waits.
  await world.put({ ...benchShard(system, Date.now()), source_id: system.id });
}
const giver = new WorldGiver(world);
const report = (url: string, collects = false): void => {
  if (collects) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const state: HostState = {
    port: Number(new URL(url).port),
    rss: process.memoryUsage.rss(),
    entities: count_of_entities,
    cpu_ms: (user + system) / 1000,
  };
  process.send!(state);
};
const group = new ThreadGroup<Notice, ThreadCalls>({
  count,
  worker_url: new URL("../src/main/workers/serve.ts", import.meta.url),
  names: THREAD_CALLS,
  makeTask: (thread, url): ServingTask => ({
    ...{ thread, config, version: "bench", commit: null },
    env: { ...env.value, port: url === null ? port : Number(new URL(url).port) },
    tables,
    secret: storage.datasets.secret,
    ...{ sandbox: null, keys: [], ahead_ms: 0 },
  }),
  makeFirst: (): Shown => ({ kind: "shown", change: giver.all(), systems: [], catalogues: [] }),
  functions: () => ({ wake: () => undefined, refresh: () => ({ status: "ok", cache: "miss" }) }),
  onDied: () => undefined,
  clock: { now: Date.now },
  log: { error: () => undefined, info: () => undefined },
  onFault: (_, error) => {
    throw error;
  },
});
const tables = createSharedTables(Math.max(1, count));
const started = count === 0 ? { url: "http://none:1/" } : await group.start();
if ("problem" in started) throw new Error(started.problem);
process.on("message", (what) => report(started.url, what === "collect"));
report(started.url);
