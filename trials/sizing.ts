/**
 * `npm run trials -- sizing [--seconds 6] [--rounds 3]`: what replicas answer at most with keys, limits and
 * metering, and what that takes of processor and memory; the rows of the table in
 * docs/operations.md. Everything runs on this machine: replicas, engines, balancer and callers.
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { give, median, start } from "../bench/children.ts";
import type { LoadJob, LoadResult } from "../bench/client.ts";
import { createAsker } from "./chaos/fleet/asker.ts";
import { readCpu_s, readTree_s } from "./chaos/fleet/processor.ts";
import { createKey, openStage, type Stage, UNBOUND_PLAN } from "./chaos/fleet/stage.ts";
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";
import { PLACES, toNearby } from "./chaos/work/places.ts";
import { warm } from "./chaos/work/warm.ts";

/** Replicas, and whether they share engines. */
const FLEETS = [
  [1, false],
  [1, true],
  [2, true],
  [4, true],
] as const;
/** Cities of the simulator in turn, at most twenty results each. */
const PATHS = Object.values(PLACES).map((place) => toNearby(place, "&limit=20"));

export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args, "npm run trials -- sizing [options]", {
    seconds: { default: 6, min: 1, max: 120, help: "of each measurement" },
    rounds: { default: 3, min: 1, max: 50, help: "of which the medians are reported" },
    connections: { default: 64, min: 1, max: 1_000, help: "that ask one question after the other" },
    seed: SEED,
  });
  endOnSignal();
  console.log(`${cpus()[0]?.model ?? "?"}, ${cpus().length} processors, node ${process.version}\n`);
  console.log(
    "| replicas | requests a second | p99 | processor, µs a request | memory of a replica |",
  );
  console.log("|---|---|---|---|---|");
  for (const [replicas, engines] of FLEETS) {
    const stage = await openStage({
      replicas,
      seed: options.seed,
      engines,
      balancer: engines ? "shipped" : "none",
    });
    await measureFleet(stage, `${replicas}${engines ? "" : ", alone"}`, options);
    await stage.close();
  }
  return 0;
}

type Load = { seconds: number; rounds: number; connections: number };

async function measureFleet(
  stage: Stage,
  name: string,
  { seconds, rounds, connections }: Load,
): Promise<void> {
  const asker = createAsker({ timeout_ms: 10_000 });
  await warm(stage.replicas, asker);
  asker.close();
  const made = await createKey(stage.replicas[0]!, UNBOUND_PLAN);
  if (!made) throw new Error("no key can be made");
  const client = start("client.ts");
  const job = {
    port: Number(new URL(stage.url).port),
    paths: PATHS,
    connections,
    rate: null,
    sleepy: true,
  };
  const load = (): Promise<LoadResult> =>
    give<LoadJob, LoadResult>(client, { ...job, seconds, keys: [made.key] });
  await load();
  const measured: { rps: number; p99: number; own_us: number; others_us: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = readAll(stage);
    const { requests, seconds: lasted, errors, latency } = await load();
    if (errors > 0) throw new Error(`${errors} of ${requests} requests failed`);
    const after = readAll(stage);
    const us = (of: keyof typeof after): number => (1e6 * (after[of] - before[of])) / requests;
    const p99 = latency?.p99 ?? Number.NaN;
    measured.push({ rps: requests / lasted, p99, own_us: us("own"), others_us: us("others") });
  }
  client.kill();
  const of = (part: "rps" | "p99" | "own_us" | "others_us"): number =>
    median(measured.map((one) => one[part]));
  const resident = Math.max(...stage.replicas.map(({ pid }) => readResident_mb(pid)));
  const engines = of("others_us") > 0 ? `, engines ${of("others_us").toFixed(0)}` : "";
  console.log(
    `| ${name} | ${of("rps").toFixed(0)} | ${of("p99").toFixed(0)} ms | ` +
      `${of("own_us").toFixed(0)}${engines} | ${resident.toFixed(0)} MB |`,
  );
}

/** Seconds of processor time so far, of the replicas and of the engines. */
function readAll({ replicas, store, shared }: Stage): { own: number; others: number } {
  const own = replicas.reduce((sum, { pid }) => sum + readCpu_s(pid), 0);
  return { own, others: readTree_s(store) + readTree_s(shared) };
}

function readResident_mb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
}
