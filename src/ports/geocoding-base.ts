/** Data that geocoding is answered from: an imported base, or the gazetteer. */
import type { BaseStatementBody } from "#api/bases.ts";
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import type { Names } from "#osm/geocoder/open-names.ts";
import type { PlaceNames } from "#core/places/named-place.ts";
import type { BasePages } from "./base-pages.ts";

export type GeocodingBase = {
  statement: BaseStatementBody;
  covers(lat: number, lon: number): boolean;
  /** Whether it has names and addresses. */
  hasNames: boolean;
  pages: BasePages<{ geocoder: Geocoder | null }>;
  /** Words of all of its pages, by their numbers; absent: it has one page. */
  words?: Names | null;
  /** Of the gazetteer, which is of the whole world: which places a question names. */
  names?: PlaceNames;
  isWorld?: boolean;
};
