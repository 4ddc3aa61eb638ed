/**
 * A fleet in a bottle: replicas with clocks of their own over one upstream and one place of exchange,
 * in simulated time in which requests, calls and notices take a while, so that all interleave.
 */
import assert from "node:assert/strict";
import type { AdjustableClock } from "#process/clock.ts";
import type { FeedDeps, FeedSystem } from "#upstream/feeds/feed-types.ts";
import { createWorld, type World } from "#world/world.ts";
import { createRandom } from "../../conformance/rate-limiter.ts";
import {
  createMemoryExchange,
  type MemoryExchange,
  type MemoryReplica,
} from "../../support/memory-exchange.ts";
import {
  type Bottle,
  type City,
  createBottle,
  createCity,
  createUpstream,
  START_MS,
  systemOf,
  turn,
  type Upstream,
} from "./support.ts";

/** Time that waits for no task: each is begun when it is due, and goes on alongside those due next. */
function createLooseClock(start_ms: number): AdjustableClock {
  const agenda: { at_ms: number; order: number; task: () => unknown }[] = [];
  let now_ms = start_ms;
  let order = 0;
  const schedule: AdjustableClock["schedule"] = (at_ms, task) => {
    const entry = { at_ms, order: order++, task };
    const at = agenda.findIndex((other) => other.at_ms > at_ms);
    agenda.splice(at === -1 ? agenda.length : at, 0, entry);
    return () => {
      const index = agenda.indexOf(entry);
      if (index !== -1) agenda.splice(index, 1);
    };
  };
  return {
    now: () => now_ms,
    wall: () => now_ms,
    schedule,
    sleep: (ms) => new Promise((resolve) => void schedule(now_ms + ms, () => resolve())),
    async advance(ms) {
      const until_ms = now_ms + ms;
      for (;;) {
        // One for what is sent, one for what is made of it.
        await turn();
        await turn();
        const due = agenda[0];
        if (!due || due.at_ms > until_ms) break;
        agenda.shift();
        now_ms = Math.max(now_ms, due.at_ms);
        void due.task();
      }
      now_ms = until_ms;
    },
  };
}

/** The same time, off by the given skew. */
function skewed(clock: AdjustableClock, skew_ms: number): AdjustableClock {
  return {
    ...clock,
    now: () => clock.now() + skew_ms,
    schedule: (at_ms, task) => clock.schedule(at_ms - skew_ms, task),
  };
}

export type Replica = Bottle & Pick<MemoryReplica, "kill" | "revive"> & { world: World };

export type TestFleet = {
  clock: AdjustableClock;
  upstream: Upstream;
  exchange: MemoryExchange;
  replicas: Replica[];
  cities: City[];
  random: () => number;
  /** Times at which the upstream was asked for files that end so, ms since the start. */
  times(ending: string): number[];
  /** One more, of the systems of all. */
  join(options?: JoinOptions): Replica;
  /** Lets the given time pass while callers ask near every system, at one replica or another. */
  live(ms: number, who?: readonly Replica[]): Promise<void>;
};

type JoinOptions = Omit<Partial<FeedDeps>, "clock"> & { skew_ms?: number };

type FleetOptions = JoinOptions & {
  replicas?: number;
  cities?: number;
  seed?: number;
  /** Longest, ms. */
  upstream_ms?: number;
  exchange_ms?: number;
};

const ASKED_EVERY_MS = 20_000;

export function createFleetOf(options: FleetOptions = {}): TestFleet {
  const { replicas: count = 3, cities: many = 1, seed = 1, ...rest } = options;
  const { upstream_ms = 200, exchange_ms = 4, ...deps } = rest;
  const clock = createLooseClock(START_MS);
  const random = createRandom(seed);
  const plain = createUpstream(clock);
  const requests: { url: string; at_ms: number }[] = [];
  const upstream: Upstream = {
    ...plain,
    async run(request, how) {
      requests.push({ url: request.url, at_ms: clock.now() - START_MS });
      await clock.sleep(random() * upstream_ms);
      const outcome = await plain.run(request, how);
      return how.signal?.aborted ? { status: "error", reason: "aborted" } : outcome;
    },
  };
  const exchange = createMemoryExchange(clock, () => random() * exchange_ms);
  const ids = Array.from({ length: many }, (_, i) => `s${i}`);
  const cities = ids.map((id, i) =>
    createCity(upstream, `https://${id}.example`, { lat: 40 + i, stations: 3 }),
  );
  const systems: FeedSystem[] = ids.map((id, i) => systemOf(id, cities[i]!.url));
  const replicas: Replica[] = [];

  function join({ skew_ms = 0, ...more }: JoinOptions = {}): Replica {
    const { exchange: port, kill, revive } = exchange.join();
    let frozen: PromiseWithResolvers<void> | null = null;
    const world = createWorld();
    for (const { id } of systems) world.register({ source_id: id, country: null });
    const bottle = createBottle({
      systems,
      exchange: port,
      random,
      idle_s: 300,
      // Dead replicas send no requests, though their timers go on here.
      upstream: {
        ...upstream,
        run: async (...call) => {
          await frozen?.promise;
          return upstream.run(...call);
        },
      },
      ...deps,
      clock: skewed(clock, skew_ms),
      ...more,
      sink: {
        put(shard) {
          bottle.puts.push(shard);
          return world.put(shard);
        },
        setBox: (id, box) => world.setBox(id, box),
        suspect: (id, whereabouts) => world.suspect(id, whereabouts),
      },
    });
    const replica: Replica = {
      ...bottle,
      world,
      kill() {
        frozen ??= Promise.withResolvers();
        kill();
      },
      revive() {
        revive();
        frozen?.resolve();
        frozen = null;
      },
    };
    replicas.push(replica);
    return replica;
  }
  for (let i = 0; i < count; i++) join();

  return {
    clock,
    upstream,
    exchange,
    replicas,
    cities,
    random,
    join,
    times: (ending) => requests.filter(({ url }) => url.endsWith(ending)).map(({ at_ms }) => at_ms),
    async live(ms, who = replicas) {
      const until_ms = clock.now() + ms;
      while (clock.now() < until_ms) {
        for (const id of ids) who[Math.floor(random() * who.length)]!.feeds.wake(id);
        await clock.advance(Math.min(ASKED_EVERY_MS, until_ms - clock.now()));
      }
    },
  };
}

/** Between each and the next. */
export function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((at_ms, i) => at_ms - times[i]!);
}

/** No gap is shorter than the time to live allows, nor longer than it asks for. */
export function assertPace(
  times: readonly number[],
  { least_ms, most_ms, span_ms }: { least_ms: number; most_ms: number; span_ms: number },
): void {
  const gaps = gapsOf(times);
  assert.ok(Math.min(...gaps) >= least_ms, `a gap of ${Math.min(...gaps)} ms`);
  assert.ok(Math.max(...gaps) <= most_ms, `a gap of ${Math.max(...gaps)} ms`);
  assert.ok(times.length >= span_ms / most_ms - 1, `${times.length} requests`);
}
