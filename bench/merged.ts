/**
 * npm run bench:merged: what an answer of merged stations costs against one of plain stations. Two
 * measured processes serve the same generated world, in one of which every station has a second source;
 * they are asked in alternating rounds of one run, and what is compared is the processor time of the
 * serving thread a request.
 */
import type { ChildProcess } from "node:child_process";
import { parseArgs } from "node:util";
import {
  ask,
  give,
  median,
  type Ports,
  print,
  quantile,
  type Reading,
  receive,
  spread,
  start,
} from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { Band } from "./server.ts";

const { values: options } = parseArgs({
  options: {
    entities: { type: "string", default: "600000" },
    seconds: { type: "string", default: "1.5" },
    rounds: { type: "string", default: "9" },
    feeds: { type: "string", default: "25" },
    bands: { type: "string", default: "none,about_20,about_100,20_of_many" },
  },
});

const POINTS = 20_000;
const CONNECTIONS = 32;
const MB = 1024 * 1024;
const [seconds, rounds, feeds] = [options.seconds, options.rounds, options.feeds].map(Number) as [
  number,
  number,
  number,
];

type Side = { name: string; server: ChildProcess; port: number };

const host = start("host.ts");
const hostPort = String(await receive<number>(host));
const client = start("client.ts");
const plain = await open("plain", []);
const merged = await open("merged", ["doubled"]);
for (const side of [plain, merged]) await ask(side.server, { kind: "refresh", per_second: feeds });
for (const band of options.bands.split(",") as Band[]) await measureBand(band);
for (const { name, server } of [plain, merged]) {
  const { rss, entities } = await ask<Reading>(server, { kind: "read" });
  print(
    `${name}: ${(rss / MB).toFixed(0)} MB resident, ${(rss / entities).toFixed(0)} bytes an observation`,
  );
}
for (const child of [plain.server, merged.server, client, host]) child.kill();

async function open(name: string, args: string[]): Promise<Side> {
  const server = start("server.ts", [options.entities, hostPort, ...args]);
  const { port } = await receive<Ports>(server);
  const { rss, entities, systems } = await ask<Reading>(server, { kind: "read" });
  print(`${name}: ${entities} observations in ${systems} systems, ${(rss / MB).toFixed(0)} MB`);
  return { name, server, port };
}

/** Warms both sides with the first points, then measures each in turn; who begins changes. */
async function measureBand(band: Band): Promise<void> {
  const paths = new Map<Side, string[]>();
  for (const side of [plain, merged]) {
    paths.set(side, await ask<string[]>(side.server, { kind: "points", band, count: POINTS }));
    const first = await measure(side, paths.get(side)!, 2);
    print(
      `  ${band}, ${side.name}: the first 2 s ${first.cpu_us.toFixed(1)} µs, ${first.bytes.toFixed(0)} B`,
    );
  }
  const ratios: number[] = [];
  const costs = new Map<Side, number[]>([
    [plain, []],
    [merged, []],
  ]);
  for (let round = 0; round < rounds; round++) {
    const turn = round % 2 === 0 ? [plain, merged] : [merged, plain];
    const cost = new Map<Side, number>();
    for (const side of turn)
      cost.set(side, (await measure(side, paths.get(side)!, seconds)).cpu_us);
    for (const [side, us] of cost) costs.get(side)!.push(us);
    ratios.push(cost.get(merged)! / cost.get(plain)!);
  }
  const [of_plain, of_merged] = [plain, merged].map((side) => median(costs.get(side)!));
  const [low_plain, low_merged] = [plain, merged].map((side) => quantile(costs.get(side)!, 0));
  print(
    `  ${band.padEnd(10)} CPU a request ${of_plain!.toFixed(1)} and ${of_merged!.toFixed(1)} µs, ratio ${spread(ratios)}; ` +
      `least ${low_plain!.toFixed(1)} and ${low_merged!.toFixed(1)} µs, ratio ${(low_merged! / low_plain!).toFixed(2)}`,
  );
}

/** Processor time of the serving thread, and bytes, a request. */
async function measure(side: Side, paths: string[], for_s: number) {
  await ask(side.server, { kind: "reset" });
  const job = { port: side.port, paths, connections: CONNECTIONS, seconds: for_s, rate: null };
  const done = await give<LoadJob, LoadResult>(client, job);
  const { main_cpu_s } = await ask<Reading>(side.server, { kind: "read", collect: false });
  if (done.errors > 0) throw new Error("a request failed");
  return { cpu_us: (main_cpu_s / done.requests) * 1e6, bytes: done.bytes / done.requests };
}
