/**
 * npm run bench -- vehicle-pairs: what comparing the vehicles of two feeds (R11) costs the thread that serves,
 * over seeded feeds of one brand: at once, in slices, and handed to another thread.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { cpus } from "node:os";
import { readArguments } from "../trials/arguments.ts";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import {
  type ComparedVehicles,
  identityColumns,
  pairSteps,
  pairVehicles,
} from "#stations/resolution.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { createRng } from "./world.ts";

const values = readArguments(process.argv.slice(2), {
  vehicles: 20_000,
  side: 8000,
  slice: 1,
  rounds: 25,
  seed: 1,
});

if (isMainThread) await measure();
else serve();

async function measure(): Promise<void> {
  const count = values.vehicles;
  const rounds = values.rounds;
  const rng = createRng(values.seed);
  const points = Array.from({ length: count }, () => [rng(), rng()] as const);
  const a = feed("a", points, rng);
  const b = feed("b", points, rng);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
  console.log(`${count} + ${count} vehicles, half of them in both by id, the others by place`);
  report("at once", await repeat(rounds, () => atOnce(a, b)));
  report(`in slices of ${values.slice} ms`, await repeat(rounds, () => sliced(a, b)));
  const worker = new Worker(new URL(import.meta.url));
  report("in another thread", await repeat(rounds, () => elsewhere(worker, a, b)));
  await worker.terminate();
}

/** The least of all rounds is what other work of the machine did not disturb. */
type Cost = { longest_ms: number; busy_ms: number; whole_ms: number };

function atOnce(a: ComparedVehicles, b: ComparedVehicles): Cost {
  const begun_ms = performance.now();
  pairVehicles(a, b);
  const took_ms = performance.now() - begun_ms;
  return { longest_ms: took_ms, busy_ms: took_ms, whole_ms: took_ms };
}

/** A stretch ends where the loop has its turn. */
async function sliced(a: ComparedVehicles, b: ComparedVehicles): Promise<Cost> {
  const begun_ms = performance.now();
  let from_ms = performance.now();
  const stretches: number[] = [];
  const pause = async (): Promise<void> => {
    stretches.push(performance.now() - from_ms);
    await nextTurn();
    from_ms = performance.now();
  };
  await runSteps(pairSteps(a, b), createTurn({ pause, slice_ms: values.slice }));
  stretches.push(performance.now() - from_ms);
  const busy_ms = stretches.reduce((sum, each) => sum + each, 0);
  return {
    longest_ms: Math.max(...stretches),
    busy_ms,
    whole_ms: performance.now() - begun_ms,
  };
}

/** The packs are shared, and the result is copied back. */
async function elsewhere(worker: Worker, a: ComparedVehicles, b: ComparedVehicles): Promise<Cost> {
  const begun_ms = performance.now();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  worker.once("message", resolve);
  worker.postMessage([a, b]);
  const sent_ms = performance.now() - begun_ms;
  const before = performance.eventLoopUtilization();
  await promise;
  const { active } = performance.eventLoopUtilization(before);
  const longest_ms = Math.max(sent_ms, active);
  return { longest_ms, busy_ms: sent_ms + active, whole_ms: performance.now() - begun_ms };
}

function serve(): void {
  parentPort!.on("message", ([a, b]: [ComparedVehicles, ComparedVehicles]) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    parentPort!.postMessage(pairVehicles(a, b));
  });
}

async function repeat(rounds: number, once: () => Cost | Promise<Cost>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let i = 0; i < rounds + 5; i++) {
    const cost = await once();
    // The first are compiled meanwhile.
    if (i >= 5) costs.push(cost);
    await nextTurn();
  }
  return costs;
}

function report(how: string, costs: readonly Cost[]): void {
  const of = (name: keyof Cost): string => {
    const sorted = costs.map((cost) => cost[name]).toSorted((x, y) => x - y);
    return `${sorted[0]!.toFixed(2)} (median ${sorted[sorted.length >> 1]!.toFixed(2)})`;
  };
  console.log(
    `${how}: longest stretch ${of("longest_ms")} ms, ${of("busy_ms")} ms of the thread, ` +
      `result after ${of("whole_ms")} ms`,
  );
}

/** Every second vehicle has an id of both feeds, the others one of their own; pins err by some metres. */
function feed(
  name: string,
  points: readonly (readonly [number, number])[],
  rng: () => number,
): ComparedVehicles {
  const scale = values.side / METRES_PER_DEGREE;
  const error = (): number => ((rng() - 0.5) * 6) / METRES_PER_DEGREE;
  const index = {
    lat: shared(points.map(([y]) => 48 + y * scale + error())),
    lon: shared(points.map(([, x]) => 11 + x * scale + error())),
  };
  const keyed = points.map((_, i) => ({
    id: i % 2 === 0 ? `${i}-0d1c3f1e-77aa-4b52` : `${name}-${i}-77aa-4b52-9a51`,
    modes: 2,
  }));
  const { keys, keys_row, keys_of, by_place } = identityColumns(index, keyed);
  const identity = {
    keys: shared(keys),
    keys_row: sharedRows(keys_row),
    keys_of: Uint8Array.from(keys_of),
    by_place: sharedRows(by_place),
  };
  return { count: points.length, index, state: sharedRows(points.map(() => 2)), identity };
}

function shared(numbers: ArrayLike<number>): Float64Array {
  const column = new Float64Array(new SharedArrayBuffer(numbers.length * 8));
  column.set(numbers);
  return column;
}

function sharedRows(numbers: ArrayLike<number>): Uint32Array {
  const column = new Uint32Array(new SharedArrayBuffer(numbers.length * 4));
  column.set(numbers);
  return column;
}
