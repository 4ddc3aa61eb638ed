/** Tiles: every point of the Earth in one, every circle covered, no box over the antimeridian. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Box, Location } from "../geo.ts";
import { wrapLon } from "../geo.ts";
import { boxesAround, boxOfTile, tileAt, tilesOf } from "../tiles.ts";
import { anyPoint, forAll, HERE } from "../../../test/support/domain.ts";
import { anyCircle, circleWithPoints } from "../../../test/support/places.ts";

/** A hundredth of a millimetre: degrees are not exact. */
const HAIR = 1e-10;

function holds(box: Box, { lat, lon }: Location): boolean {
  const inside = (x: number): boolean => x >= box.west - HAIR && x <= box.east + HAIR;
  return (
    lat >= box.south - HAIR && lat <= box.north + HAIR && (inside(lon) || inside(wrapLon(lon)))
  );
}

test("every point lies in the box of its tile", () => {
  forAll(
    fc.property(anyPoint, ({ lat, lon }) => {
      const box = boxOfTile(tileAt(lat, lon));
      assert.ok(holds(box, { lat, lon }), JSON.stringify({ lat, lon, box }));
    }),
    3000,
  );
});

test("the middle of every tile's box lies in that tile, up to the poles and at both sides of the seam", () => {
  const rows = fc.oneof(fc.nat({ max: 3599 }), fc.constantFrom(0, 1, 1799, 1800, 3598, 3599));
  forAll(
    fc.property(rows, fc.double({ min: -180, max: 179.999, noNaN: true }), (row, lon) => {
      const tile = tileAt(row * 0.05 - 90 + 0.025, lon);
      const { south, north, west, east } = boxOfTile(tile);
      assert.ok(west < east && west >= -180 && east <= 180);
      assert.ok(south < north && south >= -90 && north <= 90);
      assert.equal(tileAt((south + north) / 2, (west + east) / 2), tile);
      // About as wide as high: never wider, and not a sliver.
      const wide =
        (east - west) * Math.cos((Math.min(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
      assert.ok(wide <= 0.05 + HAIR && wide > 0.05 / 1.2, `${wide}`);
    }),
    2000,
  );
});

test("a longitude is the same one turn further, and 180 is −180", () => {
  assert.equal(tileAt(10, 180), tileAt(10, -180));
  assert.equal(tileAt(10, 190), tileAt(10, -170));
  assert.notEqual(tileAt(10, 179.99), tileAt(10, -179.99));
});

test("every point of a circle has its tile among the circle's, each of them once", () => {
  forAll(
    fc.property(circleWithPoints, ([{ lat, lon, radius_m }, points]) => {
      const tiles = tilesOf(lat, lon, radius_m);
      assert.equal(new Set(tiles).size, tiles.length);
      for (const point of points)
        assert.ok(
          tiles.includes(tileAt(point.lat, point.lon)),
          JSON.stringify({ lat, lon, radius_m, point }),
        );
    }),
    5000,
  );
});

test("a circle has no more tiles than it needs: those that its window touches", () => {
  assert.equal(tilesOf(HERE.lat, HERE.lon, 1).length <= 4, true);
  const many = tilesOf(HERE.lat, HERE.lon, 10_000).length;
  assert.ok(many >= 12 && many <= 35, `${many}`);
  // Around a pole rows are short: a handful of tiles, not a handful per degree.
  assert.ok(tilesOf(90, 0, 1000).length <= 10);
});

test("boxes around tiles hold every one of them and never cross the antimeridian", () => {
  forAll(
    fc.property(anyCircle, ({ lat, lon, radius_m }) => {
      const tiles = tilesOf(lat, lon, radius_m);
      const boxes = boxesAround(tiles);
      assert.ok(boxes.length >= 1 && boxes.length <= 2);
      for (const box of boxes) {
        assert.ok(box.west < box.east && box.west >= -180 && box.east <= 180);
        assert.ok(box.south < box.north && box.south >= -90 && box.north <= 90);
      }
      for (const tile of tiles) {
        const own = boxOfTile(tile);
        const within = boxes.some(
          (box) =>
            box.south <= own.south &&
            box.north >= own.north &&
            box.west <= own.west &&
            box.east >= own.east,
        );
        assert.ok(within, "whole in one of them");
      }
    }),
    3000,
  );
});

test("boxes around a circle at the antimeridian are two narrow ones, not one round the Earth", () => {
  const boxes = boxesAround(tilesOf(-16.8, 179.99, 5000));
  assert.equal(boxes.length, 2);
  for (const { west, east } of boxes) assert.ok(east - west < 0.2);
});
