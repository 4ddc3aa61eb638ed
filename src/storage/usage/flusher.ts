/**
 * When the journal is synced: at once where the last sync is long ago, and otherwise as soon as
 * `INTERVAL_MS` have passed since it began, so that no event is off the disk for longer than that and
 * the disk's own time. A sync that fails is repeated; meanwhile nothing may be written.
 */
import { detach, guard, type NoteFault } from "#kit/guard.ts";
import type { Time } from "#storage/time.ts";

/** Half of what may be lost with the power (decisions, Usage): the rest is the disk's. */
const INTERVAL_MS = 25;
/** A slow disk is not given more before it has done some. */
const MAX_UNDER_WAY = 2;
const RETRY_MS = 1_000;

export type Flusher = {
  /** After each write. */
  noteWrite(): void;
  /** The last sync failed. */
  isFailing(): boolean;
  close(): void;
};

/** `sync`: true when all that was written before is on the disk; one that throws has failed. */
export function createFlusher(
  sync: () => Promise<boolean>,
  { time, onFault, onDefect }: { time: Time; onFault(): void; onDefect: NoteFault },
): Flusher {
  let next_ms = -Infinity;
  let under_way = 0;
  let failing = false;
  let closed = false;
  let cancel: (() => void) | null = null;

  const note = (error: unknown): false => {
    onDefect("sync of the journal", error);
    return false;
  };
  function schedule(at_ms: number): void {
    if (!closed) cancel ??= time.schedule(at_ms, () => detach(begin(), note));
  }
  async function begin(): Promise<void> {
    cancel?.();
    cancel = null;
    const now_ms = time.now();
    next_ms = now_ms + INTERVAL_MS;
    if (under_way === MAX_UNDER_WAY) return schedule(next_ms);
    under_way += 1;
    failing = !(await guard(sync, note));
    under_way -= 1;
    if (!failing) return;
    onFault();
    schedule(time.now() + RETRY_MS);
  }
  return {
    isFailing: () => failing,
    noteWrite() {
      // By the clock: a long pass of the event loop runs no timer.
      if (time.now() >= next_ms) detach(begin(), note);
      else schedule(next_ms);
    },
    close() {
      closed = true;
      cancel?.();
    },
  };
}
