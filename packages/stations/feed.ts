/**
 * Feeds as the feed runtime drives them: which files a system has, the job that turns their bytes into
 * packs, and the protocol that knows where the files are and how they are read.
 */
import type { BeyondBounds } from "#kit/feed-bounds.ts";
import type { Trail, TrailEntry } from "#kit/trail.ts";
import type { Mode, SystemInfo } from "./entities.ts";

/** Files of a GBFS system that we read, by their names of GBFS 3.0 where it has them. */
export const FEED_FILES = [
  "system_information",
  "system_hours",
  "system_calendar",
  "vehicle_types",
  "station_information",
  "station_status",
  "vehicle_status",
  "system_alerts",
  "geofencing_zones",
  "system_pricing_plans",
] as const;
export type FeedFile = (typeof FEED_FILES)[number];

/** Files that say where a system is and what it has. */
export const PLACE_FILES = [
  "system_information",
  "vehicle_types",
  "station_information",
] as const satisfies readonly FeedFile[];
/** When a system rents, in 1.x and 2.x. */
export const HOURS_FILES = [
  "system_hours",
  "system_calendar",
] as const satisfies readonly FeedFile[];
/** Files without which the static part is made all the same; what they say is unknown then. */
export const SPARE_FILES = [
  ...HOURS_FILES,
  "system_pricing_plans",
] as const satisfies readonly FeedFile[];
/** Files that are read together, since rows of the station pack depend on all of them. */
export const STATIC_FILES = [...PLACE_FILES, ...SPARE_FILES] as const;
/** Files that are read at the pace of the street. */
export const LIVE_FILES = [
  "station_status",
  "vehicle_status",
] as const satisfies readonly FeedFile[];

/** Bytes in, packs out: a pure job that runs on the main thread or in the parsing thread alike. */
export type IngestJob = {
  /** FeedProtocol.id: who reads the bodies. */
  protocol: string;
  system_id: string;
  /** Of the system, as configured. */
  url: string;
  /** Mode of vehicles whose type the publisher never states (configuration `mode_hint`). */
  mode_hint: Mode | null;
  /** Name and network as configured or as the catalogue has it; the feed's own name wins. */
  name: string | null;
  network: { id: string; name: string | null } | null;
  /** The discovery lists a vehicle file: its virtual stations may be pure drop-off zones (R3). */
  has_vehicle_feed: boolean;
  now_ms: number;
  /** Static files come together (all that exist), or not at all; live ones as they arrive. */
  bodies: Partial<Record<FeedFile, { bytes: Uint8Array; fetched_at_ms: number }>>;
  /** Files that are published and did not come: what they say is unknown. Absent: none. */
  missing?: readonly FeedFile[];
  /** The last static pack; required when no static file is among the bodies. */
  statics: SharedArrayBuffer | null;
  /** The last alerts pack: rebuilt where the statics are rebuilt without the alerts file. */
  alerts?: SharedArrayBuffer | null;
};

export type FileReport =
  | {
      ok: true;
      /** Publisher's last_updated, epoch s; null when missing, unusable or in the future. */
      last_updated_s: number | null;
      /** Publisher's ttl, s; null when absent or unusable. */
      ttl_s: number | null;
      version: string | null;
      /** Rows before and after the drop rules. */
      seen: number;
      accepted: number;
      trail: Trail;
      /** What is stated and cannot be true together; absent: none was found. */
      contradictions?: readonly TrailEntry[];
    }
  /** `worker_failed`: the parsing thread died of it, or of a lack of memory. */
  | { ok: false; reason: Unread | "worker_failed" };

/** Reason that nothing was made of a file. */
export type Unread = "not_json" | "wrong_shape" | BeyondBounds;

export type IngestResult = {
  files: Partial<Record<FeedFile, FileReport>>;
  /** Flat snapshots (packages/stations/shard): SharedArrayBuffers, so that both threads read the same bytes. */
  statics: SharedArrayBuffer | null;
  status: SharedArrayBuffer | null;
  vehicles: SharedArrayBuffer | null;
  alerts: SharedArrayBuffer | null;
  /** Compact JSON of GeofencingZones, kept as bytes. */
  zones: SharedArrayBuffer | null;
  /** From system_information when it was among the bodies. */
  system: SystemInfo | null;
};

/** Makes the result of a job of which nothing has been read. */
export function createResult(files: IngestResult["files"] = {}): IngestResult {
  return {
    ...{ files, statics: null, status: null, vehicles: null },
    ...{ alerts: null, zones: null, system: null },
  };
}

/** Opens each file of a job; those that cannot be read are reported in the result. */
export function openAll<Doc extends object>(
  job: IngestJob,
  result: IngestResult,
  open: (job: IngestJob, file: FeedFile) => Doc | { reason: Unread },
): Map<FeedFile, Doc> {
  const docs = new Map<FeedFile, Doc>();
  for (const file of Object.keys(job.bodies) as FeedFile[]) {
    const doc = open(job, file);
    if ("reason" in doc) result.files[file] = { ok: false, reason: doc.reason };
    else docs.set(file, doc);
  }
  return docs;
}

/**
 * A feed protocol as the feed runtime drives it: what to fetch is data, what came is turned into
 * packs by a pure function. `providers/gbfs` is one; the runtime knows none by name.
 */
export type FeedProtocol = {
  id: string;
  /** Where the files are, when that needs no asking; several may be one document. */
  places?(url: string): Map<FeedFile, string>;
  /** What the publisher allows over all of its systems. */
  requests_per_hour?: number;
  /** Reads the discovery document; null: not one. Keys are files and `gbfs_versions`. */
  readDiscovery(
    wire: unknown,
    options: { language?: string | null; base_url: string },
  ): {
    feeds: Map<string, string>;
    version: string | null;
    languages: string[];
    /** Files that it lists several times, of which the first is read. */
    repeated: readonly string[];
  } | null;
  /** Where the discovery document names the system in other languages than the chosen one. */
  otherNameFiles?(wire: unknown, options: { base_url: string }): string[];
  /** Every name in such a file. */
  readNames?(wire: unknown): readonly string[];
  /** Where the files are when there is no discovery document (mobility.md 1.12 #20). */
  defaultFeeds(base_url: string): Map<string, string>;
  /** The best listed version's discovery URL, when the protocol has versions; null: stay. */
  bestVersionUrl(wire: unknown): string | null;
  /** Seconds until the next poll of a file (mobility.md 1.2). */
  nextPoll_s(file: FeedFile, ttl_s: number | null): number;
  ingest(job: IngestJob): IngestResult;
};
