/** The world's cities by name: in ten languages, homonyms by population, filters, and points. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import { distance_m } from "#kit/geo.ts";
import { openCities, openCitiesOfTests, readTables } from "../../../support/gazetteer.ts";

const folder = mkdtempSync(join(tmpdir(), "gazetteer-"));
after(() => rmSync(folder, { recursive: true }));
const gazetteer = await openCitiesOfTests(folder);

type Request = { language?: string; country?: string | null; limit?: number };

function find(
  q: string,
  { language = "en", country = null, limit = 5 }: Request = {},
): GeocodeItem[] {
  return gazetteer.geocode({ q, language, country, near: null, limit });
}

/** Language, question, and the name, country, latitude and longitude of the first answer. */
const LOOKUPS: [
  language: string,
  q: string,
  name: string,
  country: string,
  lat: number,
  lon: number,
][] = [
  ["en", "Munich", "Munich", "Germany", 48.14, 11.58],
  ["en", "cologne", "Cologne", "Germany", 50.94, 6.96],
  ["en", "New York", "New York", "United States", 40.71, -74.01],
  ["en", "New York City", "New York", "United States", 40.71, -74.01],
  ["fr", "Londres", "Londres", "Royaume-Uni", 51.51, -0.13],
  ["fr", "Cologne", "Cologne", "Allemagne", 50.94, 6.96],
  ["de", "München", "München", "Deutschland", 48.14, 11.58],
  ["de", "Mailand", "Mailand", "Italien", 45.46, 9.19],
  ["de", "Wien", "Wien", "Österreich", 48.21, 16.37],
  ["es", "Nueva York", "Nueva York", "Estados Unidos", 40.71, -74.01],
  ["es", "Pekín", "Pekín", "China", 39.91, 116.4],
  ["it", "Monaco di Baviera", "Monaco di Baviera", "Germania", 48.14, 11.58],
  ["it", "Parigi", "Parigi", "Francia", 48.85, 2.35],
  ["nl", "Parijs", "Parijs", "Frankrijk", 48.85, 2.35],
  ["nl", "Keulen", "Keulen", "Duitsland", 50.94, 6.96],
  ["pl", "Rzym", "Rzym", "Włochy", 41.89, 12.51],
  ["pl", "Warszawa", "Warszawa", "Polska", 52.23, 21.01],
  ["pt", "Varsóvia", "Varsóvia", "Polônia", 52.23, 21.01],
  ["pt", "Nova Iorque", "Nova Iorque", "Estados Unidos", 40.71, -74.01],
  ["ja", "東京", "東京", "日本", 35.69, 139.69],
  ["ja", "ベルリン", "ベルリン", "ドイツ", 52.52, 13.41],
  ["ar", "القاهرة", "القاهرة", "مصر", 30.06, 31.25],
  ["ar", "باريس", "باريس", "فرنسا", 48.85, 2.35],
];

test("lookups in ten languages find the city, and call it and its country in that language", () => {
  for (const [language, q, name, country, lat, lon] of LOOKUPS) {
    const [first] = find(q, { language });
    assert.ok(first, q);
    assert.equal(first.name, name);
    assert.equal(first.address.country, country);
    assert.equal(first.type, "city");
    assert.equal(first.match_quality, "approximate");
    assert.ok(distance_m(lat, lon, first.location.lat, first.location.lon) < 5_000, q);
  }
});

test("former names, short names and spellings without accents find the city", () => {
  const expected: [q: string, name: string][] = [
    ["Breslau", "Wroclaw"],
    ["Bombay", "Mumbai"],
    ["Saigon", "Ho Chi Minh City"],
    ["NYC", "New York"],
    ["Koeln", "Cologne"],
    ["Zurich", "Zurich"],
    ["Kiev", "Kyiv"],
    ["Frankfurt", "Frankfurt am Main"],
    ["Lodsch", "Lodz"],
    ["St. Louis", "St Louis"],
    ["Frankfrut am Main", "Frankfurt am Main"],
  ];
  for (const [q, name] of expected) assert.equal(find(q)[0]?.name, name, q);
});

test("homonyms are in the order of their population", () => {
  const paris = find("Paris");
  assert.deepEqual([paris[0]?.address.country, paris[1]?.address.region], ["France", "Texas"]);
  const springfields = find("Springfield").map(({ address }) => address.region);
  assert.deepEqual(springfields.slice(0, 3), ["Missouri", "Massachusetts", "Illinois"]);
  const frankfurts = find("Frankfurt", { language: "de" });
  assert.equal(frankfurts[0]?.address.region, "Hessen");
});

test("a region or a country that is named decides between homonyms", () => {
  const expected: [q: string, region: string | null, country: string][] = [
    ["Springfield, IL", "Illinois", "United States"],
    ["Springfield Massachusetts", "Massachusetts", "United States"],
    ["Paris, TX", "Texas", "United States"],
    ["London, Ontario", "Ontario", "Canada"],
    ["London ON", "Ontario", "Canada"],
    ["Naples, Italy", "Campania", "Italy"],
    ["Naples, Florida", "Florida", "United States"],
    ["Birmingham UK", "England", "United Kingdom"],
    ["Birmingham Alabama", "Alabama", "United States"],
  ];
  for (const [q, region, country] of expected) {
    const [first] = find(q);
    assert.deepEqual([first?.address.region, first?.address.country], [region, country], q);
  }
});

test("countries and regions are found by their names, and are nothing's city", () => {
  const [germany] = find("Deutschland");
  assert.deepEqual([germany?.type, germany?.label], ["country", "Germany"]);
  const [usa] = find("USA");
  assert.deepEqual([usa?.type, usa?.name], ["country", "United States"]);
  const [california] = find("California");
  assert.deepEqual([california?.type, california?.label], ["region", "California, United States"]);
  assert.equal(california?.address.city, null);
  assert.equal(find("Bayern", { language: "de" })[0]?.label, "Bayern, Deutschland");
});

test("a country filters", () => {
  const [italian] = find("Cologne", { country: "IT" });
  assert.equal(italian?.address.region, "Lombardy");
  for (const { address } of find("Paris", { country: "US" }))
    assert.equal(address.country, "United States");
  assert.deepEqual(find("Springfield", { country: "JP" }), []);
});

test("what is unknown, or more than a city, finds nothing", () => {
  for (const q of [
    "",
    "  ",
    "qqqqq",
    "xqzzy blorp",
    "12 Main Street Springfield",
    "rue de la république lyon",
  ])
    assert.deepEqual(find(q), [], q);
});

test("a point has the settlement that is nearest for its size", () => {
  const at = (lat: number, lon: number): GeocodeItem | undefined =>
    gazetteer.reverse({ lat, lon, language: "en", limit: 1 })[0];
  // Schwabing is nearer to the centre of a part of the city, and Unterföhring is a town next to it.
  const munich = at(48.16, 11.586);
  assert.equal(munich?.name, "Munich");
  assert.deepEqual(munich?.address, {
    formatted: "Munich, Bavaria, Germany",
    street: null,
    street_number: null,
    city: "Munich",
    postal_code: null,
    region: "Bavaria",
    country: "Germany",
  });
  assert.equal(munich?.match_quality, "approximate");
  assert.equal(at(46.8027, 9.8359)?.name, "Davos");
  const village = at(46.6247, 8.0414);
  assert.deepEqual([village?.name, village?.type], ["Grindelwald", "locality"]);
});

test("a point far from any settlement has none", () => {
  for (const [lat, lon] of [
    [0, 0],
    [-80, 50],
    [25, -40],
  ] as const)
    assert.deepEqual(gazetteer.reverse({ lat, lon, language: null, limit: 5 }), []);
});

test("a point beyond the antimeridian has what is near on the other side", () => {
  const name = "Ostrov";
  const [lat7, lon7] = [680_000_000, -1_799_500_000];
  const city = { ...{ id: 1, name, country: "RU", region: "", feature: "PPL" }, lat7, lon7 };
  const tables = readTables();
  const small = openCities([{ ...city, population: 5_000 }], tables);
  for (const lon of [-179.96, 179.98, 180, -180])
    assert.equal(small.reverse({ lat: 68, lon, language: "en", limit: 1 })[0]?.name, name);
  assert.deepEqual(small.reverse({ lat: 68, lon: 178, language: "en", limit: 1 }), []);
});
