/** Examples of the live layer; the tests validate each. */
import type { LiveSnapshotValue } from "./live.ts";

export const LIVE_SNAPSHOT_EXAMPLE: LiveSnapshotValue = {
  at: "2026-11-28T09:30:12Z",
  bbox: [2.345, 48.852, 2.36, 48.862],
  items: [
    {
      id: "example-scooters:4f1a",
      kind: "vehicle",
      location: { lat: 48.8571, lon: 2.3519 },
      modes: ["scooter"],
      network_id: "example-scooters",
      state: "operational",
      pickup: "available_now",
      battery: 70,
      form_factor: "scooter_standing",
    },
    {
      id: "svc_station_2b7n4q5x6k2w5v3m7c4j",
      kind: "station",
      location: { lat: 48.8566, lon: 2.3522 },
      modes: ["bicycle"],
      network_id: "example-bikes",
      name: "Hôtel de Ville",
      state: "operational",
      pickup: "available_now",
      return: "available_now",
      vehicles: 7,
      docks: 12,
      capacity: 20,
    },
  ],
  sources: [
    {
      source_id: "gbfs:example-bikes",
      network: { id: "example-bikes", name: "Example Bikes" },
      color: "#0b6b67",
      state: "fresh",
      as_of: "2026-11-28T09:29:58Z",
    },
    {
      source_id: "gbfs:example-scooters",
      network: { id: "example-scooters", name: "Example Scooters" },
      color: null,
      state: "fresh",
      as_of: "2026-11-28T09:30:01Z",
    },
  ],
};

/** A stream as it arrives, its events shortened. */
export const LIVE_STREAM_EXAMPLE = `retry: 2000

event: snapshot
id: 3kq8.7d1f.412
data: ${JSON.stringify(LIVE_SNAPSHOT_EXAMPLE)}

event: delta
id: 3kq8.7d1f.413
data: {"at":"2026-11-28T09:30:31Z","entered":[],"changed":[],"left":[{"id":"example-scooters:4f1a","reason":"gone"}]}

`;
