/** One system's box and number of entities, read without keeping its data; and its memo. */
import { areasOf } from "#kit/areas.ts";
import type { Box } from "#kit/geo.ts";
import type { Failure } from "#kit/outcome.ts";
import type { FeedMemo } from "#ports.ts";
import { shardBox } from "#stations/shard/shard.ts";
import { openStatics, type Statics } from "#stations/shard/shard-statics.ts";
import { openVehicles, type Vehicles } from "#stations/shard/shard-vehicles.ts";
import { type FeedFile, type IngestResult, PLACE_FILES } from "#stations/feed.ts";
import { discover } from "#upstream/feeds/feed-discovery.ts";
import { feedFailure, type Feed } from "#upstream/feeds/feed-runtime.ts";
import { detach } from "#kit/guard.ts";
import { type Body, jobOf } from "#upstream/feeds/feed-packs.ts";
import { isDiscoveryDue } from "#upstream/feeds/feed-plan.ts";
import { SURVEY_LIFE_MS } from "#upstream/feeds/feed-state.ts";
import { type FeedView, offeredOf, offers } from "#upstream/feeds/feed-view.ts";

export type Located = { box: Box | null; areas: readonly Box[]; entity_count: number };

const VEHICLES = ["vehicle_status"] as const satisfies readonly FeedFile[];

/** Finds out where a system is and remembers it; returns the failure, if there was one. */
export async function survey(feed: Feed): Promise<Failure | null> {
  const located = await locate(feed);
  if ("status" in located) return located;
  remember(feed, located);
  return null;
}

async function locate(feed: Feed): Promise<Located | Failure> {
  const { view } = feed.state;
  // A caller has had it loaded in the meantime; without its vehicles it does not know where they are.
  const whole = view.shard !== null && view.shard.vehicles?.data !== null;
  if (whole && feed.now() - view.loaded_at_ms < SURVEY_LIFE_MS) return locationOf(view);
  const failure = isDiscoveryDue(view, feed.now()) ? await discover(feed) : null;
  if (failure) return failure;
  const stations = offers(view, "station_information");
  const match = await readFor(feed, stations ? PLACE_FILES : [...PLACE_FILES, ...VEHICLES]);
  if ("status" in match || match.entity_count > 0 || !stations) return match;
  // No station has a place: the vehicles may, or the status knows coordinates (violation 14).
  return readFor(feed, [...PLACE_FILES, "station_status", ...VEHICLES]);
}

/** Returns the location that a loaded shard shows. */
export function locationOf({ shard }: FeedView): Located {
  const entity_count = (shard?.statics.count ?? 0) + (shard?.vehicles?.data?.count ?? 0);
  const areas = shard ? areasOfShard(shard.statics, shard.vehicles?.data ?? null) : [];
  return { box: shard?.box ?? null, areas, entity_count };
}

/** Looked for once for each pair of packs, which never change. */
const cache = new WeakMap<Statics, { vehicles: Vehicles | null; areas: readonly Box[] }>();

function areasOfShard(statics: Statics, vehicles: Vehicles | null): readonly Box[] {
  const stored = cache.get(statics);
  if (stored && stored.vehicles === vehicles) return stored.areas;
  const areas = areasOf([statics.index, ...(vehicles ? [vehicles.index] : [])]);
  cache.set(statics, { vehicles, areas });
  return areas;
}

/** Reports it to the sink, and to the store for the next start. */
export function remember(feed: Feed, { box, areas, entity_count }: Located): void {
  const { id: source_id, url } = feed.state.view.system;
  const surveyed_at_ms = feed.now();
  const parts = areas.length > 1 ? { areas } : {};
  keepMemo(feed, { source_id, url, box, ...parts, entity_count, surveyed_at_ms });
}

export function keepMemo({ ctx, state, events }: Feed, memo: FeedMemo): void {
  state.located(memo);
  ctx.sink.setBox(memo.source_id, memo.box);
  // A full disk costs the memory of it after a restart, and nothing else.
  detach(
    Promise.try(() => ctx.store.putMemo(memo)),
    (error) => events.fault("not_stored", error),
  );
}

async function readFor(feed: Feed, files: readonly FeedFile[]): Promise<Located | Failure> {
  const { state, ctx } = feed;
  const bodies: Partial<Record<FeedFile, Body>> = {};
  let failure: Failure | null = null;
  const fetches = offeredOf(state.view, files).map(async (file) => {
    const got = await feed.fetchFile(file, { conditional: false });
    if (got.kind === "failed" && file !== "system_information") failure ??= got.failure;
    if ((got.kind === "new" || got.kind === "same") && got.body) bodies[file] = got.body;
  });
  await Promise.all(fetches);
  if (failure) return failure;
  const result = await ctx.ingest({ ...jobOf(state.view, bodies, feed.now()), statics: null });
  return judge(feed, result, Object.keys(bodies) as FeedFile[]);
}

function judge(feed: Feed, result: IngestResult, files: readonly FeedFile[]): Located | Failure {
  const { state, events } = feed;
  for (const file of files) {
    const report = result.files[file];
    const failure = report && feedFailure(report);
    if (failure && file !== "system_information") return state.failed(file, failure);
    state.recovered(file);
    events.read(file, { report, now_ms: feed.now() });
  }
  if (!result.statics) return state.foundNothing();
  state.sighted(result.system);
  const statics = openStatics(result.statics);
  const vehicles = result.vehicles && openVehicles(result.vehicles);
  const entity_count = statics.count + (vehicles?.count ?? 0);
  return { box: shardBox(statics, vehicles), areas: areasOfShard(statics, vehicles), entity_count };
}
