/**
 * A program of its own (peers.ts starts it): /v1/nearby compared with what a team would build instead: the same world in Valkey
 * (or Redis), PostGIS and SQLite, asked by the same kind of HTTP server, in alternating rounds of one
 * run. Each server has one core together with its database; the load generator has the other.
 */
import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { readArguments } from "../../trials/arguments.ts";
import { startPostgres, startValkey } from "../../test/support/engines.ts";
import { ask, give, median, pin, type Ports, print, receive, spread, start } from "../children.ts";
import type { LoadJob, LoadResult } from "../client.ts";
import type { Band } from "../server.ts";
import type { Sample, Samples } from "./nearby-items.ts";
import type { PeerCommand } from "./nearby-server.ts";
import { cpuOf, memoryOf, withChildren } from "./processes.ts";

const options = readArguments(process.argv.slice(2), {
  entities: 600_000,
  rounds: 5,
  seconds: 2,
  rate: 300,
  feeds: 100,
});

const BANDS: readonly Band[] = ["none", "about_20", "about_100"];
const POINTS = 5_000;
const CONNECTIONS = 32;
const [SERVER_CORE, CLIENT_CORE] = [0, 1];
const entities = options.entities;
const seconds = options.seconds;

/** A server that answers, and all processes that it takes. */
type Peer = { name: string; port: number; child: ChildProcess; pids: () => number[] };

const feedHost = start("host.ts");
const hostPort = await receive<number>(feedHost);
const client = start("client.ts");
const service = start("server.ts", [String(entities), String(hostPort)]);
const { port, floor_port } = await receive<Ports>(service);
const points = new Map<Band, string[]>();
for (const band of BANDS)
  points.set(band, await ask<string[]>(service, { kind: "points", band, count: POINTS }));
const samples = await takeSamples();
const engines = [await startValkey(), await startPostgres({ memory: "2GB" })] as const;
const peers: Peer[] = [
  { name: "vicinity", port, child: service, pids: () => [service.pid!] },
  ...(await startPeers()),
];
pin(client, CLIENT_CORE);
for (const { pids } of peers) for (const pid of pids()) pinProcess(pid);
for (const band of BANDS) await measureBand(band);
await measureRate();
await measureRefresh();
for (const { name, pids } of peers)
  print(`${name.padEnd(9)} ${memoryOf(pids()).toFixed(0)} MB resident, database included`);
for (const child of [client, feedHost, ...peers.map((peer) => peer.child)]) child.kill();
for (const engine of engines) await engine?.stop();

/** One item of each family, without what the question adds. */
async function takeSamples(): Promise<Samples> {
  for (const path of points.get("about_100")!) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const { results } = (await response.json()) as { results: Record<string, Sample[]> };
    const [station] = results["stations"] ?? [];
    const [vehicle] = results["vehicles"] ?? [];
    if (station === undefined || vehicle === undefined) continue;
    const { distance_meters: _, ...rest } = station;
    return { station: rest, vehicle };
  }
  throw new Error("no answer has both a station and a vehicle");
}

async function startPeers(): Promise<Peer[]> {
  const [valkey, postgres] = engines;
  const started: Peer[] = [];
  const add = async (name: string, url: string, engine: number[]): Promise<void> => {
    const child = start("peers/nearby-server.ts", [name, url]);
    const own = await receive<number>(child);
    const began = performance.now();
    const count = await give<PeerCommand, number>(child, { kind: "load", entities, samples });
    const took = ((performance.now() - began) / 1000).toFixed(0);
    print(`${name}: ${count.toLocaleString("en")} items in ${took} s`);
    started.push({
      name,
      port: own,
      child,
      pids: () => [child.pid!, ...engine.flatMap(withChildren)],
    });
  };
  if (valkey) await add("redis", valkey.url, [valkey.pid]);
  else print("redis: left out, neither valkey-server nor redis-server is installed");
  if (postgres) await add("postgis", await postgres.createDatabase(), [postgres.pid]);
  else print("postgis: left out, postgresql is not installed");
  await add("sqlite", "", []);
  return started;
}

async function measureBand(band: Band): Promise<void> {
  const paths = points.get(band)!;
  await ask(service, { kind: "floor", paths: paths.slice(0, 101) });
  const all = [...peers, { name: "floor", port: floor_port, pids: () => [service.pid!] }];
  const rounds: Map<string, { rps: number; cpu_us: number }>[] = [];
  for (const each of all) await loadOn(each.port, paths, 1);
  for (let round = 0; round < options.rounds; round++) {
    const measured = new Map<string, { rps: number; cpu_us: number }>();
    // Every round begins elsewhere, so that none always follows the same one.
    for (let i = 0; i < all.length; i++) {
      const { name, port: own_port, pids } = all[(i + round) % all.length]!;
      const before = cpuOf(pids());
      const done = await loadOn(own_port, paths, seconds);
      const cpu_us = ((cpuOf(pids()) - before) / done.requests) * 1e6;
      measured.set(name, { rps: done.requests / done.seconds, cpu_us });
    }
    rounds.push(measured);
  }
  print(
    `\n${band}: requests/s, processor time a request, and how many times as many Vicinity answers`,
  );
  for (const { name } of all) {
    const of = (member: "rps" | "cpu_us"): number[] =>
      rounds.map((each) => each.get(name)![member]);
    const times = rounds.map((each) => each.get("vicinity")!.rps / each.get(name)!.rps);
    print(
      `  ${name.padEnd(9)} ${median(of("rps")).toFixed(0).padStart(6)}/s ${median(of("cpu_us")).toFixed(0).padStart(6)} µs  ${spread(times)}`,
    );
  }
}

async function measureRate(): Promise<void> {
  const lists = BANDS.map((band) => points.get(band)!);
  const paths = Array.from({ length: POINTS }, (_, i) => lists[i % lists.length]![i]!);
  print(`\nall bands mixed at ${options.rate} requests/s`);
  for (const { name, port: own_port } of peers) {
    const job = { port: own_port, paths, connections: 64, seconds: 10, rate: options.rate };
    const { latency, errors } = await give<LoadJob, LoadResult>(client, job);
    print(
      `  ${name.padEnd(9)} p50 ${latency!.p50.toFixed(2)}, p99 ${latency!.p99.toFixed(2)} ms, ${errors} errors`,
    );
  }
}

/** Writing alone for databases; for the service also fetching, decompressing and parsing. */
async function measureRefresh(): Promise<void> {
  print(`\nprocessor time of a refreshed feed (half of them stations, half vehicles)`);
  const feeds = options.feeds;
  for (const { name, child, pids } of peers) {
    const before = cpuOf(pids());
    let count = feeds;
    if (name === "vicinity") {
      await ask(child, { kind: "reset" });
      await ask(child, { kind: "refresh", per_second: 25 });
      await new Promise((resolve) => setTimeout(resolve, (feeds / 25) * 1000));
      await ask(child, { kind: "refresh", per_second: 0 });
      count = (await ask<{ feeds: number }>(child, { kind: "read", collect: false })).feeds;
    } else await give<PeerCommand, null>(child, { kind: "refresh", feeds });
    print(`  ${name.padEnd(9)} ${(((cpuOf(pids()) - before) / count) * 1000).toFixed(1)} ms`);
  }
}

async function loadOn(own: number, paths: string[], time: number): Promise<LoadResult> {
  const job = { port: own, paths, connections: CONNECTIONS, seconds: time, rate: null };
  const done = await give<LoadJob, LoadResult>(client, job);
  if (done.errors > 0) throw new Error(`${done.errors} requests failed`);
  return done;
}

function pinProcess(pid: number): void {
  execFileSync("taskset", ["-a", "-p", "-c", String(SERVER_CORE), String(pid)], {
    stdio: "ignore",
  });
}
