/**
 * Nominatim: what is asked, and what the answer means. Reference: places.md 2.2;
 * nominatim.org/release-docs, API. A reverse question has one answer; that there is none is said in
 * the words of an error.
 */
import { Type } from "typebox";
import type { Location } from "#kit/geo.ts";
import { parseAnswer } from "#kit/json.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toNumber, toRow } from "#kit/coerce.ts";
import type { GeocodeQuery, LookupSettings, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import {
  failureOf,
  KEYLESS,
  NOT_JSON,
  answerRefusal,
  WRONG_SHAPE,
} from "#providers/open-geocoding/geocoding-answers.ts";
import {
  biasOf,
  geocodeKey,
  languageOf,
  MAX_CANDIDATES,
  OPEN_GEOCODER,
  pointOf,
  reverseKey,
  toRequest,
} from "#providers/open-geocoding/geocoding-asking.ts";
import { gather } from "#providers/open-geocoding/geocoding-candidates.ts";
import { nominatimDraft } from "#providers/nominatim/result.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { defineSource, type GeocodingSource, type Reader } from "#providers/source.ts";

/** Half a side of the box to look in first, degrees: a city and its surroundings. */
const BIAS_DEGREES = 0.25;

const FORMAT = { format: "jsonv2", addressdetails: 1 } as const;

/** Geocoding by Nominatim. It has one search for addresses and things of interest alike. */
export const nominatimGeocoder: GeocodingSource<LookupSettings> = {
  geocode: forwardReader("geocode"),
  search: forwardReader("search"),
  reverse: {
    operation: "reverse",
    keyOf: reverseKey,
    request(query, settings) {
      const language = languageOf(query.language);
      const params = { ...pointOf(query), ...FORMAT, "accept-language": language };
      return toRequest(settings, { path: "/reverse", params, language });
    },
    read: (wire, _query, { trail }) => read(wire, toSingle, trail),
  },
};

export default defineSource({
  id: "nominatim",
  name: "Nominatim",
  ...OPEN_GEOCODER,
  config: lookupSettings("Nominatim, a geocoder of the open map.", {
    url: address("Base address, before /search."),
    per_second: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
      default: null,
      description: "Most calls a second; the public server allows 1. null: no bound.",
    }),
  }),
  geocoder: nominatimGeocoder,
});

function forwardReader(operation: string): Reader<GeocodeQuery, LookupSettings, Candidate[]> {
  return {
    operation,
    keyOf: geocodeKey,
    request({ q, country, near, ...query }, settings) {
      const language = languageOf(query.language);
      const params = {
        q,
        ...FORMAT,
        limit: MAX_CANDIDATES,
        "accept-language": language,
        countrycodes: country && country.toLowerCase(),
        viewbox: toViewbox(biasOf(near)),
      };
      return toRequest(settings, { path: "/search", params, language });
    },
    read: (wire, _query, { trail }) => read(wire, toList, trail),
  };
}

/** West, south, east, north; null: none, or one that no two longitudes can say. */
function toViewbox(near: Location | null): string | null {
  if (!near || Math.abs(near.lon) + BIAS_DEGREES > 180) return null;
  const { lat, lon } = near;
  const south = Math.max(lat - BIAS_DEGREES, -90);
  const north = Math.min(lat + BIAS_DEGREES, 90);
  const sides = [lon - BIAS_DEGREES, south, lon + BIAS_DEGREES, north];
  return sides.map((side) => String(Number(side.toFixed(3)) + 0)).join();
}

type ToRows = (json: unknown) => readonly unknown[] | null;

const toList: ToRows = (json) => (Array.isArray(json) ? json : null);

/** The one object of a reverse answer. */
const toSingle: ToRows = (json) => {
  const row = toRow(json);
  return row && ("lat" in row || "display_name" in row) ? [row] : null;
};

function read(wire: WireAnswer, toRows: ToRows, trail: TrailRecorder): ReadAnswer<Candidate[]> {
  const json = parseAnswer(wire.body);
  const error = toRow(json)?.["error"] ?? null;
  // Whatever the status says: some of those that speak like Nominatim say it with a 404.
  if (error === NO_RESULT) return { ok: true, value: [], raw: 0 };
  const failure = toFailure(wire, { json, error });
  if (failure) return { ok: false, ...failure };
  const rows = toRows(json);
  return rows ? gather(rows, nominatimDraft, trail) : { ok: false, ...WRONG_SHAPE };
}

const NO_RESULT = "Unable to geocode";
const TOO_SLOW = "Query took too long";

/** null: it is an answer. */
function toFailure(
  { status, body }: WireAnswer,
  { json, error }: { json: unknown; error: unknown },
): Failure | null {
  if (status === 503 && new TextDecoder().decode(body).includes(TOO_SLOW)) return QUERY_TIMEOUT;
  const refusal = answerRefusal(status, KEYLESS);
  if (refusal) return refusal;
  if (json === undefined) return NOT_JSON;
  // The code in the body is the status that this would have had, were it not 200.
  return error === null ? null : failureOf(toNumber(toRow(error)?.["code"]) ?? 0, KEYLESS);
}

const QUERY_TIMEOUT: Failure = { status: "timeout", reason: "query_timeout" };
