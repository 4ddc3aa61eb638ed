/**
 * Loaded into the program before it starts (`--import`). The first SIGWINCH begins a measurement, the
 * next one ends it and writes the longest stretch of the serving thread to the file named by
 * DENSITY_PROBE: processor time between two turns of the event loop, so that other processes of the
 * machine do not count.
 */
import { renameSync, writeFileSync } from "node:fs";
import { WASI } from "node:wasi";
import { isMainThread } from "node:worker_threads";

export type Stretch = { longest_ms: number };

const THREAD_CPUTIME = 3;
/** A module of WebAssembly that has a memory and nothing else. */
const MEMORY = "0061736d010000000503010001070a01066d656d6f72790200";

const file = process.env["DENSITY_PROBE"];
if (file !== undefined && isMainThread) listen(file);

function listen(into: string): void {
  const used_ms = createClock();
  let turning: NodeJS.Immediate | null = null;
  let last_ms = 0;
  let longest_ms = 0;
  const turn = (): void => {
    const now_ms = used_ms();
    longest_ms = Math.max(longest_ms, now_ms - last_ms);
    last_ms = now_ms;
    turning = setImmediate(turn);
  };
  process.on("SIGWINCH", () => {
    if (turning === null) {
      longest_ms = 0;
      last_ms = used_ms();
      turning = setImmediate(turn);
      return;
    }
    clearImmediate(turning);
    turning = null;
    const read: Stretch = { longest_ms };
    writeFileSync(`${into}.new`, JSON.stringify(read));
    renameSync(`${into}.new`, into);
  });
}

/**
 * Processor time of this thread. `process.threadCpuUsage` has the kernel's ticks of 4 ms; the clock
 * that WASI offers is the exact one (CLOCK_THREAD_CPUTIME_ID).
 */
function createClock(): () => number {
  const wasi = new WASI({ version: "preview1" });
  // Types of the browser, which are not those of this project.
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Assembly }).WebAssembly;
  const instance = new Instance(new Module(Buffer.from(MEMORY, "hex")));
  wasi.initialize(instance);
  const { buffer } = instance.exports.memory;
  const nanoseconds = new BigUint64Array(buffer, 0, 1);
  const imports = wasi.wasiImport as {
    clock_time_get(id: number, within: bigint, at: number): number;
  };
  return () => {
    imports.clock_time_get(THREAD_CPUTIME, 0n, 0);
    return Number(nanoseconds[0]) / 1e6;
  };
}

type Assembly = {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: { memory: { buffer: ArrayBuffer } } };
};
