/**
 * Watches how far the time of the service is ahead of the system's clock. A clock that is set back by
 * little is made up for (steady-time.ts); one that was wrong by hours or days is not waited for: the
 * service starts over, as a new process would, and all that it remembers of the wrong time is gone
 * (docs/decisions/0024-steady-time.md).
 */
import type { Logger } from "pino";
import type { Metrics } from "#http/metrics.ts";
import { every } from "#kit/every.ts";
import type { Clock, Random } from "#ports.ts";
import type { SteadyTime } from "#process/steady-time.ts";

/** A lead that is made up for in less than an hour. */
const LEAD_MAX_MS = 300_000;
/** A clock that is still being set is waited for. */
const QUIET_MS = 60_000;
/** Replicas whose clocks are set at once do not start over at once. */
const SPREAD_MS = 120_000;
const LOOK_MS = 5_000;

export type ClockWatchDeps = {
  time: SteadyTime;
  clock: Pick<Clock, "now" | "schedule">;
  metrics: Pick<Metrics, "watch">;
  log: Pick<Logger, "warn" | "error">;
  random: Random;
};

export class ClockWatch {
  /** Resolves when the service is to start over. */
  readonly outdated: Promise<void>;
  readonly #deps: ClockWatchDeps;
  readonly #resolve: () => void;
  readonly #wait_ms: number;
  #stepped_ms = -Infinity;
  #reported = false;
  readonly #stop: () => void;

  constructor(deps: ClockWatchDeps) {
    this.#deps = deps;
    this.#wait_ms = QUIET_MS + SPREAD_MS * deps.random();
    const { promise, resolve } = Promise.withResolvers<void>();
    [this.outdated, this.#resolve] = [promise, resolve];
    deps.time.watch((step_ms) => this.#note(step_ms));
    deps.metrics.watch("svc_clock_ahead_seconds", () => [
      { labels: {}, value: this.#lead_ms() / 1000 },
    ]);
    this.#stop = every(deps.clock, LOOK_MS, () => this.#look());
  }

  close(): void {
    this.#stop();
  }

  #lead_ms(): number {
    const { time } = this.#deps;
    const now_ms = time.now();
    return Math.max(0, now_ms - (time.wall?.() ?? now_ms));
  }

  #note(step_ms: number): void {
    this.#stepped_ms = this.#deps.clock.now();
    this.#deps.log.warn({ step_ms: Math.round(step_ms) }, "system clock was set");
  }

  #look(): void {
    const { clock, log } = this.#deps;
    const lead_ms = this.#lead_ms();
    if (lead_ms <= LEAD_MAX_MS) {
      this.#reported = false;
      return;
    }
    const left_ms = this.#stepped_ms + this.#wait_ms - clock.now();
    if (!this.#reported) {
      const members = { ahead_s: Math.round(lead_ms / 1000), in_s: Math.ceil(left_ms / 1000) };
      log.error(members, "the time of this service is far ahead of the clock: it starts over");
      this.#reported = true;
    }
    if (left_ms > 0) return;
    this.#stop();
    this.#resolve();
  }
}
