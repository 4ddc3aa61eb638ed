/**
 * Time of the program (ports.ts, `Clock`): steady time plus an offset that the sandbox can move. Its
 * tasks are in one agenda, ordered by time, then insertion.
 */
import { attempt, detach } from "#kit/guard.ts";
import type { Clock } from "#ports.ts";
import { createSteadyTime, type SteadyTime } from "./steady-time.ts";

export type AdjustableClock = Clock & {
  /**
   * Epoch milliseconds of the system's clock, moved as this one is: it may go back. For moments that
   * people and other machines know (the end of a key, of a period), never for differences.
   */
  wall(): number;
  /** Moves time forward, runs all that falls due, and resolves when all of it has ended. */
  advance(ms: number): Promise<void>;
};

type Task = () => void | Promise<void>;
type Entry = { at_ms: number; order: number; task: Task };

/** A task may schedule the next one at once: the bound ends an advance that would never settle. */
const MAX_RUNS = 10_000;
/**
 * Longest real timer. setTimeout overflows at 2^31 ms and does not see the system clock being set
 * forward, so a long wait is a chain of short naps.
 */
const MAX_NAP_MS = 60_000;

/**
 * Makes a clock. `onFault`: receives what a task throws, and the others run all the same; absent: the
 * process does.
 */
export function createClock(
  time: SteadyTime = createSteadyTime(),
  onFault: (error: unknown) => void = passOn,
): AdjustableClock {
  let offset_ms = 0;
  let timer: NodeJS.Timeout | undefined;
  /** While time is being moved: what is due until then is for `advance`, which awaits it. */
  let moved_to_ms: number | null = null;
  const now = (): number => time.now() + offset_ms;
  const after_ms = (): number => moved_to_ms ?? -Infinity;
  const agenda = createAgenda((first) => {
    if (first || moved_to_ms !== null) arm();
  });

  function arm(): void {
    clearTimeout(timer);
    const next_ms = agenda.next(after_ms());
    if (next_ms === undefined) return;
    const nap_ms = Math.min(Math.max(next_ms - now(), 1), MAX_NAP_MS);
    timer = setTimeout(wake, nap_ms).unref();
  }

  function wake(): void {
    // Deadlines set while time is being moved must not wait for the tasks that `advance` awaits.
    const take = (): Entry | undefined => agenda.take(now(), after_ms());
    for (let entry = take(); entry; entry = take()) detach(Promise.try(entry.task), onFault);
    arm();
  }

  async function move(ms: number): Promise<void> {
    offset_ms += ms;
    moved_to_ms = now();
    try {
      await settle(agenda, now);
    } finally {
      moved_to_ms = null;
      arm();
    }
  }
  const wall = (): number => (time.wall === undefined ? now() : time.wall() + offset_ms);
  return assembleClock(now, agenda, move, wall);
}

function passOn(error: unknown): never {
  throw error;
}

/** A clock over a source of time: `move` moves it, and awaits what falls due. */
export function assembleClock(
  now: () => number,
  agenda: Agenda,
  move: (ms: number) => Promise<void>,
  wall: () => number = now,
): AdjustableClock {
  let last: Promise<void> = Promise.resolve();
  const schedule = (at_ms: number, task: Task): (() => void) => agenda.add(at_ms, task);
  return {
    now,
    wall,
    schedule,
    sleep: (ms, signal) => sleepUntil(now() + ms, { schedule, signal }),
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError("time moves forward only");
      const step = (): Promise<void> => move(ms);
      // One at a time: the second advance must not resolve while the first still runs a task.
      last = last.then(step, step);
      return last;
    },
  };
}

/**
 * Runs all that is due, and what that schedules, in order, and waits until all of it has ended. A task
 * that needs more than a turn goes on while the next begins: it may wait for that one, as a poll
 * waits for the deadline of the request that it shares. Throws the first error of a task.
 */
export async function settle(agenda: Agenda, now: () => number): Promise<void> {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const note = (error: unknown): void => {
    errors.push(error);
  };
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    let entry = agenda.take(now());
    if (!entry) {
      // A sleeper that has just been woken needs a turn to schedule what comes next.
      await nextTurn();
      entry = agenda.take(now());
    }
    if (entry) {
      const ended = attempt(entry.task, note);
      if (!ended) continue;
      const watched: Promise<void> = ended.catch(note).finally(() => running.delete(watched));
      running.add(watched);
      await Promise.race([watched, nextTurn()]);
    } else if (running.size > 0) await Promise.race([agenda.added(), ...running]);
    else break;
  }
  if (errors.length > 0) throw errors[0];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function sleepUntil(
  at_ms: number,
  { schedule, signal }: { schedule: Clock["schedule"]; signal: AbortSignal | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = schedule(at_ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    function abort(): void {
      cancel();
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
}

export type Agenda = {
  add(at_ms: number, task: Task): () => void;
  /** Removes and returns the first entry later than `after_ms` that is due at `now_ms`. */
  take(now_ms: number, after_ms?: number): Entry | undefined;
  /** When the first entry later than `after_ms` falls due. */
  next(after_ms: number): number | undefined;
  /** Resolves with the next entry that is added. */
  added(): Promise<void>;
};

/** `changed` is called with every new entry, and whether it is the first. */
export function createAgenda(changed: (first: boolean) => void): Agenda {
  const entries: Entry[] = [];
  let order = 0;
  let addition = Promise.withResolvers<void>();
  return {
    add(at_ms, task) {
      const entry: Entry = { at_ms, order: order++, task };
      const index = place(entries, entry);
      entries.splice(index, 0, entry);
      changed(index === 0);
      addition.resolve();
      addition = Promise.withResolvers<void>();
      return () => {
        const at = place(entries, entry);
        if (entries[at] === entry) entries.splice(at, 1);
      };
    },
    take(now_ms, after_ms = -Infinity) {
      const index = firstAfter(entries, after_ms);
      const due = (entries[index]?.at_ms ?? Infinity) <= now_ms;
      return due ? entries.splice(index, 1)[0] : undefined;
    },
    added: () => addition.promise,
    next: (after_ms) => entries[firstAfter(entries, after_ms)]?.at_ms,
  };
}

function firstAfter(entries: readonly Entry[], after_ms: number): number {
  return after_ms === -Infinity ? 0 : place(entries, { at_ms: after_ms, order: Infinity });
}

/** Index of the first entry that is not before this one. */
function place(entries: readonly Entry[], entry: Pick<Entry, "at_ms" | "order">): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle] as Entry;
    const before = other.at_ms - entry.at_ms || other.order - entry.order;
    if (before < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
