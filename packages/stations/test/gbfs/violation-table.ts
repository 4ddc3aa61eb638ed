/** How each fixture of mobility.md 1.12 is read. A fixture may hold several documents. */
import { defaultFeeds } from "../../gbfs/gbfs-discovery.ts";
import { BASE_URL, FILE_NAMES, READERS, read, readPair } from "./readers.ts";
import type { FileName } from "./readers.ts";
import { createTrail } from "#kit/trail.ts";

export const VIOLATIONS: Record<string, (wire: any) => unknown> = {
  "violation-01-coercion": (wire) => read("station_status", wire),
  "violation-02-coordinates": (wire) => read("station_information", wire),
  "violation-03-field-names": (wire) => ({
    vehicle_status: read("vehicle_status", wire.vehicle_status),
    free_bike_status: read("vehicle_status", wire.free_bike_status),
    station_status: read("station_status", wire.station_status),
    discovery: read("gbfs", wire.discovery),
  }),
  "violation-04-negative-counts": (wire) => read("station_status", wire),
  "violation-05-fake-city-station": (wire) => ({
    by_docks: readPair(wire.by_docks),
    by_count: readPair(wire.by_count),
  }),
  "violation-06-zero-total": (wire) => read("station_status", wire),
  "violation-07-zero-types": (wire) => read("station_status", wire),
  // Kept as it is: that the status is unknown after 24 hours is the presenter's rule (R7).
  "violation-08-old-report": (wire) => read("station_status", wire),
  "violation-09-null-vehicle-id": (wire) => read("vehicle_status", wire),
  "violation-10-duplicate-ids": (wire) => read("station_information", wire),
  "violation-11-names": (wire) => read("station_information", wire),
  "violation-12-form-factors": (wire) => read("vehicle_types", wire),
  "violation-13-timezone": (wire) => wire.map(READERS.system_information),
  "violation-14-no-coordinates": readPair,
  // The status-only station never gets among the stations; the packer passes it over.
  "violation-15-one-sided": readPair,
  "violation-16-null-members": (wire) => read("station_status", wire),
  // A rented vehicle cannot be distinguished from a waiting one: kept as it is.
  "violation-17-rented-vehicles": (wire) => read("vehicle_status", wire),
  "violation-18-fuel-percent": (wire) => read("vehicle_status", wire),
  "violation-19-http-links": (wire) => read("gbfs", wire),
  "violation-20-no-discovery": (wire) => ({
    discovery: read("gbfs", wire).result,
    feeds: Object.fromEntries(defaultFeeds(`${BASE_URL}?key=k`)),
  }),
  // Not about normalisation: what matters is that no reader takes a refusal for an empty list.
  "violation-21-masked-refusal": (wire) => wire.map(readByAll),
  "violation-22-zones": (wire) => read("geofencing_zones", wire),
  "violation-23-vendor-members": (wire) => ({
    status: readPair(wire),
    vehicles: read("vehicle_status", wire.free_bike_status),
  }),
  // Not about normalisation: a gateway's answer instead of a body above its cap is no feed either.
  "violation-24-cut-payload": readByAll,
};

function readByAll(wire: unknown): Record<string, unknown> {
  const one = (file: FileName) => [file, READERS[file](wire, createTrail())] as const;
  return Object.fromEntries(FILE_NAMES.map(one));
}
