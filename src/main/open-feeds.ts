/** The world and the feeds that fill it: parsing, identity, and the exchange with a fleet. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { noteFeed } from "#observe/feed-events.ts";
import { watchFeeds } from "#observe/feed-meter.ts";
import { countExchange } from "#observe/fleet-ports.ts";
import { gbfsProtocol } from "#stations/gbfs/gbfs-protocol.ts";
import { ingest } from "#providers/protocols.ts";
import { IngestPool } from "#upstream/feeds/ingest-pool.ts";
import { createFeeds } from "#upstream/feeds/runtime.ts";
import type { FeedRuntime, FeedSystem } from "#upstream/feeds/feed-types.ts";
import { createIdentityThread } from "#upstream/identity-thread.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { createIdentity } from "#world/identity/world-identity.ts";
import { COMPARISON, createWorld, type World } from "#world/world.ts";
import { FollowedSink, type OnShown } from "./followed-sink.ts";
import type { Inputs, Made } from "./parts/given.ts";
import { WORKERS } from "./workers.ts";

export type OpenFeeds = {
  world: World;
  feeds: FeedRuntime;
  /** Reports a listener of every source of which something else is shown. */
  follow(listener: OnShown): void;
  /** Reports a listener of every source whose state may have changed: a reading of it has ended. */
  followReadings(listener: OnShown): void;
  /** Known to the world only with what the fleet knows of them: a replica that joins begins warm. */
  add(systems: readonly FeedSystem[]): Promise<void>;
  /** At once: bodies that wait to be parsed are dropped, and their refreshes end. */
  close(): Promise<void>;
};

type Needs =
  | ("storage" | "shared" | "tracing" | "network")
  | ("metrics" | "fleet" | "history" | "quality" | "whereabouts");

export function openFeeds(
  { options, clock, random, log, onFault, serving }: Inputs,
  {
    storage,
    shared,
    tracing,
    network,
    metrics,
    fleet,
    history,
    quality,
    whereabouts,
  }: Pick<Made, Needs>,
): OpenFeeds {
  const { identity: overrides, sources } = options.config;
  const pool = new IngestPool({
    inline: ingest,
    worker_url: WORKERS.ingest,
    onWork: metrics.feedWorked,
    onFault,
  });
  const thread = createIdentityThread({ worker_url: WORKERS.identity, onFault });
  const identity = overrides
    ? createIdentity({
        bridges: storage.bridges,
        overrides,
        now: clock.now,
        resolve: (job) => thread.run(job),
        pause: () => nextTurn(),
        onTrouble: (trouble) => log.warn(trouble, "identity"),
      })
    : null;
  const world = createWorld(identity, {
    territories: whereabouts.ofStations,
    run: (steps) => runSteps(steps, createTurn(COMPARISON)),
  });
  const listeners = new Set<OnShown>();
  const sink = new FollowedSink(world, (error) => onFault("what is shown", error));
  const feeds = createFeeds({
    systems: [],
    protocol: gbfsProtocol,
    run(request, input) {
      // What comes may be for the threads: they start while it is on its way.
      pool.wake();
      thread.wake();
      return network.runFeeds(request, input);
    },
    clock,
    random,
    sink,
    store: storage.feeds,
    ingest: (job) => pool.ingest(job),
    timeout_ms: sources.gbfs.timeout_ms,
    idle_s: sources.gbfs.idle_s,
    survey: sources.gbfs.survey,
    exchange: shared && countExchange(shared.exchange, fleet),
    limiter: shared && shared.limiter,
    onWork: metrics.feedWorked,
    onFault,
    onReading: quality.note,
    onEvent: (event) => {
      const { kind, source_id, outcome, reason } = event;
      if (kind === "refresh" || kind === "survey")
        history.note(source_id, { status: outcome, reason });
      noteFeed(event, { metrics, log, tracing, onFault });
      for (const listener of listeners) listener(source_id);
    },
  });
  watchFeeds(metrics, feeds.snapshot, clock.now);
  return {
    world,
    feeds: { ...feeds, refresh: serving.resuming(feeds.refresh) },
    follow: (listener) => sink.follow(listener),
    followReadings(listener) {
      listeners.add(listener);
    },
    async add(systems) {
      const ids = systems.map(({ id }) => id);
      await storage.bridges.prepare(ids, clock.now());
      for (const { id, country } of systems) world.register({ source_id: id, country });
      network.allow(systems, { own: false });
      feeds.add(systems);
      await feeds.join();
    },
    close: async () => void (await Promise.all([feeds.close(), pool.close(), thread.close()])),
  };
}
