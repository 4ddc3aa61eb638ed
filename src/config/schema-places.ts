/**
 * The sources of places (operation.md, "Configuration file"): every one has `enabled`, an address,
 * a deadline and its terms, and can be pointed anywhere. No server run by volunteers is a default.
 */
import { Type } from "typebox";
import type { Static, TProperties } from "typebox";
import { closed, section, text } from "#config/schema-parts.ts";

const url = Type.String({ format: "http-url" });

function address(description: string, fallback: string | null = null) {
  return Type.Union([url, Type.Null()], { default: fallback, description });
}

/** `cache_s`: how long an answer is good where the terms allow keeping it; null: the source's own. */
const TERMS = {
  attribution: text("Attribution instead of the source's own."),
  licence: text("Licence instead of the source's own."),
  cache_s: Type.Union([Type.Integer({ minimum: 0, maximum: 31_536_000 }), Type.Null()], {
    default: null,
    description: "Seconds an answer is good; null: as the source's terms have it.",
  }),
  store: Type.Union([Type.Enum(["all", "ids", "none"]), Type.Null()], {
    default: null,
    description: "What may be kept: content, identifiers only, nothing; null: its own terms.",
  }),
  concurrency: Type.Union([Type.Integer({ minimum: 1, maximum: 1024 }), Type.Null()], {
    default: null,
    description: "Calls at once; null: what the source is known to bear.",
  }),
  calls_per_day: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    default: null,
    description: "Most calls a UTC day, restarts included; null: no bound.",
  }),
  reserved_for_keys: Type.Number({
    ...{ minimum: 0, maximum: 1, default: 0.5 },
    description:
      "The share of calls_per_day that is left to callers with a key: others are refused when the rest is used up.",
  }),
};

export function source<const P extends TProperties>(
  own: P,
  { description, timeout_ms = 2_400 }: { description: string; timeout_ms?: number },
) {
  return closed(
    {
      enabled: Type.Boolean({ default: true }),
      timeout_ms: Type.Integer({ minimum: 1, maximum: 600_000, default: timeout_ms }),
      ...TERMS,
      ...own,
    },
    { description },
  );
}

export const PLACE_SCHEMAS = {
  google_maps: source(
    {
      url: address("Of the Geocoding API.", "https://maps.googleapis.com"),
      places_url: address("Of the Places API (New).", "https://places.googleapis.com"),
      api_key: text("Write it as ${NAME} of an environment variable."),
      lean: Type.Boolean({
        default: false,
        description: "Leaves out opening hours and parking options, which cost the most.",
      }),
    },
    { description: "Google Maps Platform: geocoding, parking, charging." },
  ),
  photon: source(
    {
      url: address("Base address, before /api."),
      languages: Type.Array(Type.String({ format: "one-line" }), {
        default: ["de", "en", "fr"],
        description: "What the server was built with.",
      }),
      countrycode: Type.Boolean({
        default: true,
        description: "The server knows the parameter countrycode (1.1.0 and newer).",
      }),
    },
    { description: "Photon, a geocoder of the open map." },
  ),
  nominatim: source(
    {
      url: address("Base address, before /search."),
      per_second: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
        default: null,
        description: "Most calls a second; the public server allows 1. null: no bound.",
      }),
    },
    { description: "Nominatim, a geocoder of the open map." },
  ),
  pelias: source(
    { url: address("Base address, before /v1/search.") },
    { description: "Pelias, a geocoder of open data." },
  ),
  refuge_restrooms: source(
    { url: address("Base address, before /api/v1.", "https://www.refugerestrooms.org") },
    { description: "Refuge Restrooms: toilets that are safe to use." },
  ),
  openaedmap: source(
    {
      url: address("Base address, before /api/v1."),
      countries: Type.Array(Type.String({ format: "country" }), {
        default: [],
        description: "Whose files to read; empty: the whole world's.",
      }),
    },
    { description: "OpenAEDMap: defibrillators, read whole once a day.", timeout_ms: 120_000 },
  ),
  geodae: source(
    {
      url: address(
        "Address of the GeoJSON file.",
        "https://www.data.gouv.fr/api/1/datasets/r/86ea48a0-dd94-4a23-b71c-80d3041d7db2",
      ),
    },
    { description: "GéoDAE: France's register of defibrillators.", timeout_ms: 300_000 },
  ),
  paris_opendata: source(
    { url: address("Base address, before /api/explore.", "https://opendata.paris.fr") },
    {
      description: "Open data of Paris: fountains and toilets of the legacy water route.",
      timeout_ms: 60_000,
    },
  ),
  inpost: source(
    {
      url: address("Base address, before /v1/points.", "https://api-global-points.easypack24.net"),
      countries: Type.Record(Type.String({ format: "country" }), url, {
        default: {},
        description: "Addresses of their own, by country.",
      }),
    },
    { description: "InPost: parcel lockers. A public source that guarantees nothing." },
  ),
  openchargemap: source(
    {
      url: address("Base address, before /v3.", "https://api.openchargemap.io"),
      api_key: text("Write it as ${NAME} of an environment variable."),
    },
    { description: "Open Charge Map: supplements charging of the open adapter." },
  ),
  ocpi: source(
    {
      url: address("Of the locations module."),
      token: text("Write it as ${NAME} of an environment variable; null: an open endpoint."),
      token_raw: Type.Boolean({ default: false, description: "Sent as it is, not as base64." }),
      name: Type.String({ format: "one-line", default: "OCPI" }),
    },
    {
      description: "An operator's OCPI locations: supplements charging of the open adapter.",
      timeout_ms: 60_000,
    },
  ),
} as const;

export const MapsSchema = section(
  {
    adapter: Type.Optional(
      Type.Enum(["google_maps", "openstreetmap"], {
        description:
          "The maps provider of this deployment. Default: google_maps where it is enabled or simulated, else openstreetmap.",
      }),
    ),
    geocoder: Type.Enum(["photon", "nominatim", "pelias"], {
      default: "photon",
      description: "Which geocoder the adapter openstreetmap asks.",
    }),
  },
  "Geocoding, parking and charging: one maps provider, never mixed.",
);

export const AedSchema = section(
  { registry: Type.Enum(["openaedmap", "geodae"], { default: "openaedmap" }) },
  "Which register of defibrillators leads.",
);

export type PlaceSourceName = keyof typeof PLACE_SCHEMAS;
export type PlaceSources = { [N in PlaceSourceName]: Static<(typeof PLACE_SCHEMAS)[N]> };
