import { TRANSPORT_MODES } from "#api/tokens.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { modeOfRouteType, orderModes } from "../schedule/schedule-modes.ts";

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The rows of mobility.md 3.2, written once more. */
const TABLE: readonly [mode: string, types: number[]][] = [
  ["tram", [0, ...range(900, 906)]],
  ["metro", [1, 400, 401, 402, 404]],
  ["rapid_transit", [12, 405, 109, 300, 403]],
  ["rail", [2, ...range(100, 108), ...range(110, 117)]],
  ["bus", [3, 11, ...range(700, 714), 716, 800]],
  ["coach", range(200, 209)],
  ["ferry", [4, ...range(1000, 1021), 1200]],
  ["cable_transport", [5, 6, 7, 907, ...range(1300, 1307), ...range(1400, 1402), 1701]],
  ["demand_responsive", [715]],
  ["taxi", [717, ...range(1500, 1507)]],
  ["car_share", range(1600, 1603)],
  ["bicycle", [1604]],
  ["other", [...range(1100, 1114), 1700, 1702]],
];

test("every route type of the table has its mode", () => {
  for (const [mode, types] of TABLE)
    for (const type of types) assert.equal(modeOfRouteType(type), mode, `route_type ${type}`);
});

test("an unknown value of four digits is one of its hundred, any other unknown one is other", () => {
  assert.equal(modeOfRouteType(1599), "taxi");
  assert.equal(modeOfRouteType(1022), "ferry");
  assert.equal(modeOfRouteType(1650), "car_share");
  for (const type of [8, 9, 10, 13, 50, 99, 199, 500, 600, 718, 1800, 9999, 10_000, -1, 1.5, NaN])
    assert.equal(modeOfRouteType(type), "other", `route_type ${type}`);
});

test("every number has a mode of the contract", () => {
  for (const type of range(-10, 2_500)) assert.ok(TRANSPORT_MODES.includes(modeOfRouteType(type)));
});

test("modes come once each, in the contract's order", () => {
  assert.deepEqual(orderModes(["rail", "bus", "rail", "other", "tram"]), [
    ...["bus", "tram", "rail", "other"],
  ]);
});
