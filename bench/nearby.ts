/**
 * `npm run bench -- nearby`: /v1/nearby compared with a bare node:http server that sends the same
 * bytes from the same process, in alternating rounds of one run, so that what is printed are ratios
 * of one machine at one time. Seeded; every point different; nothing is cached by coordinate.
 */
import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { readArguments } from "../trials/arguments.ts";
import { ask, give, receive, median, type Ports, print, type Reading, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { Collections } from "./collections.ts";
import type { Band } from "./server.ts";

const options = readArguments(process.argv.slice(2), {
  entities: "100000,600000,3000000",
  seconds: 4,
  rounds: 5,
  feeds: 25,
  rate: 1000,
  bands: "none,about_20,about_100,20_of_many",
  doubled: false,
  json: null,
});

const BANDS = options.bands.split(",") as Band[];
const POINTS = 20_000;
const CONNECTIONS = 32;
const MB = 1024 * 1024;

type BandResult = {
  band: Band;
  results: number;
  bytes: number;
  floor_rps: number;
  service_rps: number;
  ratio: number;
  quartiles: [number, number];
  floor_cpu_us: number;
  service_cpu_us: number;
  cpu_ratio: number;
};

const { seconds, rounds, feeds } = options;
const report: Record<string, unknown>[] = [];

print(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
print(
  `${rounds} rounds of ${seconds} s, floor and service in turn, ${CONNECTIONS} connections, ${feeds} feeds/s refreshed\n`,
);
const host = start("host.ts");
const hostPort = await receive<number>(host);
const client = start("client.ts");
for (const count of options.entities.split(",").map(Number)) await measure(count);
client.kill();
host.kill();
if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);

async function measure(entities: number): Promise<void> {
  const server = start("server.ts", [
    ...[String(entities), String(hostPort)],
    ...(options.doubled ? ["doubled"] : []),
  ]);
  const ports = await receive<Ports>(server);
  const idle = await ask<Reading>(server, { kind: "read" });
  print(
    `${idle.entities.toLocaleString("en")} ${options.doubled ? "observations" : "entities"} in ${idle.systems.toLocaleString("en")} systems`,
  );
  await ask(server, { kind: "refresh", per_second: feeds });
  const bands: BandResult[] = [];
  for (const band of BANDS) bands.push(await measureBand(server, ports, band));
  const open = await measureOpenLoop(server, ports);
  const after = await ask<Reading>(server, { kind: "read" });
  const bytes = after.rss / after.entities;
  print(
    `  memory: ${(after.rss / MB).toFixed(0)} MB resident, ${bytes.toFixed(0)} bytes an entity, all included`,
  );
  const ingest = await measureIngest(server);
  report.push({
    entities: idle.entities,
    systems: idle.systems,
    bands,
    open,
    bytes_per_entity: bytes,
    ingest,
  });
  server.kill();
  print("");
}

async function measureBand(server: ChildProcess, ports: Ports, band: Band): Promise<BandResult> {
  const paths = await ask<string[]>(server, { kind: "points", band, count: POINTS });
  const shape = await ask<{ bytes: number; results: number }>(server, {
    kind: "floor",
    paths: paths.slice(0, 101),
  });
  await load({ port: ports.port, paths, connections: CONNECTIONS, seconds: 2, rate: null });
  await load({ port: ports.floor_port, paths, connections: CONNECTIONS, seconds: 1, rate: null });
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    const job = { paths, connections: CONNECTIONS, seconds, rate: null };
    const floor = await loadMeasured(server, { ...job, port: ports.floor_port });
    const service = await loadMeasured(server, { ...job, port: ports.port });
    pairs.push({ floor, service });
  }
  const ratios = pairs.map(({ floor, service }) => service.rps / floor.rps).sort((a, b) => a - b);
  const result: BandResult = {
    band,
    results: shape.results,
    bytes: shape.bytes,
    floor_rps: median(pairs.map((pair) => pair.floor.rps)),
    service_rps: median(pairs.map((pair) => pair.service.rps)),
    ratio: median(ratios),
    quartiles: [
      ratios[Math.floor(ratios.length / 4)]!,
      ratios[Math.floor((ratios.length * 3) / 4)]!,
    ],
    floor_cpu_us: median(pairs.map((pair) => pair.floor.cpu_us)),
    service_cpu_us: median(pairs.map((pair) => pair.service.cpu_us)),
    cpu_ratio: median(pairs.map(({ floor, service }) => floor.cpu_us / service.cpu_us)),
  };
  printBand(result, paths.length);
  return result;
}

/** Throughput, and processor time of the serving thread a request. */
type Measured = { rps: number; cpu_us: number };
type Pair = { floor: Measured; service: Measured };

async function loadMeasured(server: ChildProcess, job: LoadJob): Promise<Measured> {
  await ask(server, { kind: "reset" });
  const done = await load(job);
  const { main_cpu_s } = await ask<Reading>(server, { kind: "read", collect: false });
  if (done.errors > 0) throw new Error("a request failed");
  return { rps: done.requests / done.seconds, cpu_us: (main_cpu_s / done.requests) * 1e6 };
}

function printBand(result: BandResult, points: number): void {
  const quartiles = result.quartiles.map((q) => q.toFixed(2)).join("–");
  print(
    `  ${result.band.padEnd(10)} ${points} points, ${result.results} results, ${result.bytes} B: ` +
      `floor ${result.floor_rps.toFixed(0)}/s, service ${result.service_rps.toFixed(0)}/s, ` +
      `ratio ${result.ratio.toFixed(2)} (${quartiles}); CPU a request ` +
      `${result.floor_cpu_us.toFixed(1)} and ${result.service_cpu_us.toFixed(1)} µs, ratio ${result.cpu_ratio.toFixed(2)}`,
  );
}

/** A mix of all bands at a fixed rate, measured from when each request was due. */
async function measureOpenLoop(server: ChildProcess, ports: Ports): Promise<unknown> {
  const lists: string[][] = [];
  for (const band of BANDS)
    lists.push(await ask<string[]>(server, { kind: "points", band, count: POINTS }));
  const paths = Array.from(
    { length: POINTS },
    (_, i) => lists[i % lists.length]![i % lists[i % lists.length]!.length]!,
  );
  const job = {
    paths,
    connections: 64,
    seconds: Math.max(10, seconds * 3),
    rate: options.rate,
  };
  const floor = await load({ ...job, port: ports.floor_port });
  await ask(server, { kind: "reset" });
  const service = await load({ ...job, port: ports.port });
  const { delay_ms, collections_ms, feeds: read } = await ask<Reading>(server, { kind: "read" });
  for (const [name, result] of [
    ["floor", floor],
    ["service", service],
  ] as const) {
    const { p50, p99, p999, max } = result.latency!;
    print(
      `  ${name.padEnd(8)} at ${options.rate}/s, mix: p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}, p99.9 ${p999.toFixed(2)}, max ${max.toFixed(1)} ms, ${result.errors} errors`,
    );
  }
  print(
    `  event loop meanwhile: p50 ${delay_ms.p50.toFixed(2)}, p99 ${delay_ms.p99.toFixed(2)}, max ${delay_ms.max.toFixed(1)} ms; ${read} feeds read`,
  );
  const own_ms = service.collections_ms;
  print(
    `  longest collections meanwhile: ${toText(collections_ms)}; of the generator ${toText(own_ms)}`,
  );
  return { floor: floor.latency, service: service.latency, delay_ms, collections_ms, own_ms };
}

function toText(collections_ms: Collections): string {
  return Object.entries(collections_ms)
    .map(([kind, ms]) => `${kind} ${ms === null ? "none" : `${ms.toFixed(1)} ms`}`)
    .join(", ");
}

/** Ingest alone: what a feed costs in CPU, and what it does to the loop. */
async function measureIngest(server: ChildProcess): Promise<unknown> {
  await ask(server, { kind: "refresh", per_second: 0 });
  await ask(server, { kind: "reset" });
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const quiet = await ask<Reading>(server, { kind: "read" });
  await ask(server, { kind: "reset" });
  await ask(server, { kind: "refresh", per_second: feeds });
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const busy = await ask<Reading>(server, { kind: "read" });
  await ask(server, { kind: "refresh", per_second: 0 });
  const cpu_ms = ((busy.cpu_s - quiet.cpu_s * (10 / 3)) / Math.max(busy.feeds, 1)) * 1000;
  print(
    `  ingest: ${busy.feeds} feeds in 10 s (${busy.failed} failed), ${cpu_ms.toFixed(1)} ms CPU a feed, ` +
      `event loop p99 ${busy.delay_ms.p99.toFixed(2)} ms (quiet ${quiet.delay_ms.p99.toFixed(2)}), max ${busy.delay_ms.max.toFixed(1)} ms`,
  );
  return { feeds: busy.feeds, cpu_ms_per_feed: cpu_ms, busy: busy.delay_ms, quiet: quiet.delay_ms };
}

async function load(job: LoadJob): Promise<LoadResult> {
  return await give<LoadJob, LoadResult>(client, job);
}
