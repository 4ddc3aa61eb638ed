/** How long the thread of a caller works without a turn of its event loop, by its own processor time. */
import { WASI } from "node:wasi";

const THREAD_CPUTIME = 3;
/** A module of WebAssembly that has a memory and nothing else. */
const MEMORY = "0061736d010000000503010001070a01066d656d6f72790200";

/** Measures the longest stretch between `begin` and `end`; other processes of the machine do not count. */
export class Stretches {
  readonly #used_ms = createClock();
  #turning: NodeJS.Immediate | null = null;
  #last_ms = 0;
  #longest_ms = 0;

  get isMeasuring(): boolean {
    return this.#turning !== null;
  }

  begin(): void {
    this.end();
    this.#longest_ms = 0;
    this.#last_ms = this.#used_ms();
    this.#turning = setImmediate(this.#turn);
  }

  /** Milliseconds of the longest stretch since it began. */
  end(): number {
    if (this.#turning !== null) clearImmediate(this.#turning);
    this.#turning = null;
    return this.#longest_ms;
  }

  readonly #turn = (): void => {
    const now_ms = this.#used_ms();
    this.#longest_ms = Math.max(this.#longest_ms, now_ms - this.#last_ms);
    this.#last_ms = now_ms;
    this.#turning = setImmediate(this.#turn);
  };
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
