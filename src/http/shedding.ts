/**
 * Load shedding with priorities: health > keyed > anonymous (decisions, Errors). Most answers are
 * made at once, so requests wait for the event loop: those of all connections are in one queue,
 * that of the sockets which the kernel holds ready. A probe is sent through that queue, and nothing
 * is guessed: its duration is the time that requests wait.
 *
 * From probe to probe is one pass over the queue. The time that a pass may spend on requests is
 * bounded, the rest of it is refused: anonymous requests first, keyed ones later. It takes two long
 * passes in a row, so that one slow moment (a burst, a garbage collection) sheds no request.
 * Whenever a keyed request had to go, anonymous ones get half as much of the next pass.
 *
 * A refusal waits a moment before it leaves. It says when to come again; a client that comes at
 * once all the same, on the same connection, would be refused with every pass, at the cost of
 * requests that could be answered in that time.
 */
import { MessageChannel } from "node:worker_threads";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { anonymousMost } from "#core/limits/shared-bound.ts";

/** Health and the like never ask. */
export type Priority = "keyed" | "anonymous";

type SheddingState = {
  /** Time that the last probe waited, and that the present one has; 0: none is under way. */
  waited_ms: number;
  waiting_ms: number;
  /** Since the start. */
  shed: Readonly<Record<Priority, Readonly<Record<Reason, number>>>>;
};

/** The loop is behind, or too many requests wait for others. */
type Reason = "delay" | "inflight";

/** Where limits are not enforced, however slow the machine. */
export const SHEDS_NOTHING: Pick<Shedder, "admits" | "hold"> = {
  admits: () => true,
  hold: () => null,
};

export type ShedderDeps = {
  /** Requests that are being answered; the server counts. */
  inflight: { readonly count: number };
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Opens a probe that goes through the queue of the requests. */
  openProbe?: (returned: () => void) => Probe;
  later?: (task: () => void, ms: number) => void;
};

export type Probe = { send(): void; close(): void };

export type Bound = { delay_ms: number; inflight: number };

/**
 * Chosen so that two passes, with their refusals, stay below 100 ms (issue 6): a request that comes
 * just after one has begun is answered at the end of the next.
 */
export const BOUNDS: Readonly<Record<Priority, Bound>> = {
  anonymous: { delay_ms: 38, inflight: anonymousMost(BOUNDS_OF_ALL.requests) },
  keyed: { delay_ms: 57, inflight: BOUNDS_OF_ALL.requests.most },
};

/** At most, and half as long on average; well below the second after which to come again. */
const HOLD_MS = 300;
/** Each is a connection that is kept open, and some hundred bytes. */
export const HELD_MAX = 4_096;

/** Between probes while the queue is short. Without requests there are no probes. */
const PAUSE_MS = 5;
/** Time of a pass that anonymous requests regain after each one that sheds no keyed request. */
const REGAIN_MS = 2;
/** A wait that is as long ago says nothing of the queue of today. */
const FORGET_MS = 100;

export class Shedder {
  readonly #inflight: ShedderDeps["inflight"];
  readonly #now: () => number;
  readonly #hold: Hold;
  readonly #probe: Probe;
  readonly #shed = {
    anonymous: { delay: 0, inflight: 0 },
    keyed: { delay: 0, inflight: 0 },
  } satisfies SheddingState["shed"];
  readonly #share_ms = { anonymous: BOUNDS.anonymous.delay_ms, keyed: BOUNDS.keyed.delay_ms };
  /** null: no probe is under way. */
  #sent_ms: number | null = null;
  #returned_ms = -Infinity;
  #waited_ms = 0;
  /** Of keyed requests, when the last probe returned. */
  #keyed_shed = 0;

  constructor({ inflight, now, openProbe = openLoopProbe, later }: ShedderDeps) {
    this.#inflight = inflight;
    this.#now = now ?? (() => performance.now());
    this.#hold = new Hold(later ?? setTimeout);
    this.#probe = openProbe(() => this.#onReturn());
  }

  /** `at_ms`: now, by `performance.now()`; passing a known reading saves most of the cost. */
  admits(priority: Priority, at_ms: number = this.#now()): boolean {
    const { delay_ms, inflight: most } = BOUNDS[priority];
    const waiting_ms = this.#measure(at_ms);
    if (waiting_ms >= this.#share_ms[priority] && this.#waited_ms >= delay_ms) {
      this.#shed[priority].delay++;
      return false;
    }
    // Nothing is done for those that are refused already.
    if (this.#inflight.count - this.#hold.count <= most) return true;
    this.#shed[priority].inflight++;
    return false;
  }

  /** Resolves when a refusal may leave. null: now, since many are waiting. */
  hold(): Promise<void> | null {
    return this.#hold.join();
  }

  state(): SheddingState {
    const waiting_ms = this.#sent_ms === null ? 0 : this.#now() - this.#sent_ms;
    return { waited_ms: this.#waited_ms, waiting_ms, shed: this.#shed };
  }

  close(): void {
    this.#probe.close();
  }

  #onReturn(): void {
    this.#returned_ms = this.#now();
    this.#waited_ms = this.#returned_ms - (this.#sent_ms as number);
    this.#sent_ms = null;
    const share_ms = this.#share_ms;
    const most_ms = BOUNDS.anonymous.delay_ms;
    if (this.#shed.keyed.delay > this.#keyed_shed) share_ms.anonymous /= 2;
    else share_ms.anonymous = Math.min(share_ms.anonymous + REGAIN_MS, most_ms);
    this.#keyed_shed = this.#shed.keyed.delay;
  }

  /** Returns how long the probe is under way. Every request calls it, so it sends the next one. */
  #measure(now_ms: number): number {
    if (this.#sent_ms !== null) return now_ms - this.#sent_ms;
    const ago_ms = now_ms - this.#returned_ms;
    if (ago_ms >= FORGET_MS) this.#waited_ms = 0;
    // While there is a queue passes follow each other without a gap.
    if (this.#waited_ms >= PAUSE_MS || ago_ms >= PAUSE_MS) {
      this.#sent_ms = now_ms;
      this.#probe.send();
    }
    return 0;
  }
}

/** Refusals that wait: those that come while one waits leave with it. */
class Hold {
  readonly #later: NonNullable<ShedderDeps["later"]>;
  #open: PromiseWithResolvers<void> | null = null;
  count = 0;

  constructor(later: NonNullable<ShedderDeps["later"]>) {
    this.#later = later;
  }

  join(): Promise<void> | null {
    if (this.count === HELD_MAX) return null;
    this.count += 1;
    if (this.#open === null) {
      this.#open = Promise.withResolvers();
      this.#later(() => this.#release(), HOLD_MS);
    }
    return this.#open.promise;
  }

  #release(): void {
    this.#open?.resolve();
    this.#open = null;
    this.count = 0;
  }
}

/**
 * A message to ourselves wakes the loop by a descriptor, which the kernel puts behind the sockets
 * that are ready already. A timer would not do: with many sockets ready the loop asks the kernel
 * again, up to 48 times, before it looks at timers.
 */
export function openLoopProbe(returned: () => void): Probe {
  const { port1, port2 } = new MessageChannel();
  port2.on("message", returned);
  // A probe does not keep the process alive.
  port2.unref();
  return {
    send: () => port1.postMessage(null),
    close: () => port1.close(),
  };
}
