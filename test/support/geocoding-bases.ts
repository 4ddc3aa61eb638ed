/** Bases and a gazetteer for questions by name over several of them. */
import assert from "node:assert/strict";
import { findByName } from "#app/places/base-geocoding.ts";
import type { NameQuery } from "#app/places/choose-hits.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import type { Geocoder } from "#osm/index.ts";
import type { CountryAt } from "#osm/sections.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import type { City } from "#providers/gazetteer/cities.ts";
import { openCities, readTables } from "./gazetteer.ts";
import { type Feature, geocoderOf } from "./geocoder.ts";

/** A base that has names, in one page. */
export function oneGeocoder(geocoder: Geocoder): Pick<GeocodingBase, "hasNames" | "pages"> {
  return { hasNames: true, pages: new OnePage({ geocoder }) };
}

/** Degrees. */
type Box = readonly [south: number, west: number, north: number, east: number];

/** A base that covers a box. */
export function aBase(
  id: string,
  [south, west, north, east]: Box,
  features: readonly Feature[],
  { data_at = "2026-01-01T00:00:00Z", countryAt }: { data_at?: string; countryAt?: CountryAt } = {},
): GeocodingBase {
  return {
    statement: { id, data_at, licence: "ODbL-1.0", attribution: "©" },
    ...oneGeocoder(geocoderOf(features, countryAt)),
    covers: (lat, lon) => lat >= south && lat <= north && lon >= west && lon <= east,
  };
}

export type CityRow = readonly [
  name: string,
  country: string,
  lat: number,
  lon: number,
  people: number,
  /** Code of GeoNames. */
  region?: string,
];

/** The gazetteer of these cities, with the regions and countries of all. */
export function aGazetteer(cities: readonly CityRow[]): GeocodingBase {
  const world = openCities(
    cities.map(([name, country, lat, lon, population, region = ""], i): City => {
      const where = { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
      return { id: i + 1, name, country, region, feature: "PPL", population, ...where };
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

/** Asks all of them by name. */
export function toQuery(bases: readonly GeocodingBase[], gazetteer: GeocodingBase | null = null) {
  const deps = { list: () => bases, gazetteer: () => gazetteer, isPending: () => false };
  return async (
    q: string,
    more: Partial<NameQuery> = {},
    operation: "geocode" | "search" = "geocode",
  ) => {
    const query = { q, language: null, country: null, near: null, ...more };
    const reply = await findByName(deps, query, { operation });
    assert.ok(reply.status === "ok");
    const names = reply.hits.map(({ item, base }) => `${base.statement.id}: ${item.name}`);
    return { ...reply, names };
  };
}
