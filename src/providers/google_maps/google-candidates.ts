/** A result of Geocoding and a place of a text search as candidates (§2.2; places.md 1.1, 11.1). */
import { MATCH_QUALITIES, type Candidate, type MatchQuality } from "#osm/geocoder/candidate.ts";
import { type Row, toId, toName, toRow, toText, toTexts } from "#kit/coerce.ts";
import { toAddress, toComponents, toOwnName } from "#providers/google_maps/google-address.ts";
import { googleLocation, type DropReason } from "#providers/google_maps/google-rows.ts";
import { toKind, toPlaceKind } from "#providers/google_maps/google-types.ts";

/** One of `results` of Geocoding. */
export function toGeocoded(row: Row): Candidate | DropReason {
  const geometry = toRow(row["geometry"]);
  const at = toRow(geometry?.["location"]);
  const location = googleLocation(at?.["lat"], at?.["lng"]);
  if (typeof location === "string") return location;
  const types = toTexts(row["types"]);
  const kind = toKind(types);
  const components = toComponents(row["address_components"]);
  const formatted = toText(row["formatted_address"]);
  const name = toOwnName({ kind, types }, components, formatted);
  if (name === null) return "name_missing";
  const match_quality = findMatchQuality(geometry?.["location_type"]);
  return {
    name,
    label: formatted ?? name,
    type: kind.type,
    location,
    address: toAddress(components, formatted),
    source_place_id: toId(row["place_id"]),
    ...(match_quality && { match_quality }),
  };
}

/** Reads one of `places` of a text search, which states no precision. */
export function toGooglePlace(row: Row): Candidate | DropReason {
  const at = toRow(row["location"]);
  const location = googleLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  const formatted = toText(row["formattedAddress"]);
  const types = toTexts(row["types"]);
  const kind = toPlaceKind(toText(row["primaryType"]), types);
  const components = toComponents(row["addressComponents"]);
  const name =
    toName(toRow(row["displayName"])?.["text"]) ??
    toOwnName({ kind, types }, components, formatted);
  if (name === null) return "name_missing";
  return {
    name,
    label: toLabel(name, formatted),
    location,
    type: kind.type,
    address: toAddress(components, formatted),
    source_place_id: toId(row["id"]),
  };
}

/** An address that begins with the name already says it. */
function toLabel(name: string, formatted: string | null): string {
  if (formatted === null) return name;
  const rest = formatted.startsWith(name) ? formatted.slice(name.length) : null;
  return rest === "" || rest?.startsWith(",") ? formatted : `${name}, ${formatted}`;
}

function findMatchQuality(wire: unknown): MatchQuality | undefined {
  const quality = toText(wire)?.toLowerCase();
  return MATCH_QUALITIES.find((entry) => entry === quality);
}
