/**
 * Whose work the serving thread does (docs/decisions/0032-a-burst-counts-time.md): the time from the
 * moment at which the thread takes up a request until it turns to another or has nothing left to do
 * belongs to that request. Time in which a request waits belongs to none.
 *
 * A request that is answered at once needs two readings of the time, which it makes in any case. One
 * that waits is known where it begins to wait, by its asynchronous context, and without one as the
 * request that the thread works for: where the wait ends, `resume` says that the thread works for it
 * again, until the queue of microtasks is empty.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** What a request has taken. It refers to nothing: contexts of timers and sockets may outlive the answer. */
export class Work {
  ms = 0;
  isOver = false;
  /** Request whose section was interrupted by this one: both came with one read of a socket. */
  before: Work | null = null;
}

/** Microtasks after which most requests that need no wait have been answered. */
const HOPS = 5;

export class ServingThread {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly #whose = new AsyncLocalStorage<Work>();
  #current: Work | null = null;
  #since_ms = 0;
  #isEnding = false;
  #hops = 0;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Begins the first section of a request, at a time that was read already. */
  begin(work: Work, at_ms: number): void {
    if (this.#current !== null) this.#interrupt(work, at_ms);
    this.#current = work;
    this.#since_ms = at_ms;
  }

  /** Runs the first section; what follows from it is followed. To be called in a turn of its own. */
  run<A, R>(work: Work, task: (source: A) => R, input: A): R {
    // Not `run`, which sets the former context again: the turn ends with the section, and so does it.
    this.#whose.enterWith(work);
    return task(input);
  }

  /** Ends a section whose rest comes later, where the thread works for that request. */
  pause(work: Work): void {
    if (this.#current !== work) return;
    this.#turnTo(work.before, this.now());
    work.before = null;
  }

  /** The section goes on in microtasks, and ends with the last of them; one that waits has ended. */
  endSoon(): void {
    if (this.#isEnding || this.#current === null) return;
    this.#isEnding = true;
    this.#hops = 0;
    queueMicrotask(this.#hop);
  }

  /** Says that the thread works for a request; absent: for the one of the present context, if any. */
  resume(work: Work | null = this.#whose.getStore() ?? null): void {
    this.#resumeFor(work);
  }

  /** Returns the function, whose callers are worked for again when what they waited for has come. */
  resuming<A extends unknown[], R>(ask: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return (...args) => {
      const work = this.#find();
      return ask(...args).then((value) => {
        this.#resumeFor(work);
        return value;
      });
    };
  }

  /** Returns what a request has taken until now, ms. */
  spent(work: Work): number {
    return this.#current === work ? work.ms + this.now() - this.#since_ms : work.ms;
  }

  /** Ends a request at a time that was read already; what it does afterwards is not counted. */
  end(work: Work, at_ms: number): void {
    if (this.#current === work) this.#turnTo(work.before, at_ms);
    work.before = null;
    work.isOver = true;
  }

  #find(): Work | null {
    const followed = this.#whose.getStore();
    return followed === undefined || followed.isOver ? this.#current : followed;
  }

  #resumeFor(work: Work | null): void {
    const next = work?.isOver ? null : work;
    if (next === this.#current) return;
    this.#turnTo(next, this.now());
    if (next !== null) this.endSoon();
  }

  #interrupt(work: Work, at_ms: number): void {
    const before = this.#current;
    this.#turnTo(null, at_ms);
    work.before = before;
  }

  #turnTo(next: Work | null, at_ms: number): void {
    if (this.#current !== null) this.#current.ms += Math.max(0, at_ms - this.#since_ms);
    this.#current = next === null || next.isOver ? null : next;
    this.#since_ms = at_ms;
  }

  /**
   * From a microtask, the next tick comes when the whole queue of microtasks is empty. Most requests
   * are over some microtasks later, and need no tick.
   */
  readonly #hop = (): void => {
    if (this.#current === null) this.#isEnding = false;
    else if (++this.#hops < HOPS) queueMicrotask(this.#hop);
    else process.nextTick(this.#rest);
  };

  readonly #rest = (): void => {
    this.#isEnding = false;
    if (this.#current !== null) this.#turnTo(null, this.now());
  };
}
