/** Forward and reverse geocoding, and the search for places (§4.3 to 4.5; places.md 1.1, 1.4). */
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { listPlaces, listResults, readAnswer } from "#providers/google_maps/google-answer.ts";
import { toGooglePlace, toGeocoded } from "#providers/google_maps/google-candidates.ts";
import {
  type GoogleSettings,
  toGeocodingRequest,
  toPlacesRequest,
} from "#providers/google_maps/google-request.ts";
import { readRows } from "#providers/google_maps/google-rows.ts";
import { toRow, toTexts } from "#kit/coerce.ts";
import type { ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import type { GeocodingSource } from "#providers/source.ts";

/** §4.3: no more are shown. Geocoding has no parameter for it. */
const MAX_CANDIDATES = 5;
/** A bias, not a border: "near" in a text search is the town around. */
const BIAS_RADIUS_M = 20_000;
/** All of one price, the lower one. */
const SEARCH_FIELDS = [
  ...["id", "displayName", "formattedAddress", "addressComponents"],
  ...["location", "types", "primaryType"],
];

export const googleGeocoder: GeocodingSource<GoogleSettings> = {
  geocode: {
    operation: "geocode",
    // `near` is not asked for: Geocoding knows boxes only.
    keyOf: ({ q, language, country }) => JSON.stringify([q, language, country]),
    request: ({ q, language, country }, settings) =>
      toGeocodingRequest(
        settings,
        { address: q, ...(country !== null && { components: `country:${country}` }) },
        language,
      ),
    read: (wire, _query, { trail }) => readGeocoded(wire, trail),
  },
  search: {
    operation: "searchPlaces",
    // The contract gives this search no country (§4.4), and Places has no filter for one.
    keyOf: ({ q, language, near }) => JSON.stringify([q, language, near && [near.lat, near.lon]]),
    request: ({ q, language, near }, settings) =>
      toPlacesRequest(settings, {
        method: "searchText",
        fields: SEARCH_FIELDS,
        language,
        body: {
          textQuery: q,
          pageSize: MAX_CANDIDATES,
          ...(near && {
            locationBias: {
              circle: {
                center: { latitude: near.lat, longitude: near.lon },
                radius: BIAS_RADIUS_M,
              },
            },
          }),
        },
      }),
    read: (wire, _query, { trail }) =>
      toFirst(
        readRows(readAnswer(wire, listPlaces), { id_member: "id", read: toGooglePlace, trail }),
      ),
  },
  reverse: {
    operation: "reverseGeocode",
    keyOf: ({ lat, lon, language }) => JSON.stringify([lat, lon, language]),
    request: ({ lat, lon, language }, settings) =>
      toGeocodingRequest(settings, { latlng: `${toDegrees(lat)},${toDegrees(lon)}` }, language),
    read: (wire, _query, { trail }) => readGeocoded(wire, trail, plusCodesLast),
  },
};

function readGeocoded(
  wire: WireAnswer,
  trail: TrailRecorder,
  order: (rows: readonly unknown[]) => readonly unknown[] = (rows) => rows,
): ReadAnswer<Candidate[]> {
  const answer = readAnswer(wire, listResults);
  const ordered = answer.ok ? { ...answer, rows: order(answer.rows) } : answer;
  return toFirst(readRows(ordered, { id_member: "place_id", read: toGeocoded, trail }));
}

/** Every point on earth has a plus code: it says less than any address (decisions, Geocoding). */
function plusCodesLast(rows: readonly unknown[]): unknown[] {
  const isCode = (row: unknown): boolean => toTexts(toRow(row)?.["types"]).includes("plus_code");
  return [...rows.filter((row) => !isCode(row)), ...rows.filter(isCode)];
}

/** The first of the usable ones, in the provider's order of relevance. */
function toFirst(read: ReadAnswer<Candidate[]>): ReadAnswer<Candidate[]> {
  return read.ok ? { ...read, value: read.value.slice(0, MAX_CANDIDATES) } : read;
}

/** Some 11 cm, and never written as 1e-7. */
function toDegrees(degrees: number): string {
  return String(Number(degrees.toFixed(6)) + 0);
}
