/** Metering, the pure part: what a reply costs, periods, and ids of events. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listRoutes, type RouteId } from "#api/mcp-operation.ts";
import { toOpenApi } from "#api/openapi.ts";
import { monthBounds, dayOf, MONTH, monthOf } from "#core/metering/metering-periods.ts";
import { type Metered, unitsOfReply } from "#core/metering/metered-units.ts";
import { UNITS } from "../../../support/by-hand.ts";

const REPLY: Metered = { status: 200, void: false, objects: 0, maps_categories: 0 };

const COSTS: readonly [RouteId, Partial<Metered>, number][] = [
  ["geocode", { status: 404 }, 0],
  ["geocode", { status: 304 }, 0],
  ["geocode", { status: 502 }, 0],
  ["getParkingNearby", { objects: 500 }, 1],
  ["getParkingNearby", { void: true }, 0],
  ["getServicesNearby", { maps_categories: 2, objects: 900 }, 3],
  ["getServicesNearby", { maps_categories: 2, void: true }, 0],
  ["getNearby", { objects: 0 }, 0],
  ["getNearby", { objects: 1 }, 1],
  ["getNearby", { objects: 100 }, 1],
  ["getNearby", { objects: 101 }, 2],
  ["getNearby", { objects: 1_000, maps_categories: 3 }, 10],
  ["getNearby", { objects: 101, status: 403 }, 0],
  ["listSources", { objects: 10 }, 0],
  ["executeCapability", { objects: 500 }, 2],
  ["executeCapability", { void: true }, 0],
  ["readDataset", { objects: 500 }, 0],
  ["getLegacyWater", { void: true }, 0],
  ["getLegacyScooters", { void: true }, 0],
];

const ROUTES = new Map(listRoutes().map((route) => [route.id, route]));

test("replies cost what the tables by hand say", () => {
  for (const [id, reply, units] of COSTS)
    assert.equal(unitsOfReply(ROUTES.get(id)!.charge, { ...REPLY, ...reply }), units, id);
  const plain = { ...UNITS, callMcp: 0 };
  for (const [id, units] of Object.entries(plain))
    assert.equal(unitsOfReply(ROUTES.get(id)!.charge, { ...REPLY, objects: 1 }), units, id);
  assert.deepEqual(Object.keys(plain).toSorted(), [...ROUTES.keys()].toSorted());
});

type Described = Record<string, Record<string, { operationId: string; description: string }>>;

test("the description of every operation states the price of its charge", () => {
  const paths = Object.values(toOpenApi()["paths"] as Described);
  const described = paths.flatMap((path) => Object.values(path));
  const priced = described.map(({ operationId, description }) => {
    const [, units = ""] = /Units: (.*?)\.(?: |$)/.exec(description) ?? [];
    const reply = { ...REPLY, objects: 1 };
    const { charge } = ROUTES.get(operationId)!;
    assert.equal(unitsOfReply(charge, reply), Number(/\d+/.exec(units)?.[0]), operationId);
    return [operationId, units];
  });
  assert.equal(priced.length, ROUTES.size - 1);
  const other = Object.fromEntries(priced.filter(([, units]) => !/^\d+$/.test(units!)));
  assert.deepEqual(other, {
    getNearby: "1 per started block of 100 stations, vehicles and places returned",
    getServicesNearby: "1, plus 1 for each of parking and charging asked",
    getPlacesNearby: "1, plus 1 for each of parking and charging asked",
    executeCapability: "search_mobility 2, read_dataset and error observations 0",
  });
});

test("periods are days and months of UTC", () => {
  const leap = Date.UTC(2028, 1, 29, 23, 59, 59, 999);
  assert.deepEqual([dayOf(leap), monthOf(leap)], ["2028-02-29", "2028-02"]);
  assert.deepEqual([dayOf(leap + 1), monthOf(leap + 1)], ["2028-03-01", "2028-03"]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2500, 0) }), (at_ms) => {
      const { from_ms, until_ms } = monthBounds(monthOf(at_ms));
      assert.ok(from_ms <= at_ms && at_ms < until_ms);
      assert.deepEqual(
        [monthOf(from_ms), monthOf(until_ms - 1), MONTH.read(monthOf(at_ms)) !== undefined],
        [monthOf(at_ms), monthOf(at_ms), true],
      );
      assert.equal(dayOf(at_ms), new Date(at_ms).toISOString().slice(0, 10));
    }),
  );
  for (let at_ms = 0; at_ms < Date.UTC(2201, 0); at_ms += 86_400_000)
    assert.equal(dayOf(at_ms), new Date(at_ms).toISOString().slice(0, 10));
  assert.deepEqual(
    ["2026-00", "2026-13", "2026-1", "1969-12", "2026-11-21", ""].filter(MONTH.read),
    [],
  );
});
