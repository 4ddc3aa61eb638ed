/**
 * Bytes of GBFS files in, flat packs out. Pure: the same function runs on the main thread for small
 * feeds and in the parsing thread for big ones. A file that cannot be read is reported; the others
 * are not affected (mobility.md 1).
 */
import type { StationStatus, SystemInfo } from "../entities.ts";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { parseWithin } from "#kit/json.ts";
import { openAlerts, packAlerts, readAlerts as unpackAlerts } from "../shard/shard-alerts.ts";
import { exceededByPack } from "../shard/shard-bounds.ts";
import { packStatics, openStatics, type Statics } from "../shard/shard-statics.ts";
import { packStatus } from "../shard/shard-status.ts";
import { openVehicles, packVehicles } from "../shard/shard-vehicles.ts";
import { packZones } from "../shard/shard-zones.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import { exceededAlerts, readGbfsAlerts } from "./gbfs-alerts.ts";
import { wrapBare } from "./bare.ts";
import { readEnvelope } from "./envelope.ts";
import { readHours } from "./gbfs-hours.ts";
import { modeOfNames } from "./mode-of-names.ts";
import type { GbfsReason } from "./gbfs-reasons.ts";
import { readPricingPlans } from "./gbfs-prices.ts";
import { readStations } from "./gbfs-stations.ts";
import { readStatus } from "./gbfs-status.ts";
import { readSystem } from "./gbfs-system.ts";
import { readVehicleTypes } from "./gbfs-types.ts";
import { readVehicles, withSharedMode } from "./gbfs-vehicles.ts";
import { exceededZones, readZones } from "./gbfs-zones.ts";
import {
  createResult,
  type FeedFile,
  type FileReport,
  HOURS_FILES,
  type IngestJob,
  type IngestResult,
  openAll,
  type Unread,
} from "../feed.ts";

/** A parsed file: its wire value, its envelope, and the trail its rows leave. */
type Doc = {
  file: FeedFile;
  /** null once it has been read: it is as large as all that is made of it. */
  wire: unknown;
  version: string | null;
  ttl_s: number | null;
  last_updated_s: number | null;
  /** last_updated where usable, else the time of the fetch (R6). */
  doc_s: number;
  trail: TrailRecorder;
};

export function ingest(job: IngestJob): IngestResult {
  const result = createResult();
  const docs = openAll(job, result, openDoc);
  const statics = readStatics(job, docs, result);
  if (statics) readLive(statics, docs, result);
  readRest(statics, docs, job, result);
  return result;
}

function openDoc(job: IngestJob, file: FeedFile): Doc | { reason: Unread } {
  const body = job.bodies[file]!;
  const parsed = parseWithin(body.bytes, FEED_BOUNDS);
  if ("reason" in parsed) return parsed;
  const trail = createTrail();
  const wrapped = wrapBare(file, parsed.value);
  if (wrapped) trail.repair("envelope_missing" satisfies GbfsReason, file);
  const wire = wrapped ?? parsed.value;
  const envelope = readEnvelope(wire);
  if (!envelope) return { reason: "wrong_shape" };
  const fetched_s = body.fetched_at_ms / 1000;
  const { last_updated_s } = envelope;
  const usable = last_updated_s !== null && last_updated_s <= fetched_s + CLOCK_SKEW_S;
  return {
    file,
    wire,
    version: envelope.version,
    ttl_s: envelope.ttl_s,
    last_updated_s: usable ? last_updated_s : null,
    doc_s: usable ? last_updated_s : fetched_s,
    trail,
  };
}

/** A publisher's clock may run ahead of ours by this much before its time is not believed. */
const CLOCK_SKEW_S = 60;

/** Statics are made when their files came; else the last ones are opened again. */
function readStatics(
  job: IngestJob,
  docs: ReadonlyMap<FeedFile, Doc>,
  result: IngestResult,
): Statics | null {
  const touched = ["system_information", "vehicle_types", "station_information"] as const;
  if (!touched.some((file) => job.bodies[file])) {
    // A system may publish its vehicles and nothing else: it has an empty station list.
    if (job.statics || !docs.has("vehicle_status")) return job.statics && openStatics(job.statics);
  }
  // A static file that came but cannot be read must not cost the system its types or its name;
  // where it has no name yet, it does without one.
  const unread = touched.filter((file) => result.files[file]?.ok === false);
  if (unread.some((file) => file !== "system_information" || job.statics)) {
    return job.statics && openStatics(job.statics);
  }
  const system = readSystemDoc(docs, job, result);
  const types = readTypesDoc(docs.get("vehicle_types"), system, result);
  const stations = readStationsDoc(docs, system, result);
  if (types === null || stations === null) return job.statics && openStatics(job.statics);
  const name = system?.name ?? job.network?.name ?? job.name ?? job.system_id;
  result.system = system;
  result.statics = packStatics(stations, {
    source: "gbfs",
    system_id: job.system_id,
    network: { id: job.network?.id ?? job.system_id, name },
    system,
    urls: [job.url],
    types,
    ...readPlansDoc(docs.get("system_pricing_plans"), system, result),
    mode_hint: job.mode_hint ?? modeOfNames(namesOf(job, system)),
    has_vehicle_feed: job.has_vehicle_feed,
  });
  const opened = openStatics(result.statics);
  const exceeded = exceededByPack(result.statics, opened);
  if (exceeded === null) return opened;
  const to_blame = touched.findLast((file) => docs.has(file)) ?? "station_information";
  const guilty =
    exceeded === "too_many_facts" && docs.has("vehicle_types") ? "vehicle_types" : to_blame;
  result.files[guilty] = { ok: false, reason: exceeded };
  Object.assign(result, { statics: null, system: null });
  return job.statics && openStatics(job.statics);
}

/** Names by which a system may say what it rents. */
function namesOf(job: IngestJob, system: ReturnType<typeof readSystem>) {
  const own = [system?.name, system?.short_name, system?.operator, system?.brand];
  return [job.network?.name, job.name, job.system_id, system?.system_id, ...own];
}

function readSystemDoc(
  docs: ReadonlyMap<FeedFile, Doc>,
  { missing = [] }: IngestJob,
  result: IngestResult,
): ReturnType<typeof readSystem> {
  const doc = docs.get("system_information");
  const system = doc ? readSystem(doc.wire) : null;
  if (doc) result.files.system_information = report(doc, system ? 1 : null, 1);
  const [hours, calendar] = HOURS_FILES.map((file) => {
    const own_doc = docs.get(file);
    if (own_doc)
      result.files[file] = report(own_doc, rowCount(own_doc.wire), rowCount(own_doc.wire));
    // One that did not come, or could not be read, is not the same as none.
    const isPublished = result.files[file] !== undefined || missing.includes(file);
    return isPublished ? (own_doc?.wire ?? null) : undefined;
  });
  if (!system || system.opening_hours !== null) return system;
  return { ...system, opening_hours: readHours(hours, calendar) };
}

function readTypesDoc(
  doc: Doc | undefined,
  system: SystemInfo | null,
  result: IngestResult,
): ReturnType<typeof readVehicleTypes> {
  if (!doc) return [];
  const types = readVehicleTypes(doc.wire, doc.trail, {
    languages: system?.languages ?? [],
  });
  result.files.vehicle_types = report(doc, types?.length ?? null, rowCount(doc.wire));
  return types;
}

/** Plans are what the file says now: where it did not come they are unknown. */
function readPlansDoc(
  doc: Doc | undefined,
  system: SystemInfo | null,
  result: IngestResult,
): Pick<Statics["meta"], "plans"> {
  if (!doc) return {};
  const plans = readPricingPlans(doc.wire, doc.trail, { languages: system?.languages ?? [] });
  result.files.system_pricing_plans = report(doc, plans?.length ?? null, rowCount(doc.wire));
  return plans === null ? {} : { plans };
}

function readStationsDoc(
  docs: ReadonlyMap<FeedFile, Doc>,
  system: SystemInfo | null,
  result: IngestResult,
): ReturnType<typeof readStations> {
  const doc = docs.get("station_information");
  if (!doc) return [];
  const statusDoc = docs.get("station_status");
  const status = statusDoc ? readStatusDoc(statusDoc, createTrail()) : null;
  const options = {
    languages: system?.languages ?? [],
    app_schemes: system?.app_schemes ?? [],
    version: doc.version,
    ...(status ? { status } : {}),
  };
  const stations = readStations(doc.wire, options, doc.trail);
  const seen = rowCount(doc.wire);
  doc.wire = null;
  result.files.station_information = report(doc, stations?.length ?? null, seen);
  return stations;
}

function readStatusDoc(doc: Doc, trail: TrailRecorder): Map<string, StationStatus> | null {
  return readStatus(doc.wire, { version: doc.version, doc_time_s: doc.doc_s }, trail);
}

/** Live files are laid out against the statics: the same rows, the same types. */
function readLive(statics: Statics, docs: ReadonlyMap<FeedFile, Doc>, result: IngestResult): void {
  const statusDoc = docs.get("station_status");
  if (statusDoc) {
    const statuses = readStatusDoc(statusDoc, statusDoc.trail);
    if (statuses) result.status = packStatus(statuses, statics, statusDoc);
    result.files.station_status = report(
      statusDoc,
      statuses?.size ?? null,
      rowCount(statusDoc.wire),
    );
  }
  const vehicleDoc = docs.get("vehicle_status");
  if (vehicleDoc) {
    const app_schemes = statics.meta.system?.app_schemes ?? [];
    const { types, mode_hint } = statics.meta;
    const options = { doc_time_s: vehicleDoc.doc_s, app_schemes, types, mode: mode_hint };
    const read = readVehicles(vehicleDoc.wire, options, vehicleDoc.trail);
    const seen = rowCount(vehicleDoc.wire);
    vehicleDoc.wire = null;
    const rows = read && types.length === 0 && mode_hint === null ? withSharedMode(read) : read;
    const packed = rows && packVehicles(rows, statics, vehicleDoc);
    const exceeded = packed && exceededByPack(packed.buffer, openVehicles(packed.buffer));
    result.vehicles = exceeded ? null : (packed?.buffer ?? null);
    const accepted = packed?.accepted ?? null;
    result.files.vehicle_status = exceeded
      ? { ok: false, reason: exceeded }
      : report(vehicleDoc, accepted, seen);
  }
}

function readRest(
  statics: Statics | null,
  docs: ReadonlyMap<FeedFile, Doc>,
  job: IngestJob,
  result: IngestResult,
): void {
  const languages = statics?.meta.system?.languages ?? [];
  const alertsDoc = docs.get("system_alerts");
  if (alertsDoc) readAlertsDoc(alertsDoc, statics, languages, result);
  else if (statics && result.statics && job.alerts)
    result.alerts = packAlerts(unpackAlerts(openAlerts(job.alerts)), statics);
  const zonesDoc = docs.get("geofencing_zones");
  if (!zonesDoc) return;
  readZonesDoc(zonesDoc, languages, result);
}

function readZonesDoc(doc: Doc, languages: readonly string[], result: IngestResult): void {
  const zones = readZones(doc.wire, { languages });
  const exceeded = zones && exceededZones(zones);
  if (exceeded) {
    result.files.geofencing_zones = { ok: false, reason: exceeded };
    return;
  }
  result.zones = zones && packZones(zones);
  let accepted = 0;
  zones?.zones.forEach(({ polygons, name }, index) => {
    if (polygons.length > 0) accepted++;
    else doc.trail.drop("zone_without_area" satisfies GbfsReason, name ?? `#${index}`);
  });
  result.files.geofencing_zones = report(doc, zones && accepted, rowCount(doc.wire));
}

function readAlertsDoc(
  doc: Doc,
  statics: Statics | null,
  languages: readonly string[],
  result: IngestResult,
): void {
  const exceeded = exceededAlerts(doc.wire);
  const alerts = exceeded ? null : readGbfsAlerts(doc.wire, { languages });
  result.alerts = alerts && statics && packAlerts(alerts, statics);
  result.files.system_alerts = exceeded
    ? { ok: false, reason: exceeded }
    : report(doc, alerts?.length ?? null, rowCount(doc.wire));
}

/** `accepted` null: the file's data is not of its kind. */
function report(doc: Doc, accepted: number | null, seen: number): FileReport {
  if (accepted === null) return { ok: false, reason: "wrong_shape" };
  const { last_updated_s, ttl_s, version } = doc;
  return { ok: true, last_updated_s, ttl_s, version, seen, accepted, trail: doc.trail.toTrail() };
}

/** Rows of the first array in `data` (or in its FeatureCollection), before any rule. */
function rowCount(wire: unknown): number {
  const data = (wire as { data?: unknown }).data;
  if (typeof data !== "object" || data === null) return 0;
  for (const value of Object.values(data)) {
    if (Array.isArray(value)) return value.length;
    const features = (value as { features?: unknown } | null)?.features;
    if (Array.isArray(features)) return features.length;
  }
  return 0;
}
