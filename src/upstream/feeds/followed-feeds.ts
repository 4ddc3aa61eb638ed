/** The feed runtime of another thread, as a thread that serves sees it: what it last reported, and calls to it. */
import type { FeedHealth, Feeds } from "#ports.ts";
import type { FeedInfo, FeedRuntime } from "./feed-types.ts";

/** What one thread says of a system to the others. */
export type ReportedFeed = { info: FeedInfo; health: FeedHealth };

/** The thread that reads the feeds. */
type FeedsElsewhere = {
  /** Never waits. */
  wake(source_ids: readonly string[]): void;
  prioritise(country: string): void;
  /** Resolves when this thread has what came of it. */
  refresh: Feeds["refresh"];
};

type Deps = { elsewhere: FeedsElsewhere; now(): number };

/** A system is woken, and a country put first, once in so long: both hold for minutes. */
const AGAIN_MS = 1_000;
const UNKNOWN_HEALTH: FeedHealth = {
  status: "unavailable",
  reason: "unknown_source",
  last_success_at_ms: null,
  last_attempt_at_ms: null,
};

export class FollowedFeeds implements Pick<
  FeedRuntime,
  "wake" | "refresh" | "health" | "prioritise" | "snapshot" | "find"
> {
  readonly #deps: Deps;
  readonly #reported = new Map<string, ReportedFeed>();
  readonly #woken = new Map<string, number>();
  /** Woken in this turn. */
  #waking: string[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  take(reported: readonly ReportedFeed[]): void {
    for (const each of reported) this.#reported.set(each.info.id, each);
  }

  readonly wake = (source_id: string): void => {
    if (!this.#isDue(source_id)) return;
    this.#waking.push(source_id);
    if (this.#waking.length > 1) return;
    queueMicrotask(() => this.#deps.elsewhere.wake(this.#waking.splice(0)));
  };

  readonly prioritise = (country: string): void => {
    if (this.#isDue(`country ${country}`)) this.#deps.elsewhere.prioritise(country);
  };

  readonly refresh: Feeds["refresh"] = (source_id, options) =>
    this.#deps.elsewhere.refresh(source_id, options);

  readonly health = (source_id: string): FeedHealth =>
    this.#reported.get(source_id)?.health ?? UNKNOWN_HEALTH;

  readonly snapshot = (): FeedInfo[] => Array.from(this.#reported.values(), ({ info }) => info);

  readonly find = (source_id: string): FeedInfo | null =>
    this.#reported.get(source_id)?.info ?? null;

  #isDue(name: string): boolean {
    const now_ms = this.#deps.now();
    if (now_ms - (this.#woken.get(name) ?? -Infinity) < AGAIN_MS) return false;
    this.#woken.set(name, now_ms);
    return true;
  }
}
