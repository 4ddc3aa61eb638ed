/** Bytes of a network's document in, flat packs out; the same document serves all its files. Pure. */
import type { SystemInfo } from "../entities.ts";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { parseWithin } from "#kit/json.ts";
import { exceededByPack } from "../shard/shard-bounds.ts";
import { openStatics, packStatics, type Statics } from "../shard/shard-statics.ts";
import { packStatus } from "../shard/shard-status.ts";
import { packVehicles } from "../shard/shard-vehicles.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import {
  type NetworkDoc,
  readNetworkDoc,
  readStations,
  readStatus,
  readVehicles,
} from "./citybikes-network.ts";
import type { CityBikesNetwork } from "./networks.ts";
import {
  createResult,
  type FeedFile,
  type FileReport,
  type IngestJob,
  type IngestResult,
  openAll,
  type Unread,
} from "../feed.ts";

/** The live part, seconds: 20 an hour and network, so that fourteen busy networks fit the limit. */
export const LIVE_S = 180;

type Doc = { doc: NetworkDoc; doc_s: number; trail: TrailRecorder };

export function ingest(job: IngestJob): IngestResult {
  const result = createResult();
  const docs = openAll(job, result, openDoc);
  const statics = readStatics(job, docs.get("station_information"), result);
  if (statics) readLive(statics, docs, result);
  return result;
}

function openDoc(job: IngestJob, file: FeedFile): Doc | { reason: Unread } {
  const body = job.bodies[file]!;
  const parsed = parseWithin(body.bytes, FEED_BOUNDS);
  if ("reason" in parsed) return parsed;
  const trail = createTrail();
  const doc = readNetworkDoc(parsed.value, trail);
  if (!doc) return { reason: "wrong_shape" };
  return { doc, doc_s: body.fetched_at_ms / 1000, trail };
}

function readStatics(
  job: IngestJob,
  opened: Doc | undefined,
  result: IngestResult,
): Statics | null {
  if (!opened) return job.statics && openStatics(job.statics);
  const { doc, trail } = opened;
  const stations = readStations(doc, trail);
  const { network } = doc;
  const system = systemOf(network);
  const packed = packStatics(stations, {
    source: "citybikes",
    system_id: job.system_id,
    network: { id: job.network?.id ?? network.id, name: network.name },
    system,
    urls: network.gbfs_url === null ? [] : [network.gbfs_url],
    places: network.city === null ? [] : [network.city],
    types: [],
    mode_hint: job.mode_hint,
    has_vehicle_feed: doc.vehicles !== null,
  });
  const statics = openStatics(packed);
  const exceeded = exceededByPack(packed, statics);
  if (exceeded !== null) {
    result.files.station_information = { ok: false, reason: exceeded };
    return job.statics && openStatics(job.statics);
  }
  Object.assign(result, { statics: packed, system });
  result.files.station_information = report(opened, doc.stations.length, stations.length);
  return statics;
}

/** The operator of a network is repeated with each of its vehicles. */
const MOST_COMPANIES = 8;

function systemOf({ id, name, companies }: CityBikesNetwork): SystemInfo {
  return {
    system_id: id,
    name,
    short_name: null,
    operator: companies.slice(0, MOST_COMPANIES).join(", ") || null,
    url: null,
    timezone: null,
    languages: [],
    license_id: null,
    license_url: null,
    attribution: "CityBikes",
    attribution_url: "https://citybik.es/",
    brand: null,
    opening_hours: null,
    terms_url: null,
  };
}

function readLive(statics: Statics, docs: ReadonlyMap<FeedFile, Doc>, result: IngestResult): void {
  const status = docs.get("station_status");
  if (status) {
    const { doc, doc_s, trail } = status;
    const rows = readStatus(doc, doc_s, trail);
    // A station left out by a rule of the static file is no orphan of the live one.
    result.status = packStatus(rows, statics, { doc_s, trail: createTrail() });
    result.files.station_status = report(status, doc.stations.length, rows.size);
  }
  const vehicles = docs.get("vehicle_status");
  if (!vehicles) return;
  const { doc, doc_s, trail } = vehicles;
  const packed = packVehicles(readVehicles(doc, doc_s, trail), statics, { doc_s, trail });
  result.vehicles = packed.buffer;
  result.files.vehicle_status = report(vehicles, doc.vehicles?.length ?? 0, packed.accepted);
}

/** CityBikes states no time of its document and no time to live: it lives as long as we let it. */
function report({ trail }: Doc, seen: number, accepted: number): FileReport {
  const reported = { last_updated_s: null, ttl_s: LIVE_S, version: "2" };
  return { ok: true, ...reported, seen, accepted, trail: trail.toTrail() };
}
