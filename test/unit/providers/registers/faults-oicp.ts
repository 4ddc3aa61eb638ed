import assert from "node:assert/strict";
import type { PointState } from "#core/places/live-state.ts";
import { oicp } from "#providers/oicp/index.ts";
import type { Fault } from "./fault-table.ts";

type Row = Record<string, unknown>;

const POINT: Row = {
  EvseID: "CH*ABC*E1",
  Accessibility: "Paying publicly accessible",
  Address: { Street: "Bahnhofstrasse 1", PostalCode: "8001", City: "Zürich", Country: "CHE" },
  ChargingFacilities: [{ power: "22.0", powertype: "AC_3_PHASE", Voltage: "230", Amperage: "32" }],
  ChargingStationNames: [{ lang: "de", value: "Bahnhof" }],
  GeoCoordinates: { Google: "47.37 8.54" },
  IsOpen24Hours: true,
  Plugs: ["Type 2 Outlet"],
};
const OTHER = { ...POINT, EvseID: "CH*ABC*E2", GeoCoordinates: { Google: "47.38 8.55" } };

const data = (...rows: unknown[]): string =>
  JSON.stringify({ EVSEData: [{ EVSEDataRecord: rows, OperatorName: "Move" }] });
const statuses = (...rows: unknown[]): string =>
  JSON.stringify({ EVSEStatuses: [{ EVSEStatusRecord: rows, OperatorName: "Move" }] });

type Places = Extract<Fault, { half: "places" }>;

const places = (fault: string, document: string, check: Places["check"]): Fault => ({
  fault,
  shape: oicp,
  half: "places",
  document,
  check,
});
/** Of the one place that a point with `members` makes. */
const charging = (fault: string, members: Row, expected: unknown): Fault =>
  places(fault, data({ ...POINT, ...members }), ({ values }) => {
    assert.equal(values?.length, 1);
    assert.deepEqual(values[0]!.attributes["charging"], expected);
  });
const dropped = (fault: string, row: unknown, reason: string): Fault =>
  places(fault, data(OTHER, row), ({ values, reasons }) => {
    assert.deepEqual(
      values?.map(({ external_id }) => external_id),
      ["CHABCE2"],
    );
    assert.deepEqual(reasons, [reason]);
  });
const state = (fault: string, members: Row, expected: Partial<PointState>): Fault => ({
  fault,
  shape: oicp,
  half: "states",
  document: statuses({ EvseID: "CH*ABC*E1", EVSEStatus: "Available", ...members }),
  check: ({ values }) => {
    const found = { kind: "point", id: "CHABCE1", observed_s: null, ...expected };
    assert.deepEqual(values, [found]);
  },
});

export const OICP_FAULTS: readonly Fault[] = [
  dropped(
    "both coordinates as words",
    { ...POINT, GeoCoordinates: { Google: "None None" } },
    "coordinates_missing",
  ),
  dropped(
    "longitude and latitude swapped",
    { ...POINT, GeoCoordinates: { Google: "114.17 22.30" } },
    "coordinates_out_of_range",
  ),
  dropped("0 0", { ...POINT, GeoCoordinates: { Google: "0.0 0.0" } }, "coordinates_zero"),
  dropped("no coordinates", { ...POINT, GeoCoordinates: null }, "coordinates_missing"),
  dropped(
    "decimal commas",
    { ...POINT, GeoCoordinates: { DecimalDegree: { Latitude: "47,37", Longitude: "8,54" } } },
    "coordinates_unusable",
  ),
  dropped(
    "a doubled point, written in another way",
    { ...OTHER, EvseID: "ch-abc-e2" },
    "id_duplicate",
  ),
  dropped("no id", { ...POINT, EvseID: "" }, "id_missing"),
  dropped("a row of null", null, "row_malformed"),
  places(
    "degrees, minutes and seconds",
    data({
      ...POINT,
      GeoCoordinates: { DegreeMinuteSeconds: { Latitude: "47°22'12\"", Longitude: "8°32'24\"" } },
    }),
    ({ values }) => assert.deepEqual([values![0]!.lat, values![0]!.lon], [47.37, 8.54]),
  ),
  places(
    "each point of a place has a station of its own",
    data(POINT, { ...POINT, EvseID: "CH*ABC*E3", ChargingStationId: "3" }, OTHER),
    ({ values }) => {
      const counts = values?.map(({ live }) => live?.kind === "points" && live.points.length);
      assert.deepEqual(counts, [2, 1]);
    },
  ),
  places(
    "a name that was encoded twice",
    data({ ...POINT, ChargingStationNames: [{ lang: "de", value: "ZÃ¼rich HB" }] }),
    ({ values }) => assert.equal(values?.[0]?.name, "Zürich HB"),
  ),
  places(
    "an id that is no EVSE id is no identity",
    data({ ...POINT, EvseID: "+41*055*3" }),
    ({ values }) => assert.deepEqual(values?.[0]?.keys, ["register_test:+41*055*3"]),
  ),
  charging(
    "power as a number with a comma: that of volts and amperes",
    {
      ChargingFacilities: [{ power: "22,0", powertype: "AC_3_PHASE", Voltage: 400, Amperage: 32 }],
    },
    { connector_count: 1, connectors: [{ type: "Type 2", max_kw: 22.17, count: 1 }] },
  ),
  charging(
    "power of 0 is not known",
    { ChargingFacilities: [{ power: 0, powertype: "DC" }] },
    { connector_count: 1, connectors: [{ type: "Type 2", count: 1 }] },
  ),
  charging("a point without plugs", { Plugs: null }, { connectors: [] }),
  charging(
    "a plug of no vocabulary",
    { Plugs: ["Type 9"], ChargingFacilities: null },
    { connector_count: 1, connectors: [{ type: "Other", count: 1 }] },
  ),
  state("no such point, says the status", { EVSEStatus: "EvseNotFound" }, { state: null }),
  state("an unknown status", { EVSEStatus: "Unknown" }, { state: null }),
  state("a status in no word", { EVSEStatus: "Partying" }, { state: null }),
  state("no status", { EVSEStatus: null }, { state: null }),
  state("a status in small letters", { EVSEStatus: "outofservice" }, { state: "out_of_service" }),
  state(
    "time without a zone",
    { lastUpdate: "2026-11-28T06:00:00" },
    { state: "available", observed_s: Date.UTC(2026, 10, 28, 6) / 1_000 },
  ),
  {
    fault: "doubled statuses that differ",
    shape: oicp,
    half: "states",
    document: statuses(
      { EvseID: "CH*ABC*E1", EVSEStatus: "Available" },
      { EvseID: "CHABCE1", EVSEStatus: "Occupied" },
      { EvseID: "XX", EVSEStatus: "Occupied" },
    ),
    check: ({ values, reasons }) => {
      const found = values?.map((each) => [each.id, each.kind === "point" && each.state]);
      assert.deepEqual(found, [
        ["CHABCE1", "available"],
        ["XX", "occupied"],
      ]);
      assert.deepEqual(reasons, ["id_duplicate"]);
    },
  },
];
