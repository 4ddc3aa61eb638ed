/**
 * Whether the store answers. After a failure no caller waits for it any more: a separate probe asks
 * now and then, and no question has to. Until the first one it is in doubt, since a single answer may
 * be late because this process was not scheduled for a moment.
 */
import { detach } from "#kit/guard.ts";

export type CircuitEvent = { state: "away"; reason: string } | { state: "back" };

const PROBE_EVERY_MS = 500;

type CircuitDeps = {
  /** Resolves within a short bound. */
  probe: () => Promise<boolean>;
  onEvent: (event: CircuitEvent) => void;
  /** Receives what `probe` throws. */
  onFault: (error: unknown) => void;
};

/** Begins open, which is no event. */
export class Circuit {
  readonly #deps: CircuitDeps;
  #open = true;
  #doubtful = false;
  #era = 0;
  #probing = false;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(deps: CircuitDeps) {
    this.#deps = deps;
    this.#arm();
  }

  isOpen(): boolean {
    return this.#open;
  }

  /** Whether it is open, and not probed since. */
  isDoubtful(): boolean {
    return this.#doubtful;
  }

  /** Changes with every opening: what was begun before it says nothing of what came after. */
  era(): number {
    return this.#era;
  }

  /** Something that was begun in this era failed. */
  fail(era: number, reason: string): void {
    if (era !== this.#era || this.#open) return;
    this.#open = true;
    this.#doubtful = true;
    this.#era++;
    this.#deps.onEvent({ state: "away", reason });
    this.#arm();
  }

  /** Probes now: the connection has just been made. */
  probeNow(): void {
    detach(this.#attempt(), this.#deps.onFault);
  }

  close(): void {
    this.#over = true;
    this.#open = true;
    this.#doubtful = false;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#open && !this.#over)
      this.#timer = setTimeout(() => this.probeNow(), PROBE_EVERY_MS).unref();
  }

  async #attempt(): Promise<void> {
    if (!this.#open || this.#probing || this.#over) return;
    this.#probing = true;
    try {
      // A probe that throws is no answer, and another one follows.
      const answered = await this.#deps.probe();
      if (answered && !this.#over) this.#open = false;
    } finally {
      this.#probing = false;
      this.#doubtful = false;
      this.#arm();
    }
    if (!this.#open) this.#deps.onEvent({ state: "back" });
  }
}
