import assert from "node:assert/strict";
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { oicp } from "#providers/oicp/index.ts";
import type { Fault, Read } from "./fault-table.ts";

type Row = Record<string, unknown>;

const POINT: Row = {
  EvseID: "CH*CCI*E1*1",
  ChargingStationId: "CH*CCI*E1*1",
  ChargingStationNames: [
    { lang: "de", value: "Bahnhof" },
    { lang: "en", value: "Station" },
  ],
  Address: { Street: "Gasse 1", City: "Bern", PostalCode: "3000", Country: "CHE" },
  GeoCoordinates: { Google: "46.94 7.44" },
  GeoChargingPointEntrance: { Google: "None None" },
  Plugs: ["Type 2 Outlet"],
  ChargingFacilities: [{ power: "22.0", powertype: "AC_3_PHASE" }],
  IsOpen24Hours: "true",
};

const listOf = (what: "Data" | "Status", rows: readonly unknown[]): string =>
  JSON.stringify({
    [what === "Data" ? "EVSEData" : "EVSEStatuses"]: [
      { OperatorID: "CH*CCC", OperatorName: "Move", [`EVSE${what}Record`]: rows },
    ],
  });

const places = (
  fault: string,
  rows: readonly unknown[],
  check: (read: Read<Place>) => void,
): Fault => ({ fault, shape: oicp, half: "places", document: listOf("Data", rows), check });

const states = (
  fault: string,
  rows: readonly unknown[],
  check: (read: Read<LiveState>) => void,
): Fault => ({ fault, shape: oicp, half: "states", document: listOf("Status", rows), check });

const only = ({ values }: Read<Place>): Place => {
  assert.equal(values?.length, 1);
  return values[0]!;
};

type Charging = {
  connector_count?: number;
  connectors: readonly { type: string; max_kw?: number; count?: number }[];
};
const chargingOf = (place: Place): Charging => place.attributes["charging"] as Charging;

/** A point whose position is written in another way. */
const position = (fault: string, GeoCoordinates: unknown, lat: number, lon: number): Fault =>
  places(fault, [{ ...POINT, GeoCoordinates }], (read) => {
    const place = only(read);
    assert.deepEqual(
      [place.lat.toFixed(5), place.lon.toFixed(5)],
      [lat.toFixed(5), lon.toFixed(5)],
    );
  });

/** A point that is dropped, next to one that is not. */
const dropped = (fault: string, members: Row, reason: string): Fault =>
  places(
    fault,
    [
      { ...POINT, ...members },
      { ...POINT, EvseID: "CH*CCI*E9" },
    ],
    (read) => {
      assert.deepEqual(only(read).keys, ["register_test:CHCCIE9", "evse:CHCCIE9"]);
      assert.deepEqual(read.reasons, [reason]);
    },
  );

export const OICP_FAULTS: readonly Fault[] = [
  position("coordinates as one text with a comma", { Google: "46.94,7.44" }, 46.94, 7.44),
  position(
    "the text None None next to decimals",
    { Google: "None None", DecimalDegree: { Latitude: "46.94", Longitude: "7.44" } },
    46.94,
    7.44,
  ),
  position(
    "coordinates in degrees, minutes and seconds",
    { DegreeMinuteSeconds: { Latitude: "46°56'24\"", Longitude: "7°26'24.0''" } },
    46.94,
    7.44,
  ),
  position(
    "coordinates with decimal commas",
    { DecimalDegree: { Latitude: "46,94", Longitude: "7,44" } },
    46.94,
    7.44,
  ),
  dropped(
    "coordinates None None",
    { GeoCoordinates: { Google: "None None" } },
    "coordinates_missing",
  ),
  dropped("coordinates 0 0", { GeoCoordinates: { Google: "0.0 0.0" } }, "coordinates_zero"),
  dropped("no id", { EvseID: null }, "id_missing"),
  places("a row that is no row", [null, POINT], (read) => {
    assert.equal(only(read).name, "Station");
    assert.deepEqual(read.reasons, ["row_malformed"]);
  }),
  places(
    "a point listed twice, in two spellings",
    [POINT, { ...POINT, EvseID: "chccie11" }],
    (read) => {
      assert.equal(chargingOf(only(read)).connector_count, 1);
      assert.deepEqual(read.reasons, ["id_duplicate"]);
    },
  ),
  places(
    "a station id of its own for each point of one place",
    ["1", "2", "3"].map((n) => ({
      ...POINT,
      EvseID: `CH*CCI*E1*${n}`,
      ChargingStationId: `CH*CCI*E1*${n}`,
    })),
    (read) => {
      const place = only(read);
      assert.equal(chargingOf(place).connector_count, 3);
      assert.equal(place.live?.kind === "points" && place.live.points.length, 3);
      assert.equal(place.keys.length, 4);
    },
  ),
  places(
    "points of two streets at one position",
    [POINT, { ...POINT, EvseID: "CH*CCI*E2", Address: { Street: "Platz 2" } }],
    ({ values }) => assert.equal(values?.length, 2),
  ),
  places(
    "power 0, negative or as words",
    ["0", -1, "fast"].map((power, n) => ({
      ...POINT,
      EvseID: `CH*CCI*E1*${n}`,
      ChargingFacilities: [{ power }],
    })),
    (read) => assert.deepEqual(chargingOf(only(read)).connectors, [{ type: "Type 2", count: 3 }]),
  ),
  places(
    "power as number, and only as volts and amperes in text",
    [
      { ...POINT, ChargingFacilities: [{ power: 11 }] },
      {
        ...POINT,
        EvseID: "CH*CCI*E2",
        ChargingFacilities: [{ Voltage: "230", Amperage: "16", powertype: "AC_3_PHASE" }],
      },
    ],
    (read) =>
      assert.deepEqual(
        chargingOf(only(read)).connectors.map(({ max_kw }) => max_kw),
        [11, 11.04],
      ),
  ),
  places("no plugs: none are counted, and none is 0", [{ ...POINT, Plugs: null }], (read) => {
    assert.equal("connector_count" in chargingOf(only(read)), false);
  }),
  places(
    "hours of which one period cannot be read",
    [
      {
        ...POINT,
        IsOpen24Hours: false,
        OpeningTimes: [
          { on: "Workdays", Period: [{ begin: "08:00", end: "18:00" }] },
          { on: "Weekend", Period: [{ begin: "?", end: "?" }] },
        ],
      },
    ],
    (read) => assert.deepEqual(only(read).opening, {}),
  ),
  states(
    "states that are none, and one in no word of the protocol",
    ["Unknown", "EvseNotFound", "", null, "Perhaps"].map((EVSEStatus, n) => ({
      EvseID: `CH*CCI*E${n}`,
      EVSEStatus,
    })),
    ({ values }) => {
      assert.equal(values?.length, 5);
      for (const value of values)
        assert.ok(value.kind === "point" && value.state === null && value.observed_s === null);
    },
  ),
  states(
    "ids without separators, a doubled one, and one of no form",
    ["CHFASE410051", "CH*FAS*E410051", "12"].map((EvseID) => ({
      EvseID,
      EVSEStatus: "Available",
    })),
    ({ values, reasons }) => {
      assert.deepEqual(
        values?.map(({ id }) => id),
        ["CHFASE410051", "12"],
      );
      assert.deepEqual(reasons, ["id_duplicate"]);
    },
  ),
  {
    fault: "statuses where data are meant",
    shape: oicp,
    half: "places",
    document: listOf("Status", [{ EvseID: "CH*CCI*E1", EVSEStatus: "Available" }]),
    check: ({ values }) => assert.equal(values, null),
  },
];
