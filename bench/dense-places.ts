/**
 * Processor time of the serving thread a request, where places lie densely, next to plain searches of
 * the same process: `npm run bench -- dense-places [--seconds 2]`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../trials/arguments.ts";
import {
  carParks,
  city,
  type DensePlaces,
  ONE_QUARTER,
  ONE_SPOT,
  PLAIN_PATHS,
  writeDense,
} from "../trials/density/places.ts";
import type { BaseCommand, BasePorts } from "./base-server.ts";
import { give, print, receive, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";

const { seconds } = readArguments(process.argv.slice(2), { seconds: 2 });
const WORLDS = [
  ONE_SPOT,
  ONE_QUARTER,
  carParks(2_000),
  carParks(30_000),
  city(2_000),
  city(30_000),
];

const folder = await mkdtemp(join(tmpdir(), "vicinity-dense-"));
for (const world of WORLDS) await measure(world);
await rm(folder, { recursive: true, force: true });
print(`load ${loadavg()[0]!.toFixed(1)} at the end`);

async function measure(world: DensePlaces): Promise<void> {
  const extract = join(folder, "dense.osm.pbf");
  await writeDense(extract, world);
  const client = start("client.ts");
  const server = start("base-server.ts", [extract]);
  const { port } = await receive<BasePorts>(server);
  const load = async (path: string, lasts_s: number): Promise<number> => {
    await give<BaseCommand, unknown>(server, { kind: "reset" });
    const job: LoadJob = { port, paths: [path], connections: 1, seconds: lasts_s, rate: null };
    const done = await give<LoadJob, LoadResult>(client, job);
    const cpu_s = await give<BaseCommand, number>(server, { kind: "read" });
    if (done.errors > 0) throw new Error(`${done.errors} of ${done.requests} requests failed`);
    return (cpu_s / done.requests) * 1e3;
  };
  print(`\n${world.name}`);
  const paths = [PLAIN_PATHS.ocean, PLAIN_PATHS.sparse, ...world.paths];
  for (const path of paths) await load(path, seconds / 2);
  let plain: number | null = null;
  for (const path of paths) {
    const ms = await load(path, seconds);
    if (path === PLAIN_PATHS.sparse) plain = ms;
    const ratio = plain === null ? "" : `, x${(ms / plain).toFixed(1)}`;
    print(`  ${ms.toFixed(3)} ms${ratio}  ${path}`);
  }
  server.kill();
  client.kill();
}
