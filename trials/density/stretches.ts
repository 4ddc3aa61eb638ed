/** How long the thread of a caller works without a turn of its event loop, by its own processor time. */
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { WASI } from "node:wasi";

const THREAD_CPUTIME = 3;
/** A module of WebAssembly that has a memory and nothing else. */
const MEMORY = "0061736d010000000503010001070a01066d656d6f72790200";

/** Milliseconds of the thread; `collections_ms`: what of them went into collections of garbage. */
export type Stretch = { longest_ms: number; collections_ms: number };

/** Collections that one measurement notes. */
const MOST_COLLECTIONS = 10_000;

/** Measures the longest stretch between `begin` and `end`; other processes of the machine do not count. */
export class Stretches {
  readonly #used_ms = createClock();
  #turning: NodeJS.Immediate | null = null;
  #last_ms = 0;
  #longest_ms = 0;
  /** Wall time in which the longest one was, and of the turn before this one. */
  #within: readonly [from_ms: number, to_ms: number] = [0, 0];
  #turned_ms = 0;
  #collections: PerformanceEntry[] = [];
  readonly #observer = new PerformanceObserver((list) => this.#note(list.getEntries()));

  get isMeasuring(): boolean {
    return this.#turning !== null;
  }

  begin(): void {
    this.end();
    this.#longest_ms = 0;
    this.#within = [0, 0];
    this.#collections = [];
    this.#observer.observe({ entryTypes: ["gc"] });
    this.#turned_ms = performance.now();
    this.#last_ms = this.#used_ms();
    this.#turning = setImmediate(this.#turn);
  }

  /** The longest stretch since it began. */
  end(): Stretch {
    if (this.#turning !== null) clearImmediate(this.#turning);
    this.#turning = null;
    this.#note(this.#observer.takeRecords());
    this.#observer.disconnect();
    const [from_ms, to_ms] = this.#within;
    let collections_ms = 0;
    for (const { startTime, duration } of this.#collections)
      if (startTime >= from_ms && startTime < to_ms) collections_ms += duration;
    // They are known by wall time, of which a busy machine takes more.
    const longest_ms = this.#longest_ms;
    return { longest_ms, collections_ms: Math.min(longest_ms, collections_ms) };
  }

  #note(entries: readonly PerformanceEntry[]): void {
    for (const entry of entries)
      if (this.#collections.length < MOST_COLLECTIONS) this.#collections.push(entry);
  }

  readonly #turn = (): void => {
    const now_ms = this.#used_ms();
    const turned_ms = performance.now();
    const ms = now_ms - this.#last_ms;
    if (ms > this.#longest_ms) {
      this.#longest_ms = ms;
      this.#within = [this.#turned_ms, turned_ms];
    }
    this.#last_ms = now_ms;
    this.#turned_ms = turned_ms;
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
