/**
 * Threads that do the same work next to one another: started, notified of what changes, replaced when they die, and
 * ended (docs/workers.md).
 */
import { Worker } from "node:worker_threads";
import {
  answerCall,
  type Call,
  Caller,
  type Functions,
  type Remote,
  type Reply,
} from "#kit/calls.ts";
import { attempt, detach, guard, type NoteFault } from "#kit/guard.ts";
import { receive } from "#kit/receive.ts";
import type { Clock } from "#ports.ts";
import type { StartProblem } from "./parts.ts";

/** First messages of a thread: it listens there, or cannot begin. */
export type Begun = { kind: "started"; url: string } | { kind: "refused"; problem: string };
type FromThread = Call | Reply | Begun;

/** `Notice`: messages to the threads; `F`: their functions. */
export type ThreadGroupDeps<Notice, F extends Functions> = {
  count: number;
  worker_url: URL;
  /** Names of `F`. */
  names: readonly (keyof F & string)[];
  /** What a thread is started with, by its number from 1. `url`: where the threads listen; null: it is the first one. */
  makeTask(thread: number, url: string | null): unknown;
  /** All that is to be known, for a thread that has just begun. */
  makeFirst(): Notice;
  /** Functions of this thread for one of that number. */
  functions(thread: number): Functions;
  /** Takes back what a thread that died has held. */
  onDied(thread: number): void;
  clock: Pick<Clock, "now">;
  log: { error(members: object, line: string): void; info(members: object, line: string): void };
  onFault: NoteFault;
};

/** A thread that dies soon after its start is started again later each time, up to this, ms. */
const WAIT_MS = { first: 200, most: 30_000 } as const;
/** A thread that has served so long counts as one that can. */
const SETTLED_MS = 60_000;

type Life<F extends Functions> = {
  worker: Worker;
  remote: Remote<F>;
  begun_ms: number;
  isServing: boolean;
};

export class ThreadGroup<Notice, F extends Functions & { close(): Promise<void> }> {
  readonly #deps: ThreadGroupDeps<Notice, F>;
  readonly #lives = new Map<number, Life<F>>();
  /** Deaths in a row, by thread. */
  readonly #deaths = new Map<number, number>();
  #url: string | null = null;
  #ended = 0;
  #closed = false;

  constructor(deps: ThreadGroupDeps<Notice, F>) {
    this.#deps = deps;
  }

  /** Resolves with where they listen, when all of them do. */
  async start(): Promise<{ url: string } | StartProblem> {
    const first = await this.#spawn(1);
    if ("problem" in first) return first;
    this.#url = first.url;
    const others = Array.from({ length: this.#deps.count - 1 }, (_, i) => this.#spawn(i + 2));
    const failed = (await Promise.all(others)).find((each) => "problem" in each);
    return failed ?? first;
  }

  /** How many serve, and how many have died since the start. */
  get state(): { serving: number; ended: number } {
    const serving = [...this.#lives.values()].filter(({ isServing }) => isServing).length;
    return { serving, ended: this.#ended };
  }

  get isReady(): boolean {
    return this.state.serving === this.#deps.count;
  }

  /** Says something to all threads but one. */
  notify(message: Notice, except: number | null = null): void {
    for (const [thread, { worker }] of this.#lives)
      if (thread !== except) worker.postMessage(message);
  }

  /** Asks all threads that serve; one that dies meanwhile has no answer. */
  async ask<T>(question: (thread: Remote<F>) => Promise<T>): Promise<T[]> {
    const serving = [...this.#lives.values()].filter(({ isServing }) => isServing);
    const answers = await Promise.allSettled(serving.map(({ remote }) => question(remote)));
    return answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }

  /** Ends one as a fault would. */
  async kill(thread: number): Promise<void> {
    await this.#lives.get(thread)?.worker.terminate();
  }

  /** Ends all of them, each when it has ended its parts. */
  async close(): Promise<void> {
    this.#closed = true;
    const lives = [...this.#lives.values()];
    await Promise.allSettled(lives.map(({ remote }) => remote.close()));
    await Promise.all(lives.map(({ worker }) => worker.terminate()));
  }

  async #spawn(thread: number): Promise<{ url: string } | StartProblem> {
    const { worker_url, names, makeTask, makeFirst, clock, onFault } = this.#deps;
    const task = makeTask(thread, this.#url);
    const worker = new Worker(worker_url, { workerData: task });
    const post = (message: Notice | Call | Reply): void => worker.postMessage(message);
    const caller = new Caller(post);
    const remote = caller.functions<F>(names);
    const life: Life<F> = { worker, remote, begun_ms: clock.now(), isServing: false };
    this.#lives.set(thread, life);
    // In the step in which it begins to be notified of what changes.
    post(makeFirst());
    const functions = this.#deps.functions(thread);
    const begun = Promise.withResolvers<{ url: string } | StartProblem>();
    const take = receive<FromThread>({
      call: (call) =>
        detach(answerCall(functions, call).then(post), (error) =>
          onFault("call of a thread", error),
        ),
      reply: (reply) => caller.take(reply),
      started({ url }) {
        life.isServing = true;
        begun.resolve({ url });
      },
      refused: ({ problem }) => begun.resolve({ problem }),
    });
    worker.on("message", take);
    worker.on("error", (error) => onFault(`thread ${thread}`, error));
    worker.on("exit", () => {
      caller.end();
      begun.resolve({ problem: `thread ${thread} ended while it started` });
      attempt(
        () => this.#ends(thread, life),
        (error) => onFault(`end of thread ${thread}`, error),
      );
    });
    return await begun.promise;
  }

  #ends(thread: number, life: Life<F>): void {
    const { onDied, clock, log, onFault } = this.#deps;
    this.#lives.delete(thread);
    if (this.#closed) return;
    onDied(thread);
    this.#ended++;
    const isSettled = clock.now() - life.begun_ms >= SETTLED_MS;
    const deaths = isSettled ? 0 : (this.#deaths.get(thread) ?? 0);
    this.#deaths.set(thread, deaths + 1);
    // The first start is refused as a whole where a thread cannot begin.
    if (this.#url === null) return;
    const wait_ms = Math.min(WAIT_MS.first * 2 ** deaths, WAIT_MS.most);
    log.error(
      { thread, wait_ms, ended: this.#ended },
      "a thread that serves has died and is replaced",
    );
    const again = (): Promise<void> =>
      guard(
        async () => {
          if (this.#closed) return;
          const begun = await this.#spawn(thread);
          if ("problem" in begun)
            log.error({ thread, problem: begun.problem }, "thread not replaced yet");
          else log.info({ thread }, "a thread that serves was replaced");
        },
        (error) => onFault("replacement of a thread", error),
      );
    setTimeout(() => detach(again(), (error) => onFault("timer", error)), wait_ms).unref();
  }
}
