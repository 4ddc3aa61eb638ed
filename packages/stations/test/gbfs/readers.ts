/** What the tests of this folder share: one call per GBFS file, with plain JSON as its answer. */
import { readFileSync } from "node:fs";
import { createTrail } from "#kit/trail.ts";
import type { Trail, TrailRecorder } from "#kit/trail.ts";
import { readGbfsAlerts } from "../../gbfs/gbfs-alerts.ts";
import { chooseVersion, readDiscovery, readVersions } from "../../gbfs/gbfs-discovery.ts";
import { readEnvelope } from "../../gbfs/envelope.ts";
import { readPricingPlans } from "../../gbfs/gbfs-prices.ts";
import { readStations } from "../../gbfs/gbfs-stations.ts";
import { readStatus } from "../../gbfs/gbfs-status.ts";
import { readSystem } from "../../gbfs/gbfs-system.ts";
import { readVehicleTypes } from "../../gbfs/gbfs-types.ts";
import { readVehicles } from "../../gbfs/gbfs-vehicles.ts";
import { readZones } from "../../gbfs/gbfs-zones.ts";

export const FIXTURES: string = new URL(
  "../../../../test/fixtures/providers/gbfs/",
  import.meta.url,
).pathname;
/** 2026-01-01T00:00:00Z, when all fixtures were "published". */
export const NOW_S = 1_767_225_600;
export const BASE_URL = "https://feeds.example/gbfs/gbfs.json";

const languages = ["en"];
/** What the golden systems register. */
const app_schemes = ["com.harbour.ios"];

/** Every reader under the name of its file. */
export const READERS = {
  gbfs: (wire) => {
    const discovery = readDiscovery(wire, { base_url: BASE_URL });
    return discovery && { ...discovery, feeds: Object.fromEntries(discovery.feeds) };
  },
  gbfs_versions: (wire) => {
    const versions = readVersions(wire);
    return { versions, chosen: chooseVersion(versions) };
  },
  system_information: (wire) => readSystem(wire),
  vehicle_types: (wire, trail) => readVehicleTypes(wire, trail, { languages }),
  station_information: (wire, trail) =>
    readStations(wire, { languages, app_schemes, version: null }, trail),
  station_status: (wire, trail) => {
    const status = readStatus(wire, { version: null, doc_time_s: NOW_S }, trail);
    return status && [...status.values()];
  },
  vehicle_status: (wire, trail) => readVehicles(wire, { doc_time_s: NOW_S, app_schemes }, trail),
  system_alerts: (wire) => readGbfsAlerts(wire, { languages }),
  system_pricing_plans: (wire, trail) => readPricingPlans(wire, trail, { languages }),
  geofencing_zones: (wire) => readZones(wire, { languages }),
} as const satisfies Record<string, (wire: unknown, trail: TrailRecorder) => unknown>;

export type FileName = keyof typeof READERS;
export const FILE_NAMES: FileName[] = Object.keys(READERS) as FileName[];

/** A reader's answer with its trail. */
export function read(file: FileName, wire: unknown): { result: unknown; trail: Trail } {
  const trail = createTrail();
  const result = READERS[file](wire, trail);
  return { result, trail: trail.toTrail() };
}

/** Envelope and content, as a golden pair holds them. */
export function readWhole(file: FileName, wire: unknown): unknown {
  const envelope = readEnvelope(wire);
  return { envelope: envelope && { ...envelope, data: undefined }, ...read(file, wire) };
}

/** Both station files, the way ingest reads them: status first. */
export function readPair(wires: {
  station_information: unknown;
  station_status: unknown;
}): unknown {
  const trail = createTrail();
  const status = readStatus(wires.station_status, { version: null, doc_time_s: NOW_S }, trail);
  const options = { languages, version: null, ...(status && { status }) };
  const stations = readStations(wires.station_information, options, trail);
  return { stations, status: status && [...status.values()], trail: trail.toTrail() };
}

/** A fixture by its name without `.wire.json` or `.expected.json`. */
export function load(name: string, kind: "wire" | "expected"): any {
  return JSON.parse(readFileSync(`${FIXTURES}${name}.${kind}.json`, "utf8"));
}

/** The output of a reader in JSON: the form of the expected files. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
