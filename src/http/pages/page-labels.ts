/** Names on the map of the page: countries, and large cities, from near where no base has its own. */
import { readFileSync } from "node:fs";
import type { BaseMaps } from "#ports/base-maps.ts";
import { type Asset, createAsset } from "./asset.ts";
import { LIGHT } from "./page-policy.ts";

type CountryRow = [code: string, lat: number, lon: number];
/** `others` is `de,nl Wenen|fr Vienne`. */
type CityRow = [name: string, lat: number, lon: number, others?: string];
/** The most important first. */
type Rows = { countries: CountryRow[]; cities: CityRow[] };
/** As the page reads them: with their rank, which begins with 0. */
type WorldLabels = {
  countries: [rank: number, ...CountryRow][];
  cities: [rank: number, ...CityRow][];
  /** Those of which a base has its own name, which it shows from near alone. */
  covered: [rank: number, ...CityRow][];
};

const FILE = new URL("world-labels.json", import.meta.url);
const JSON_TYPE = "application/json; charset=utf-8";

/** Labels of one version of the bases; made when they are first requested. */
export function createLabels(
  covers: BaseMaps["covers"],
  cache: string,
  onFault: (error: unknown) => void,
): Asset {
  const read = (): Buffer => {
    const rows = JSON.parse(readFileSync(FILE, "utf8")) as Rows;
    return Buffer.from(JSON.stringify(toLabels(rows, covers)));
  };
  return createAsset({ type: JSON_TYPE, policy: LIGHT, cache, read }, onFault);
}

function toLabels({ countries, cities }: Rows, covers: BaseMaps["covers"]): WorldLabels {
  const ranked = cities.map((row, rank): WorldLabels["cities"][number] => [rank, ...row]);
  const { covered = [], others = [] } = Object.groupBy(ranked, ([, , lat, lon]) =>
    covers(lat, lon) ? "covered" : "others",
  );
  return {
    countries: countries.map((row, rank) => [rank, ...row]),
    cities: others,
    covered,
  };
}
