/** The sea, which no extract has: it is what lies on the right of the coastlines. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mapOf, type Place, tileAt, way } from "../../../../test/support/map-features.ts";
import { areaOf, readMvt } from "../../../../test/support/mvt.ts";

const TOWN = { highway: "residential" };
const COAST = { natural: "coastline" };
/** A street, so that the base covers the place. */
const street = way(
  [
    [50, 10],
    [50.001, 10.001],
  ],
  TOWN,
);

type Map = ReturnType<typeof mapOf>;

/** Whether a place is at sea, by the tile that it lies in. */
function isSea(map: Map, [lat, lon]: Place, zoom = 14): boolean {
  const { z, x, y } = tileAt([lat, lon], zoom);
  const bytes = map.tile(z, x, y);
  const layer = bytes && readMvt(bytes).get("water");
  if (!layer) return false;
  const sine = Math.sin((lat * Math.PI) / 180);
  const scale = 2 ** z * layer.extent;
  const px = (lon / 360 + 0.5) * scale - x * layer.extent;
  const py = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * scale - y * layer.extent;
  return layer.features
    .filter(({ properties }) => properties["class"] === "ocean")
    .some(({ parts }) => {
      let inside = false;
      for (const ring of parts)
        ring.forEach(([ax, ay], i) => {
          const [bx, by] = ring[(i + 1) % ring.length]!;
          if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax)
            inside = !inside;
        });
      return inside;
    });
}

test("what lies on the right of a coast that breaks off is sea, what lies on its left is land", () => {
  // Eastwards with the land on the left: the sea is south.
  const eastwards = mapOf([
    street,
    way(
      [
        [49.99, 9.98],
        [49.992, 10],
        [49.99, 10.02],
      ],
      COAST,
    ),
  ]);
  assert.equal(isSea(eastwards, [49.98, 10]), true);
  assert.equal(isSea(eastwards, [49.9915, 10]), true);
  assert.equal(isSea(eastwards, [49.9925, 10]), false);
  assert.equal(isSea(eastwards, [50.01, 10]), false);
  // It goes on beyond its ends, in tiles that have nothing else.
  assert.equal(isSea(eastwards, [49.9, 10.1]), true);
  assert.equal(isSea(eastwards, [50.1, 10.1]), false);
  const westwards = mapOf([
    street,
    way(
      [
        [49.99, 10.02],
        [49.99, 9.98],
      ],
      COAST,
    ),
  ]);
  assert.equal(isSea(westwards, [49.98, 10]), false);
  assert.equal(isSea(westwards, [50.01, 10]), true);
});

test("coasts in several ways are one, and islands are land in the sea", () => {
  const map = mapOf([
    street,
    way(
      [
        [49.99, 10],
        [49.99, 10.05],
      ],
      COAST,
    ),
    way(
      [
        [49.99, 9.95],
        [49.99, 10],
      ],
      COAST,
    ),
    // Against the clock: the land is inside.
    way(
      [
        [49.97, 9.99],
        [49.97, 10.01],
        [49.98, 10.01],
        [49.98, 9.99],
        [49.97, 9.99],
      ],
      COAST,
    ),
  ]);
  assert.equal(isSea(map, [49.975, 10]), false);
  assert.equal(isSea(map, [49.975, 10.015]), true);
  assert.equal(isSea(map, [49.985, 10]), true);
  assert.equal(isSea(map, [49.995, 10]), false);
  for (const zoom of [9, 10, 12]) {
    assert.equal(isSea(map, [49.9, 10.02], zoom), true, `zoom ${zoom}`);
    assert.equal(isSea(map, [50.05, 10.02], zoom), false, `zoom ${zoom}`);
  }
});

test("an extract of nothing but islands lies in the sea, and one without a coast has none", () => {
  const ring: Place[] = [
    [49.9, 9.9],
    [49.9, 10.1],
    [50.1, 10.1],
    [50.1, 9.9],
    [49.9, 9.9],
  ];
  const island = mapOf([street, way(ring, COAST)]);
  assert.equal(isSea(island, [50.05, 10.05]), false);
  assert.equal(isSea(island, [49.85, 10]), true);
  const inland = mapOf([street]);
  assert.equal(isSea(inland, [49.85, 10]), false);
  const lake = mapOf([street, way(ring.toReversed(), COAST)]);
  assert.equal(isSea(lake, [50.05, 10.05]), true);
  assert.equal(isSea(lake, [49.85, 10]), false);
});

test("far from everything there is no sea, and no tile", () => {
  const far = way(
    [
      [-20, 100],
      [-20.001, 100.001],
    ],
    TOWN,
  );
  const coast = way(
    [
      [49.99, 9.98],
      [49.99, 10.02],
    ],
    COAST,
  );
  const map = mapOf([street, far, coast]);
  const { z, x, y } = tileAt([10, 50], 12);
  assert.equal(map.tile(z, x, y), null);
  assert.equal(isSea(map, [49.98, 10]), true);
});

test("rings of the sea turn as others do", () => {
  const map = mapOf([
    street,
    way(
      [
        [49.99, 9.98],
        [49.99, 10.02],
      ],
      COAST,
    ),
  ]);
  const { z, x, y } = tileAt([49.99, 10], 12);
  const sea = readMvt(map.tile(z, x, y)!).get("water")!.features;
  assert.ok(sea.length > 0);
  for (const { parts } of sea) assert.ok(areaOf(parts[0]!) > 0);
});
