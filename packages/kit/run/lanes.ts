/**
 * Work that runs side by side as far as its memory goes: each piece says what it takes, and waits, in
 * the order in which it came, until that is there. What takes more than all there is runs alone.
 */
export class Lanes {
  readonly #most: number;
  readonly #memory_bytes: number;
  #running = 0;
  #taken_bytes = 0;
  readonly #waiting: { bytes: number; enter: () => void }[] = [];

  /** `most`: pieces at once; `memory_bytes`: of all that run. */
  constructor({ most, memory_bytes }: { most: number; memory_bytes: number }) {
    this.#most = most;
    this.#memory_bytes = memory_bytes;
  }

  /**
   * Runs the piece when it is its turn; rejects as it does, or when it is stopped before. `resize`:
   * says that it takes another amount from now on; more is taken at once, and others wait for it.
   */
  async run<T>(
    bytes: number,
    piece: (resize: (bytes: number) => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.#enter(bytes, signal);
    let taken_bytes = bytes;
    const resize = (next_bytes: number): void => {
      this.#taken_bytes += next_bytes - taken_bytes;
      taken_bytes = next_bytes;
      this.#next();
    };
    try {
      return await piece(resize);
    } finally {
      this.#running -= 1;
      resize(0);
    }
  }

  #enter(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { bytes, enter: resolve };
    const stop = (): void => {
      const place = this.#waiting.indexOf(waiting);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal!.reason);
      this.#next();
    };
    if (signal?.aborted) return Promise.reject(signal.reason);
    signal?.addEventListener("abort", stop, { once: true });
    this.#waiting.push(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener("abort", stop));
  }

  #next(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const fits =
        this.#running < this.#most && this.#taken_bytes + first.bytes <= this.#memory_bytes;
      if (this.#running > 0 && !fits) return;
      this.#waiting.shift();
      this.#running += 1;
      this.#taken_bytes += first.bytes;
      first.enter();
    }
  }
}
