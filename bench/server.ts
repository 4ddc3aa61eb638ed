/**
 * The measured process: the production server over a generated world, its feeds refreshed through
 * the production client, parsing thread and world; and, in the same process, the floor: a bare
 * node:http server that sends prepared bytes. A child process driven by messages.
 */
import { createServer, type Server } from "node:http";
import { mkdtempSync } from "node:fs";
import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createBrands } from "#app/legacy/legacy-brands.ts";
import { createLegacyVehicles } from "#app/legacy/legacy-vehicles.ts";
import { createNearby } from "#app/nearby.ts";
import { createFindPlaceById } from "#app/nearby-one.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { createSearches } from "#app/places/searches.ts";
import { createOnFoot } from "#app/walk/on-foot.ts";
import { createWalks } from "#upstream/bases/walks.ts";
import { SANDBOX_DEPLOYMENT } from "#api/deployment.ts";
import type { Feeds } from "#ports.ts";
import { createClock } from "#process/clock.ts";
import { isOk } from "#kit/outcome.ts";
import { gbfsProtocol, openStatus, openVehicles } from "#stations/index.ts";
import { type GroupResolver, resolveGroup } from "#stations/resolution.ts";
import { shardBox } from "#stations/shards.ts";
import { ANONYMOUS_PLAN, type Plans, SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES } from "#core/keys/scopes.ts";
import type { Plan } from "#core/plans.ts";
import { createDrainState } from "#http/drain.ts";
import { Meter } from "#app/access/meter.ts";
import type { Gate } from "#http/gate.ts";
import { createMetrics } from "#http/metrics.ts";
import { buildServer } from "#http/server.ts";
import { Shedder } from "#http/shedding.ts";
import { createEgress } from "#upstream/egress.ts";
import { IngestPool } from "#upstream/feeds/ingest-pool.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createRun } from "#upstream/run.ts";
import { collectHits } from "#world/collect-hits.ts";
import { createHits } from "#world/nearby-hits.ts";
import { createIdentity } from "#world/identity/world-identity.ts";
import { stationCodec } from "#storage/station-ids-store.ts";
import { createWorld } from "#world/world.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { openStorage } from "#storage/open-storage.ts";
import { openAccess } from "../src/main/access/open-access.ts";
import { openCapabilities } from "../src/main/capabilities/open-capabilities.ts";
import { setHeapGrowth } from "#process/heap.ts";
import { createLog } from "#observe/log.ts";
import { observeCollections } from "./collections.ts";
import { benchSeeds, benchShard, benchSystem, benchTwin, createRng } from "./world.ts";
import { DEFAULT_DEADLINES_MS } from "../test/support/deadlines.ts";
import { NO_INTERESTS } from "../test/support/searches.ts";
import { noFault } from "../test/support/faults.ts";

export type Command =
  | { kind: "points"; band: Band; count: number }
  | { kind: "refresh"; per_second: number }
  | { kind: "reset" }
  | { kind: "read"; collect?: boolean }
  | { kind: "floor"; paths: string[] }
  | { kind: "keys"; count: number }
  | { kind: "shed" };
/** `20_of_many`: at most 20 are asked for where there are 90 or more. */
export type Band = "none" | "about_20" | "about_100" | "20_of_many";

setHeapGrowth();
const [entities, hostPort] = process.argv.slice(2, 4).map(Number) as [number, number];
/** Every station has a second source, and identity is resolved. */
const doubled = process.argv.includes("doubled");
/** `port=NUMBER`: listened at together with other processes; the kernel divides the connections. */
const sharedPort = Number(process.argv.find((arg) => arg.startsWith("port="))?.slice(5) ?? 0);
/** Rates and quotas are enforced, on plans that no caller exhausts here: the client is one address. */
const enforced = process.argv.includes("enforced");
const seeds = benchSeeds(entities);
const bridges = {
  prepare: async () => {},
  meet: () => new Map(),
  listIds: () => new Map(),
  recall: () => null,
  save() {},
};
const overrides = { always: [], never: [] };
const resolveHere: GroupResolver = (job) => resolveGroup(job, stationCodec);
const world = createWorld(
  doubled ? createIdentity({ bridges, overrides, now: Date.now, resolve: resolveHere }) : null,
);
const centres: { lat: number; lon: number }[] = [];
const before = process.memoryUsage.rss();
for (const seed of seeds) {
  const system = benchSystem(seed);
  world.register({ source_id: system.id, country: null });
  void world.put(benchShard(system, Date.now()));
  if (doubled) {
    const twin = benchTwin(system);
    world.register({ source_id: twin.id, country: null });
    void world.put(benchShard(twin, Date.now()));
  }
  centres.push({ lat: system.lat, lon: system.lon });
}
const clock = createClock();
const feeds: Feeds = {
  wake: () => {},
  refresh: () => Promise.resolve({ status: "ok", cache: "miss" }),
  health: () => ({
    status: "ok",
    reason: null,
    last_success_at_ms: null,
    last_attempt_at_ms: null,
  }),
  prioritise: () => {},
};
const SERVER = { trusted_proxies: [] };
const CONNECTIONS = {
  max_connections: 10_000,
  max_connections_per_address: null,
  write_timeout_ms: 15_000,
};
const { log } = createLog({ level: "info", dest: "/dev/null" });
const metrics = createMetrics();
const shedder = new Shedder({ inflight: metrics.inflight });
const plans: Plans = Object.fromEntries(SHIPPED_PLANS.map((row) => [row.name, toBenchPlan(row)]));
const folder = mkdtempSync(join(tmpdir(), "vicinity-bench-"));
const storage = openStorage({ data_dir: folder, mode: "live" });
if ("problem" in storage) throw new Error(storage.problem);
const access = openAccess({
  config: {
    mode: "live",
    plans,
    keys: { grace_s: 3_600 },
    server: SERVER,
    enforce_limits: enforced,
  },
  storage,
  clock,
  log,
  onFault: noFault,
  shedder,
});
const deployment = SANDBOX_DEPLOYMENT;
const countries = (): Promise<() => string[]> => Promise.resolve(() => []);
const OPEN_TERMS = { licence: null, attribution: null, store: "all" } as const;
const { datasets } = storage;
const unavailable = () =>
  Promise.resolve({
    kind: "failed",
    code: "provider_unavailable",
    message: "no source is configured",
    retry_after_s: null,
  } as const);
const NO_PAGES = { mcp: { hosts: [], origins: [], tools: "whole" } } as const;
const NAMES = { version: "bench", service: "vicinity" };
const app = openApp(access.gate);
await listenAt(app.server, { port: sharedPort, reusePort: sharedPort > 0 });
/** The same once more, behind a gate that asks nothing and records nothing. */
const freeApp = openApp(createFreeGate(plans[ANONYMOUS_PLAN]!));
await listenAt(freeApp.server, { port: 0 });
function openApp(gate: Gate): ReturnType<typeof buildServer> {
  const timezones = (): Promise<() => string> => Promise.resolve(() => "Etc/UTC");
  const openStates = createOpenStates({ countries, timezones });
  const nearby = createNearby({
    world,
    feeds,
    clock,
    countries,
    findRetained: null,
    openStates,
    findLines: () => null,
  });
  const renderNearby = createRenderNearby();
  const capabilities = openCapabilities({
    config: {
      datasets: { anonymous_min: 60, anonymous_h: 24, keyed_h: 720, anonymous_mb: 2_048 },
      plans: {},
      enforce_limits: true,
    },
    nearby,
    renderNearby,
    claims: null,
    clock,
    log,
    datasets,
    termsOf: () => ({ provider: "gbfs", ...OPEN_TERMS }),
  });
  const brands = createBrands(() => [], Date.now);
  const vehicles = createLegacyVehicles({ world, feeds, clock, countries, brands });
  const { maps } = deployment;
  const searches = {
    finders: [],
    interests: NO_INTERESTS,
    transit: [],
    departures: [],
    timezones: () => Promise.resolve(() => "Europe/Paris"),
    clock,
    countries,
    openStates,
    maps,
    ask: null,
  };
  return buildServer(
    {
      clock,
      log,
      metrics,
      mode: "live",
      drain: createDrainState(),
      nearby,
      renderNearby,
      findPlace: createFindPlaceById({ world, nearby, renderNearby }),
      readPlaceHistory: () => null,
      capabilities,
      legacy: { vehicles, water: unavailable },
      searches: createSearches(searches),
      onFoot: createOnFoot({
        clock,
        walks: createWalks({ list: () => [], listUnread: () => [] }),
        held: [],
      }),
      sources: () => [],
      history: { addTo: () => [] },
      readQuality: () => null,
      gate,
      profile: access.profile,
      deployment,
      changelog: null,
      mcp: () => Promise.resolve({ status: 202, type: "json" as const, body: "" }),
      weather: { weather: unavailable, forecast: unavailable },
    },
    {
      deadlines_ms: DEFAULT_DEADLINES_MS,
      trusted_proxies: [],
      token_sunset: null,
      connections: CONNECTIONS,
      drain_delay_ms: 5_000,
      ...NAMES,
      ...NO_PAGES,
    },
  );
}

function listenAt(server: Server, at: { port: number; reusePort?: boolean }): Promise<void> {
  return new Promise((resolve) => void server.listen({ host: "127.0.0.1", ...at }, resolve));
}

/** Every check is made and every field is reported, and no caller reaches a limit. */
function toBenchPlan(plan: Plan): Plan {
  if (!enforced || plan.rate_per_s === null) return plan;
  return { ...plan, rate_per_s: 1e6, burst: 1e6, units: 1e9, hard: true, nearby_limit_max: 100 };
}

/** Its replies leave in batches, as those of the real one. */
function createFreeGate(plan: Plan): Gate {
  const address = { narrow: "127.0.0.1/32", wide: "127.0.0.0/24" };
  const entry = { ok: true, caller: { kind: "anonymous", plan, address } } as const;
  const usage = { record: () => true };
  const meter = new Meter({ usage, newEventId: randomUUID, defer: setImmediate });
  const charge = (): Promise<boolean> => meter.record(entry.caller, "none", 0, 0);
  return {
    enter: () => entry,
    permit: () => null,
    review: () => entry,
    renew: () => Promise.resolve(null),
    charge: async () => ((await charge()) ? null : { code: "store_unavailable", message: "" }),
    release: async (_exchange, _priced, { send }) => {
      await charge();
      send();
    },
  };
}

/** Each of an account of its own. */
function issueKeys(count: number): string[] {
  if ("problem" in storage) return [];
  const { accounts } = storage;
  return Array.from({ length: count }, (_, i) => {
    const issue = { now_ms: Date.now(), draw: randomBytes, prefix: KEY_PREFIXES.live };
    const account = newAccount({ name: `bench ${i}`, plan: "developer" }, issue);
    const terms = { account_id: account.id, name: null, expires_at_ms: null };
    const made = newKey({ ...terms, scopes: DEFAULT_SCOPES }, issue);
    accounts.createAccount(account);
    accounts.createKey(made.record);
    return made.key;
  });
}

let floorHead: string[] = [];
let floorBody: Buffer = Buffer.alloc(0);
const floor = createServer((_request, response) => {
  response.writeHead(200, floorHead);
  response.end(floorBody);
});
await listenAt(floor, { port: 0 });

const egress = createEgress({ allow_private: true });
const run = createRun({
  client: createHttpClient({ egress, user_agent: "bench" }),
  onFault: noFault,
  clock,
});
const pool = new IngestPool({
  inline: gbfsProtocol.ingest,
  onFault: noFault,
  worker_url: new URL("../src/main/workers/ingest.ts", import.meta.url),
});
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const collections = observeCollections();
const ingest = { feeds: 0, failed: 0 };
let timer: NodeJS.Timeout | undefined;
let turn = 0;
let cpu = process.cpuUsage();
let thread = process.threadCpuUsage();

/** One feed: fetch, parse in the thread, swap. Status and vehicles in turn, as two files. */
async function refreshOne(): Promise<void> {
  const n = turn++;
  // A stride through all systems, so that every size has its share.
  const seed = seeds[(Math.floor(n / 2) * 7919) % seeds.length]!;
  const file = n % 2 === 0 ? "station_status" : "vehicle_status";
  const url = `http://127.0.0.1:${hostPort}/${seed}/${file}.json`;
  const outcome = await run({ url, timeout_ms: 5000 }, {});
  if (!isOk(outcome) || outcome.value.kind !== "body") return void ingest.failed++;
  const entry = world.find(`bench_${seed}`)!;
  const shard = entry.shard!;
  const now_ms = Date.now();
  const result = await pool.ingest({
    protocol: "gbfs",
    url,
    system_id: shard.source_id,
    mode_hint: null,
    name: null,
    network: null,
    has_vehicle_feed: true,
    now_ms,
    bodies: { [file]: { bytes: outcome.value.body, fetched_at_ms: now_ms } },
    statics: shard.statics.buffer,
  });
  const report = result.files[file];
  if (!report?.ok) return void ingest.failed++;
  const live = { validated_at_ms: now_ms, doc_s: now_ms / 1000, ttl_s: 60 };
  const next = { ...entry.shard! };
  if (result.status) next.status = { data: openStatus(result.status), live };
  if (result.vehicles) next.vehicles = { data: openVehicles(result.vehicles), live };
  void world.put({ ...next, box: shardBox(next.statics, next.vehicles?.data ?? null) });
  ingest.feeds++;
}

/** The snapshots of the world must not grow old while a long run measures. */
function keepYoung(): void {
  const now_ms = Date.now();
  for (const { shard } of world.list()) {
    for (const part of [shard?.status, shard?.vehicles]) {
      if (part?.live) Object.assign(part.live, { validated_at_ms: now_ms, doc_s: now_ms / 1000 });
    }
  }
}
setInterval(keepYoung, 20_000).unref();

process.on("message", (command: Command) => {
  void handle(command).then((answer) => process.send!(answer));
});

async function handle(command: Command): Promise<unknown> {
  switch (command.kind) {
    case "points":
      return pointsOf(command.band, command.count);
    case "refresh":
      clearInterval(timer);
      if (command.per_second > 0)
        timer = setInterval(() => void refreshOne(), 1000 / command.per_second);
      return null;
    case "reset":
      delay.reset();
      Object.assign(ingest, { feeds: 0, failed: 0 });
      collections.reset();
      cpu = process.cpuUsage();
      thread = process.threadCpuUsage();
      return null;
    case "read":
      return readings(command.collect ?? true);
    case "floor":
      return await prepareFloor(command.paths);
    case "keys":
      return issueKeys(command.count);
    case "shed":
      return shedder.state().shed;
  }
}

/** Different points every one, whose circles hold what the band says. */
function pointsOf(band: Band, count: number): string[] {
  const rng = createRng(band.length * 1000 + entities);
  const hits = createHits();
  const paths: string[] = [];
  const reach = isDense(band) ? 0.006 : 0.04;
  const wish = band === "20_of_many" ? "&limit=20" : "";
  for (let tries = 0; paths.length < count && tries < count * 400; tries++) {
    const near = centres[Math.floor(rng() * centres.length)]!;
    const lat = band === "none" ? rng() * 160 - 80 : near.lat + (rng() - 0.5) * reach;
    const lon = band === "none" ? rng() * 359 - 179.5 : near.lon + (rng() - 0.5) * reach;
    if (Math.abs(lon) >= 180) continue;
    const systems: SystemEntry[] = [];
    const circle = { lat, lon, radius_m: 400 };
    world.covering(circle, systems);
    collectHits(hits, systems, {
      circle,
      modes: 15,
      stations: true,
      vehicles: true,
      now_ms: Date.now(),
    });
    if (inBand(band, hits.count))
      paths.push(`/v1/nearby?lat=${lat.toFixed(6)}&lon=${lon.toFixed(6)}${wish}`);
  }
  return paths;
}

function inBand(band: Band, count: number): boolean {
  if (band === "none") return count === 0;
  return isDense(band) ? count >= 90 : count >= 16 && count <= 24;
}

function isDense(band: Band): boolean {
  return band === "about_100" || band === "20_of_many";
}

/** The floor sends what the service sends for the question of median size: same head, same body. */
async function prepareFloor(paths: string[]): Promise<{ bytes: number; results: number }> {
  const { port } = app.server.address() as AddressInfo;
  const answers: { response: Response; body: Buffer }[] = [];
  for (const path of paths) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    answers.push({ response, body: Buffer.from(await response.arrayBuffer()) });
  }
  answers.sort((a, b) => a.body.length - b.body.length);
  const { response, body: typical } = answers[Math.floor(answers.length / 2)]!;
  floorBody = typical;
  const own = new Set(["date", "connection", "keep-alive", "content-length"]);
  floorHead = [...response.headers].filter(([name]) => !own.has(name)).flat();
  floorHead.push("content-length", String(floorBody.length));
  const body = JSON.parse(floorBody.toString()) as { results: Record<string, unknown[]> };
  const { stations, vehicles } = body.results as { stations: unknown[]; vehicles: unknown[] };
  return { bytes: floorBody.length, results: stations.length + vehicles.length };
}

function readings(collect: boolean): unknown {
  if (collect) globalThis.gc?.();
  const used = process.cpuUsage(cpu);
  const main = process.threadCpuUsage(thread);
  return {
    rss: process.memoryUsage.rss(),
    rss_before: before,
    entities: world.list().reduce((sum, { shard }) => sum + entitiesOf(shard), 0),
    systems: seeds.length,
    delay_ms: {
      p50: delay.percentile(50) / 1e6,
      p99: delay.percentile(99) / 1e6,
      max: delay.max / 1e6,
    },
    collections_ms: collections.read(),
    cpu_s: (used.user + used.system) / 1e6,
    main_cpu_s: (main.user + main.system) / 1e6,
    feeds: ingest.feeds,
    failed: ingest.failed,
  };
}

function entitiesOf(shard: SystemEntry["shard"]): number {
  return shard ? shard.statics.count + (shard.vehicles?.data?.count ?? 0) : 0;
}

process.send!({
  port: (app.server.address() as AddressInfo).port,
  free_port: (freeApp.server.address() as AddressInfo).port,
  floor_port: (floor.address() as AddressInfo).port,
});
// The parent process is gone.
process.once("disconnect", () => process.exit());
