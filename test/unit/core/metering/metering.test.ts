/** Metering, the pure part: what a reply costs, periods, and ids of events. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { OPERATIONS } from "#contract/operations.ts";
import { boundsOf, dayOf, isMonth, monthOf } from "#core/metering/periods.ts";
import {
  CHARGES,
  type Metered,
  type MeteredOperation,
  unitsOfReply,
} from "#core/metering/units.ts";

const REPLY: Metered = { status: 200, void: false, objects: 0, maps_categories: 0 };

const COSTS: readonly [MeteredOperation, Partial<Metered>, number][] = [
  ["callMcp", {}, 0],
  ["geocode", {}, 1],
  ["geocode", { status: 404 }, 0],
  ["geocode", { status: 304 }, 0],
  ["geocode", { status: 502 }, 0],
  ["searchPlaces", {}, 1],
  ["reverseGeocode", {}, 1],
  ["getParkingNearby", { objects: 500 }, 1],
  ["getParkingNearby", { void: true }, 0],
  ["getChargingNearby", {}, 1],
  ["getTransportNearby", {}, 1],
  ["getServicesNearby", {}, 1],
  ["getServicesNearby", { maps_categories: 2, objects: 900 }, 3],
  ["getServicesNearby", { maps_categories: 2, void: true }, 0],
  ["getNearby", { objects: 0 }, 0],
  ["getNearby", { objects: 1 }, 1],
  ["getNearby", { objects: 100 }, 1],
  ["getNearby", { objects: 101 }, 2],
  ["getNearby", { objects: 1_000, maps_categories: 3 }, 10],
  ["getNearby", { objects: 101, status: 403 }, 0],
  ["listSources", { objects: 10 }, 0],
  ["getMe", {}, 0],
  ["executeCapability", { objects: 500 }, 2],
  ["executeCapability", { void: true }, 0],
  ["readDataset", { objects: 500 }, 0],
  ["getLegacyWater", {}, 1],
  ["getLegacyWater", { void: true }, 0],
  ["getLegacyVehicles", {}, 1],
  ["getLegacyScooters", {}, 1],
  ["getWeather", {}, 1],
  ["getForecast", {}, 1],
  ["getLegacyScooters", { void: true }, 0],
  ["getHealth", {}, 0],
  ["getOpenApi", {}, 0],
  ["getChangelog", {}, 0],
];

test("replies cost what the table says", () => {
  for (const [operation, reply, units] of COSTS)
    assert.equal(unitsOfReply(operation, { ...REPLY, ...reply }), units, operation);
  const tried = new Set(COSTS.map(([operation]) => operation));
  assert.deepEqual([...tried].toSorted(), Object.keys(CHARGES).toSorted());
});

test("every operation of the contract has its price, the one its description tells", () => {
  for (const { id, units } of OPERATIONS) {
    assert.ok(Object.hasOwn(CHARGES, id), id);
    const reply = { ...REPLY, objects: 1 };
    assert.equal(unitsOfReply(id, reply), Number(/\d+/.exec(units)?.[0]), id);
  }
});

test("periods are days and months of UTC", () => {
  const leap = Date.UTC(2028, 1, 29, 23, 59, 59, 999);
  assert.deepEqual([dayOf(leap), monthOf(leap)], ["2028-02-29", "2028-02"]);
  assert.deepEqual([dayOf(leap + 1), monthOf(leap + 1)], ["2028-03-01", "2028-03"]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2500, 0) }), (at_ms) => {
      const { from_ms, until_ms } = boundsOf(monthOf(at_ms));
      assert.ok(from_ms <= at_ms && at_ms < until_ms);
      assert.deepEqual(
        [monthOf(from_ms), monthOf(until_ms - 1), isMonth(monthOf(at_ms))],
        [monthOf(at_ms), monthOf(at_ms), true],
      );
      assert.equal(dayOf(at_ms), new Date(at_ms).toISOString().slice(0, 10));
    }),
  );
  assert.deepEqual(
    ["2026-00", "2026-13", "2026-1", "1969-12", "2026-11-21", ""].filter(isMonth),
    [],
  );
});
