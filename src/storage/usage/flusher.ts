/**
 * When the journal is synced: at once where the last sync is long ago, and otherwise as soon as
 * `INTERVAL_MS` have passed since it began, so that no event is off the disk for longer than that and
 * the disk's own time. A sync that fails is repeated; meanwhile nothing may be written.
 */
import { detach, guard, type NoteFault } from "#kit/guard.ts";
import type { Time } from "#storage/store-time.ts";

/** Half of what may be lost with the power (decisions, Usage): the rest is the disk's. */
const INTERVAL_MS = 25;
/** A slow disk is not given more before it has done some. */
const MAX_UNDER_WAY = 2;
const RETRY_MS = 1_000;

type FlusherDeps = { time: Time; onFault(): void; onDefect: NoteFault };

export class Flusher {
  readonly #sync: () => Promise<boolean>;
  readonly #deps: FlusherDeps;
  #next_ms = -Infinity;
  #under_way = 0;
  #failing = false;
  #closed = false;
  #cancel: (() => void) | null = null;

  /** `sync`: true when all that was written before is on the disk; one that throws has failed. */
  constructor(sync: () => Promise<boolean>, deps: FlusherDeps) {
    this.#sync = sync;
    this.#deps = deps;
  }

  /** The last sync failed. */
  get isFailing(): boolean {
    return this.#failing;
  }

  /** Called after each write. */
  noteWrite(): void {
    // By the clock: a long pass of the event loop runs no timer.
    if (this.#deps.time.now() >= this.#next_ms) this.#beginNow();
    else this.#schedule(this.#next_ms);
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  #schedule(at_ms: number): void {
    if (!this.#closed) this.#cancel ??= this.#deps.time.schedule(at_ms, () => this.#beginNow());
  }

  #beginNow(): void {
    detach(this.#begin(), (error) => this.#note(error));
  }

  #note(error: unknown): false {
    this.#deps.onDefect("sync of the journal", error);
    return false;
  }

  async #begin(): Promise<void> {
    const { time, onFault } = this.#deps;
    this.#cancel?.();
    this.#cancel = null;
    this.#next_ms = time.now() + INTERVAL_MS;
    if (this.#under_way === MAX_UNDER_WAY) return this.#schedule(this.#next_ms);
    this.#under_way += 1;
    this.#failing = !(await guard(this.#sync, (error) => this.#note(error)));
    this.#under_way -= 1;
    if (!this.#failing) return;
    onFault();
    this.#schedule(time.now() + RETRY_MS);
  }
}
