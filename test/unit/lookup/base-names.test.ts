/**
 * The place named in an address question binds wherever its name is known
 * (decisions, Named places bind): postcodes and villages that a base alone knows, codes of regions
 * behind a town, signs of countries before a postcode, and streets that are called after towns.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findByName } from "#app/places/base-geocoding.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import type { City } from "#providers/gazetteer/cities.ts";
import {
  aHouse,
  anArea,
  aNode,
  aStreet,
  type Feature,
  geocoderOf,
} from "../../support/geocoder.ts";
import { oneGeocoder } from "../../support/geocoding-bases.ts";
import { openCities, readTables } from "../../support/gazetteer.ts";

const country = (id: number, code: string, box: readonly number[]): Feature =>
  anArea(id, box, {
    ...{ boundary: "administrative", admin_level: "2", name: `Land ${code}` },
    "ISO3166-1:alpha2": code,
  });
const town = (id: number, name: string, box: readonly number[]): Feature =>
  anArea(id, box, { boundary: "administrative", admin_level: "8", name });
const along = (id: number, lat: number, name: string): Feature =>
  aStreet(id, lat, [9.5, 9.503], name);
const OBERAU = { "addr:city": "Oberau", "addr:postcode": "9101" };
const HINTERAU = { "addr:city": "Hinterau", "addr:postcode": "9103" };
const UNTERAU = { "addr:city": "Unterau", "addr:postcode": "9102" };

/** Oberau with the village Hinterau and the hamlet Steinmoos; Unterau; and a town across the border. */
const VALLEY: readonly Feature[] = [
  country(900, "LI", [47, 9.4, 47.3, 9.7]),
  country(901, "CH", [47, 9.2, 47.3, 9.4]),
  town(902, "Oberau", [47.1, 9.42, 47.16, 9.6]),
  town(903, "Unterau", [47.06, 9.42, 47.1, 9.6]),
  aNode(1, [47.13, 9.5], { place: "town", name: "Oberau", population: "5000" }),
  aNode(2, [47.08, 9.5], { place: "village", name: "Unterau" }),
  aNode(3, [47.15, 9.5], { place: "village", name: "Hinterau" }),
  aNode(4, [47.12, 9.58], { place: "hamlet", name: "Steinmoos" }),
  aNode(5, [47.13, 9.39], { place: "town", name: "Buchs (SG)" }),
  along(10, 47.13, "Hauptstrasse"),
  along(11, 47.08, "Hauptstrasse"),
  along(12, 47.082, "Bachgasse"),
  along(13, 47.132, "Dorfweg"),
  along(14, 47.134, "Unterauer Strasse"),
  along(15, 47.084, "Oberauerstrasse"),
  along(16, 47.138, "Talstrasse"),
  aHouse(100, [47.1301, 9.5], "Hauptstrasse", "1", OBERAU),
  aHouse(101, [47.1301, 9.501], "Hauptstrasse", "9", OBERAU),
  aHouse(102, [47.0801, 9.5], "Hauptstrasse", "2", UNTERAU),
  aHouse(103, [47.0821, 9.5], "Bachgasse", "7", UNTERAU),
  aHouse(104, [47.1321, 9.5], "Dorfweg", "3", OBERAU),
  aHouse(105, [47.1341, 9.5], "Unterauer Strasse", "5", OBERAU),
  aHouse(106, [47.0841, 9.5], "Oberauerstrasse", "5", UNTERAU),
  aHouse(107, [47.1381, 9.5], "Talstrasse", "10", OBERAU),
  aHouse(108, [47.1381, 9.502], "Talstrasse", "30", HINTERAU),
  aHouse(109, [47.1201, 9.58], "Alpweg", "1", OBERAU),
];

const base: GeocodingBase = {
  statement: { id: "valley", data_at: null, licence: "ODbL-1.0", attribution: "©" },
  covers: (lat, lon) => lat >= 47 && lat <= 47.3 && lon >= 9.35 && lon <= 9.7,
  ...oneGeocoder(geocoderOf(VALLEY)),
};
const CITIES: readonly (readonly [
  name: string,
  where: string,
  lat: number,
  lon: number,
  people: number,
])[] = [
  ["Buchs", "CH.SG", 47.167, 9.478, 11_000],
  ["Buchs", "CH.AG", 47.387, 8.077, 6_000],
  ["Chur", "CH.GR", 46.85, 9.53, 33_000],
  ["Wald", "CH.ZH", 47.276, 8.914, 9_000],
  ["Milano", "IT.09", 45.464, 9.19, 1_300_000],
  ["Springfield", "US.IL", 39.8, -89.64, 114_000],
  ["Toronto", "CA.08", 43.7, -79.42, 2_700_000],
  ["Paris", "FR.11", 48.853, 2.349, 2_100_000],
  ["München", "DE.02", 48.137, 11.575, 1_260_000],
];
const world = openCities(
  CITIES.map(([name, where, lat, lon, population], i): City => {
    const [code, region] = where.split(".");
    const at = { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
    return { id: i + 1, name, country: code!, region: region!, feature: "PPL", population, ...at };
  }),
  readTables(),
);
const gazetteer: GeocodingBase = {
  statement: { id: "gazetteer", data_at: null, licence: "CC-BY-4.0", attribution: "© GeoNames" },
  covers: () => true,
  ...oneGeocoder(world),
  names: world.names,
  isWorld: true,
};

async function find(q: string, geocoding_base: GeocodingBase | null): Promise<string[]> {
  const deps = { list: () => [base], gazetteer: () => geocoding_base, isPending: () => false };
  const query = { q, language: "xx", country: null, near: null };
  const reply = await findByName(deps, query, { operation: "geocode" });
  assert.ok(reply.status === "ok");
  return reply.hits.map(({ item }) => `${item.name} ${item.match_quality}`);
}

type Row = readonly [q: string, first: string];

/** Asked with the gazetteer, and without: what bases know binds either way. */
async function check(cases: readonly Row[]): Promise<void> {
  for (const input of [gazetteer, null])
    for (const [q, first] of cases) {
      const match = await find(q, input);
      assert.equal(match[0], first, q);
      if (first.endsWith("approximate"))
        for (const each of match) assert.match(each, /approximate$/, `${q}: ${match.join()}`);
    }
}

test("a postcode that a base knows binds, wherever it is written", async () => {
  await check([
    ["Bachgasse 7, 9101", "9101 approximate"],
    ["Bachgasse, 9101", "9101 approximate"],
    ["9101, Bachgasse 7", "9101 approximate"],
    ["Bachgasse 7, FL-9101", "9101 approximate"],
    ["Bachgasse 7 9103", "9103 approximate"],
    ["Dorfweg 3, 9102", "9102 approximate"],
    // The street goes on there, and the house does not.
    ["Talstrasse 30, 9101", "Talstrasse geometric_center"],
    ["Hauptstrasse 9, 9102", "Hauptstrasse geometric_center"],
    ["Bachgasse 7, 9102", "Bachgasse 7 rooftop"],
    ["Bachgasse 7, FL-9102", "Bachgasse 7 rooftop"],
    ["Bachgasse 7, LI-9102 Unterau", "Bachgasse 7 rooftop"],
    ["9102 Unterau, Bachgasse 7", "Bachgasse 7 rooftop"],
    ["Talstrasse 30, 9103", "Talstrasse 30 rooftop"],
    ["Talstrasse 30", "Talstrasse 30 rooftop"],
  ]);
});

test("a place that only a base knows binds: the street there, else the place itself", async () => {
  await check([
    ["Bachgasse 7, Steinmoos", "Steinmoos approximate"],
    ["Dorfstrasse 3, Steinmoos", "Steinmoos approximate"],
    ["Steinmoos, Dorfstrasse 3", "Steinmoos approximate"],
    ["Dorfstrasse 3 Steinmoos", "Steinmoos approximate"],
    ["12 Rue du Bac, Steinmoos", "Steinmoos approximate"],
    ["Nirgendweg 5, Hinterau", "Hinterau approximate"],
    ["Alpweg 1, Steinmoos", "Alpweg 1 rooftop"],
    ["Talstrasse 30, Hinterau", "Talstrasse 30 rooftop"],
    ["Alpweg 8, Steinmoos", "Alpweg geometric_center"],
  ]);
});

test("a street that is called after the town is in the next one, and the town binds", async () => {
  await check([
    ["Unterauer Strasse 5, Unterau", "Unterau approximate"],
    ["Unterauerstrasse 5, Unterau", "Unterau approximate"],
    ["Unterauerstr. 5, 9102 Unterau", "Unterau approximate"],
    ["Oberauerstrasse 5, Oberau", "Oberau approximate"],
    ["Oberauer Strasse 5, Oberau", "Oberau approximate"],
    ["Unterauer Strasse 5, Oberau", "Unterauer Strasse 5 rooftop"],
    ["Unterauerstrasse 5", "Unterauer Strasse 5 rooftop"],
    ["Oberauerstrasse 5, Unterau", "Oberauerstrasse 5 rooftop"],
  ]);
});

test("a code of a region behind a town, a region and the sign of a country bind", async () => {
  for (const [q, first] of [
    ["Hauptstrasse 9 Buchs SG", "Buchs"],
    ["Hauptstrasse 9, 9470 Buchs", "Buchs"],
    ["Hauptstrasse 9, CH-9470 Buchs SG", "Buchs"],
    ["Hauptstrasse 9, Chur GR", "Chur"],
    ["Hauptstrasse 9, 7000 Chur (GR)", "Chur"],
    ["Hauptstrasse 9, 20121 Milano MI", "Milano"],
    ["Hauptstrasse 9, Milano (MI)", "Milano"],
    ["9 Hauptstrasse, Springfield IL 62701", "Springfield"],
    ["9 Hauptstrasse, Toronto ON", "Toronto"],
    ["Hauptstrasse 9, D-80331 München", "München"],
    ["Hauptstrasse 9, Graubünden", "Grisons"],
    ["Hauptstrasse 9, Kanton Graubünden", "Grisons"],
    ["Hauptstrasse 9, CH-9470", "Switzerland"],
    ["Hauptstrasse 9, A-1010", "Austria"],
  ] as const) {
    const match = await find(q, gazetteer);
    assert.ok(match[0]?.startsWith(first), `${q}: ${match.join()}`);
    for (const each of match) assert.match(each, /approximate$/, `${q}: ${match.join()}`);
  }
});

test("a town inside the name of a street is no place that is named", async () => {
  for (const [q, first] of [
    ["Rue de Paris 3", null],
    ["12 Paris Street", null],
    ["Avenue de Paris 3, Oberau", "Oberau approximate"],
    ["12 Paris Street, Oberau", "Oberau approximate"],
    ["Rue d'Oberau 5, Oberau", "Oberau approximate"],
    ["Avenue de France 3, France", "France approximate"],
    ["Avenue de France, France", "France approximate"],
    ["Paris 3", "Paris approximate"],
    ["Hauptstrasse 3 Paris", "Paris approximate"],
  ] as const)
    assert.equal((await find(q, gazetteer))[0] ?? null, first, q);
});
