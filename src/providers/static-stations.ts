/**
 * Common parts of sources of stations without live counts: one document in, one static pack out.
 * Pure.
 */
import type { Mode, StationInfo, VehicleType } from "#stations/entities.ts";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { parseWithin } from "#kit/json.ts";
import { exceededByPack } from "#stations/shard/shard-bounds.ts";
import { openStatics, packStatics } from "#stations/shard/shard-statics.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { FeedProtocol, IngestJob, IngestResult, Unread } from "#stations/feed.ts";

export type StaticStation = {
  station: StationInfo;
  /** Modes that are rented there. */
  modes: readonly Mode[];
  /** By which words its operator is known. */
  names: readonly string[];
};

type StaticDocument = { stations: StaticStation[]; seen: number };

/** Reads a document; null: it is not of its kind. What is no station is dropped, with its reason. */
export type ReadStations = (
  wire: unknown,
  trail: TrailRecorder,
  job: IngestJob,
) => StaticDocument | null;

/** A document of one network has a few names; one of many has none in particular. */
const MOST_NAMES = 6;
/** Stations move rarely: a day is soon enough. */
const STATIC_S = 86_400;

/** The protocol of such a source: its one file is the document, and nothing of it is live. */
export function staticProtocol(id: string, read: ReadStations): FeedProtocol {
  return {
    id,
    places: (url) => new Map([["station_information", url]]),
    readDiscovery: () => null,
    defaultFeeds: () => new Map(),
    bestVersionUrl: () => null,
    nextPoll_s: () => STATIC_S,
    ingest: (job) => ingest(id, read, job),
  };
}

function ingest(source: string, read: ReadStations, job: IngestJob): IngestResult {
  const result: IngestResult = {
    files: {},
    statics: null,
    status: null,
    vehicles: null,
    alerts: null,
    zones: null,
    system: null,
  };
  const body = job.bodies.station_information;
  if (!body) return { ...result, statics: job.statics };
  const failed = (reason: Unread): IngestResult => ({
    ...result,
    files: { station_information: { ok: false, reason } },
  });
  const parsed = parseWithin(body.bytes, FEED_BOUNDS);
  if ("reason" in parsed) return failed(parsed.reason);
  const trail = createTrail();
  const document = read(parsed.value, trail, job);
  if (!document) return failed("wrong_shape");
  const { stations, seen } = document;
  const packed = pack(source, job, stations);
  const exceeded = exceededByPack(packed, openStatics(packed));
  if (exceeded !== null) return failed(exceeded);
  result.statics = packed;
  const reported = { last_updated_s: null, ttl_s: null, version: null };
  result.files.station_information = {
    ok: true,
    ...reported,
    seen,
    accepted: stations.length,
    trail: trail.toTrail(),
  };
  return result;
}

function pack(source: string, job: IngestJob, read: readonly StaticStation[]): SharedArrayBuffer {
  const names = [...new Set(read.flatMap((each) => each.names))];
  const modes = [...new Set(read.flatMap((each) => each.modes))];
  const name = job.network?.name ?? job.name ?? names[0] ?? job.system_id;
  return packStatics(
    read.map(({ station, modes: own_modes }) => ({
      ...station,
      // Names the modes, as a typed capacity of the operators does (R2).
      vehicle_capacity: [{ type_ids: [...own_modes], count: station.capacity ?? 0 }],
    })),
    {
      source,
      system_id: job.system_id,
      network: { id: job.network?.id ?? job.system_id, name },
      system: null,
      names: names.length <= MOST_NAMES ? names : [],
      types: modes.map((mode) => ({ ...PLAIN_TYPE, id: mode, mode })),
      mode_hint: null,
      has_vehicle_feed: false,
    },
  );
}

const PLAIN_TYPE: Omit<VehicleType, "id" | "mode"> = {
  form_factor: null,
  propulsion: null,
  electric: null,
  name: null,
  make: null,
  model: null,
  max_range_m: null,
  reservable: null,
  accessories: [],
  return_constraint: null,
};

/** Members of a station that such a source never states. */
export const NEVER_STATED: Omit<StationInfo, "id" | "name" | "lat" | "lon"> = {
  short_name: null,
  capacity: null,
  vehicle_capacity: [],
  dock_capacity: [],
  is_virtual: null,
  has_area: false,
  is_charging: null,
  address: null,
  cross_street: null,
  post_code: null,
  city: null,
  region_id: null,
  external_id: null,
  legacy_id: null,
  parking_type: null,
  opening_hours: null,
  rental_methods: [],
  rental_uris: null,
};
