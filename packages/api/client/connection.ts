/** One connection of a stream: its requests end with it, and where nothing comes for too long. */

/** Time and chance; tests pass their own. */
export type StreamRuntime = {
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Calls the task once, after `ms`; returns how to call it off. */
  schedule(ms: number, task: () => void): () => void;
};

/** Bytes of a refusal that are read. */
const REFUSAL_BYTES = 65_536;

export class Connection {
  readonly #controller = new AbortController();
  readonly #runtime: StreamRuntime;
  readonly #caller: AbortSignal | undefined;
  readonly #leave = (): void => this.#controller.abort();
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;

  constructor(runtime: StreamRuntime, caller: AbortSignal | undefined) {
    this.#runtime = runtime;
    this.#caller = caller;
    if (caller?.aborted) this.#leave();
    caller?.addEventListener("abort", this.#leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for something of the connection; rejects with `reason` after `ms`, or when it is closed. */
  within<T>(ms: number, reason: string, task: () => Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise<T>((resolve, reject) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener("abort", stop);
      };
      const stop = (): void => {
        end();
        reject(signal.reason as Error);
      };
      const cancel = this.#runtime.schedule(ms, () => this.#controller.abort(new Error(reason)));
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      task().then(resolve, reject).then(end, end);
    });
  }

  /** The next bytes of the body; null: it has ended. */
  async read(response: Response, ms: number): Promise<Uint8Array | null> {
    this.#reader ??= response.body?.getReader() ?? null;
    const reader = this.#reader;
    if (reader === null) return null;
    const { done, value } = await this.within(ms, "silence", () => reader.read());
    return done ? null : value;
  }

  /** The body as text, of which the beginning is enough. */
  async readText(response: Response, ms: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    while (text.length < REFUSAL_BYTES) {
      const bytes = await this.read(response, ms);
      if (bytes === null) break;
      text += decoder.decode(bytes, { stream: true });
    }
    return text;
  }

  close(): void {
    this.#caller?.removeEventListener("abort", this.#leave);
    this.#controller.abort();
    this.#reader?.cancel().catch(() => undefined);
  }
}

/** Waits, or until the signal is aborted. */
export function pause(
  ms: number,
  { schedule }: StreamRuntime,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = schedule(ms, end);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/** Longer ones are beyond the timers of browsers and Node. */
const LONGEST_MS = 2_147_483_647;

export const RUNTIME: StreamRuntime = {
  now: () => Date.now(),
  random: () => Math.random(),
  schedule(ms, task) {
    const timer = setTimeout(task, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
