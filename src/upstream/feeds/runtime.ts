/**
 * The feed runtime (architecture, Feeds): reads whole systems in the background while
 * somebody asks near them, and hands their shards to the world. It knows no protocol by name.
 */
import type { FeedHealth } from "#ports.ts";
import { createFleet } from "#upstream/feeds/fleet.ts";
import { createHostLimit } from "#upstream/feeds/host-limit.ts";
import { createQuota, createSharedQuota } from "#upstream/feeds/quota.ts";
import { arm, refresh, wake } from "#upstream/feeds/schedule.ts";
import { healthOf, infoOf } from "#upstream/feeds/snapshot.ts";
import { type Context, createState, type SystemState } from "#upstream/feeds/state.ts";
import { createSurvey, type Survey } from "#upstream/feeds/survey.ts";
import type { FeedDeps, FeedRuntime, FeedSystem } from "#upstream/feeds/types.ts";

export type { FeedRuntime };

const MAX_PER_HOST = 6;
const UNKNOWN_HEALTH: FeedHealth = {
  status: "unavailable",
  reason: "unknown_source",
  last_success_at_ms: null,
  last_attempt_at_ms: null,
};

export function createFeeds({ systems, exchange = null, ...deps }: FeedDeps): FeedRuntime {
  const closing = new AbortController();
  const ctx = createContext(deps, closing.signal);
  const states = new Map<string, SystemState>();
  const survey = createSurvey(ctx);
  const onAdopted = (state: SystemState): void => {
    survey.learn(state);
    arm(ctx, state);
  };
  ctx.fleet = exchange && createFleet({ ctx, exchange, onAdopted });
  const add = createAdder({ ctx, states, survey });
  add(systems);

  async function settle(): Promise<void> {
    while (ctx.air.size > 0) await Promise.all(ctx.air);
  }

  return {
    add,
    start: () => survey.start(),
    join: async () => await ctx.fleet?.join(),
    wake(source_id) {
      const state = states.get(source_id);
      if (state) wake(ctx, state);
    },
    async refresh(source_id, options) {
      const state = states.get(source_id);
      if (!state) return { status: "unavailable", reason: "unknown_source" };
      return refresh(ctx, state, options);
    },
    health(source_id) {
      const state = states.get(source_id);
      return state ? healthOf(state) : UNKNOWN_HEALTH;
    },
    hasten: (country) => survey.hasten(country),
    surveyed: () => survey.surveyed(),
    snapshot: () => Array.from(states.values(), (state) => infoOf(ctx, state)),
    find(source_id) {
      const state = states.get(source_id);
      return state ? infoOf(ctx, state) : null;
    },
    settle,
    async close() {
      closing.abort();
      survey.stop();
      ctx.fleet?.close();
      for (const state of states.values()) state.cancel_timer?.();
      await settle();
    },
  };
}

function createContext(
  { limiter = null, ...deps }: Omit<FeedDeps, "systems" | "exchange">,
  signal: AbortSignal,
): Context {
  const { now } = deps.clock;
  const quota = limiter ? createSharedQuota(now, limiter) : createQuota(now);
  const limit = createHostLimit(MAX_PER_HOST);
  return { ...deps, limit, quota, signal, air: new Set(), fleet: null };
}

type Registry = { ctx: Context; states: Map<string, SystemState>; survey: Survey };

function createAdder({ ctx, states, survey }: Registry): FeedRuntime["add"] {
  const memos = new Map(ctx.store.listMemos().map((memo) => [memo.source_id, memo]));
  return (systems) => {
    const created: SystemState[] = [];
    for (const system of systems) {
      const known = states.get(system.id);
      if (known && known.system.url !== system.url) {
        move(known, system, survey);
        ctx.fleet?.add([known]);
      }
      if (known) continue;
      const state = createState(system, memos.get(system.id));
      states.set(system.id, state);
      created.push(state);
    }
    ctx.fleet?.add(created);
    survey.add(created);
  };
}

/** The publisher has moved: nothing it said elsewhere holds, but its data are shown until then. */
function move(state: SystemState, system: FeedSystem, survey: Survey): void {
  Object.assign(state, { system, discovery: null, memo: null });
  survey.repeat(state);
}
