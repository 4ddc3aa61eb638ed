/**
 * One result of Nominatim, `format=jsonv2` (places.md 2.2, 11.1). Versions of before 2023 have
 * neither `name` nor `addresstype`, and `class` is what `category` is now.
 */
import type { Address } from "#osm/geocoder/candidate.ts";
import { type Row, toList, toName, toNumber, toRow, toText } from "#kit/coerce.ts";
import type { Draft } from "#providers/open-geocoding/geocoding-candidates.ts";
import {
  countryOf,
  firstText,
  toOsmId,
  toOsmType,
  toPostalCode,
} from "#providers/open-geocoding/compose.ts";
import { isInterpolated, qualityOf } from "#providers/open-geocoding/quality.ts";
import { type PlaceFacts, typeOf } from "#providers/open-geocoding/geocoding-types.ts";

const STREETS = ["road", "pedestrian", "footway", "path", "cycleway", "square"];
const CITIES = ["city", "town", "village", "hamlet", "municipality"];
const REGIONS = ["state", "region", "province", "county"];

export function nominatimDraft(row: Row): Draft {
  const address = toAddress(toRow(row["address"]) ?? {});
  const label = toText(row["display_name"]);
  const facts = factsOf(row, { address, label });
  const type = typeOf(facts);
  const osm_type = toOsmType(row["osm_type"]);
  const outlined = !isPointBox(row["boundingbox"]);
  const match_quality = qualityOf({
    type,
    osm_type,
    numbered: facts.numbered,
    building: facts.key === "building",
    interpolated: isInterpolated(facts, { osm_type, outlined }),
  });
  return {
    lat: row["lat"],
    lon: row["lon"],
    type,
    label,
    address,
    match_quality,
    name: facts.name ?? composeName(label, address),
    source_place_id: toOsmId(osm_type, row["osm_id"]),
  };
}

type Place = { address: Omit<Address, "formatted">; label: string | null };

function factsOf(row: Row, { address, label }: Place): PlaceFacts {
  const key = firstText(row, ["category", "class"]);
  const addresstype = toText(row["addresstype"]);
  const rank = addresstype === null ? rankWord(key, toNumber(row["place_rank"])) : null;
  const word = addresstype === null ? rank : `nominatim:${addresstype}`;
  return {
    key,
    value: toText(row["type"]),
    words: word === null ? [] : [word],
    name: toName(row["name"]) ?? (row["name"] === undefined ? nameIn(label, address) : null),
    city: address.city,
    numbered: address.street_number !== null,
  };
}

/** Before results had a member for it, the name was in front of the address. */
function nameIn(label: string | null, { street, street_number }: Place["address"]): string | null {
  const first = partsOf(label)[0] ?? null;
  return first === street || first === street_number ? null : first;
}

/** Without a name it is called by the beginning of its address: by more than a bare number. */
function composeName(label: string | null, address: Place["address"]): string | null {
  const [first = null, second] = partsOf(label);
  const bare = first !== null && first === address.street_number;
  return bare && second !== undefined && second === address.street ? `${first} ${second}` : first;
}

function partsOf(label: string | null): string[] {
  return (label ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The upper end of each range of ranks, and what Photon calls it. */
const RANKS: readonly (readonly [to: number, name: string])[] = [
  [3, ""],
  [4, "country"],
  [9, "state"],
  [12, "county"],
  [16, "city"],
  [21, "district"],
  [24, "locality"],
  [27, "street"],
  [30, "house"],
];
/** What has a rank above a house without being a part of an address: a mountain, a river. */
const HOUSE_RANK = 28;

function rankWord(key: string | null, rank: number | null): string | null {
  if (rank === null || (rank < HOUSE_RANK && key !== "place" && key !== "boundary")) return null;
  const name = RANKS.find(([to]) => rank <= to)?.[1] ?? "";
  return name === "" ? null : `rank:${name}`;
}

/** Around what has no outline Nominatim draws a box of this side, degrees, of seven decimals. */
const POINT_BOX = 0.0001;
const ROUNDING = 2.5e-7;

function isPointBox(value: unknown): boolean {
  const [south, north, west, east] = toList(value).map(toNumber);
  const pairs = [
    [south, north],
    [west, east],
  ];
  // Without a box nothing speaks for an outline.
  return pairs.every(
    ([from, to]) => from == null || to == null || Math.abs(to - from - POINT_BOX) <= ROUNDING,
  );
}

function toAddress(row: Row): Omit<Address, "formatted"> {
  return {
    street: firstText(row, STREETS),
    street_number: toText(row["house_number"]),
    city: firstText(row, CITIES),
    postal_code: toPostalCode(row["postcode"]),
    region: firstText(row, REGIONS),
    country: countryOf(row, "country_code"),
  };
}
