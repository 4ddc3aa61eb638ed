/** Shards made of what was read. Pure; the pointers of a shard show the world what has changed. */
import { type Alerts, openAlerts } from "#stations/shard/shard-alerts.ts";
import { type LiveState, type ShardPart, type Shard, shardBox } from "#stations/shard/shard.ts";
import { openStatics, type Statics } from "#stations/shard/shard-statics.ts";
import { openStatus, type StatusPack } from "#stations/shard/shard-status.ts";
import { openVehicles, type Vehicles } from "#stations/shard/shard-vehicles.ts";
import type { FeedFile, FileReport, IngestJob, IngestResult } from "#stations/feed.ts";
import {
  type FeedView,
  missingHours,
  offers,
  PART_FILES,
  PART_KEYS,
  type PartFile,
} from "#upstream/feeds/feed-view.ts";

/** The body of one file, as it was received. */
export type Body = {
  bytes: Uint8Array;
  hash: string;
  etag: string | null;
  last_modified: string | null;
  url: string;
  at_ms: number;
};

export type Parts = {
  status: ShardPart<StatusPack> | null;
  vehicles: ShardPart<Vehicles> | null;
  alerts: ShardPart<Alerts> | null;
};

/** Members of a shard that may change while its static pack stays. */
export type ShardPatch = Partial<Parts & Pick<Shard, "zones">>;

/** 1.2: replaces a ttl that says nothing. */
const DEFAULT_TTL_S = 60;
const NEVER_READ = { data: null, live: null } as const;

export function jobOf(
  view: FeedView,
  bodies: Partial<Record<FeedFile, Body>>,
  now_ms: number,
): IngestJob {
  const { id, url, mode_hint, name, network } = view.system;
  const entries = Object.entries(bodies).map(([file, { bytes, at_ms }]) => [
    file,
    { bytes, fetched_at_ms: at_ms },
  ]);
  return {
    protocol: view.protocol.id,
    url,
    system_id: id,
    mode_hint,
    name,
    network,
    has_vehicle_feed: offers(view, "vehicle_status"),
    now_ms,
    missing: missingHours(view),
    bodies: Object.fromEntries(entries) as IngestJob["bodies"],
    statics: view.shard?.statics.buffer ?? null,
    alerts: view.shard?.alerts?.data?.buffer ?? null,
  };
}

/** The part of a file that has just been read. */
export function partsOf(
  file: PartFile,
  result: IngestResult,
  { body, report }: { body: Body; report: FileReport },
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

function liveOf(body: Body, report: FileReport): LiveState {
  const { last_updated_s, ttl_s } = report.ok ? report : { last_updated_s: null, ttl_s: null };
  return {
    validated_at_ms: body.at_ms,
    doc_s: last_updated_s ?? body.at_ms / 1000,
    ttl_s: ttl_s !== null && ttl_s > 0 ? ttl_s : DEFAULT_TTL_S,
  };
}

/** The alerts that are held, laid out against the new static pack. */
export function alertsOf({ shard }: FeedView, { alerts }: IngestResult): Partial<Parts> {
  const stored = shard?.alerts;
  return stored && alerts ? { alerts: { ...stored, data: openAlerts(alerts) } } : {};
}

/** Publishers stamp unchanged files with a new time: an equal pack keeps the old pointer. */
export function staticsOf({ shard }: FeedView, buffer: SharedArrayBuffer): Statics {
  const statics = shard?.statics;
  if (statics && Buffer.from(statics.buffer).equals(Buffer.from(buffer))) return statics;
  return openStatics(buffer);
}

/** Confirmed as it is: a new age around the same data. */
export function revalidated(shard: Shard, file: PartFile, at_ms: number): Partial<Parts> {
  const part = shard[PART_KEYS[file]];
  if (!part?.live) return {};
  return { [PART_KEYS[file]]: { ...part, live: { ...part.live, validated_at_ms: at_ms } } };
}

/** A shard around a static pack that is not the present one: no part outlives it but by `parts`. */
export function withStatics(view: FeedView, statics: Statics, parts: Partial<Parts>): Shard {
  const { alerts = null, zones = null } = view.shard ?? {};
  return withParts(view, {
    source_id: view.system.id,
    box: null,
    statics,
    status: null,
    vehicles: null,
    alerts,
    zones,
    ...parts,
  });
}

/** Sets the parts: null means "not offered", an empty part "not read yet"; discovery decides. */
export function withParts(view: FeedView, shard: Shard): Shard {
  const placed = { ...shard };
  for (const file of PART_FILES) {
    const key = PART_KEYS[file];
    if (!offers(view, file)) placed[key] = null;
    else placed[key] ??= NEVER_READ;
  }
  placed.box = shardBox(placed.statics, placed.vehicles?.data ?? null);
  return placed;
}
