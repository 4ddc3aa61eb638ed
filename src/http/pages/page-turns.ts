/**
 * Work that takes the thread for milliseconds, one piece at a time. After each the thread is for
 * others for as long as the piece took, so that no number of requests takes more than half of it.
 */
import { detach } from "#kit/guard.ts";
import { setImmediate, setTimeout } from "node:timers/promises";
import { type BoundOfAll, SharedBound } from "#core/limits/shared-bound.ts";

/** Work that waits, as reading a file does, takes the thread for a part of its time only. */
const PAUSE_MAX_MS = 50;

/** Resolves when others had their time. */
type Pause = (worked_ms: number) => Promise<void>;

export class Turns {
  /** In their order. */
  readonly #waiting = new Set<Waiting>();
  readonly #places: SharedBound<Waiting>;
  readonly #onFault: (error: unknown) => void;
  readonly #pause: Pause;
  #isRunning = false;

  /** `bound`: of pieces that wait. `onFault`: receives what a pause throws; the turn is passed on all the same. */
  constructor(bound: BoundOfAll, onFault: (error: unknown) => void, pause: Pause = pauseAsLong) {
    this.#onFault = onFault;
    this.#pause = pause;
    this.#places = new SharedBound<Waiting>(bound, (displaced) => {
      this.#waiting.delete(displaced);
      displaced.go(false);
    });
  }

  /**
   * Runs the work when it is its turn. `full`: too many wait, and no block of addresses has more work
   * waiting than this one; or it waited, and ended for that of a block which has less. `block`: null: of
   * a caller with a key.
   */
  async take<T>(work: () => T | Promise<T>, block: string | null): Promise<T | "full"> {
    // The one that ends leaves its turn to the next.
    if (this.#isRunning && !(await this.#waitFor(block))) return "full";
    this.#isRunning = true;
    await setImmediate();
    const begun_ms = performance.now();
    try {
      return await work();
    } finally {
      const pause = this.#pause(performance.now() - begun_ms);
      detach(
        pause.finally(() => this.#end()),
        this.#onFault,
      );
    }
  }

  #waitFor(block: string | null): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const own = { go: resolve };
    if (this.#places.take(own, block)) this.#waiting.add(own);
    else resolve(false);
    return promise;
  }

  #end(): void {
    const [next] = this.#waiting;
    this.#isRunning = next !== undefined;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#places.leave(next);
    next.go(true);
  }
}

/** `go`: true when it is its turn, false when it ends for another. */
type Waiting = { go(isItsTurn: boolean): void };

async function pauseAsLong(worked_ms: number): Promise<void> {
  await setTimeout(Math.min(worked_ms, PAUSE_MAX_MS), undefined, { ref: false });
}
