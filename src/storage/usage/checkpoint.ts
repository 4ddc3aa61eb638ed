/**
 * Moves events from the journal to the ledger, behind the replies: many at once, four times a second;
 * with a growing delay while the ledger is away, and fewer at once where it does not take them.
 */
import { guard } from "#kit/guard.ts";
import type { UsageEvent } from "#ports.ts";
import type { Time } from "#storage/store-time.ts";
import type { Journal } from "./journal.ts";
import { joinEvents, type Ledger, readEvents } from "./usage-ledger.ts";

export type CheckpointDeps = {
  journal: Pick<Journal, "read" | "drop">;
  ledger: Pick<Ledger, "apply">;
  time: Time;
  /** The ledger counts these from now on. */
  onMoved(events: readonly UsageEvent[]): void;
  /** Are there events that the ledger does not have? */
  isBehind(): boolean;
};

const INTERVAL_MS = 250;
const RETRY_MAX_MS = 5_000;
/** Characters of events that are moved at once: about 2,000 events. */
const BATCH_MAX = 256 * 1024;

export class Checkpoint {
  readonly #deps: CheckpointDeps;
  #under_way: Promise<boolean> | null = null;
  #cancel: (() => void) | null = null;
  #failures = 0;
  #closed = false;
  /** Half after a failure, since it may be too much; an eighth more after each success. */
  #batch = BATCH_MAX;

  constructor(deps: CheckpointDeps) {
    this.#deps = deps;
  }

  /** There is something to move: soon. */
  schedule(): void {
    if (this.#closed || this.#cancel || this.#under_way) return;
    const { time } = this.#deps;
    const wait_ms = Math.min(INTERVAL_MS * 2 ** Math.min(this.#failures, 10), RETRY_MAX_MS);
    this.#cancel = time.schedule(time.now() + wait_ms, () => this.run());
  }

  /** Moves what there is now, or as much as the ledger takes. */
  async run(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    // One that is under way may have begun before the last event was written.
    await guard(
      () => this.#under_way,
      () => null,
    );
    this.#under_way ??= this.#moveAll().finally(() => (this.#under_way = null));
    let done = false;
    try {
      // What it throws is for who has begun it; it is tried again all the same.
      done = await this.#under_way;
    } finally {
      this.#failures = done ? 0 : this.#failures + 1;
      if (!done || this.#deps.isBehind()) this.schedule();
    }
  }

  /** Runs a last time. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.run();
  }

  /** true: nothing is left in the journal. */
  async #moveAll(): Promise<boolean> {
    const { journal, ledger, onMoved } = this.#deps;
    const oldest = journal.read(this.#batch);
    // The journal reports why, and so does the ledger.
    if (oldest === null) return false;
    const { entries, hasMore } = oldest;
    if (entries.length === 0) return true;
    const events = joinEvents(entries.map((entry) => entry.events));
    if (!(await ledger.apply(events, () => onMoved(readEvents(events))))) {
      this.#batch = Math.max(1, this.#batch >> 1);
      return false;
    }
    this.#batch = Math.min(BATCH_MAX, this.#batch + Math.ceil(this.#batch / 8));
    this.#failures = 0;
    journal.drop(entries.at(-1)!.seq);
    return !hasMore || this.#moveAll();
  }
}
