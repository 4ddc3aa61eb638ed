/** Car parks and charging stations around a point (§4.6, 4.7; places.md 1.4, Nearby Search). */
import type { Place } from "#core/places/place.ts";
import { isAboutTypes, listPlaces, readAnswer } from "#providers/google_maps/google-answer.ts";
import { GOOGLE_CHARGING_TYPE } from "#providers/google_maps/google-charging.ts";
import { PARKING_TYPES } from "#providers/google_maps/google-parking.ts";
import { type AroundKind, toPlace } from "#providers/google_maps/google-place.ts";
import { type GoogleSettings, toPlacesRequest } from "#providers/google_maps/google-request.ts";
import { readRows, type RowReader } from "#providers/google_maps/google-rows.ts";
import type { AroundQuery, ReadAnswer } from "#providers/lookup.ts";
import type { AroundReader } from "#providers/source.ts";

/** There is no paging: more than this Google does not give. */
export const MAX_PLACES = 20;
const MAX_RADIUS_M = 50_000;

export const FIELDS = [
  ...["id", "displayName", "location", "formattedAddress", "types", "primaryType"],
  ...["addressComponents", "googleMapsUri", "businessStatus"],
];
export const HOURS = ["currentOpeningHours", "regularOpeningHours"];

/** Types known before some were added: understood everywhere. */
export const OLD_PARKING_TYPES: readonly string[] = ["parking"];

const readerFor = (
  kind: AroundKind,
  operation: string,
  toAsked: (settings: GoogleSettings) => { types: readonly string[]; fields: readonly string[] },
): AroundReader<GoogleSettings> => ({
  operation,
  // The country is not asked for: it would only shorten the addresses.
  keyOf: ({ lat, lon, radius_m, limit, language }) =>
    JSON.stringify([lat, lon, radius_m, limit, language]),
  request: (query, settings) => {
    const { types, fields } = toAsked(settings);
    return toPlacesRequest(settings, {
      method: "searchNearby",
      language: query.language,
      body: { includedTypes: types, ...toCircle(query) },
      fields: [...fields, "attributions"],
    });
  },
  read: (wire, _query, { trail }) =>
    readRows(readAnswer(wire, listPlaces), { id_member: "id", read: readerOf(kind), trail }),
});

const parking = readerFor(
  "parking",
  "getParkingNearby",
  ({ parking_types = PARKING_TYPES, lean }) => ({
    types: parking_types,
    fields: lean ? FIELDS : [...FIELDS, ...HOURS, "parkingOptions"],
  }),
);

/** A refusal of the asked types is `unsupported_type`: the caller may ask again for `parking`. */
export const googleParking: AroundReader<GoogleSettings> = {
  ...parking,
  read: (wire, query, options): ReadAnswer<Place[]> => {
    const read = parking.read(wire, query, options);
    const { parking_types = PARKING_TYPES } = options.settings;
    const hasNewer = parking_types.some((type) => !OLD_PARKING_TYPES.includes(type));
    if (read.ok || read.reason !== "bad_request" || !hasNewer) return read;
    return isAboutTypes(wire, parking_types) ? { ...read, reason: "unsupported_type" } : read;
  },
};

/**
 * Reader of charging stations. Without `evChargeOptions` one says nothing, so they are always asked
 * for.
 */
export const googleCharging: AroundReader<GoogleSettings> = readerFor(
  "charging",
  "getChargingNearby",
  ({ lean }) => ({
    types: [GOOGLE_CHARGING_TYPE],
    fields: [...FIELDS, ...(lean ? [] : HOURS), "evChargeOptions"],
  }),
);

export function toCircle({ lat, lon, radius_m, limit }: AroundQuery): Record<string, unknown> {
  return {
    maxResultCount: Math.max(1, Math.min(limit, MAX_PLACES)),
    // The default would be popularity.
    rankPreference: "DISTANCE",
    locationRestriction: {
      circle: {
        center: { latitude: lat, longitude: lon },
        radius: Math.min(radius_m, MAX_RADIUS_M),
      },
    },
  };
}

/** Returns a reader that sees each id once, so each answer needs one of its own. */
function readerOf(kind: AroundKind): RowReader<Place> {
  const seen = new Set<string>();
  return (row, trail) => {
    const place = toPlace(row, kind, trail);
    if (typeof place === "string") return place;
    if (seen.has(place.external_id)) return "id_duplicate";
    seen.add(place.external_id);
    return place;
  };
}
