/**
 * The feed runtime (architecture, Feeds): reads whole systems in the background while callers ask near
 * them, and hands their shards to the world. It knows no protocol by name.
 */
import type { FeedHealth } from "#ports.ts";
import { Feed, type FeedContext } from "#upstream/feeds/feed-runtime.ts";
import { Fleet } from "#upstream/feeds/fleet.ts";
import { createHostLimit, createQuota, createSharedQuota } from "#upstream/feeds/host-limits.ts";
import { Schedule, type ScheduleDeps } from "#upstream/feeds/schedule.ts";
import { healthOf, infoOf } from "#upstream/feeds/snapshot.ts";
import { newFeedState } from "#upstream/feeds/feed-state.ts";
import { Survey } from "#upstream/feeds/survey.ts";
import type { FeedDeps, FeedRuntime, FeedSystem } from "#upstream/feeds/feed-types.ts";

const MAX_PER_HOST = 6;
const UNKNOWN_HEALTH: FeedHealth = {
  status: "unavailable",
  reason: "unknown_source",
  last_success_at_ms: null,
  last_attempt_at_ms: null,
};

export function createFeeds(options: FeedDeps): FeedRuntime {
  const { systems, exchange = null, limiter = null, ...deps } = options;
  const closing = new AbortController();
  const { clock, random, protocol, store } = deps;
  const quota = limiter ? createSharedQuota(clock.now, limiter) : createQuota(clock.now);
  const limit = createHostLimit(MAX_PER_HOST);
  const ctx: FeedContext = { ...deps, limit, quota, signal: closing.signal };
  const running = new Set<Promise<unknown>>();
  const fleet = exchange && new Fleet(ctx, exchange);
  const survey = new Survey(ctx, running);
  const memos = new Map(store.listMemos().map((memo) => [memo.source_id, memo]));
  const schedules = new Map<string, Schedule>();
  const scheduling: ScheduleDeps = {
    fleet,
    running,
    onAdopted(schedule) {
      survey.learned(schedule);
      schedule.arm();
    },
  };

  function create(system: FeedSystem): Schedule {
    const memo = memos.get(system.id);
    const state = newFeedState(system, system.protocol ?? protocol, { clock, random, memo });
    return new Schedule(new Feed(ctx, state), scheduling);
  }

  function move(schedule: Schedule, system: FeedSystem): void {
    schedule.feed.state.moved(system, system.protocol ?? protocol);
    schedule.moved();
    survey.repeat(schedule);
  }

  function add(added: readonly FeedSystem[]): void {
    const created: Schedule[] = [];
    for (const system of added) {
      const known_schedule = schedules.get(system.id);
      if (known_schedule && known_schedule.feed.state.view.system.url !== system.url)
        move(known_schedule, system);
      if (known_schedule) continue;
      const schedule = create(system);
      schedules.set(system.id, schedule);
      created.push(schedule);
    }
    survey.add(created);
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  add(systems);
  return {
    add,
    start: (first = null) => survey.start(first),
    join: async () => await fleet?.join(),
    wake: (source_id) => schedules.get(source_id)?.wake(),
    async refresh(source_id, { begun_after_ms }) {
      const schedule = schedules.get(source_id);
      if (!schedule) return { status: "unavailable", reason: "unknown_source" };
      return schedule.refresh({ begun_after_ms });
    },
    health(source_id) {
      const schedule = schedules.get(source_id);
      return schedule ? healthOf(schedule.feed.state.view) : UNKNOWN_HEALTH;
    },
    prioritise: (country) => survey.prioritise(country),
    surveyed: (countries) => survey.surveyed(countries),
    snapshot: () => Array.from(schedules.values(), infoOf),
    find(source_id) {
      const schedule = schedules.get(source_id);
      return schedule ? infoOf(schedule) : null;
    },
    settle,
    async close() {
      closing.abort();
      survey.stop();
      fleet?.close();
      for (const schedule of schedules.values()) schedule.close();
      await settle();
    },
  };
}
