/**
 * What is left of the throughput of a bare node:http server when it is `/v1/services/nearby` over an
 * imported base: the same bytes of the same process, in alternating rounds of one run; and what the
 * same services cost in PostGIS, where it is installed (peers/nearby-server.ts).
 */
import type { ChildProcess } from "node:child_process";
import { loadavg } from "node:os";
import { startPostgres } from "../test/support/engines.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import { give, median, print, receive, spread, start } from "./children.ts";
import type { BaseCommand, BasePorts } from "./base-server.ts";
import type { Item } from "./peers/nearby-items.ts";
import type { PeerCommand } from "./peers/nearby-server.ts";
import { cpuOf, withChildren } from "./peers/processes.ts";

const POINTS = 20_000;
const CONNECTIONS = 32;

type Measured = { rps: number; cpu_us: number };

export async function measureServices(
  extract: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const client = start("client.ts");
  const server = start("base-server.ts", [extract]);
  const ports = await receive<BasePorts>(server);
  const ask = <T>(command: BaseCommand): Promise<T> => give<BaseCommand, T>(server, command);
  const paths = await ask<string[]>({ kind: "points", count: POINTS });
  const sample = paths.slice(0, 101);
  const shape = await ask<{ bytes: number; results: number }>({ kind: "floor", paths: sample });
  const load = async (port: number, lasts_s: number): Promise<Measured> => {
    await ask({ kind: "reset" });
    const job: LoadJob = { port, paths, connections: CONNECTIONS, seconds: lasts_s, rate: null };
    const done = await give<LoadJob, LoadResult>(client, job);
    const cpu_s = await ask<number>({ kind: "read" });
    if (done.errors > 0) throw new Error(`${done.errors} of ${done.requests} requests failed`);
    return { rps: done.requests / done.seconds, cpu_us: (cpu_s / done.requests) * 1e6 };
  };
  await load(ports.port, 3);
  await load(ports.floor_port, 1);
  const peer = await openPeer(await ask<Item[]>({ kind: "items" }));
  const loadPeer = async ({ port, pids }: Peer): Promise<Measured> => {
    const before = cpuOf(pids());
    const job: LoadJob = { port, paths, connections: CONNECTIONS, seconds, rate: null };
    const done = await give<LoadJob, LoadResult>(client, job);
    const cpu_us = ((cpuOf(pids()) - before) / done.requests) * 1e6;
    return { rps: done.requests / done.seconds, cpu_us };
  };
  const pairs: { floor: Measured; service: Measured; peer: Measured | null }[] = [];
  for (let round = 0; round < rounds; round++)
    pairs.push({
      floor: await load(ports.floor_port, seconds),
      service: await load(ports.port, seconds),
      peer: peer && (await loadPeer(peer)),
    });
  const of = (side: "floor" | "service", part: keyof Measured): number =>
    median(pairs.map((pair) => pair[side][part]));
  const ratios = pairs.map(({ floor, service }) => service.rps / floor.rps);
  const cpu = pairs.map(({ floor, service }) => floor.cpu_us / service.cpu_us);
  print(`\n/v1/services/nearby over a base, load ${loadavg()[0]!.toFixed(1)} at the end`);
  print(`  ${paths.length} points, ${shape.results} results, ${shape.bytes} B`);
  print(
    `  floor ${of("floor", "rps").toFixed(0)}/s, service ${of("service", "rps").toFixed(0)}/s, ratio ${spread(ratios)}`,
  );
  print(
    `  CPU a request ${of("floor", "cpu_us").toFixed(1)} and ${of("service", "cpu_us").toFixed(1)} µs, ratio ${spread(cpu)}`,
  );
  const others = pairs.flatMap((pair) => (pair.peer ? { ...pair, peer: pair.peer } : []));
  if (others.length === 0) print("  PostGIS: left out, it is not installed");
  else {
    const times = others.map((pair) => pair.service.rps / pair.peer.rps);
    const dearer = others.map((pair) => pair.peer.cpu_us / pair.service.cpu_us);
    const own_us = median(others.map((pair) => pair.peer.cpu_us)).toFixed(0);
    print(
      `  PostGIS ${own_us} µs a request with its database, ${spread(dearer, 1)} times the service's; ` +
        `the service answers ${spread(times, 1)} times as many`,
    );
  }
  await peer?.close();
  server.kill();
  client.kill();
}

type Peer = { port: number; pids(): number[]; close(): Promise<void> };

/** PostGIS with these items behind a bare server; null: it is not installed. */
async function openPeer(items: readonly Item[]): Promise<Peer | null> {
  const postgres = await startPostgres({ memory: "512MB" });
  if (postgres === null) return null;
  const child: ChildProcess = start("peers/nearby-server.ts", [
    "postgis",
    await postgres.createDatabase(),
  ]);
  const port = await receive<number>(child);
  await give<PeerCommand, number>(child, { kind: "items", items });
  return {
    port,
    pids: () => [child.pid!, ...withChildren(postgres.pid)],
    async close() {
      child.kill();
      await postgres.stop();
    },
  };
}
