/**
 * The geocoder of a base while it is made: takes objects of the map, rows of addresses and rows of
 * places, and becomes the columns that `openGeocoder` searches.
 */
import type { BaseSection } from "../features.ts";
import { attachAddresses } from "./addresses.ts";
import { makeDocs } from "./docs.ts";
import { createIntake, pushAddress, takeNode, takeRelation, takeWay } from "./intake.ts";
import { KIND_KEYS } from "./kinds.ts";
import { packLines } from "./lines.ts";
import type { CountryAt } from "./locality.ts";
import type { Name } from "./names.ts";
import { makeNumbers } from "./numbers.ts";
import { packDocs, type PackedMeta } from "./pack-docs.ts";
import { makePlaces } from "./places.ts";
import { treeOf } from "./areas.ts";
import { makeStreets, pointsOf } from "./streets.ts";
import { PLACE_KINDS } from "./settlements.ts";

/** A row of a list of addresses; degrees. Unknown is absent. */
export type AddressRow = {
  lat: number;
  lon: number;
  street: string;
  number: string;
  city?: string;
  postcode?: string;
  region?: string;
};

/** A row of a list of places; degrees. `names` are by language. `kind` is a value of `place`. */
export type PlaceRow = {
  /** Of the list; ties are decided by it. */
  id: number;
  lat: number;
  lon: number;
  name: string;
  names?: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  region: string | null;
  /** Rows of the same list that are its region and its country, by their ids. */
  region_id?: number;
  country_id?: number;
  population: number | null;
  kind: string;
};

export type GeocoderMeta = PackedMeta & {
  areas: readonly {
    doc: number;
    level: number;
    code: string | null;
    place: string | null;
    postcode: string;
  }[];
};

export type GeocoderSection = BaseSection & {
  addAddresses(rows: Iterable<AddressRow>): void;
  addPlaces(rows: Iterable<PlaceRow>): void;
};

const KEYS = [
  ...KIND_KEYS.filter((key) => key !== "building" && key !== "power"),
  "addr:",
  "place",
];

/** `countryAt` answers where the extract has no area of a country. */
export function createGeocoderSection({
  countryAt = () => null,
}: { countryAt?: CountryAt } = {}): GeocoderSection {
  const intake = createIntake();
  return {
    name: "geocoder",
    keys: {
      node: [...KEYS, "name"],
      way: [...KEYS, "name", "boundary"],
      relation: [...KEYS, "name", "boundary"],
    },
    node: (feature) => takeNode(intake, feature),
    way: (feature) => takeWay(intake, feature),
    relation: (feature) => takeRelation(intake, feature),
    addAddresses(rows) {
      for (const { lat, lon, ...texts } of rows)
        pushAddress(
          intake,
          { osm: 0, lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) },
          texts,
        );
    },
    addPlaces(rows) {
      for (const row of rows) {
        const others = Object.entries(row.names ?? {}).map(([kind, text]): Name => ({
          kind,
          text,
        }));
        intake.settlements.push({
          osm: listKey(row.id),
          lat7: Math.round(row.lat * 1e7),
          lon7: Math.round(row.lon * 1e7),
          names: intake.sets.add([{ kind: "", text: row.name }, ...others]),
          place: PLACE_KINDS.includes(row.kind) ? row.kind : "locality",
          population: row.population,
          known: false,
          country: row.country,
          region: row.region,
          region_osm: row.region_id === undefined ? null : listKey(row.region_id),
          country_osm: row.country_id === undefined ? null : listKey(row.country_id),
        });
      }
    },
    *finish() {
      const places = makePlaces(intake, countryAt);
      yield;
      const streets = yield* makeStreets(intake, places.municipalityAt);
      const owners = yield* attachAddresses(intake, places, streets);
      const docs = yield* makeDocs(intake, { places, streets, owners });
      const numbers = yield* makeNumbers(intake, owners, docs);
      const packed = yield* packDocs(docs, { ...numbers, textOf: intake.texts.get });
      yield;
      const lines = streets.flatMap(({ ways }, street) =>
        ways.map((way) => ({ doc: docs.docOf({ street }), points: pointsOf(intake, way) })),
      );
      const meta: GeocoderMeta = { ...packed.meta, areas: places.areas };
      const own = numbers.rows.filter((row) => row.own).length;
      return {
        columns: {
          ...packed.columns,
          ...places.columns,
          ...packLines(lines.sort((a, b) => a.doc - b.doc || a.points[0]! - b.points[0]!)),
          "places.kinds": places.settlements.kinds,
          "places.bounded": places.settlements.bounded,
          "places.tree": treeOf(
            Int32Array.from(places.docs.flatMap(({ lat7, lon7 }) => [lat7, lon7, lat7, lon7])),
          ),
        },
        meta,
        counts: {
          addresses: own,
          streets: streets.length,
          places: places.docs.length,
          points_of_interest: intake.interests.length,
          areas: places.areas.length,
        },
      };
    },
  };
}

/** Rows of a list are no objects of the map: their keys are of no type. */
function listKey(id: number): number {
  return id * 4;
}
