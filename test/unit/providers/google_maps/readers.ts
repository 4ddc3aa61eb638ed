/** The lookups by name, and one way to hand them a body. Fixtures say which lookup they are for. */
import { createTrail, type Trail } from "#kit/trail.ts";
import { googleCharging, googleParking } from "#providers/google_maps/around.ts";
import { googleGeocoder } from "#providers/google_maps/google-geocoder.ts";
import type { GoogleSettings } from "#providers/google_maps/google-request.ts";
import type {
  AroundQuery,
  GeocodeQuery,
  ReadAnswer,
  ReverseQuery,
  WireAnswer,
} from "#providers/lookup.ts";

export const SETTINGS: GoogleSettings = {
  url: "https://maps.example",
  places_url: "https://places.example",
  api_key: "secret/key",
  timeout_ms: 2_500,
  lean: false,
  parking_types: ["parking", "parking_garage", "parking_lot"],
};

export const GEOCODE: GeocodeQuery = {
  q: "rue des Lilas",
  language: null,
  country: null,
  near: null,
};
export const REVERSE: ReverseQuery = { lat: 48.1, lon: 2.3, language: null };
export const AROUND: AroundQuery = {
  lat: 51.5,
  lon: -0.1,
  radius_m: 1_500,
  limit: 20,
  language: null,
  country: "GB",
};

type Answer = { read: ReadAnswer<unknown[]>; trail: Trail };
type Reader = (wire: WireAnswer, settings?: GoogleSettings) => Answer;

const readerOf = (read: (wire: WireAnswer, options: Options) => ReadAnswer<unknown[]>): Reader => {
  return (wire, settings = SETTINGS) => {
    const trail = createTrail();
    return { read: read(wire, { settings, trail }), trail: trail.toTrail() };
  };
};
type Options = Parameters<typeof googleParking.read>[2];

export const READERS = {
  geocode: readerOf((wire, options) => googleGeocoder.geocode.read(wire, GEOCODE, options)),
  search: readerOf((wire, options) => googleGeocoder.search.read(wire, GEOCODE, options)),
  reverse: readerOf((wire, options) => googleGeocoder.reverse.read(wire, REVERSE, options)),
  parking: readerOf((wire, options) => googleParking.read(wire, AROUND, options)),
  charging: readerOf((wire, options) => googleCharging.read(wire, AROUND, options)),
} as const satisfies Record<string, Reader>;
export type ReaderName = keyof typeof READERS;

export function toWire(body: string | Uint8Array, status = 200): WireAnswer {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { status, content_type: "application/json; charset=UTF-8", body: bytes };
}
