/** Captured systems as packs, as if each had been read now. Captures are no part of this repository. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAlerts, openZones, type Shard, shardBox } from "#stations/shards.ts";
import { openStatics, openStatus, openVehicles } from "#stations/index.ts";
import { ingest } from "#providers/protocols.ts";
import { documentsOf } from "../../trials/replay/documents.ts";
import type { ReplaySet } from "../../trials/replay/sets.ts";
import { NOW_MS } from "./domain.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** A folder of captured data; `skip`: what a test says, loudly, where it is missing. */
export function capturedFolder(name: string, what: string): { path: string; skip: string | false } {
  const path = join(SHARED, name);
  return { path, skip: existsSync(path) ? false : `${what}: no captures at ${path}` };
}

const FILES = [
  ...["system_information", "vehicle_types", "station_information", "station_status"],
  ...["vehicle_status", "system_alerts", "geofencing_zones", "system_pricing_plans"],
];

type Options = {
  /** Moves all times, so that it was captured now; absent: they stay. */
  shift?: boolean;
};

/** null: it places nothing. */
export function capturedShard(set: ReplaySet, { shift = false }: Options = {}): Shard | null {
  const documents = documentsOf(set, { base_url: "https://bikes.example", shift, now_ms: NOW_MS });
  const bodies = Object.fromEntries(
    FILES.flatMap((name) => {
      const texts =
        documents.get(name) ?? (name === "vehicle_status" && documents.get("free_bike_status"));
      const text = texts ? texts.at(-1) : undefined;
      return text === undefined
        ? []
        : [[name, { bytes: Buffer.from(text), fetched_at_ms: NOW_MS }]];
    }),
  );
  const { statics, status, vehicles, alerts, zones } = ingest({
    protocol: "gbfs",
    url: "https://bikes.example/gbfs.json",
    system_id: set.id,
    mode_hint: "bicycle",
    name: set.id,
    network: null,
    has_vehicle_feed: "vehicle_status" in bodies,
    now_ms: NOW_MS,
    statics: null,
    bodies,
  });
  if (!statics) return null;
  const opened = openStatics(statics);
  const live = { validated_at_ms: NOW_MS, doc_s: NOW_MS / 1000 - 5, ttl_s: 60 };
  const found = vehicles ? openVehicles(vehicles) : null;
  return {
    source_id: set.id,
    box: shardBox(opened, found),
    statics: opened,
    status: status ? { data: openStatus(status), live } : null,
    vehicles: found ? { data: found, live } : null,
    alerts: alerts ? { data: openAlerts(alerts), live } : null,
    zones: zones ? openZones(zones) : null,
  };
}
