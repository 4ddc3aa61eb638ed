/** A job of the parser: every file of a city with fifty stations. */
import type { FeedFile, IngestJob } from "#stations/feed.ts";
import { bikeAt, SCOOTER, START_MS, START_S, stationsOf, statusesOf } from "./support.ts";

export function ingestJobOf(change: Partial<IngestJob> = {}): IngestJob {
  const wires: Partial<Record<FeedFile, unknown>> = {
    system_information: { system_id: "a", language: "en", name: "City", timezone: "UTC" },
    vehicle_types: { vehicle_types: [SCOOTER] },
    station_information: { stations: stationsOf(50) },
    station_status: { stations: statusesOf(50, 3) },
    vehicle_status: { bikes: [bikeAt(48.85)] },
    system_alerts: { alerts: [{ alert_id: "x", type: "other", summary: "S" }] },
    geofencing_zones: { geofencing_zones: { type: "FeatureCollection", features: [] } },
  };
  const bodies = Object.entries(wires).map(([file, data]) => {
    const text = JSON.stringify({ last_updated: START_S, ttl: 60, version: "2.3", data });
    return [file, { bytes: bytesOf(text), fetched_at_ms: START_MS }];
  });
  return {
    protocol: "gbfs",
    url: "https://a.example/gbfs.json",
    system_id: "a",
    mode_hint: null,
    name: null,
    network: null,
    has_vehicle_feed: true,
    now_ms: START_MS,
    bodies: Object.fromEntries(bodies),
    statics: null,
    ...change,
  };
}

/** Owns its memory, as an answer of the network does. */
function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text).slice();
}
