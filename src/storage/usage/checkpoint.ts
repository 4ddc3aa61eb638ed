/**
 * Moves events from the journal to the ledger, behind the replies: many at once, four times a second;
 * with a growing delay while the ledger is away, and fewer at once where it does not take them.
 */
import { guard } from "#kit/guard.ts";
import type { UsageEvent } from "#ports.ts";
import type { Time } from "#storage/time.ts";
import type { Journal } from "./journal.ts";
import { joinEvents, type Ledger, readEvents } from "./ledger.ts";

export type Checkpoint = {
  /** There is something to move: soon. */
  schedule(): void;
  /** Moves what there is now, or as much as the ledger takes. */
  run(): Promise<void>;
  /** Runs a last time. */
  close(): Promise<void>;
};

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

export function createCheckpoint(deps: CheckpointDeps): Checkpoint {
  const { journal, ledger, time, onMoved, isBehind } = deps;
  let under_way: Promise<boolean> | null = null;
  let cancel: (() => void) | null = null;
  let failures = 0;
  let closed = false;
  /** Half after a failure, since it may be too much; an eighth more after each success. */
  let batch = BATCH_MAX;

  /** true: nothing is left in the journal. */
  async function moveAll(): Promise<boolean> {
    const oldest = journal.read(batch);
    // The journal reports why, and so does the ledger.
    if (oldest === null) return false;
    const { entries, hasMore } = oldest;
    if (entries.length === 0) return true;
    const events = joinEvents(entries.map((entry) => entry.events));
    if (!(await ledger.apply(events, () => onMoved(readEvents(events))))) {
      batch = Math.max(1, batch >> 1);
      return false;
    }
    batch = Math.min(BATCH_MAX, batch + Math.ceil(batch / 8));
    failures = 0;
    journal.drop(entries.at(-1)!.seq);
    return !hasMore || moveAll();
  }
  async function run(): Promise<void> {
    cancel?.();
    cancel = null;
    // One that is under way may have begun before the last event was written.
    await guard(
      () => under_way,
      () => null,
    );
    under_way ??= moveAll().finally(() => (under_way = null));
    let done = false;
    try {
      // What it throws is for who has begun it; it is tried again all the same.
      done = await under_way;
    } finally {
      failures = done ? 0 : failures + 1;
      if (!done || isBehind()) schedule();
    }
  }
  function schedule(): void {
    if (closed || cancel || under_way) return;
    const wait_ms = Math.min(INTERVAL_MS * 2 ** Math.min(failures, 10), RETRY_MAX_MS);
    cancel = time.schedule(time.now() + wait_ms, run);
  }
  return {
    schedule,
    run,
    async close() {
      closed = true;
      await run();
    },
  };
}
