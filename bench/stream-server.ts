/**
 * The measured process of the benchmark of the stream: the production server over a generated world,
 * into which a thread publishes files. A child process driven by messages.
 */
import { mkdtempSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { createBrands } from "#app/legacy/legacy-brands.ts";
import { createLegacyVehicles } from "#app/legacy/legacy-vehicles.ts";
import { LiveHub } from "#app/live/live-hub.ts";
import { liveBoundsOf } from "#app/live/live-places.ts";
import { createLiveWorld } from "#app/live/live-world.ts";
import { createNearby } from "#app/nearby.ts";
import { createFindPlaceById } from "#app/nearby-one.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { createSearches } from "#app/places/searches.ts";
import { createOnFoot } from "#app/walk/on-foot.ts";
import { Meter } from "#app/access/meter.ts";
import { SANDBOX_DEPLOYMENT } from "#api/deployment.ts";
import { ANONYMOUS_PLAN, SHIPPED_PLANS } from "#config/plan-settings.ts";
import { createDrainState } from "#http/drain.ts";
import type { Gate } from "#http/gate.ts";
import { createMetrics } from "#http/metrics.ts";
import { buildServer } from "#http/server.ts";
import { createLog } from "#observe/log.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { Feeds } from "#ports.ts";
import { createClock } from "#process/clock.ts";
import { setHeapGrowth } from "#process/heap.ts";
import { openStatus, openVehicles } from "#stations/index.ts";
import { shardBox } from "#stations/shards.ts";
import { openStorage } from "#storage/open-storage.ts";
import { createWalks } from "#upstream/bases/walks.ts";
import { createWorld } from "#world/world.ts";
import { openCapabilities } from "../src/main/capabilities/open-capabilities.ts";
import { DEFAULT_DEADLINES_MS } from "../test/support/deadlines.ts";
import { NO_INTERESTS } from "../test/support/searches.ts";
import type { PublisherData } from "./stream-publisher.ts";
import { type StreamCity, type StreamFile, streamSystem } from "./stream-world.ts";
import { benchShard } from "./world.ts";

export type StreamCommand = { kind: "publish" } | { kind: "reset" } | { kind: "read" | "heap" };
export type StreamStarted = { port: number; cities: StreamCity[] };
/** Since the last `reset`; `heap`: bytes in use outside of packs, once garbage has been collected; of `heap` alone. */
export type StreamReading = {
  heap?: number;
  wall_s: number;
  /** Of the thread that serves. */
  thread_s: number;
  utilization: number;
  files: number;
};

setHeapGrowth();
const [systems, cities, entities, per_second, changed] = process.argv.slice(2, 7).map(Number) as [
  ...[number, number, number, number, number],
];
const sizes = { systems, cities, entities };
const clock = createClock();
const world = createWorld();
const centres = new Map<number, StreamCity>();
const statics: SharedArrayBuffer[] = [];
for (let seed = 0; seed < systems; seed++) {
  const system = streamSystem(seed, sizes);
  centres.set(seed % cities, { lat: system.lat, lon: system.lon });
  world.register({ source_id: system.id, country: null });
  const shard = benchShard(system, Date.now());
  statics.push(shard.statics.buffer);
  void world.put(shard);
}

const feeds: Feeds = {
  wake: () => {},
  refresh: () => Promise.resolve({ status: "ok", cache: "miss" }),
  health: () => ({
    ...{ status: "ok", reason: null },
    ...{ last_success_at_ms: Date.now(), last_attempt_at_ms: Date.now() },
  }),
  prioritise: () => {},
};
const live = new LiveHub({
  clock,
  random: Math.random,
  world: createLiveWorld({ world, feeds, clock, countries: () => Promise.resolve(() => []) }),
  turn: createTurn({}),
  // Callers without a key get half of it.
  bounds: { ...liveBoundsOf(false), streams_max: 20_000 },
  onFault: (error) => {
    throw error;
  },
});
const { server } = openServer();
await new Promise<void>((resolve) => void server.listen({ host: "127.0.0.1", port: 0 }, resolve));

let files = 0;
let begun_ms = performance.now();
let thread = process.threadCpuUsage();
let loop: EventLoopUtilization = performance.eventLoopUtilization();

process.on("message", (command: StreamCommand) => {
  void handle(command).then((answer) => process.send!(answer));
});
// The parent process is gone.
process.once("disconnect", () => process.exit());
process.send!({
  port: (server.address() as AddressInfo).port,
  cities: [...centres.values()],
} satisfies StreamStarted);

async function handle({ kind }: StreamCommand): Promise<StreamReading> {
  if (kind === "publish") await publish();
  if (kind === "reset") {
    files = 0;
    begun_ms = performance.now();
    thread = process.threadCpuUsage();
    loop = performance.eventLoopUtilization();
  }
  const used = process.threadCpuUsage(thread);
  const reading = {
    wall_s: (performance.now() - begun_ms) / 1_000,
    thread_s: (used.user + used.system) / 1e6,
    utilization: performance.eventLoopUtilization(loop).utilization,
    files,
  };
  return kind === "heap" ? { ...reading, heap: await heapInUse() } : reading;
}

/** The least of some readings, since files go on being published between them. */
async function heapInUse(): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < 5; n++) {
    globalThis.gc?.();
    await new Promise((resolve) => void setTimeout(resolve, 50));
    globalThis.gc?.();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    least = Math.min(least, heapUsed + external - arrayBuffers);
  }
  return least;
}

/** Files are read on a thread of their own, as those of the service are. */
async function publish(): Promise<void> {
  const data: PublisherData = { ...sizes, statics, changed, per_second };
  const worker = new Worker(new URL("stream-publisher.ts", import.meta.url), { workerData: data });
  worker.on("message", (file: StreamFile) => take(file));
  worker.on("error", (error) => {
    throw error;
  });
  await once(worker, "online");
}

function take({ seed, kind, buffer, published_ms }: StreamFile): void {
  files++;
  const shard = world.find(`bench_${seed}`)!.shard!;
  const read = { validated_at_ms: published_ms, doc_s: published_ms / 1_000, ttl_s: 60 };
  const next =
    kind === "status"
      ? { ...shard, status: { data: openStatus(buffer), live: read } }
      : { ...shard, vehicles: { data: openVehicles(buffer), live: read } };
  void world.put({ ...next, box: shardBox(next.statics, next.vehicles?.data ?? null) });
  live.noteShown(shard.source_id);
}

function openServer(): ReturnType<typeof buildServer> {
  const { log } = createLog({ level: "info", dest: "/dev/null" });
  const folder = mkdtempSync(join(tmpdir(), "vicinity-bench-"));
  const storage = openStorage({ data_dir: folder, mode: "live" });
  if ("problem" in storage) throw new Error(storage.problem);
  const countries = (): Promise<() => string[]> => Promise.resolve(() => []);
  const timezones = (): Promise<() => string> => Promise.resolve(() => "Etc/UTC");
  const openStates = createOpenStates({ countries, timezones });
  const nearby = createNearby({
    ...{ world, feeds, clock, countries, openStates },
    findRetained: null,
    findLines: () => null,
  });
  const renderNearby = createRenderNearby();
  const unavailable = () =>
    Promise.resolve({
      ...({ kind: "failed", code: "provider_unavailable" } as const),
      ...{ message: "no source is configured", retry_after_s: null },
    });
  const open_terms = { licence: null, attribution: null, store: "all" } as const;
  const capabilities = openCapabilities({
    config: {
      datasets: { anonymous_min: 60, anonymous_h: 24, keyed_h: 720, anonymous_mb: 2_048 },
      ...{ plans: {}, enforce_limits: false },
    },
    ...{ nearby, renderNearby, claims: null, clock, log, datasets: storage.datasets },
    termsOf: () => ({ provider: "gbfs", ...open_terms }),
  });
  const brands = createBrands(() => [], Date.now);
  const deployment = SANDBOX_DEPLOYMENT;
  const searches = {
    ...{
      finders: [],
      interests: NO_INTERESTS,
      transit: [],
      departures: [],
      timezones,
      clock,
      countries,
      openStates,
    },
    ...{ maps: deployment.maps, ask: null },
  };
  return buildServer(
    {
      ...{ clock, log, metrics: createMetrics(), mode: "live", drain: createDrainState() },
      ...{ nearby, renderNearby, capabilities, deployment, changelog: null, live },
      legacy: {
        vehicles: createLegacyVehicles({ world, feeds, clock, countries, brands }),
        water: unavailable,
      },
      searches: createSearches(searches),
      findPlace: createFindPlaceById({ world, nearby, renderNearby }),
      readPlaceHistory: () => null,
      onFoot: createOnFoot({
        clock,
        walks: createWalks({ list: () => [], listUnread: () => [] }),
        held: [],
      }),
      sources: () => [],
      history: { addTo: () => [] },
      readQuality: () => null,
      gate: createFreeGate(),
      profile: () => {
        throw new Error("there are no accounts here");
      },
      mcp: () => Promise.resolve({ status: 202, type: "json" as const, body: "" }),
      weather: { weather: unavailable, forecast: unavailable },
    },
    {
      deadlines_ms: DEFAULT_DEADLINES_MS,
      trusted_proxies: [],
      token_sunset: null,
      connections: {
        max_connections: 20_000,
        max_connections_per_address: null,
        write_timeout_ms: 15_000,
      },
      ...{ drain_delay_ms: 5_000, mcp: { hosts: [], origins: [], tools: "whole" } },
      ...{ version: "bench", service: "vicinity" },
    },
  );
}

/** A gate that asks nothing; its replies leave in batches, as those of the real one. */
function createFreeGate(): Gate {
  const plan = SHIPPED_PLANS.find(({ name }) => name === ANONYMOUS_PLAN)!;
  const address = { narrow: "127.0.0.1/32", wide: "127.0.0.0/24" };
  const entry = { ok: true, caller: { kind: "anonymous", plan, address } } as const;
  const usage = { record: () => true };
  const meter = new Meter({ usage, newEventId: randomUUID, defer: setImmediate });
  const charge = (): Promise<boolean> => meter.record(entry.caller, "none", 0, 0);
  return {
    enter: () => entry,
    review: () => entry,
    renew: () => Promise.resolve(null),
    permit: () => null,
    charge: async () => ((await charge()) ? null : { code: "store_unavailable", message: "" }),
    release: async (_exchange, _priced, { send }) => {
      await charge();
      send();
    },
  };
}
