/** Names of countries and cities on the page's map: the file, and what the page makes of it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

type Feature = {
  properties: { rank: number; name: string };
  geometry: { coordinates: [lon: number, lat: number] };
};
type Collections = Record<"countries" | "cities", { features: Feature[] }>;
type Module = {
  toCollections(labels: object, language: string): Collections;
  toWorldLabelLayers(theme: "light" | "dark"): object[];
};

const FILE = new URL("../../../src/http/pages/world-labels.json", import.meta.url);
const PAGE = new URL("../../../explorer/map/world-labels.js", import.meta.url);
const file = JSON.parse(readFileSync(FILE, "utf8")) as {
  countries: [string, number, number][];
  cities: [string, number, number, string?][];
};
const { toCollections, toWorldLabelLayers } = (await import(PAGE.href)) as Module;
const labels = {
  countries: file.countries.map((row, rank) => [rank, ...row]),
  cities: file.cities.map((row, rank) => [rank, ...row]),
  covered: [],
};

test("every name has a place on the globe, and every country is named", () => {
  for (const [name, lat, lon] of [...file.countries, ...file.cities]) {
    assert.ok(name !== "" && Math.abs(lat) < 85 && Math.abs(lon) <= 180, name);
  }
  const { countries } = toCollections(labels, "en");
  assert.ok(countries.features.length > 230);
  for (const { properties } of countries.features) assert.ok(properties.name.length > 2);
});

test("cities are the large ones and the capitals, where they lie", () => {
  const { features } = toCollections(labels, "en").cities;
  const at = new Map(
    features.map(({ properties, geometry }) => [properties.name, geometry.coordinates]),
  );
  assert.ok(features.length >= 2000 && features.length < 2300);
  for (const name of ["Vaduz", "Bern", "Canberra", "Shanghai", "Zurich", "São Paulo"])
    assert.ok(at.has(name), name);
  assert.deepEqual(at.get("Paris"), [2.35, 48.85]);
  const australia = file.countries.find(([code]) => code === "AU")!;
  assert.deepEqual(australia.slice(1), [-25.57, 134.35]);
  assert.ok(file.countries.indexOf(australia) < 8, "it is one of the largest");
});

test("names are in the reader's language where the file has it, else as they are known", () => {
  const namesIn = (language: string): Set<string> => {
    const { countries, cities } = toCollections(labels, language);
    return new Set([...countries.features, ...cities.features].map((f) => f.properties.name));
  };
  const [german, french, thai] = [namesIn("de-AT"), namesIn("fr"), namesIn("th")];
  for (const name of ["Wien", "Mailand", "Frankreich"]) assert.ok(german.has(name), name);
  for (const name of ["Vienne", "Londres", "Allemagne"]) assert.ok(french.has(name), name);
  assert.ok(thai.has("Vienna") && !thai.has("Germany"));
});

test("a city of a base is marked, so that it is named twice at no zoom", () => {
  const [paris] = labels.cities.filter(([, name]) => name === "Paris");
  const { cities } = toCollections({ countries: [], cities: [], covered: [paris] }, "de");
  assert.deepEqual(
    cities.features.map(({ properties }) => properties),
    [{ rank: paris![0], name: "Paris", covered: true }],
  );
});

test("both palettes have every colour", () => {
  for (const theme of ["light", "dark"] as const) {
    const text = JSON.stringify(toWorldLabelLayers(theme), (_, value) =>
      value === undefined ? "MISSING" : (value as unknown),
    );
    assert.doesNotMatch(text, /MISSING/);
  }
});
