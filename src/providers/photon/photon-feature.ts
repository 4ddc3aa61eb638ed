/** One feature of Photon (places.md 2.1, 11.1). Every property of it may be missing. */
import type { Address } from "#osm/geocoder/candidate.ts";
import { streetLine } from "#osm/geocoder/label.ts";
import { type Row, toName, toText } from "#kit/coerce.ts";
import { type Draft, readFeature } from "#providers/open-geocoding/geocoding-candidates.ts";
import {
  countryOf,
  firstText,
  toOsmId,
  toOsmType,
  toPostalCode,
} from "#providers/open-geocoding/compose.ts";
import { isInterpolated, qualityOf } from "#providers/open-geocoding/quality.ts";
import { type PlaceFacts, typeOf } from "#providers/open-geocoding/geocoding-types.ts";

/** Reads a feature. `country`: of other countries, or of none, it is left out; null: all may stay. */
export function photonDraft(feature: Row, country: string | null): Draft | string {
  const read = readFeature(feature);
  if (typeof read === "string") return read;
  const { row, lat, lon } = read;
  if (country !== null && toText(row["countrycode"])?.toUpperCase() !== country)
    return "country_other";
  const facts = factsOf(row);
  const type = typeOf(facts);
  const osm_type = toOsmType(row["osm_type"]);
  const outlined = row["extent"] !== undefined && row["extent"] !== null;
  const match_quality = qualityOf({
    type,
    osm_type,
    numbered: facts.numbered,
    building: facts.key === "building",
    interpolated: isInterpolated(facts, { osm_type, outlined }),
  });
  return {
    lat,
    lon,
    type,
    match_quality,
    label: null,
    name: facts.name ?? composeName(row, facts.value),
    address: toAddress(row, facts, type === "city"),
    source_place_id: toOsmId(osm_type, row["osm_id"]),
  };
}

function factsOf(row: Row): PlaceFacts {
  const rank = toText(row["type"]);
  return {
    key: toText(row["osm_key"]),
    value: toText(row["osm_value"]),
    words: rank === null ? [] : [`rank:${rank}`],
    name: toName(row["name"]),
    city: toText(row["city"]),
    numbered: toText(row["housenumber"]) !== null,
  };
}

/** What has no name is called by its address, and where it has none, by where it is. */
function composeName(row: Row, value: string | null): string | null {
  const code = value === "postcode" ? toPostalCode(row["postcode"]) : null;
  const line = streetLine(toText(row["street"]), toText(row["housenumber"]));
  return code ?? line ?? firstText(row, ["locality", "district", "city", "state", "country"]);
}

/** A street, city, state or country has in `name` what addresses in it have in a member of its own. */
function toAddress(
  row: Row,
  { words, name, city }: PlaceFacts,
  is_city: boolean,
): Omit<Address, "formatted"> {
  const own = (rank: string): string | null => (words.includes(`rank:${rank}`) ? name : null);
  return {
    street: toText(row["street"]) ?? own("street"),
    street_number: toText(row["housenumber"]),
    city: city ?? own("city") ?? (is_city ? name : null),
    postal_code: toPostalCode(row["postcode"]),
    region: toText(row["state"]) ?? own("state") ?? toText(row["county"]),
    country: own("country") ?? countryOf(row, "countrycode"),
  };
}
