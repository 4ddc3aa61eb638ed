/**
 * Named places bind over bases (decisions, Named places bind): `Bahnhofstrasse 10, 80331 München,
 * Germany` was answered with the house of that number in another country, 98 times of 100.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askBases, findByName } from "#app/places/base-geocoding.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { createGeocoding } from "#app/places/geocoding.ts";
import type { City } from "#providers/gazetteer/cities.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { COUNTRY, geocoderOf } from "../../support/geocoder.ts";
import { oneGeocoder } from "../../support/geocoding-bases.ts";
import { openCities, readTables } from "../../support/gazetteer.ts";

const CITIES: readonly (readonly [
  id: number,
  name: string,
  country: string,
  lat: number,
  lon: number,
  people: number,
])[] = [
  [2867714, "München", "DE", 48.137, 11.575, 1_260_000],
  [2988507, "Paris", "FR", 48.853, 2.349, 2_100_000],
  [2661552, "Bern", "CH", 46.948, 7.447, 121_000],
  [3042030, "Vaduz", "LI", 47.141, 9.521, 5_200],
  // In the base too, and of the same name elsewhere.
  [1, "Oberwil", "CH", 47.15, 9.05, 5_000],
  [2, "Unterwil", "AT", 48.3, 14.3, 3_000],
];
function gazetteerOf(cities: typeof CITIES): GeocodingBase {
  const world = openCities(
    cities.map(([id, name, country, lat, lon, population]): City => {
      const where = { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
      return { id, name, country, region: "", feature: "PPL", population, ...where };
    }),
    readTables(),
  );
  return {
    statement: { id: "gazetteer", data_at: null, licence: "CC-BY-4.0", attribution: "© GeoNames" },
    covers: () => true,
    ...oneGeocoder(world),
    names: world.names,
    isWorld: true,
  };
}
const gazetteer = gazetteerOf(CITIES);
const base: GeocodingBase = {
  statement: { id: "wiland", data_at: null, licence: "ODbL-1.0", attribution: "©" },
  covers: (lat, lon) => lat >= 47 && lat <= 47.2 && lon >= 9 && lon <= 9.1,
  ...oneGeocoder(geocoderOf(COUNTRY)),
};
const deps = { list: () => [base], gazetteer: () => gazetteer, isPending: () => false };

async function find(q: string, input = deps) {
  const query = { q, language: "de", country: null, near: null };
  const reply = await findByName(input, query, { operation: "geocode" });
  assert.ok(reply.status === "ok");
  const [first] = reply.hits;
  const first_label = first ? `${first.item.name} ${first.item.match_quality}` : null;
  return { ...reply, first: first_label, base: first?.base.statement.id };
}

/** Questions of a street and a number of the base, and what no base covers of them. */
const OUTSIDE: [q: string, place: string, text: string][] = [
  ["Bahnhofstrasse 3, 80331 München, Germany", "München", "München"],
  ["Bahnhofstrasse 3, München", "München", "München"],
  ["Bahnhofstrasse 3, Munich", "München", "Munich"],
  ["3 Bahnhofstrasse, Monaco di Baviera", "München", "Monaco di Baviera"],
  ["München, Bahnhofstrasse 3", "München", "München"],
  ["Bahnhofstrasse 3 München", "München", "München"],
  ["3 Bahnhofstrasse München Deutschland", "München", "München"],
  ["Bahnhofstrasse 3, D-80331 München", "München", "München"],
  ["Göttinger Straße 7a, 75001 Paris", "Paris", "Paris"],
  ["Bahnhofstrasse 3, Paris, FR", "Paris", "Paris"],
  ["Bahnhofstrasse 3, Vaduz, LI", "Vaduz", "Vaduz"],
  ["Bahnhofstrasse 3, 3011 Bern", "Bern", "Bern"],
  ["Bahnhofstrasse 3, Frankreich", "Frankreich", "Frankreich"],
  ["Bahnhofstrasse 3, Oberwil, Germany", "Deutschland", "Germany"],
  ["Bahnhofstrasse 3, Unterwil, Österreich", "Unterwil", "Unterwil"],
];

test("a place that lies outside every base is answered itself, with what no base covers", async () => {
  for (const [q, place, text] of OUTSIDE) {
    const match = await find(q);
    assert.equal(match.first, `${place} approximate`, q);
    assert.equal(match.base, "gazetteer", q);
    assert.ok(
      match.hits.every(({ item }) => item.match_quality === "approximate"),
      q,
    );
    assert.equal(match.isPartial, true, q);
    const message = `no imported base covers ${text}, so that only the place itself is known`;
    assert.deepEqual(match.notices, [message], q);
  }
});

const INSIDE: [q: string, first: string][] = [
  ["Bahnhofstrasse 3, Oberwil", "Bahnhofstrasse 3 rooftop"],
  ["Bahnhofstrasse 3, 1001 Oberwil, Schweiz", "Bahnhofstrasse 3 rooftop"],
  ["Bahnhofstrasse 3, Oberwil, CH", "Bahnhofstrasse 3 rooftop"],
  ["Bahnhofstrasse 3, Hauteville", "Bahnhofstrasse 3 rooftop"],
  ["Bahnhofstrasse 3 Unterwil", "Bahnhofstrasse 3 rooftop"],
  ["Bahnhofstrasse 3, Unterwil, Switzerland", "Bahnhofstrasse 3 rooftop"],
  ["Göttinger Straße 7a", "Göttinger Straße 7a rooftop"],
];

test("a place that a base has, by any of its names, is answered by it and whole", async () => {
  for (const [q, first] of INSIDE) {
    const match = await find(q);
    assert.deepEqual([match.first, match.base], [first, "wiland"], q);
    assert.deepEqual([match.isPartial, match.notices], [false, []], q);
  }
});

test("a town next to the border binds, though the base knows its name and has streets near it", async () => {
  // The base has a hamlet of that name, in CH, not far from the street.
  for (const [lat, first] of [
    [47.25, "Moos approximate"],
    [48.3, "Göttinger Straße 7a rooftop"],
  ] as const) {
    const far = gazetteerOf([...CITIES, [3, "Moos", "AT", lat, 9.06, 20_000]]);
    const input = { ...deps, gazetteer: () => far };
    const match = await find("Göttinger Straße 7a, Moos", input);
    assert.equal(match.first, first, `the town lies at ${lat}`);
  }
});

test("a place that is asked for by itself is a whole answer, wherever it lies", async () => {
  for (const [q, name] of [
    ["München", "München"],
    ["Paris, France", "Paris"],
    ["Deutschland", "Deutschland"],
  ] as const) {
    const match = await find(q);
    assert.equal(match.first, `${name} approximate`);
    assert.deepEqual([match.isPartial, match.notices], [false, []], q);
  }
});

test("a name with a typing error is said", async () => {
  const match = await find("Münchne");
  assert.equal(match.first, "München approximate");
  assert.deepEqual(match.notices, ['nothing is called "Münchne"; shown for: München']);
  assert.deepEqual((await find("Münchxyz")).hits, []);
});

test("the body says that it is a part, why, and whose data they are", async () => {
  const clock = createManualClock(0);
  const maps = { id: "openstreetmap", name: "OpenStreetMap" };
  const { geocode } = createGeocoding({ clock, maps, ask: askBases({ ...deps, clock }) });
  const signal = new AbortController().signal;
  const ask = async (q: string) => {
    const question = { q, language: "de", country: undefined, token: undefined };
    const reply = await geocode({ question, deadline_ms: 60_000, signal, now_ms: 0, keyed: false });
    assert.ok(reply.kind === "ok");
    return reply.body;
  };
  const outside = await ask("Bahnhofstrasse 3, München");
  assert.equal(outside.meta.status, "partial");
  assert.deepEqual(outside.meta.notices, [
    "no imported base covers München, so that only the place itself is known",
  ]);
  assert.deepEqual(outside.meta.bases, [gazetteer.statement]);
  assert.equal(outside.results[0]?.base_id, "gazetteer");
  const inside = await ask("Bahnhofstrasse 3, Oberwil");
  assert.deepEqual([inside.meta.status, inside.meta.notices], [undefined, undefined]);
  assert.equal(inside.results[0]?.base_id, "wiland");
});
