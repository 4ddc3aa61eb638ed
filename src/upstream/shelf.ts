/**
 * What lies in a store, held in memory: read at the start, and again when it was changed, by whichever
 * process (operation, VICINITY_DATA_DIR).
 */
import { guard } from "#kit/guard.ts";
import type { Clock } from "#ports.ts";

const NOTICE_MS = 4_000;

export abstract class Shelf {
  readonly #clock: Clock;
  #noticed = Promise.resolve();
  #cancel: (() => void) | null = null;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes what has changed in the store. */
  protected abstract look(): Promise<void>;

  /** Receives what `look` throws: what is held stays in use. */
  protected abstract onFault(error: unknown): void;

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Reads the store now; resolves when that was tried. One look follows another. */
  notice(): Promise<void> {
    const look = (): Promise<void> => guard(() => this.look(), this.onFault.bind(this));
    return (this.#noticed = this.#noticed.then(look));
  }

  /** Resolves when the store was read once. */
  async start(): Promise<void> {
    await this.notice();
    this.again();
  }

  /** Reads the store again in some seconds. */
  protected again(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#clock.schedule(this.#clock.now() + NOTICE_MS, () => this.start());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }
}
