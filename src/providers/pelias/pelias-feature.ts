/** One feature of Pelias (places.md 2.3, 11.1). */
import type { MatchQuality } from "#osm/geocoder/candidate.ts";
import { type Row, toIds, toName, toText } from "#kit/coerce.ts";
import { type Draft, readFeature } from "#providers/open-geocoding/geocoding-candidates.ts";
import {
  countryOf,
  firstText,
  toOsmType,
  toPostalCode,
} from "#providers/open-geocoding/compose.ts";
import { type OsmObjectType, qualityOf } from "#providers/open-geocoding/quality.ts";
import { typeOf } from "#providers/open-geocoding/geocoding-types.ts";

export function peliasDraft(feature: Row): Draft | string {
  const read = readFeature(feature);
  if (typeof read === "string") return read;
  const { row, lat, lon } = read;
  const layer = toText(row["layer"]);
  const label = toText(row["label"]);
  const name = toName(row["name"]) ?? label?.split(",", 1)[0]?.trim() ?? null;
  const type = typeOf({
    key: null,
    value: null,
    name,
    city: null,
    numbered: false,
    words: wordsOf(row, layer),
  });
  const own = (of: string): string | null => (layer === of ? name : null);
  return {
    lat,
    lon,
    type,
    label,
    name: name || null,
    address: {
      street: toText(row["street"]) ?? own("street"),
      street_number: toText(row["housenumber"]),
      city: firstText(row, ["locality", "localadmin"]),
      postal_code: toPostalCode(row["postalcode"] ?? own("postalcode")),
      region: firstText(row, ["region", "macroregion"]),
      country: own("country") ?? own("dependency") ?? countryOf(row, "country_code"),
    },
    source_place_id: toText(row["gid"]),
    match_quality: toQuality(row, type),
  };
}

function wordsOf(row: Row, layer: string | null): string[] {
  const categories = toIds(row["category"]).map((category) => `category:${category}`);
  return layer === null ? categories : [...categories, `pelias:${layer}`];
}

/** What Pelias says of the match counts before what follows from the kind of object. */
function toQuality(row: Row, type: Draft["type"]): MatchQuality | null {
  const accuracy = toText(row["accuracy"]);
  const match_type = toText(row["match_type"]);
  if (match_type === "fallback") return "approximate";
  const interpolated = match_type === "interpolated" || accuracy === "interpolated";
  const numbered = toText(row["housenumber"]) !== null;
  const point = { type, osm_type: osmTypeOf(row), building: false, numbered, interpolated };
  const quality = qualityOf(point);
  return quality ?? (accuracy === "centroid" ? "geometric_center" : null);
}

/** `way/123`, formerly `way:123`. */
function osmTypeOf(row: Row): OsmObjectType | null {
  const id = toText(row["source_id"]) ?? "";
  return toText(row["source"]) === "openstreetmap" ? toOsmType(id.split(/[/:]/, 1)[0]) : null;
}
