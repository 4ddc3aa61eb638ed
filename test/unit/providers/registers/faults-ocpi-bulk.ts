import assert from "node:assert/strict";
import type { LiveState, PointState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { ocpiBulk } from "#providers/ocpi_bulk/index.ts";
import { toLocation } from "../ocpi/location.ts";
import type { Fault, Read } from "./fault-table.ts";

const EVSE = {
  uid: "1",
  evse_id: "DE*EXA*E1*1",
  status: "AVAILABLE",
  connectors: [{ standard: "IEC_62196_T2", max_electric_power: 22_000 }],
  last_updated: "2026-11-28T06:00:00Z",
};

const file = (...locations: unknown[]): string => JSON.stringify(locations);
const states = (read: Read<LiveState>): [string, PointState["state"]][] =>
  read.values!.map((one) => [one.id, (one as PointState).state]);
const pointIds = ({ values }: Read<Place>): string[] =>
  values!.flatMap(({ live }) => (live?.kind === "points" ? live.points.map(({ id }) => id) : []));
const chargingOf = ({ values }: Read<Place>): Record<string, unknown> =>
  values![0]!.attributes["charging"] as Record<string, unknown>;

export const OCPI_BULK_FAULTS: readonly Fault[] = [
  {
    fault: "a status with a blank behind it, and one that no version has",
    shape: ocpiBulk,
    half: "states",
    document: file(
      toLocation([
        { ...EVSE, status: "CHARGING " },
        { ...EVSE, uid: "2", evse_id: "DE*EXA*E1*2", status: "OK" },
      ]),
    ),
    check: (read) =>
      assert.deepEqual(states(read), [
        ["DEEXAE11", "occupied"],
        ["DEEXAE12", null],
      ]),
  },
  {
    fault: "two points of one id in different states",
    shape: ocpiBulk,
    half: "states",
    document: file(toLocation([EVSE, { ...EVSE, uid: "2", status: "CHARGING" }])),
    check(read) {
      assert.deepEqual(states(read), [["DEEXAE11", null]]);
      assert.deepEqual(read.repairs, ["envelope_missing", "states_differ"]);
    },
  },
  {
    fault: "one point at two locations",
    shape: ocpiBulk,
    half: "states",
    document: file(toLocation([EVSE]), toLocation([{ ...EVSE, status: "CHARGING" }], { id: "L2" })),
    check(read) {
      assert.deepEqual(states(read), [["DEEXAE11", "available"]]);
      assert.deepEqual(read.reasons, ["id_duplicate"]);
    },
  },
  {
    fault: "a state in the static half is not shown: it is as old as the file",
    shape: ocpiBulk,
    half: "places",
    document: file(toLocation([EVSE])),
    check(read) {
      const { connectors, ...counts } = chargingOf(read);
      assert.deepEqual(counts, { connector_count: 1 });
      assert.deepEqual(connectors, [{ type: "Type 2", max_kw: 22, count: 1 }]);
      assert.deepEqual(pointIds(read), ["DEEXAE11"]);
      assert.deepEqual(read.values![0]!.keys, [
        "register_test:DE/EXA/L1",
        "station:DEEXA:L1",
        "evse:DEEXAE11",
      ]);
    },
  },
  {
    fault: "a point without an EVSE id is found by its location and uid",
    shape: ocpiBulk,
    half: "places",
    document: file(toLocation([{ ...EVSE, evse_id: "12" }])),
    check(read) {
      assert.deepEqual(pointIds(read), ["DE/EXA/L1/1"]);
      assert.deepEqual(read.values![0]!.keys, ["register_test:DE/EXA/L1", "station:DEEXA:L1"]);
    },
  },
  {
    fault: "points in the charging pool of OCPI 3.0",
    shape: ocpiBulk,
    half: "places",
    document: file({ ...toLocation(undefined), charging_pool: [{ id: "S1", evses: [EVSE] }, 7] }),
    check: (read) => assert.deepEqual(pointIds(read), ["DEEXAE11"]),
  },
  {
    fault: "coordinates 1,1, none, and not a number",
    shape: ocpiBulk,
    half: "places",
    document: file(
      toLocation([EVSE], { coordinates: { latitude: "1.0", longitude: "1.0" } }),
      toLocation([EVSE], { id: "L2", coordinates: null }),
      toLocation([EVSE], { id: "L3", coordinates: { latitude: "52,1°", longitude: "9" } }),
      toLocation([EVSE], { id: "L4" }),
    ),
    check(read) {
      assert.equal(read.values!.length, 1);
      assert.deepEqual(read.reasons, [
        ...["coordinates_missing", "coordinates_placeholder", "coordinates_unusable"],
      ]);
    },
  },
  {
    fault: "a file of statuses alone, with a point that is gone and a row that is none",
    shape: ocpiBulk,
    half: "states",
    document: JSON.stringify({
      data: [
        { evse_id: "DE*EXA*E1*1", status: "OUTOFORDER", last_updated: "2026-11-28T06:00:00" },
        { location_id: "DE/EXA/L1", evse_uid: "7", status: "AVAILABLE" },
        { evse_id: "DE*EXA*E1*9", status: "REMOVED" },
        null,
      ],
    }),
    check(read) {
      assert.deepEqual(states(read), [
        ["DEEXAE11", "out_of_service"],
        ["DE/EXA/L1/7", "available"],
      ]);
      assert.deepEqual(read.reasons, ["evse_gone", "row_malformed"]);
    },
  },
  {
    fault: "a failure that HTTP does not show",
    shape: ocpiBulk,
    half: "places",
    document: JSON.stringify({ status_code: 2001, data: [toLocation([EVSE])] }),
    check: (read) => assert.equal(read.values, null),
  },
  {
    fault: "a file that is cut off",
    shape: ocpiBulk,
    half: "places",
    document: file(toLocation([EVSE]), toLocation([EVSE], { id: "L2" })).slice(0, -40),
    check: (read) => assert.equal(read.values, null),
  },
];
