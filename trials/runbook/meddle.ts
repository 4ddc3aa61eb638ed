/**
 * Loaded before a program (`--import`), in each of its threads: a file, which is read ten times a second,
 * says by how much the system clock is wrong, and for how long the serving thread is to be blocked each
 * time. With MEDDLE_PLANT an exported function of src throws while the file names it.
 */
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

export type Meddling = {
  /** What is added to the system clock. */
  clock_ms?: number;
  /** How long each reading of the file blocks the serving thread. */
  block_ms?: number;
  /** `src/…#name`. */
  throws?: string;
};

const EVERY_MS = 100;
const file = process.env["MEDDLE_FILE"] ?? "";
const hooks =
  process.env["MEDDLE_PLANT"] === "1" && isMainThread ? await import("../throws/hooks.ts") : null;

let order: Meddling = {};
const SystemDate = Date;
const now = (): number => SystemDate.now() + (order.clock_ms ?? 0);
class WrongDate extends SystemDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [now()] : args) as [number]));
  }
  static override now(): number {
    return now();
  }
}
globalThis.Date = WrongDate as DateConstructor;

function read(): Meddling {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Meddling;
  } catch {
    // It is being written, or there is none yet.
    return order;
  }
}

setInterval(() => {
  const before = order;
  order = read();
  if (hooks !== null && before.throws !== order.throws) hooks.plantIn(order.throws ?? null);
  const until_ms = performance.now() + (isMainThread ? (order.block_ms ?? 0) : 0);
  while (performance.now() < until_ms);
}, EVERY_MS).unref();
order = read();
