/**
 * Records what replies cost (decisions, "Authentication, plans, metering"; decisions, Usage): keyed
 * replies before they leave, those of a batch by one write, since a write for each costs more than the
 * rest of access control; anonymous ones are summed, and recorded every second.
 *
 * A batch ends with the pass of the event loop, or when it is full. Its replies leave one after the
 * other, also those for which nothing is written: what each step needs stays in the processor's caches,
 * which takes a tenth to a quarter off the cost of an answer (docs/lab/performance.md).
 */
import { dayOf, EVENT_RETENTION_MS } from "#core/metering/metering-periods.ts";
import type { Clock, Usage, UsageEvent } from "#ports.ts";
import type { Caller } from "./request-caller.ts";
import type { Reservation } from "./reservation.ts";

/** A reservation (reservation.ts). */
type Booked = Pick<Reservation, "event_id" | "noteRecorded">;

export type MeterDeps = {
  usage: Pick<Usage, "record">;
  newEventId: () => string;
  /** Calls the task once, after what the event loop is about to do in this pass: `setImmediate`. */
  defer: (task: () => void) => void;
};

type Sum = Pick<UsageEvent, "operation" | "units" | "at_ms"> & { requests: number };

/**
 * Replies of a batch at most. Where a thousand connections have a request, the shedder sees that time
 * is spent on answers (http/shedding.ts) only if they do not all wait for the end of the pass.
 */
export const BATCH_MAX = 32;

type Batch = {
  replies: number;
  /** Of the keyed replies, which wait for one write. */
  events: UsageEvent[];
  booked: Booked[];
  end(): void;
  ended: Promise<true>;
  written: Promise<boolean>;
};

export class Meter {
  readonly #deps: MeterDeps;
  /** The one that replies join; null: none is waiting. */
  #open: Batch | null = null;
  /** By day and operation. */
  readonly #sums = new Map<string, Sum>();

  constructor(deps: MeterDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves at the end of its batch, with the units written. false: they could not be recorded, and
   * the reply must not leave. Rejects with what the writer throws. `booked`: the reservation of these
   * units, which ends in the step in which they are recorded.
   */
  record(
    caller: Caller,
    operation: string,
    units: number,
    now_ms: number,
    booked?: Booked,
  ): Promise<boolean> {
    const { ended, events, booked: all, written } = this.#join();
    if (units === 0) return ended;
    if (caller.kind === "anonymous") {
      this.#add(operation, units, now_ms);
      return ended;
    }
    const { account_id, key_id } = caller;
    const event_id = booked?.event_id ?? this.#deps.newEventId();
    if (booked) all.push(booked);
    events.push({ event_id, account_id, key_id, operation, units, at_ms: now_ms });
    return written;
  }

  /** Records what anonymous callers used since the last time. */
  flush(): void {
    const { usage, newEventId } = this.#deps;
    for (const [name, sum] of this.#sums) {
      // One that is refused goes with the next flush, whole.
      const event = { event_id: newEventId(), account_id: null, key_id: null, ...sum };
      if (usage.record([event])) this.#sums.delete(name);
    }
  }

  #add(operation: string, units: number, at_ms: number): void {
    const name = dayOf(at_ms) + operation;
    const sum = this.#sums.get(name) ?? { operation, units: 0, requests: 0, at_ms };
    sum.units += units;
    sum.requests += 1;
    this.#sums.set(name, sum);
  }

  #join(): Batch {
    const batch = (this.#open ??= this.#begin());
    batch.replies += 1;
    if (batch.replies === BATCH_MAX) batch.end();
    return batch;
  }

  #begin(): Batch {
    const { promise: ended, resolve } = Promise.withResolvers<true>();
    const events: UsageEvent[] = [];
    const booked: Booked[] = [];
    const written = ended.then(() => {
      if (events.length === 0) return true;
      if (!this.#deps.usage.record(events)) return false;
      for (const each of booked) each.noteRecorded();
      return true;
    });
    const end = (): void => {
      if (this.#open === batch) this.#open = null;
      resolve(true);
    };
    const batch = { replies: 0, events, booked, end, ended, written };
    this.#deps.defer(end);
    return batch;
  }
}

/** A service that has just started has other things to do. */
const FIRST_MS = 60_000;
const EVERY_MS = 86_400_000;

/**
 * Deletes single events older than the retention, daily (reliability 6.3); totals stay. What
 * `forget` throws is for the clock. Returns how to stop.
 */
export function forgetDaily(
  forget: (before_ms: number) => Promise<void>,
  clock: Clock,
): () => void {
  let stopped = false;
  const step = async (): Promise<void> => {
    try {
      await forget(clock.now() - EVENT_RETENTION_MS);
    } finally {
      if (!stopped) cancel = clock.schedule(clock.now() + EVERY_MS, step);
    }
  };
  let cancel = clock.schedule(clock.now() + FIRST_MS, step);
  return () => {
    stopped = true;
    cancel();
  };
}
