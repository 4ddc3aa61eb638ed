/**
 * Whether the last write to a store succeeded, and why not: one line when it fails for the first
 * time, one for each other reason of the same outage, one when it has been well again for a while.
 * A store that fails now and then is one outage, not hundreds.
 */
import type { Time } from "#storage/store-time.ts";

/** The stores that a service may have. */
export const STORES = ["folder", "postgresql", "valkey"] as const;
export type StoreName = (typeof STORES)[number];

export const HEALTH_REASONS = [
  "unreachable",
  "late",
  "refused",
  "read_only",
  "full",
  "broken",
] as const;
/**
 * `unreachable`: no connection; `late`: no answer in time; `refused`: it answers and says no (a
 * password, a right, no connection left); `broken`: the disk or the file is damaged.
 */
export type Reason = (typeof HEALTH_REASONS)[number];

/** `detail`: the words of the store, in one line. */
export type Failing = { reason: Reason; detail: string };

/** `part`: which of its parts failed; of a store that is back, how long it was away. */
export type HealthEvent =
  | ({ store: StoreName; state: "away"; part: string } & Failing)
  | { store: StoreName; state: "back"; away_s: number };

/** What the parts of a store report to. */
export type Reports = Pick<StoreHealth, "fail" | "succeed">;

/** Time without a failure after which an outage is over, ms. */
const HOLD_MS = 10_000;
/** A single late answer is no outage: this process may not have been scheduled for a moment. */
const DOUBT_MS = 400;

export type HealthDeps = {
  time: Time;
  onEvent: (event: HealthEvent) => void;
};

export class StoreHealth {
  readonly store: StoreName;
  readonly #deps: HealthDeps;
  /** Parts whose last write failed. */
  readonly #failing = new Map<string, Failing>();
  /** Of the present outage. */
  readonly #reported = new Set<Reason>();
  /** Since when the answers of a part are late, none of which has begun an outage. */
  readonly #late = new Map<string, number>();
  #outage: { since_ms: number; last: Failing } | null = null;
  #cancel: (() => void) | null = null;

  constructor(store: StoreName, deps: HealthDeps) {
    this.store = store;
    this.#deps = deps;
  }

  /** Why the store counts as away; null: its last writes succeeded. */
  get failing(): Failing | null {
    return this.#outage?.last ?? null;
  }

  isUp(): boolean {
    return this.#outage === null;
  }

  /** Notes that a write of this part failed. */
  fail(part: string, failing: Failing): void {
    const { time, onEvent } = this.#deps;
    if (failing.reason === "late" && this.#outage === null && this.#isFirst(part)) return;
    this.#failing.set(part, failing);
    this.#cancel?.();
    this.#cancel = null;
    this.#outage ??= { since_ms: time.now(), last: failing };
    this.#outage.last = failing;
    if (this.#reported.has(failing.reason)) return;
    this.#reported.add(failing.reason);
    onEvent({ store: this.store, state: "away", part, ...failing });
  }

  /** Notes that a write of this part succeeded. Costs nothing while none fails. */
  succeed(part: string): void {
    if (this.#late.size > 0) this.#late.delete(part);
    if (this.#failing.size === 0 || !this.#failing.delete(part)) return;
    if (this.#failing.size > 0) return;
    const { time } = this.#deps;
    this.#cancel ??= time.schedule(time.now() + HOLD_MS, () => this.#end());
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Reports whether this part was not late a moment ago. */
  #isFirst(part: string): boolean {
    const now_ms = this.#deps.time.now();
    const since_ms = this.#late.get(part) ?? now_ms;
    this.#late.set(part, since_ms);
    return now_ms - since_ms < DOUBT_MS;
  }

  #end(): void {
    this.#cancel = null;
    const outage = this.#outage;
    if (outage === null || this.#failing.size > 0) return;
    this.#outage = null;
    this.#reported.clear();
    const away_s = Math.round((this.#deps.time.now() - outage.since_ms) / 1000);
    this.#deps.onEvent({ store: this.store, state: "back", away_s });
  }
}
