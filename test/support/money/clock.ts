/** Time of a model: what is due runs in the order of its time, and what is due at once in any order. */
import type { Clock } from "#ports.ts";

type Entry = { at_ms: number; order: number; task: () => void | Promise<void> };

export class ModelClock implements Clock {
  #now_ms: number;
  readonly #random: () => number;
  readonly #due: Entry[] = [];

  constructor(now_ms: number, random: () => number) {
    this.#now_ms = now_ms;
    this.#random = random;
  }

  now = (): number => this.#now_ms;

  schedule = (at_ms: number, task: Entry["task"]): (() => void) => {
    const entry = { at_ms: Math.max(at_ms, this.#now_ms), order: this.#random(), task };
    this.#due.push(entry);
    return () => {
      const at = this.#due.indexOf(entry);
      if (at !== -1) this.#due.splice(at, 1);
    };
  };

  sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => void this.schedule(this.#now_ms + ms, resolve));

  /** Runs everything until then. */
  async run(until_ms: number): Promise<void> {
    for (;;) {
      const next = this.#takeNext(until_ms);
      if (next === null) break;
      this.#now_ms = next.at_ms;
      void next.task();
      // What follows from it without a wait happens now.
      await new Promise((resolve) => void setImmediate(resolve));
    }
    this.#now_ms = until_ms;
  }

  #takeNext(until_ms: number): Entry | null {
    let first: Entry | null = null;
    for (const each of this.#due)
      if (each.at_ms <= until_ms && (first === null || comparedTo(each, first) < 0)) first = each;
    if (first !== null) this.#due.splice(this.#due.indexOf(first), 1);
    return first;
  }
}

function comparedTo(one: Entry, other: Entry): number {
  return one.at_ms - other.at_ms || one.order - other.order;
}
