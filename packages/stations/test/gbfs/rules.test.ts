/** Rules of mobility.md 1.3 to 1.9 and R4, R5 that no fixture shows by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StationInfo, StationStatus, SystemAlert, VehicleInfo } from "../../entities.ts";
import { createTrail } from "#kit/trail.ts";
import { readGbfsAlerts } from "../../gbfs/gbfs-alerts.ts";
import { readStatus } from "../../gbfs/gbfs-status.ts";
import { NOW_S, read } from "./readers.ts";

const place = { lat: 59.9, lon: 10.7 };

function stations(...rows: object[]) {
  return read("station_information", { data: { stations: rows } }).result as StationInfo[];
}

function vehicles(...rows: object[]) {
  const { result, trail } = read("vehicle_status", { data: { vehicles: rows } });
  return { vehicles: result as VehicleInfo[], trail };
}

function statuses(version: string | null, ...rows: object[]): StationStatus[] {
  const options = { version, doc_time_s: NOW_S };
  return [...readStatus({ data: { stations: rows } }, options, createTrail())!.values()];
}

test("the colour of a brand is kept where it is one", () => {
  const colorOf = (color: unknown): unknown => {
    const data = { system_id: "s", name: "S", timezone: "UTC", brand_assets: { color } };
    return (read("system_information", { data }).result as { color?: string }).color;
  };
  assert.equal(colorOf("#2E7D32"), "#2e7d32");
  for (const other of ["2E7D32", "#2e7d3", "red", "#2e7d32;", 3, null, undefined])
    assert.equal(colorOf(other), undefined);
});

test("links are handed on as cleaned, refused ones are left out", () => {
  const rental_uris = { web: "HTTPS://a.example", android: "javascript:1", ios: null };
  const [station] = stations({ station_id: "s", ...place, rental_uris });
  assert.deepEqual(station?.rental_uris, { web: "https://a.example/" });
  const [bare] = stations({ station_id: "s", ...place, rental_uris: { ios: "data:x" } });
  assert.equal(bare?.rental_uris, null);
});

test("a station with an area is virtual, whatever else it says", () => {
  const station_area = { type: "MultiPolygon", coordinates: [[[[10, 59]]]] };
  const [area, flag, none] = stations(
    { station_id: "area", ...place, station_area, is_virtual_station: false },
    { station_id: "flag", ...place, is_virtual_station: 1, station_area: { coordinates: [] } },
    { station_id: "none", ...place },
  );
  assert.deepEqual([area?.is_virtual, area?.has_area], [true, true]);
  assert.deepEqual([flag?.is_virtual, flag?.has_area], [true, false]);
  assert.deepEqual([none?.is_virtual, none?.has_area], [null, false]);
});

test("capacity: published, else typed docks, else typed vehicles, never 0", () => {
  const match = stations(
    { station_id: "1", ...place, capacity: 5, vehicle_type_capacity: { a: 9 } },
    { station_id: "2", ...place, capacity: 0, vehicle_type_capacity: { a: 9, b: 1 } },
    { station_id: "3", ...place, vehicle_capacity: { a: 4 } },
    { station_id: "4", ...place, vehicle_capacity: { a: 4, b: null } },
    { station_id: "5", ...place, capacity: 0 },
  );
  assert.deepEqual(
    match.map(({ capacity }) => capacity),
    [5, 10, 4, null, null],
  );
});

test("many vehicles are only suspicious in the only station", () => {
  const rows = ["a", "b"].map((station_id) => ({ station_id, num_bikes_available: 2_500 }));
  assert.ok(statuses("2.3", ...rows).every(({ placeholder }) => placeholder === undefined));
  assert.equal(statuses("2.3", rows[0]!)[0]?.placeholder, true);
});

test("absent docks are unlimited from 2.0 on, by version or by shape", () => {
  const flags = { is_installed: true, is_renting: true, is_returning: true };
  const unlimited = (version: string | null, row: object) =>
    statuses(version, { station_id: "s", ...row })[0]?.docks_unlimited;
  assert.equal(unlimited("2.0", {}), true);
  assert.equal(unlimited("3.1-RC3", { num_docks_available: null }), true);
  assert.equal(unlimited("2.3", { num_docks_available: "many" }), false);
  assert.equal(unlimited("2.3", { vehicle_docks_available: [{ vehicle_type_ids: ["a"] }] }), false);
  assert.equal(unlimited("1.1", {}), false);
  assert.equal(unlimited("1.1", flags), false);
  assert.equal(unlimited("1.1", { vehicle_types_available: [] }), true);
  assert.equal(unlimited(null, {}), false);
  assert.equal(unlimited(null, { is_renting: 1 }), false);
  assert.equal(unlimited(null, flags), true);
});

test("a report from beyond tomorrow is none", () => {
  const [near, far] = statuses(
    "2.3",
    { station_id: "near", last_reported: NOW_S + 3_600 },
    { station_id: "far", last_reported: NOW_S + 90_000 },
  );
  assert.deepEqual([near?.last_reported_s, far?.last_reported_s], [NOW_S + 3_600, null]);
});

test("docks by type are summed where the total is missing", () => {
  const vehicle_docks_available = [
    { vehicle_type_ids: ["a", "b"], count: 3 },
    { vehicle_type_ids: ["b"], count: 2 },
  ];
  const [status] = statuses("2.3", { station_id: "s", vehicle_docks_available });
  assert.deepEqual([status?.docks, status?.dock_type_ids], [5, ["a", "b"]]);
});

test("a vehicle at a station may be without coordinates, not at 0,0", () => {
  const match = vehicles(
    { vehicle_id: "docked", station_id: "s" },
    { vehicle_id: "null island", station_id: "s", lat: 0, lon: 0 },
    { vehicle_id: "nowhere" },
  );
  assert.deepEqual(
    match.vehicles.map(({ id, location }) => [id, location]),
    [["docked", null]],
  );
  assert.deepEqual(
    match.trail.dropped.map(({ reason, examples }) => [reason, examples]),
    [
      ["coordinates_missing", ["nowhere"]],
      ["coordinates_zero", ["null island"]],
    ],
  );
});

test("a vehicle astray is dropped, a docked one without place stays", () => {
  const near = [1, 2, 3, 4].map((n) => ({ vehicle_id: `v${n}`, lat: 59.9 + n / 100, lon: 10.7 }));
  const stray = { vehicle_id: "stray", lat: -33.9, lon: 151.2 };
  const docked = { vehicle_id: "docked", station_id: "s" };
  const match = vehicles(docked, near[0]!, stray, ...near.slice(1));
  assert.deepEqual(
    match.vehicles.map(({ id }) => id),
    ["docked", "v1", "v2", "v3", "v4"],
  );
  assert.deepEqual(match.trail.dropped, [
    { reason: "location_implausible", count: 1, examples: ["stray"] },
  ]);
});

test("an id repeated as name is no name", () => {
  const match = vehicles(
    { vehicle_id: "x", name: "x", ...place },
    { vehicle_id: "y", name: "Bike 7", ...place },
  );
  assert.deepEqual(
    match.vehicles.map(({ name }) => name),
    [null, "Bike 7"],
  );
});

test("alerts without id keep their place, doubled ids count once", () => {
  const alerts = [
    { summary: "A" },
    { alert_id: 7, summary: "B" },
    "no row",
    { summary: "C" },
    { alert_id: "7" },
  ];
  const result = readGbfsAlerts({ data: { alerts } }, { languages: [] }) as SystemAlert[];
  assert.deepEqual(
    result.map(({ id, summary }) => [id, summary]),
    [
      ["alert:0", "A"],
      ["7", "B"],
      ["alert:3", "C"],
    ],
  );
});

test("alert times: missing ends are open, links are https", () => {
  const alert = { alert_id: "a", url: "http://a.example", times: [{ start: NOW_S }, {}, null] };
  const [match] = readGbfsAlerts({ data: { alerts: [alert] } }, { languages: [] })!;
  assert.equal(match?.url, null);
  assert.deepEqual(match?.times, [
    { start_s: NOW_S, end_s: null },
    { start_s: null, end_s: null },
  ]);
});

test("R12: a station with an area is as far away as its own coordinates", () => {
  const ring = [
    [10, 59],
    [11, 59],
    [11, 60],
    [10, 60],
    [10, 59],
  ];
  const station_area = { type: "MultiPolygon", coordinates: [[ring]] };
  const [own] = stations({ station_id: "s", ...place, station_area });
  assert.deepEqual([own?.lat, own?.lon], [place.lat, place.lon]);
});
