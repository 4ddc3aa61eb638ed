/**
 * `npm run bench -- workers [--entities 100000] [--rounds 5] [--seconds 3] [--connections 32] [--memory 600000]`:
 * threads that serve (docs/workers.md): one, two, and two processes with one each on one port, in turn, as
 * ratios to one: answers a second, and processor time an answer, which is steadier where the machine has other
 * work; and what two threads have resident against one.
 */
import type { ChildProcess } from "node:child_process";
import { parseArgs } from "node:util";
import { give, print, receive, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { HostState } from "./workers-host.ts";
import { benchSeeds, benchSystem, createRng } from "./world.ts";

const { values } = parseArgs({
  options: {
    entities: { type: "string", default: "100000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
    memory: { type: "string", default: "600000" },
  },
});
const option = (name: keyof typeof values): number => Number(values[name]);

const SETUPS = { one: [1], two: [2], processes: [1, 1] } as const;
type Setup = keyof typeof SETUPS;
type Host = { child: ChildProcess; state: HostState };

async function open(entities: number, threads: number, port = 0): Promise<Host> {
  const child = start("workers-host.ts", [entities, threads, port].map(String));
  return { child, state: await receive<HostState>(child) };
}

/** Processes of a setup listen at one port, as threads do. */
async function openSetup(name: Setup): Promise<Host[]> {
  const [first, ...others] = SETUPS[name];
  const hosts = [await open(option("entities"), first)];
  for (const threads of others)
    hosts.push(await open(option("entities"), threads, hosts[0]!.state.port));
  return hosts;
}

/** Places of the systems, each with some ten or a hundred things around. */
function listPaths(count: number): string[] {
  const rng = createRng(7);
  const seeds = benchSeeds(option("entities"));
  return Array.from({ length: count }, () => {
    const { lat, lon } = benchSystem(seeds[Math.floor(rng() * seeds.length)]!, 1);
    const near = (at: number): string => (at + (rng() - 0.5) * 0.01).toFixed(5);
    return `/v1/nearby?lat=${near(lat)}&lon=${near(lon)}&radius=400&limit=20`;
  });
}

async function measure(): Promise<void> {
  const paths = listPaths(2_000);
  const client = start("client.ts");
  const per_second: Record<Setup, number[]> = { one: [], two: [], processes: [] };
  const cpu_ms: Record<Setup, number[]> = { one: [], two: [], processes: [] };
  const opened = Object.fromEntries(
    await Promise.all(
      (Object.keys(SETUPS) as Setup[]).map(async (name) => [name, await openSetup(name)] as const),
    ),
  ) as Record<Setup, Host[]>;
  for (let round = -1; round < option("rounds"); round++)
    for (const name of Object.keys(SETUPS) as Setup[]) {
      const job: LoadJob = {
        port: opened[name][0]!.state.port,
        ...{ paths, connections: option("connections"), seconds: option("seconds"), rate: null },
      };
      const begun_ms = await readCpu(opened[name]);
      const { requests, seconds, errors } = await give<LoadJob, LoadResult>(client, job);
      const taken_ms = (await readCpu(opened[name])) - begun_ms;
      if (errors > 0) throw new Error(`${errors} errors of ${name}`);
      // The first of each compiles.
      if (round < 0) continue;
      per_second[name].push(requests / seconds);
      cpu_ms[name].push(taken_ms / requests);
    }
  for (const host of Object.values(opened).flat()) host.child.kill();
  client.kill();
  const toOne = (of: Record<Setup, number[]>, name: Setup): string => {
    const [low, middle, high] = quartiles(of[name].map((each, round) => each / of.one[round]!));
    return `× one ${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  };
  for (const name of Object.keys(SETUPS) as Setup[]) {
    const [, rate] = quartiles(per_second[name]);
    const [, cpu] = quartiles(cpu_ms[name]);
    print(
      `${name}: ${Math.round(rate)} answers/s, ${toOne(per_second, name)}; ` +
        `${cpu.toFixed(3)} ms of processor an answer, ${toOne(cpu_ms, name)}`,
    );
  }
}

async function readCpu(hosts: readonly Host[]): Promise<number> {
  let sum = 0;
  for (const { child } of hosts) {
    child.send("read");
    sum += (await receive<HostState>(child)).cpu_ms;
  }
  return sum;
}

async function measureMemory(): Promise<void> {
  const resident: number[] = [];
  for (const threads of [0, 1, 2]) {
    const { child, state } = await open(option("memory"), threads);
    // A moment after the start, which leaves garbage.
    await new Promise((resolve) => void setTimeout(resolve, 4_000));
    child.send("collect");
    const { rss } = await receive<HostState>(child);
    resident.push(rss);
    print(`${state.entities} entities, ${threads} threads: ${Math.round(rss / 1e6)} MB resident`);
    child.kill();
  }
  print(`two threads × one: ${(resident[2]! / resident[1]!).toFixed(2)}`);
}

function quartiles(values_of: readonly number[]): [low: number, middle: number, high: number] {
  const sorted = values_of.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return [at(0.25), at(0.5), at(0.75)];
}

if (option("rounds") > 0) await measure();
if (option("memory") > 0) await measureMemory();
