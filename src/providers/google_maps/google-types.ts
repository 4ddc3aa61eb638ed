/**
 * Result types to the candidate types of §2.2, by the ordered table of places.md 1.2: `types` is a
 * set with several generic members, so the first row that matches counts, not the first type.
 */
import type { CandidateType } from "#osm/geocoder/candidate.ts";

/**
 * Type of a result; `main`: the type that decided, which also finds the component named like the
 * result.
 */
export type GoogleKind = { type: CandidateType; main: string | null };

type Line = readonly [type: CandidateType, any_of: readonly string[]];

const levels = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}_level_${index + 1}`);

/** Rows 1 to 9. Areas go before points of interest: a prefecture is an establishment, too. */
const SPECIFIC: readonly Line[] = [
  ["airport", ["airport", "international_airport", "airstrip", "heliport"]],
  ["railway_station", ["train_station"]],
  [
    "transit_station",
    [
      ...["subway_station", "light_rail_station", "tram_stop", "bus_station", "bus_stop"],
      ...["ferry_terminal", "transit_depot", "transit_station", "transit_stop"],
    ],
  ],
  ["station", ["taxi_stand", "park_and_ride", "bike_sharing_station"]],
  ["country", ["country"]],
  ["region", [...levels("administrative_area", 7), "archipelago", "continent"]],
  ["city", ["locality", "postal_town"]],
  ["neighborhood", ["sublocality", ...levels("sublocality", 5), "neighborhood"]],
  [
    "locality",
    [
      ...["postal_code", "postal_code_prefix", "postal_code_suffix"],
      ...["colloquial_area", "school_district"],
    ],
  ],
];

/** Rows 11 to 13. */
const GENERAL: readonly Line[] = [
  [
    "address",
    [
      ...["street_address", "premise", "subpremise"],
      ...["street_number", "floor", "room", "post_box"],
    ],
  ],
  ["street", ["route", "intersection"]],
  ["establishment", ["point_of_interest", "establishment"]],
];

/** Of these no point of interest is made (row 10): all of rows 11 to 13, and what says nothing. */
const GENERIC: ReadonlySet<string> = new Set([
  ...GENERAL.flatMap(([, any_of]) => any_of),
  ...["political", "plus_code", "geocode"],
]);

/** Returns the kind of a result with these types. */
export function toKind(types: readonly string[]): GoogleKind {
  const specific = findLine(SPECIFIC, types);
  if (specific) return specific;
  if (types.length > 0 && types.every((type) => type === "political")) {
    return { type: "locality", main: "political" };
  }
  const own_type = types.find((type) => !GENERIC.has(type));
  if (own_type !== undefined) return { type: "poi", main: own_type };
  return findLine(GENERAL, types) ?? { type: "unknown", main: null };
}

/** Returns the kind of a place: its primary type goes first, unless that says nothing. */
export function toPlaceKind(primary: string | null, types: readonly string[]): GoogleKind {
  const kind = toKind(primary === null ? [] : [primary]);
  return kind.type === "unknown" || kind.type === "establishment" ? toKind(types) : kind;
}

function findLine(lines: readonly Line[], types: readonly string[]): GoogleKind | null {
  for (const [type, any_of] of lines) {
    const main = any_of.find((one) => types.includes(one));
    if (main !== undefined) return { type, main };
  }
  return null;
}
