/** What the sources of public transport stations share: boxes around circles, rows, joined pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import { createTrail } from "#kit/trail.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { boxesOfCircle, joinStations, openRows, toColors } from "#providers/transit-lookup.ts";
import { tries } from "../../support/size.ts";

const circle = fc.record({
  lat: fc.oneof(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.constantFrom(90, -90, 89.99, -89.96, 0),
  ),
  lon: fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.constantFrom(180, -180, 179.999, -179.97, 0),
  ),
  radius_m: fc.double({ min: 0.1, max: 5_000, noNaN: true }),
});
const near = fc.record({
  dlat: fc.double({ min: -0.05, max: 0.05, noNaN: true }),
  dlon: fc.oneof(
    fc.double({ min: -0.1, max: 0.1, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  ),
});

test("boxes hold every point of the circle, and none crosses the antimeridian", () => {
  let within = 0;
  fc.assert(
    fc.property(circle, fc.array(near, { minLength: 4, maxLength: 8 }), (one, steps) => {
      const boxes = boxesOfCircle(one);
      assert.ok(boxes.length === 1 || boxes.length === 2);
      for (const { south, west, north, east } of boxes) {
        assert.ok(south <= north && west <= east);
        assert.ok(south >= -90 && north <= 90 && west >= -180 && east <= 180);
        for (const degrees of [south, west, north, east])
          assert.match(String(degrees), /^-?\d+(\.\d{1,6})?$/);
      }
      for (const { dlat, dlon } of steps) {
        const lat = Math.max(-90, Math.min(90, one.lat + dlat));
        const wide = one.lon + dlon;
        const lon = wide > 180 ? wide - 360 : wide < -180 ? wide + 360 : wide;
        if (distance_m(one.lat, one.lon, lat, lon) > one.radius_m) continue;
        within += 1;
        const isHeld = boxes.some(
          ({ south, west, north, east }) =>
            lat >= south && lat <= north && lon >= west && lon <= east,
        );
        assert.ok(isHeld, JSON.stringify([one, lat, lon, boxes]));
      }
    }),
    { numRuns: tries(2_000) },
  );
  assert.ok(within > 100, `${within} points`);
});

test("a circle over the antimeridian needs two boxes, one at a pole all longitudes", () => {
  const at = (lat: number, lon: number) => boxesOfCircle({ lat, lon, radius_m: 1_000 });
  const [first, second] = at(-17, 179.995);
  assert.equal(first!.east, 180);
  assert.equal(second!.west, -180);
  assert.ok(second!.east > -180 && second!.east < -179.99);
  assert.equal(at(-17, -179.995).length, 2);
  assert.equal(at(-17, 179.9).length, 1);
  const [pole] = at(89.999, 20);
  assert.deepEqual([pole!.west, pole!.east, pole!.north], [-180, 180, 90]);
});

test("rows without an id are dropped; a list of other things is another protocol", () => {
  const trail = createTrail();
  const rows = openRows([{ id: 1 }, { id: "1" }, null, { id: "" }], "id", trail);
  assert.deepEqual(
    rows?.map(({ id }) => id),
    ["1"],
  );
  assert.deepEqual(
    trail.toTrail().dropped.map(({ reason, count }) => [reason, count]),
    [
      ["id_duplicate", 1],
      ["id_missing", 1],
      ["row_malformed", 1],
    ],
  );
  assert.deepEqual(openRows([], "id", trail), []);
  for (const list of [null, {}, "[]", [{ name: "x" }], [1, null]])
    assert.equal(openRows(list, "id", trail), null);
});

test("colours are six hexadecimal digits or absent", () => {
  assert.deepEqual(toColors("#ff00aa", "FFFFFF"), { color: "FF00AA", text_color: "FFFFFF" });
  for (const wire of ["", "fff", "red", "#12345g", "1234567", null, undefined, [], 1])
    assert.deepEqual(toColors(wire, wire), {});
});

const STATION: TransitStation = {
  lat: 1,
  lon: 2,
  name: "Central",
  modes: ["rail"],
  realtime: null,
  alerts: null,
  operators: [{ id: "a", name: "A" }],
  routes: [{ id: "1", short_name: "1", long_name: null, mode: "rail", operator_id: "a" }],
  wheelchair: "no",
  fetched_at_ms: 0,
  source: {
    provider: "transitland",
    region: null,
    source_id: "S1",
    operator_id: "a",
    feed_id: "f",
  },
};

test("a station on two pages is one, of another feed another", () => {
  const other: TransitStation = {
    ...STATION,
    name: "Elsewhere",
    modes: ["bus", "rail"],
    wheelchair: "yes",
    operators: [...STATION.operators, { id: "b", name: "B" }],
    routes: [{ id: "2", short_name: "2", long_name: null, mode: "bus", operator_id: "b" }],
  };
  const foreign = { ...STATION, source: { ...STATION.source, feed_id: "g" } };
  const joined = joinStations([STATION, foreign, other]);
  assert.deepEqual(joined, [
    {
      ...STATION,
      modes: ["bus", "rail"],
      wheelchair: "yes",
      operators: other.operators,
      routes: [...STATION.routes, ...other.routes],
    },
    foreign,
  ]);
  const silent = { ...STATION, wheelchair: "unknown" as const };
  assert.equal(joinStations([STATION, silent])[0]!.wheelchair, "unknown");
  assert.equal(joinStations([STATION, STATION])[0]!.wheelchair, "no");
});
