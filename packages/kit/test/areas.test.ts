/** The parts of a system that has distant ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { areasOf } from "../areas.ts";

const areas = (...points: [lat: number, lon: number][]) =>
  areasOf([
    {
      lat: Float64Array.from(points, ([lat]) => lat),
      lon: Float64Array.from(points, ([, lon]) => lon),
    },
  ]);

test("neighbours across a cell's border are one part, far ones are parts of their own", () => {
  const paris: [number, number][] = [
    [48.99, 2.35],
    [49.01, 2.36],
    [48.8, 1.99],
  ];
  const reunion: [number, number] = [-20.9, 55.45];
  assert.deepEqual(areas(...paris), [{ south: 48.8, west: 1.99, north: 49.01, east: 2.36 }]);
  assert.deepEqual(areas(reunion, ...paris), [
    { south: 48.8, west: 1.99, north: 49.01, east: 2.36 },
    { south: -20.9, west: 55.45, north: -20.9, east: 55.45 },
  ]);
});

test("a part on both sides of the antimeridian is one, and its box crosses it", () => {
  assert.deepEqual(areas([-16.9, 179.9], [-16.8, -179.95]), [
    { south: -16.9, west: 179.9, north: -16.8, east: -179.95 },
  ]);
});

test("none without points; one when there are too many to list", () => {
  assert.deepEqual(areas(), []);
  const scattered = Array.from({ length: 40 }, (_, i): [number, number] => [0, i * 4]);
  assert.deepEqual(areas(...scattered), [{ south: 0, west: 0, north: 0, east: 156 }]);
  assert.equal(areas([90, 0], [-90, 180]).length, 2);
});
