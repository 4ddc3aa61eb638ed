/**
 * `npm run bench -- federation [--seconds N] [--rounds N] [--connections N]`: the federation engine
 * compared with a bare `Promise.all` of the same calls in the same process, under the same deadline by
 * `AbortSignal.timeout`. Four sources a question (two of them of the maps provider), every question
 * about another point so that no cache answers; all of them in 20 ms, then half of them hung.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../trials/arguments.ts";
import { Agent, request as dispatch } from "undici";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { startService } from "../src/main/service.ts";
import type { LoadJob, LoadResult } from "./client.ts";

const options = readArguments(process.argv.slice(2), {
  seconds: 3,
  rounds: 5,
  connections: 64,
});
const { seconds, rounds, connections } = options;
const DEADLINE_MS = 3_000;
const TYPES = "toilets,locker,parking,charging";

const host = fork(new URL("./federation-host.ts", import.meta.url));
const upstream = `http://127.0.0.1:${await receive<number>(host)}`;
const client = fork(new URL("./client.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vicinity-bench-"));

const service = await startBenchService();
const JSON_HEADERS = { "content-type": "application/json" };
const agent = new Agent({ connections: 256 });
const floors = { undici: await startFloor(byUndici), fetch: await startFloor(byFetch) };

/** Points of France, each its own: refuge questions are shared by hundredths of a degree. */
let point = 0;
function nextPaths(count: number): string[] {
  return Array.from({ length: count }, () => {
    const n = point++;
    const lat = (43.2 + (n % 400) * 0.013).toFixed(4);
    const lon = (0.2 + (Math.floor(n / 400) % 300) * 0.013).toFixed(4);
    return `/v1/services/nearby?lat=${lat}&lon=${lon}&country=FR&types=${TYPES}`;
  });
}

console.log(
  `node ${process.version}, ${connections} connections, ${rounds} rounds of ${seconds} s`,
);
await measure("warm-up", 1);
await measure("all answer in 20 ms", rounds);
host.send(["inpost", "charging"]);
await measure("half of them hung", rounds);

await service.close({ delay_ms: 0 });
for (const floor of Object.values(floors)) floor.close();
client.kill();
host.kill();
rmSync(folder, { recursive: true });

type Loaded = LoadResult & { cpu_us: number };
type Turn = Record<"undici" | "fetch" | "engine", Loaded>;

async function measure(name: string, turns: number): Promise<void> {
  const results: Turn[] = [];
  for (let turn = 0; turn < turns; turn++)
    results.push({
      undici: await load(portOf(floors.undici)),
      fetch: await load(portOf(floors.fetch)),
      engine: await load(Number(new URL(service.url).port)),
    });
  if (name === "warm-up") return;
  console.log(name);
  for (const side of ["undici", "fetch", "engine"] as const) {
    const all = results.map((each) => each[side]);
    const quantile = (q: "p50" | "p99"): string => median(all.map((r) => r.latency![q])).toFixed(1);
    const cpu = median(all.map(({ cpu_us, requests }) => cpu_us / requests)).toFixed(0);
    const errors = all.reduce((sum, each) => sum + each.errors, 0);
    const ratios = results.map((each) => rate(each.engine) / rate(each[side]));
    const compared = side === "engine" ? "" : `, engine ${median(ratios).toFixed(2)} of it`;
    console.log(
      `  ${side.padEnd(6)} ${median(all.map(rate)).toFixed(0)} requests/s, p50 ${quantile("p50")} ms, p99 ${quantile("p99")} ms, CPU ${cpu} µs a request, ${errors} errors${compared}`,
    );
  }
}

function rate({ requests, seconds: lasted }: LoadResult): number {
  return requests / lasted;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

async function load(port: number): Promise<Loaded> {
  const paths = nextPaths(20_000);
  const job: LoadJob = { port, paths, connections, seconds, rate: null, sleepy: true };
  const before = process.cpuUsage();
  client.send(job);
  const result = await receive<LoadResult>(client);
  const { user, system } = process.cpuUsage(before);
  return { ...result, cpu_us: user + system };
}

function receive<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => void child.once("message", (message) => resolve(message as T)));
}

async function startBenchService() {
  const file = join(folder, "bench.json");
  const source = { concurrency: 256 };
  writeFileSync(
    file,
    JSON.stringify({
      egress: { allow_private: true },
      deadlines_ms: { services: DEADLINE_MS },
      sources: {
        maps: { adapter: "google_maps" },
        google_maps: {
          ...source,
          url: `${upstream}/google`,
          places_url: `${upstream}/google`,
          api_key: "bench",
        },
        refuge_restrooms: { ...source, url: `${upstream}/refuge`, cache_s: 0 },
        inpost: { ...source, url: `${upstream}/inpost` },
      },
    }),
  );
  const env = readEnv({
    PORT: "0",
    LOG_LEVEL: "silent",
    VICINITY_ENFORCE_LIMITS: "0",
    VICINITY_DATA_DIR: folder,
    VICINITY_CONTACT: "bench@example.org",
  });
  if (!env.ok) throw new Error(env.message);
  const config = loadConfig({ mode: "live", env: env.value, file });
  if (!config.ok) throw new Error(config.message);
  const started = await startService({ config: config.value, env: env.value, version: "bench" });
  if ("problem" in started) throw new Error(started.problem);
  return started;
}

type Call = (url: string, signal: AbortSignal, body?: object) => Promise<unknown>;

/** Calls with the HTTP client that the engine uses. */
async function byUndici(url: string, signal: AbortSignal, body?: object): Promise<unknown> {
  const answer = await dispatch(url, {
    dispatcher: agent,
    signal,
    method: body ? "POST" : "GET",
    ...(body ? { body: JSON.stringify(body), headers: JSON_HEADERS } : {}),
  });
  return await answer.body.json();
}

/** Calls as one would write them by hand. */
async function byFetch(url: string, signal: AbortSignal, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    signal,
    ...(body ? { method: "POST", body: JSON.stringify(body), headers: JSON_HEADERS } : {}),
  });
  return await answer.json();
}

/** Makes the same four calls and parses their JSON: no shared requests, cache, breaker or merge. */
async function startFloor(make: Call) {
  const server = createServer((request, response) => {
    const query = new URL(request.url!, "http://floor").searchParams;
    const lat = Number(query.get("lat"));
    const lon = Number(query.get("lon"));
    const signal = AbortSignal.timeout(DEADLINE_MS - 50);
    const call = (url: string, body?: object): Promise<unknown> => make(url, signal, body);
    const circle = { center: { latitude: lat, longitude: lon }, radius: 1500 };
    const search = (type: string): object => ({
      includedTypes: [type],
      maxResultCount: 20,
      rankPreference: "DISTANCE",
      locationRestriction: { circle },
    });
    const calls = [
      call(
        `${upstream}/refuge/api/v1/restrooms/by_location?lat=${lat}&lng=${lon}&page=1&per_page=100`,
      ),
      call(`${upstream}/inpost/v1/points?relative_point=${lat},${lon}&max_distance=1500&limit=100`),
      call(`${upstream}/google/v1/places:searchNearby`, search("parking")),
      call(
        `${upstream}/google/v1/places:searchNearby`,
        search("electric_vehicle_charging_station"),
      ),
    ];
    void Promise.all(calls.map((each) => each.catch(() => null))).then((results) => {
      const body = JSON.stringify({ results });
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      return response.end(body);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return server;
}
