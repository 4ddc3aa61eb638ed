import assert from "node:assert/strict";
import { test } from "node:test";
import { COUNTRY, geocoderOf } from "../../../../test/support/geocoder.ts";

const geocoder = geocoderOf(COUNTRY);
const at = (lat: number, lon: number): string[] =>
  geocoder
    .reverse({ lat, lon, language: null, limit: 5 })
    .map(({ type, label }) => `${type}: ${label}`);

test("the nearest address leads, then its street, then the places that hold the point", () => {
  assert.deepEqual(at(47.15012, 9.0521), [
    "address: Bahnhofstrasse 6, 1001 Oberwil, Switzerland",
    "street: Bahnhofstrasse, 1001 Oberwil, Switzerland",
    "locality: Moos, Oberwil, Switzerland",
    "city: Oberwil, 1001, Switzerland",
    "country: Wiland, Switzerland",
  ]);
});

test("far from addresses the street leads with the point on it, far from streets the place", () => {
  const [street] = geocoder.reverse({ lat: 47.1802, lon: 9.055, language: null, limit: 5 });
  assert.equal(street!.name, "Rue Saint-Jean");
  assert.deepEqual(street!.location, { lat: 47.18, lon: 9.055 });
  assert.ok(Math.abs(street!.distance_m! - 22.2) < 0.1, String(street!.distance_m));
  assert.deepEqual(at(47.02, 9.01), [
    "locality: Unterwil, 2002, Switzerland",
    "country: Wiland, Switzerland",
  ]);
  assert.deepEqual(at(10, 10), []);
});
