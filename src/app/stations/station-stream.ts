/**
 * One caller's watch over some stations. What happens waits in it until it is taken, one mark a
 * station at most: a caller that reads slowly costs no memory.
 */

/** `changed`: these say something else; `quiet`: nothing has happened for a while. */
export type StreamEvent =
  | { kind: "changed"; ids: readonly string[] }
  | { kind: "quiet" }
  /** By the service. */
  | { kind: "ended" }
  /** By the caller. */
  | { kind: "left" };

/** The least time between two events of one station. */
const CHANGE_GAP_MS = 5_000;
/** Below what proxies take for a dead connection. */
const QUIET_MS = 15_000;

export class Stream {
  readonly ids: readonly string[];
  readonly owners: readonly string[];
  readonly ends_at_ms: number;
  readonly #over = new AbortController();
  readonly #changed = new Set<string>();
  /** Those of the changed ones that may be passed on. */
  readonly #due = new Set<string>();
  readonly #passed_ms = new Map<string, number>();
  #state: "open" | "ended" | "left" = "open";
  #event_ms: number;
  #is_quiet = false;
  #waiting: ((event: StreamEvent) => void) | null = null;
  readonly #onOver: (stream: Stream) => void;

  constructor(
    about: {
      ids: readonly string[];
      owners: readonly string[];
      ends_at_ms: number;
      now_ms: number;
    },
    onOver: (stream: Stream) => void,
  ) {
    this.ids = about.ids;
    this.owners = about.owners;
    this.ends_at_ms = about.ends_at_ms;
    this.#event_ms = about.now_ms;
    this.#onOver = onOver;
  }

  /** Aborts when it has ended, or the caller has left. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Waits for what comes next; one call at a time. */
  next(): Promise<StreamEvent> {
    const event = this.#take();
    if (event) return Promise.resolve(event);
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  /** To be called when the caller has left; ends nothing twice. */
  leave(): void {
    this.#close("left");
  }

  end(): void {
    this.#close("ended");
  }

  noteChange(id: string): void {
    this.#changed.add(id);
  }

  /** Passes on what is due by now. */
  advance(now_ms: number): void {
    for (const id of this.#changed) {
      if (now_ms - (this.#passed_ms.get(id) ?? -Infinity) < CHANGE_GAP_MS) continue;
      this.#changed.delete(id);
      this.#due.add(id);
      this.#passed_ms.set(id, now_ms);
    }
    if (this.#due.size > 0) this.#event_ms = now_ms;
    else if (now_ms - this.#event_ms >= QUIET_MS) {
      this.#event_ms = now_ms;
      this.#is_quiet = true;
    }
    this.#offer();
  }

  #close(state: "ended" | "left"): void {
    if (this.#state !== "open") return;
    this.#state = state;
    this.#onOver(this);
    this.#over.abort();
    this.#offer();
  }

  #offer(): void {
    const waiting = this.#waiting;
    const event = waiting && this.#take();
    if (!event) return;
    this.#waiting = null;
    waiting(event);
  }

  #take(): StreamEvent | null {
    if (this.#state === "left") return { kind: "left" };
    if (this.#due.size > 0) {
      const ids = [...this.#due];
      this.#due.clear();
      return { kind: "changed", ids };
    }
    if (this.#state === "ended") return { kind: "ended" };
    if (!this.#is_quiet) return null;
    this.#is_quiet = false;
    return { kind: "quiet" };
  }
}
