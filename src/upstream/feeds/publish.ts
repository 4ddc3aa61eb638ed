/** Shards made of what was read, and handed to the sink. The pointers tell the world what changed. */
import { type Alerts, openAlerts } from "#core/shard/alerts.ts";
import { type LiveState, type Part, type Shard, shardBox } from "#core/shard/shard.ts";
import type { Statics } from "#core/shard/statics.ts";
import { openStatus, type Status } from "#core/shard/status.ts";
import { openVehicles, type Vehicles } from "#core/shard/vehicles.ts";
import type { Refusal } from "#core/identity/group.ts";
import type { FeedFile, FileReport, IngestJob, IngestResult } from "#providers/provider.ts";
import { measured } from "#upstream/feeds/work.ts";
import type { NewBody } from "#upstream/feeds/fetch.ts";
import { guard } from "#upstream/feeds/guard.ts";
import { type Context, offers, protocolOf, type SystemState } from "#upstream/feeds/state.ts";

/** Files that become a part with an age. */
export const PART_FILES = ["station_status", "vehicle_status", "system_alerts"] as const;
export type PartFile = (typeof PART_FILES)[number];

type Parts = {
  status: Part<Status> | null;
  vehicles: Part<Vehicles> | null;
  alerts: Part<Alerts> | null;
};
export const PART_KEYS = {
  station_status: "status",
  vehicle_status: "vehicles",
  system_alerts: "alerts",
} as const satisfies Record<PartFile, keyof Parts>;

/** 1.2: what stands in for a ttl that says nothing. */
const DEFAULT_TTL_S = 60;
const NEVER_READ = { data: null, live: null } as const;

export function jobOf(
  ctx: Context,
  state: SystemState,
  bodies: Partial<Record<FeedFile, NewBody>>,
): IngestJob {
  const { id, url, mode_hint, name, network } = state.system;
  const entries = Object.entries(bodies).map(([file, { bytes, at_ms }]) => [
    file,
    { bytes, fetched_at_ms: at_ms },
  ]);
  return {
    protocol: protocolOf(ctx, state).id,
    url,
    system_id: id,
    mode_hint,
    name,
    network,
    has_vehicle_feed: offers(state, "vehicle_status"),
    now_ms: ctx.clock.now(),
    bodies: Object.fromEntries(entries) as IngestJob["bodies"],
    statics: state.shard?.statics.buffer ?? null,
    alerts: state.shard?.alerts?.data?.buffer ?? null,
  };
}

/** The part of a file that has just been read. */
export function partsOf(
  file: PartFile,
  result: IngestResult,
  { body, report }: { body: NewBody; report: FileReport },
): Partial<Parts> {
  const live = liveOf(body, report);
  switch (file) {
    case "station_status":
      return { status: { data: result.status && openStatus(result.status), live } };
    case "vehicle_status":
      return { vehicles: { data: result.vehicles && openVehicles(result.vehicles), live } };
    case "system_alerts":
      return { alerts: { data: result.alerts && openAlerts(result.alerts), live } };
  }
}

function liveOf(body: NewBody, report: FileReport): LiveState {
  const { last_updated_s, ttl_s } = report.ok ? report : { last_updated_s: null, ttl_s: null };
  return {
    validated_at_ms: body.at_ms,
    doc_s: last_updated_s ?? body.at_ms / 1000,
    ttl_s: ttl_s !== null && ttl_s > 0 ? ttl_s : DEFAULT_TTL_S,
  };
}

/** Confirmed as it is: a new age around the same data. */
export function revalidated(shard: Shard, file: PartFile, at_ms: number): Partial<Parts> {
  const part = shard[PART_KEYS[file]];
  if (!part?.live) return {};
  return { [PART_KEYS[file]]: { ...part, live: { ...part.live, validated_at_ms: at_ms } } };
}

export function partOf(shard: Shard | null, file: PartFile): Part<unknown> | null {
  return shard?.[PART_KEYS[file]] ?? null;
}

/** A new shard around the parts that stay, its static pack among them: shown at once. */
export function publish(ctx: Context, state: SystemState, patch: Partial<Parts & Zones>): void {
  const before = state.shard;
  if (!before) return;
  const shard = toShard(state, { ...before, ...patch });
  state.shard = shard;
  const source_id = state.system.id;
  void guard(
    () => measured(ctx.onWork, "publish", () => ctx.sink.put(shard)),
    (error) => ctx.onEvent?.({ ...NOT_SHOWN, source_id, elapsed_ms: 0, error }),
  );
}

const NOT_SHOWN = { kind: "fault", outcome: "error", reason: "not_shown" } as const;

type Zones = Pick<Shard, "zones">;

/**
 * A shard around a static pack that is not the present one: no part outlives it but by `parts`.
 * Resolves when it is shown, or refused: then the present one stays.
 */
export async function publishStatics(
  ctx: Context,
  state: SystemState,
  { statics, parts }: { statics: Statics; parts: Partial<Parts> },
): Promise<Refusal | null> {
  const { alerts = null, zones = null } = state.shard ?? {};
  const source_id = state.system.id;
  const fresh = { source_id, box: null, statics, status: null, vehicles: null, alerts, zones };
  const shard = toShard(state, { ...fresh, ...parts });
  const refused = await measured(ctx.onWork, "publish", () => ctx.sink.put(shard));
  if (refused === null) state.shard = shard;
  return refused;
}

/** null stands for "not offered", an empty part for "not read yet": discovery decides. */
function toShard(state: SystemState, shard: Shard): Shard {
  const placed = { ...shard };
  for (const file of PART_FILES) {
    const key = PART_KEYS[file];
    if (!offers(state, file)) placed[key] = null;
    else placed[key] ??= NEVER_READ;
  }
  placed.box = shardBox(placed.statics, placed.vehicles?.data ?? null);
  return placed;
}
