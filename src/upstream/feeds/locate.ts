/** One system's box and number of entities, read without keeping its data; and its memo. */
import { areasOf } from "#core/areas.ts";
import type { Box } from "#core/entities.ts";
import type { Failure } from "#core/outcome.ts";
import type { FeedMemo } from "#ports.ts";
import { shardBox } from "#core/shard/shard.ts";
import { openStatics, type Statics } from "#core/shard/statics.ts";
import { openVehicles, type Vehicles } from "#core/shard/vehicles.ts";
import { type FeedFile, type IngestResult, STATIC_FILES } from "#providers/provider.ts";
import { ensureDiscovery } from "#upstream/feeds/discovery.ts";
import { fetchFile, type NewBody } from "#upstream/feeds/fetch.ts";
import { guard } from "#upstream/feeds/guard.ts";
import { clearFailure, failureOf, markFailed } from "#upstream/feeds/marks.ts";
import { jobOf } from "#upstream/feeds/publish.ts";
import { tellDropped } from "#upstream/feeds/dropped.ts";
import { type Context, offeredOf, offers, type SystemState } from "#upstream/feeds/state.ts";

export type Located = { box: Box | null; areas: readonly Box[]; entity_count: number };

export async function locate(
  ctx: Context,
  state: SystemState,
  fresh_ms: number,
): Promise<Located | Failure> {
  // A question has loaded it in the meantime; without its vehicles it does not know where they are.
  const whole = state.shard !== null && state.shard.vehicles?.data !== null;
  if (whole && ctx.clock.now() - state.loaded_at_ms < fresh_ms) return locationOf(state);
  const failure = await ensureDiscovery(ctx, state);
  if (failure) return failure;
  const stations = offers(state, "station_information");
  const found = await survey(ctx, state, stations ? STATIC_FILES : [...STATIC_FILES, ...VEHICLES]);
  if ("status" in found || found.entity_count > 0 || !stations) return found;
  // No station has a place: the vehicles may, or the status knows coordinates (violation 14).
  return survey(ctx, state, [...STATIC_FILES, "station_status", ...VEHICLES]);
}

const VEHICLES = ["vehicle_status"] as const satisfies readonly FeedFile[];

/** What a loaded shard says of itself. */
export function locationOf({ shard }: SystemState): Located {
  const entity_count = (shard?.statics.count ?? 0) + (shard?.vehicles?.data?.count ?? 0);
  const areas = shard ? areasOfShard(shard.statics, shard.vehicles?.data ?? null) : [];
  return { box: shard?.box ?? null, areas, entity_count };
}

/** Looked for once for each pair of packs, which never change. */
const known = new WeakMap<Statics, { vehicles: Vehicles | null; areas: readonly Box[] }>();

function areasOfShard(statics: Statics, vehicles: Vehicles | null): readonly Box[] {
  const held = known.get(statics);
  if (held && held.vehicles === vehicles) return held.areas;
  const areas = areasOf([statics.index, ...(vehicles ? [vehicles.index] : [])]);
  known.set(statics, { vehicles, areas });
  return areas;
}

/** Tells the sink, and the store for the next start. */
export function remember(
  ctx: Context,
  state: SystemState,
  { box, areas, entity_count }: Located,
): void {
  const { id: source_id, url } = state.system;
  const surveyed_at_ms = ctx.clock.now();
  const parts = areas.length > 1 ? { areas } : {};
  keepMemo(ctx, state, { source_id, url, box, ...parts, entity_count, surveyed_at_ms });
}

export function keepMemo(ctx: Context, state: SystemState, memo: FeedMemo): void {
  const { source_id, box } = memo;
  state.memo = memo;
  state.lost = false;
  ctx.sink.setBox(source_id, box);
  // A full disk costs the memory of it after a restart, and nothing else.
  void guard(
    () => ctx.store.putMemo(memo),
    (error) => ctx.onEvent?.({ ...NOT_STORED, source_id, error }),
  );
}

const NOT_STORED = {
  kind: "fault",
  outcome: "error",
  reason: "not_stored",
  elapsed_ms: 0,
} as const;

async function survey(
  ctx: Context,
  state: SystemState,
  files: readonly FeedFile[],
): Promise<Located | Failure> {
  const bodies: Partial<Record<FeedFile, NewBody>> = {};
  let failure: Failure | null = null;
  const fetches = offeredOf(state, files).map(async (file) => {
    const got = await fetchFile(ctx, state, file, { conditional: false });
    if (got.kind === "failed" && file !== "system_information") failure ??= got.failure;
    if ((got.kind === "new" || got.kind === "same") && got.body) bodies[file] = got.body;
  });
  await Promise.all(fetches);
  if (failure) return failure;
  const result = await ctx.ingest({ ...jobOf(ctx, state, bodies), statics: null });
  return judge(ctx, state, { result, files: Object.keys(bodies) as FeedFile[] });
}

function judge(
  ctx: Context,
  state: SystemState,
  { result, files }: { result: IngestResult; files: FeedFile[] },
): Located | Failure {
  for (const file of files) {
    const report = result.files[file];
    const failure = report && failureOf(report);
    if (failure && file !== "system_information") return markFailed(ctx, state, file, failure);
    clearFailure(state, file);
    tellDropped(ctx, state, file, report);
    state.errors.add(ctx.clock.now(), true);
  }
  if (!result.statics) return noFiles(ctx, state);
  state.info = result.system ?? state.info;
  state.last_success_at_ms = ctx.clock.now();
  const statics = openStatics(result.statics);
  const vehicles = result.vehicles && openVehicles(result.vehicles);
  const entity_count = statics.count + (vehicles?.count ?? 0);
  const areas = areasOfShard(statics, vehicles);
  return { box: shardBox(statics, vehicles), areas, entity_count };
}

function noFiles(ctx: Context, state: SystemState): Failure {
  const failure = state.discovery?.guessed_for ?? { status: "error" as const, reason: "no_files" };
  state.discovery = null;
  return markFailed(ctx, state, "discovery", failure);
}
