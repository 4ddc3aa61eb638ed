/** The service's own feed path, put together so that what ingest says of each file can be read. */
import { setTimeout as sleep } from "node:timers/promises";
import { createClock } from "#process/clock.ts";
import { type FeedFile, gbfsProtocol } from "#stations/index.ts";
import type { FileReport } from "#stations/shards.ts";
import { createEgress } from "#upstream/egress.ts";
import { IngestPool } from "#upstream/feeds/ingest-pool.ts";
import { createFeeds } from "#upstream/feeds/runtime.ts";
import type { FeedRuntime, FeedSystem } from "#upstream/feeds/feed-types.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createRun } from "#upstream/run.ts";
import { createWorld } from "#world/world.ts";
import type { World } from "#world/world.ts";
import type { ReplaySystem } from "../host.ts";
import { noFault } from "../../../test/support/faults.ts";

export type Reports = Map<FeedFile, FileReport>;

export type ReplayRuntime = {
  world: World;
  /** By system; the last word on each file. */
  reports: Map<string, Reports>;
  /** By system: what came of loading it. */
  loaded: Map<string, string>;
  close(): Promise<void>;
};

const WORKER_URL = new URL("../../../src/main/workers/ingest.ts", import.meta.url);

/** Surveys and loads every system over HTTP. */
export async function loadReplay(
  systems: readonly ReplaySystem[],
  onLoaded: (id: string) => void = () => undefined,
): Promise<ReplayRuntime> {
  const clock = createClock();
  const world = createWorld();
  const reports = new Map<string, Reports>(systems.map(({ id }) => [id, new Map()]));
  const egress = createEgress({ allow_private: true, http_hosts: ["127.0.0.1"] });
  const client = createHttpClient({ egress, user_agent: "vicinity-replay", now: clock.now });
  const pool = new IngestPool({
    inline: gbfsProtocol.ingest,
    worker_url: WORKER_URL,
    onFault: noFault,
  });
  for (const { id } of systems) world.register({ source_id: id, country: null });
  const feeds = createFeeds({
    systems: systems.map(toFeedSystem),
    protocol: gbfsProtocol,
    onFault: noFault,
    run: createRun({ client, clock, onFault: noFault }),
    clock,
    random: Math.random,
    sink: world,
    store: { listMemos: () => [], putMemo: () => undefined, close: () => undefined },
    ingest: async (job) => {
      const result = await pool.ingest(job);
      const files = Object.entries(result.files) as [FeedFile, FileReport][];
      for (const [file, report] of files) reports.get(job.system_id)!.set(file, report);
      return result;
    },
    timeout_ms: 30_000,
    idle_s: 3_600,
    survey: { enabled: false, concurrency: 8 },
  });
  feeds.start();
  const loaded = new Map<string, string>();
  await Promise.all(
    systems.map(async ({ id }) => {
      const result = await feeds.refresh(id, { begun_after_ms: 0 });
      loaded.set(id, result.status === "ok" ? "ok" : `${result.status}: ${result.reason}`);
      onLoaded(id);
    }),
  );
  await loadZones(feeds, { systems, reports });
  const close = async (): Promise<void> => {
    await feeds.close();
    await pool.close();
    await egress.close();
  };
  return { world, reports, loaded, close };
}

/** Loads zones, which are left to the background in the service, and which the report waits for. */
async function loadZones(
  feeds: FeedRuntime,
  of: { systems: readonly ReplaySystem[]; reports: Map<string, Reports> },
): Promise<void> {
  const zoned = of.systems.filter(({ files }) => files.includes("geofencing_zones"));
  for (const { id } of zoned) feeds.wake(id);
  const until_ms = performance.now() + ZONES_WAIT_MS;
  const isRead = ({ id }: ReplaySystem): boolean => of.reports.get(id)!.has("geofencing_zones");
  while (!zoned.every(isRead) && performance.now() < until_ms) await sleep(20);
}

const ZONES_WAIT_MS = 5_000;

function toFeedSystem({ id, url, name }: ReplaySystem): FeedSystem {
  return {
    id,
    url,
    name,
    country: null,
    auth: { kind: "none" },
    mode_hint: null,
    network: null,
    same_site_as: null,
  };
}
