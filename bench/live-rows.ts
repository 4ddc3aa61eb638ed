/**
 * npm run bench -- live-rows: what reading one system as rows of the live map costs the thread that
 * serves: a system of a city, the same with another source of each of its docks, and a national one in
 * steps.
 */
import { cpus } from "node:os";
import { createIdentity } from "#world/identity/world-identity.ts";
import { LiveReader } from "#world/live/live-rows.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { createWorld } from "#world/world.ts";
import { createMemoryBridges, resolveHere } from "../test/support/memory.ts";
import { readArguments } from "../trials/arguments.ts";
import { benchShard, benchSystem, benchTwin } from "./world.ts";

const values = readArguments(process.argv.slice(2), {
  entities: 450,
  national: 100_000,
  step: 1_000,
  rounds: 2_000,
  seed: 3,
});
const NOW_MS = 1_900_000_000_000;
const reader = new LiveReader();

console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
report("a system", entryOf(values.entities, false), values.rounds);
report("a system of merged docks", entryOf(values.entities, true), values.rounds);
const national = entryOf(values.national, false);
report("a national system", national, 15);
reportSteps(national);

function entryOf(entities: number, isTwin: boolean): SystemEntry {
  const bridges = createMemoryBridges();
  const overrides = { always: [], never: [] };
  const world = createWorld(
    createIdentity({ bridges, overrides, now: () => NOW_MS, resolve: resolveHere }),
  );
  const system = benchSystem(values.seed, entities);
  for (const each of isTwin ? [system, benchTwin(system)] : [system]) {
    world.register({ source_id: each.id, country: "FR" });
    void world.put(benchShard(each, NOW_MS));
  }
  return world.find(system.id)!;
}

/** Milliseconds that this thread has worked: other work of the machine is not counted. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function report(what: string, entry: SystemEntry, rounds: number): void {
  let rows = 0;
  const read = (): void => {
    // As after a publication: nothing of the merged docks is known.
    entry.roles?.cases.renew();
    rows = reader.read(entry, NOW_MS).rows.size;
  };
  for (let round = 0; round < rounds; round++) read();
  const begun_ms = worked();
  for (let round = 0; round < rounds; round++) read();
  const took_ms = (worked() - begun_ms) / rounds;
  const each_ns = ((took_ms * 1e6) / rows).toFixed(0);
  console.log(
    `${what}: ${rows} rows in ${took_ms.toFixed(3)} ms of its thread, ${each_ns} ns each`,
  );
}

function reportSteps(entry: SystemEntry): void {
  const took: number[] = [];
  for (let round = 0; round < 5; round++) {
    let begun_ms = performance.now();
    const reading = reader.begin(entry, NOW_MS);
    for (let isDone = false; !isDone;) {
      isDone = reading.step(values.step);
      took.push(performance.now() - begun_ms);
      begun_ms = performance.now();
    }
  }
  took.sort((a, b) => a - b);
  const at = (share: number): string => took[Math.floor(share * (took.length - 1))]!.toFixed(3);
  const line = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
  console.log(`a national system in steps of ${values.step} rows: ${line}`);
}
