/**
 * Schedule of one system's refreshes: demand keeps it awake, due times drive its polls, and one
 * request is in flight at a time, be it a refresh or a survey (architecture, Feeds).
 */
import type { RefreshResult } from "#ports.ts";
import type { Feed } from "#upstream/feeds/feed-runtime.ts";
import type { Fleet, FleetLink, FleetTask } from "#upstream/feeds/fleet.ts";
import { guard } from "#kit/guard.ts";
import {
  backingOff,
  findRetained,
  nextPollAt_ms,
  type RefreshRequest,
} from "#upstream/feeds/feed-plan.ts";
import { refreshFeed } from "#upstream/feeds/refresh.ts";

const INTERNAL = { status: "error", reason: "internal" } as const;
const FAULT_PAUSE_MS = 60_000;
const CLOSED = { status: "unavailable", reason: "shutting_down" } as const;

type InFlight = {
  /** What it brings was requested no earlier than this. */
  begun_at_ms: number;
  /** It requests all live files, so that a caller may join it. */
  full: boolean;
  /** Aborted when a caller waits for it, whom no store may hold up. */
  urgent: AbortController;
  result: Promise<RefreshResult>;
  /** The next one may begin: what came has been published, where there is a fleet. */
  done: Promise<unknown>;
};

export type ScheduleDeps = {
  fleet: Fleet | null;
  /** Everything in flight, of all systems. */
  running: Set<Promise<unknown>>;
  /** Another replica's reading has been taken over, or not, while nothing was in flight. */
  onAdopted: (schedule: Schedule) => void;
};

export class Schedule {
  readonly feed: Feed;
  readonly #running: Set<Promise<unknown>>;
  /** null: there is no fleet. */
  readonly #link: FleetLink | null;
  #is_awake = false;
  #asked_at_ms = 0;
  #cancelTimer: (() => void) | null = null;
  #inFlight: InFlight | null = null;
  #queued: { since_ms: number; result: Promise<RefreshResult> } | null = null;

  constructor(feed: Feed, { fleet, running, onAdopted }: ScheduleDeps) {
    this.feed = feed;
    this.#running = running;
    this.#link =
      fleet?.link(feed, {
        isBusy: () => this.#inFlight !== null,
        onAdopted: () => onAdopted(this),
      }) ?? null;
  }

  get is_awake(): boolean {
    return this.#is_awake;
  }

  /** Of what the fleet has published of it; 0: nothing, or there is no fleet. */
  get published_version(): number {
    return this.#link?.version ?? 0;
  }

  /** Called by every request near the system: nothing but a number while it is awake. */
  wake(): void {
    this.#asked_at_ms = this.feed.now();
    if (this.#is_awake) return;
    this.#is_awake = true;
    this.arm();
  }

  /** The publisher is elsewhere. */
  moved(): void {
    this.#link?.renew();
  }

  async refresh({ begun_after_ms }: { begun_after_ms: number }): Promise<RefreshResult> {
    const running = this.#inFlight;
    if (running) {
      running.urgent.abort();
      const joinable = running.full && running.begun_at_ms >= begun_after_ms;
      return joinable ? running.result : this.#queue(begun_after_ms);
    }
    if (this.feed.ctx.signal.aborted) return CLOSED;
    const failed = backingOff(this.feed.state.view, this.feed.now());
    if (failed) return failed;
    const { urgent, result } = this.#begin({ full: true, since_ms: begun_after_ms });
    urgent.abort();
    return result;
  }

  /** Runs something else in the system's turn, after what is in flight. */
  async occupy(task: FleetTask): Promise<void> {
    while (this.#inFlight) await this.#inFlight.done;
    await this.#launch(task, { full: false, begun_at_ms: this.feed.now() }).done;
  }

  /** One timer while it is awake, at what is due next; none while it is asleep. */
  arm(): void {
    const { clock, signal } = this.feed.ctx;
    this.close();
    if (!this.#is_awake || this.#inFlight || signal.aborted) return;
    const { view } = this.feed.state;
    const now_ms = clock.now();
    const due_ms = Math.max(nextPollAt_ms(view), view.paused_until_ms, now_ms);
    if (due_ms === Infinity) return;
    const at_ms = due_ms > now_ms && this.#link ? due_ms + this.#link.lag_ms() : due_ms;
    this.#cancelTimer = clock.schedule(at_ms, () => this.#poll());
  }

  /** Stops polling. */
  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** All that cannot join what is in flight share the next one. */
  #queue(since_ms: number): Promise<RefreshResult> {
    if (this.#queued) {
      this.#queued.since_ms = Math.max(this.#queued.since_ms, since_ms);
      return this.#queued.result;
    }
    const result = this.#inFlight!.done.then(() => {
      // Alone, whatever begins from now on is late enough; another replica's refresh may not be.
      const begun_after_ms = this.#link ? this.#queued!.since_ms : -Infinity;
      this.#queued = null;
      return this.refresh({ begun_after_ms });
    });
    this.#queued = { since_ms, result };
    return result;
  }

  /** The clock waits for it, so that a moved clock finds due polls done. */
  async #poll(): Promise<void> {
    this.#cancelTimer = null;
    const is_idle = this.feed.now() - this.#asked_at_ms > this.feed.ctx.idle_s * 1000;
    if (this.#inFlight) await this.#inFlight.done;
    else if (!is_idle) await this.#begin({ full: false, since_ms: -Infinity }).result;
    else this.#is_awake = false;
  }

  #begin({ full, since_ms }: RefreshRequest): InFlight {
    const { feed } = this;
    const { state } = feed;
    // Of a fleet another's refresh may be enough, as long as it is as young as is asked for.
    const request: RefreshRequest = { full, since_ms: this.#link ? since_ms : Infinity };
    const before = state.view.shard;
    const task: FleetTask = {
      findRetained: () => findRetained(state.view, before, { ...request, now_ms: feed.now() }),
      run: async () => {
        const begun_at_ms = feed.now();
        state.attempted();
        if (this.#inFlight) this.#inFlight.begun_at_ms = begun_at_ms;
        const result = await refreshFeed(feed, request);
        feed.events.ended("refresh", result, feed.now() - begun_at_ms);
        return result;
      },
    };
    // A first load requests everything, whatever has begun it.
    const is_full = full || !before;
    const begun_at_ms = this.#link ? since_ms : feed.now();
    return this.#launch(task, { full: is_full, begun_at_ms });
  }

  #launch(task: FleetTask, about: Pick<InFlight, "full" | "begun_at_ms">): InFlight {
    const link = this.#link;
    const urgent = new AbortController();
    const ran = guard(
      () => (link ? link.run(task, urgent.signal) : task.run()),
      (error): RefreshResult => {
        this.feed.state.paused(FAULT_PAUSE_MS);
        this.feed.events.fault(INTERNAL.reason, error);
        return INTERNAL;
      },
    );
    const free = (): void => {
      this.#running.delete(done);
      this.#inFlight = null;
      link?.catchUpLater();
      this.arm();
    };
    // A caller need not wait until it is published.
    const result = link
      ? ran
      : ran.then((ended) => {
          free();
          return ended;
        });
    const publish = async (): Promise<void> => {
      await ran;
      await guard(
        async () => await link!.publish(),
        (error) => this.feed.events.fault("not_published", error),
      );
      free();
    };
    const done: Promise<unknown> = link ? publish() : result;
    this.#inFlight = { ...about, urgent, result, done };
    this.#running.add(done);
    return this.#inFlight;
  }
}
