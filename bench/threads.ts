/**
 * npm run bench -- threads: what several serving threads on one port could do. One and two measured
 * processes share a port (`reusePort`), so that each has an event loop of its own as a thread would;
 * the generator sleeps between answers, since it must leave most of the cores to them. An upper bound:
 * the processes share no limits, no journal and no feeds.
 */
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { readArguments } from "../trials/arguments.ts";
import { ask, give, median, print, receive, spread, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { Band } from "./server.ts";

const options = readArguments(process.argv.slice(2), {
  entities: "100000",
  seconds: 1.5,
  rounds: 9,
  connections: 128,
  bands: "none,about_20,about_100",
});
const { seconds, rounds, connections } = options;
const POINTS = 20_000;

const client = start("client.ts");
for (const band of options.bands.split(",") as Band[]) await measureBand(band);
client.kill();

async function measureBand(band: Band): Promise<void> {
  const alone = await open(1);
  const both = await open(2);
  const paths = await ask<string[]>(alone.servers[0]!, { kind: "points", band, count: POINTS });
  const rate = async (port: number): Promise<number> => {
    const job = { port, paths, connections, seconds, rate: null, sleepy: true };
    const { requests, seconds: took } = await give<LoadJob, LoadResult>(client, job);
    return requests / took;
  };
  await rate(alone.port);
  await rate(both.port);
  const turns: [number, number][] = [];
  for (let round = 0; round < rounds; round++)
    turns.push([await rate(alone.port), await rate(both.port)]);
  const [one, two] = [0, 1].map((side) => median(turns.map((turn) => turn[side]!)));
  print(
    `${band.padEnd(10)} one ${one!.toFixed(0)}/s, two ${two!.toFixed(0)}/s, ratio ${spread(turns.map(([a, b]) => b / a))}`,
  );
  for (const server of [...alone.servers, ...both.servers]) server.kill();
}

async function open(count: number): Promise<{ port: number; servers: ChildProcess[] }> {
  const port = await findPort();
  const args = [options.entities, "0", "enforced", `port=${port}`];
  const servers = Array.from({ length: count }, () => start("server.ts", args));
  await Promise.all(servers.map((server) => receive(server)));
  return { port, servers };
}

/** A port that is free now. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
