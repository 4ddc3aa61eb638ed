/**
 * Runs a service until it is ended: one that is outdated (observe/clock-watch.ts) is closed and started again
 * in this process, on the same addresses.
 */
import { detach, guard, type NoteFault } from "#kit/guard.ts";
import type { StartProblem } from "./parts.ts";

/** A service that runs. */
type Running = {
  /** Resolves when it is to be closed and started again. */
  outdated: Promise<void>;
  onFault: NoteFault;
  close(how?: { delay_ms?: number }): Promise<void>;
};

export type LifecycleDeps<S extends Running> = {
  /** Starts a service; `before`: the one in whose place it comes. */
  start(before: S): Promise<S | StartProblem>;
  /** It could not be started again, in one line. */
  onProblem(problem: string): void;
};

export class Lifecycle<S extends Running> {
  readonly #deps: LifecycleDeps<S>;
  #service: S;
  #ended = false;
  /** Whether what `service` is has been closed already. */
  #isClosed = false;
  /** Ends and starts take turns. */
  #last: Promise<void> = Promise.resolve();

  constructor(first: S, deps: LifecycleDeps<S>) {
    this.#service = first;
    this.#deps = deps;
    this.#follow(first);
  }

  /** The one that runs now. */
  get service(): S {
    return this.#service;
  }

  /** Closes what runs, also where it is just being started again. */
  end(...how: Parameters<Running["close"]>): Promise<void> {
    this.#ended = true;
    return this.#turn(async () => {
      if (!this.#isClosed) await this.#service.close(...how);
      this.#isClosed = true;
    });
  }

  #turn(task: () => Promise<void>): Promise<void> {
    const before = this.#last;
    // What the turn before has thrown was for the one that began it.
    this.#last = guard(
      () => before,
      () => undefined,
    ).then(task);
    return this.#last;
  }

  #follow(service: S): void {
    const again = service.outdated.then(() => this.#turn(() => this.#startOver()));
    detach(again, (error) => this.#service.onFault("start over", error));
  }

  async #startOver(): Promise<void> {
    if (this.#ended) return;
    const before = this.#service;
    this.#isClosed = true;
    await before.close();
    if (this.#ended) return;
    const next = await this.#deps.start(before);
    if ("problem" in next) {
      this.#ended = true;
      this.#deps.onProblem(next.problem);
      return;
    }
    this.#service = next;
    this.#isClosed = false;
    this.#follow(next);
  }
}
