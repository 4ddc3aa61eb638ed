/**
 * Processor time of the serving thread a request, and its longest stretch without a turn of the event
 * loop, where places lie densely, next to plain searches of the same process:
 * `npm run bench -- dense-places [--seconds 2] [--only WORDS]`. `first`: of the request that is the
 * first of its kind in the process, which compiles opening hours.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  carParks,
  city,
  type DensePlaces,
  ONE_QUARTER,
  ONE_SPOT,
  PLAIN_PATHS,
  severalSources,
  shops,
  writeDense,
} from "../trials/density/places.ts";
import type { BaseCommand, BasePorts } from "./base-server.ts";
import type { Stretch } from "../trials/density/stretches.ts";
import { give, median, print, receive, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";

const { values: options } = parseArgs({
  options: { seconds: { type: "string", default: "2" }, only: { type: "string", default: "" } },
});
const seconds = Number(options.seconds);
/** Stretches of each question. */
const STRETCHES = 21;
const WORLDS = [
  ONE_SPOT,
  ONE_QUARTER,
  carParks(2_000),
  carParks(30_000),
  severalSources(10_000, 1_000),
  city(2_000),
  city(30_000),
  shops(60_000),
];

const folder = await mkdtemp(join(tmpdir(), "vicinity-dense-"));
try {
  for (const world of WORLDS) if (world.name.includes(options.only)) await measure(world);
} finally {
  await rm(folder, { recursive: true, force: true });
}
print(`load ${loadavg()[0]!.toFixed(1)} at the end`);

async function measure(world: DensePlaces): Promise<void> {
  const extract = join(folder, "dense.osm.pbf");
  await writeDense(extract, world);
  const register = createServer((_request, response) => response.end(world.register?.()));
  register.listen(0, "127.0.0.1");
  await once(register, "listening");
  const { port: from } = register.address() as AddressInfo;
  const client = start("client.ts");
  const document = world.register ? [`http://127.0.0.1:${from}/`] : [];
  const server = start("base-server.ts", [extract, ...document]);
  const { port } = await receive<BasePorts>(server);
  const ask = <T>(command: BaseCommand): Promise<T> => give<BaseCommand, T>(server, command);
  const read = async (path: string): Promise<string> =>
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const load = async (path: string, lasts_s: number): Promise<number> => {
    await ask({ kind: "reset" });
    const job: LoadJob = { port, paths: [path], connections: 1, seconds: lasts_s, rate: null };
    const done = await give<LoadJob, LoadResult>(client, job);
    const cpu_s = await ask<number>({ kind: "read" });
    if (done.errors > 0) throw new Error(`${done.errors} of ${done.requests} requests failed`);
    return (cpu_s / done.requests) * 1e3;
  };
  const stretch = async (path: string): Promise<Stretch> => {
    await ask({ kind: "begin" });
    await read(path);
    return await ask<Stretch>({ kind: "end" });
  };
  print(`\n${world.name}`);
  while (world.register && !(await read("/v1/sources")).includes('"entity_count":1000,'))
    await pause(50);
  const paths = [PLAIN_PATHS.ocean, PLAIN_PATHS.sparse, ...world.paths];
  const firsts = new Map<string, number>();
  for (const path of paths) {
    firsts.set(path, (await stretch(path)).longest_ms);
    await load(path, seconds / 2);
  }
  if (world.first) {
    type Found = { id: string; location: { lat: number; lon: number } };
    const { results } = JSON.parse(await read(world.first)) as { results: Found[] };
    const { id, location } = results[0]!;
    const path = `/v1/places/${id}?lat=${location.lat}&lon=${location.lon}`;
    firsts.set(path, (await stretch(path)).longest_ms);
    paths.push(path);
  }
  let plain: number | null = null;
  for (const path of paths) {
    const ms = await load(path, seconds);
    if (path === PLAIN_PATHS.sparse) plain = ms;
    const ratio = plain === null ? "" : `, x${(ms / plain).toFixed(1)}`;
    const stretches: Stretch[] = [];
    for (let i = 0; i < STRETCHES; i++) stretches.push(await stretch(path));
    const middle = median(stretches.map(({ longest_ms }) => longest_ms)).toFixed(1);
    const most = stretches.reduce((a, b) => (b.longest_ms > a.longest_ms ? b : a));
    const worst = `${most.longest_ms.toFixed(1)} (collections ${most.collections_ms.toFixed(1)})`;
    const first = firsts.get(path)!.toFixed(1);
    print(
      `  ${ms.toFixed(3)} ms${ratio}; stretch ${middle}, most ${worst}, first ${first} ms  ${path}`,
    );
  }
  server.kill();
  client.kill();
  register.close();
}
