/** The box of a stream: its order, its ranges, its area, and the antimeridian. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LIMITS } from "#api/limits.ts";
import { STREAM_PARAMETERS } from "#api/live.ts";
import { areaOf, readLiveBox } from "#core/live/live-box.ts";
import { type Box, distance_m } from "#kit/geo.ts";

function read(text: string): Box {
  const result = readLiveBox(text);
  assert.ok(result.ok, text);
  return result.box;
}

function refusalOf(text: string): string {
  const result = readLiveBox(text);
  assert.ok(!result.ok, text);
  return result.message;
}

test("four numbers are west, south, east and north", () => {
  const box = { west: 2.345, south: 48.852, east: 2.36, north: 48.862 };
  assert.deepEqual(read(STREAM_PARAMETERS.bbox.example), box);
  assert.deepEqual(read("-0,-0.01,0.01,0"), { west: 0, south: -0.01, east: 0.01, north: 0 });
});

test("a box across the antimeridian has its west in the east", () => {
  assert.deepEqual(read("179.99,-17,-179.99,-16.99"), {
    ...{ west: 179.99, south: -17, east: -179.99, north: -16.99 },
  });
  read("180,-17,-179.98,-16.99");
  read("179.98,-17,180,-16.99");
  read("179.98,-17,-180,-16.99");
});

test("around a pole a box may have all longitudes", () => {
  read("-180,89.99,180,90");
  read("0,-90,-1,-89.99");
});

test("what is no box is refused by the name of the parameter and the rule", () => {
  const order = /^bbox must be four numbers with commas: west, south, east, north$/;
  for (const text of ["", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,,3,4", "1,2,3,1e1", "1,2,3,Infinity"])
    assert.match(refusalOf(text), order);
  assert.match(refusalOf("-180.1,48,2,48.01"), /^bbox must have west and east from -180 to 180$/);
  assert.match(refusalOf("2,48,180.001,48.01"), /west and east from/);
  assert.match(refusalOf("2,-90.1,2.01,48"), /^bbox must have south and north from -90 to 90$/);
  assert.match(refusalOf("2,48,2.01,91"), /south and north from/);
  assert.match(refusalOf("2,48,2.01,48"), /^bbox must have south below north/);
  // Latitude first, as some write it.
  assert.match(refusalOf("48.862,2.36,48.852,2.345"), /^bbox must have south below north/);
  assert.match(refusalOf("2,48,2,48.01"), /^bbox must have west and east that differ$/);
  assert.match(refusalOf("180,48,-180,48.01"), /west and east that differ$/);
});

test("a box that is too large is refused with the area that it has", () => {
  assert.equal(
    refusalOf("2.2,48.8,2.5,48.9"),
    "bbox must have an area of at most 25 km²; this one has 245 km²",
  );
  // All round but for a hundredth of a degree: west is greater, so it goes the long way.
  assert.match(
    refusalOf("2.01,48,2,48.01"),
    /this one has \d{5} km² \(west above east: it crosses the antimeridian\)$/,
  );
  const earth = Math.ceil(4 * Math.PI * 6_371.008_8 ** 2);
  assert.match(refusalOf("-180,-90,180,90"), new RegExp(`this one has ${earth} km²$`));
  const just = /^bbox must have an area of at most 25 km²; this one has 25\.\d+ km²$/;
  assert.match(refusalOf("0,0,0.045,0.044935"), just);
  read("0,0,0.045,0.0449");
});

test("of small boxes the area is that of their sides", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -80, max: 80, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: 0.001, max: 0.02, noNaN: true }),
      (south, west, side) => {
        const east = west + side > 180 ? west + side - 360 : west + side;
        const box = { south, west, east, north: south + side };
        const middle = south + side / 2;
        const width = distance_m(middle, west, middle, east) / 1000;
        const height = distance_m(south, west, south + side, west) / 1000;
        const area = areaOf(box);
        assert.ok(Math.abs(area - width * height) / area < 1e-4, `${area} ${width * height}`);
      },
    ),
  );
});

test("every box that is read has an area within the bound, south below north", () => {
  const degrees = (most: number) => fc.integer({ min: -most * 1000, max: most * 1000 });
  const step = fc.integer({ min: -10, max: 90 });
  fc.assert(
    fc.property(degrees(181), degrees(91), step, step, (w, s, right, up) => {
      const result = readLiveBox([w, s, w + right, s + up].map((each) => each / 1000).join(","));
      if (!result.ok) return assert.match(result.message, /^bbox must /);
      assert.ok(result.box.south < result.box.north);
      assert.ok(areaOf(result.box) > 0 && areaOf(result.box) <= LIMITS.live.box_km2_max);
    }),
  );
});

test("a strip of a small area is refused: it would lie in many countries", () => {
  const side = /^bbox must have no side longer than 25 km; this one has \d+(\.\d+)? km/;
  for (const strip of [
    "-10,48.856,30,48.856005",
    "-179.9,51.5,179.9,51.500001",
    "2.3522,-90,2.35221,90",
    "179.8,0,-179.9,0.0001",
    "2,48,2.0001,48.23",
  ])
    assert.match(refusalOf(strip), side);
  for (const strip of ["2,48,2.001,48.22", "2,60,2.44,60.005", "10,89.99,100,89.9999"]) read(strip);
});
