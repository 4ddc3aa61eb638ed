/** What a packed base covers: points, and whole circles. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBasePack } from "../base/open-base.ts";
import { aBasePack } from "../../../test/support/bases.ts";
import type { PbfNode } from "../../../sandbox/pbf/objects.ts";

const nodes = (points: readonly (readonly [lat: number, lon: number])[]): PbfNode[] =>
  points.map(([lat, lon], n) => ({
    type: "node",
    id: n + 1,
    lat7: Math.round(lat * 1e7),
    lon7: Math.round(lon * 1e7),
    tags: { amenity: "toilets" },
  }));

test("a circle is covered as long as it is inside the box of all objects", async () => {
  // 1,112 m from south to north, 731 m from west to east.
  const base = openBasePack(await aBasePack("paris"))!;
  const centre = { lat: 48.855, lon: 2.355 };
  assert.ok(base.covers(centre.lat, centre.lon));
  assert.ok(base.coversCircle({ ...centre, radius_m: 330 }));
  assert.ok(!base.coversCircle({ ...centre, radius_m: 400 }), "it ends in the east");
  assert.ok(
    !base.coversCircle({ lat: 48.8595, lon: 2.355, radius_m: 100 }),
    "it ends in the north",
  );
  assert.ok(!base.coversCircle({ lat: 48.87, lon: 2.355, radius_m: 100 }));
});

test("a circle that reaches into a cell in which nothing lies is not covered", async () => {
  // Two towns in one file: what lies between them is in its box, and not in the extract.
  const base = openBasePack(
    await aBasePack(
      "two",
      nodes([
        [47, 7],
        [47.3, 7],
        [47, 7.4],
        [47.3, 7.4],
      ]),
    ),
  )!;
  assert.ok(base.covers(47, 7) && !base.covers(47.15, 7.2));
  const inner = { lat: 47.005, lon: 7.005 };
  assert.ok(base.coversCircle({ ...inner, radius_m: 300 }));
  assert.ok(!base.coversCircle({ ...inner, radius_m: 20_000 }));
  assert.ok(
    base.covers(47.298, 7.002) && base.coversCircle({ lat: 47.298, lon: 7.002, radius_m: 100 }),
  );
});

test("an extract at the antimeridian", async () => {
  const base = openBasePack(
    await aBasePack(
      "fiji",
      nodes([
        [-17, 179.99],
        [-16.9, -179.99],
        [-16.95, 179.95],
        [-16.95, -179.95],
        [-16.99, 179.99],
        [-16.91, -179.99],
        [-16.97, 179.98],
        [-16.97, -179.98],
        [-16.93, 179.98],
        [-16.93, -179.98],
      ]),
    ),
  )!;
  assert.ok(base.coversCircle({ lat: -16.95, lon: 179.988, radius_m: 2_000 }));
  assert.ok(base.coversCircle({ lat: -16.95, lon: -179.988, radius_m: 2_000 }));
  assert.ok(!base.coversCircle({ lat: -16.95, lon: 179.988, radius_m: 30_000 }));
  assert.ok(!base.coversCircle({ lat: -16.901, lon: 179.985, radius_m: 500 }), "in the north");
});
