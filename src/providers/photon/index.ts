/**
 * Photon: what is asked, and what the answer means. Reference: places.md 2.1; komoot/photon,
 * docs/api-v1.md. A parameter or a language that the server does not know makes it refuse (400).
 */
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { primary } from "#kit/coerce.ts";
import type {
  GeocodeQuery,
  LookupSettings,
  ReadAnswer,
  ReverseQuery,
  WireAnswer,
} from "#providers/lookup.ts";
import { KEYLESS, openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import {
  biasOf,
  geocodeKey,
  languageOf,
  MAX_CANDIDATES,
  OPEN_GEOCODER,
  type Params,
  pointOf,
  reverseKey,
  toRequest,
} from "#providers/open-geocoding/geocoding-asking.ts";
import { featuresOf, gather } from "#providers/open-geocoding/geocoding-candidates.ts";
import { photonDraft } from "#providers/photon/photon-feature.ts";
import { address, flag, lookupSettings, texts } from "#providers/settings.ts";
import {
  type BareRequest,
  defineSource,
  type GeocodingSource,
  type Reader,
} from "#providers/source.ts";

export type PhotonSettings = LookupSettings & {
  /** Those that the server was given when it was set up, besides its default. */
  languages: readonly string[];
  /** The server can filter by country (1.1.0 and newer); otherwise we do. */
  countrycode: boolean;
};

/** Of the public server, and of one that is set up without a word about languages. */
const PHOTON_LANGUAGES: readonly string[] = ["de", "en", "fr"];

/** Asked for where most of them may be of other countries. */
const WIDE = 20;
/** How near is near: 14 is a part of a town. */
const BIAS_ZOOM = 14;

/** Geocoding by Photon. It has one search for addresses and things of interest alike. */
export const photonGeocoder: GeocodingSource<PhotonSettings> = {
  geocode: forwardReader("geocode"),
  search: forwardReader("search"),
  reverse: {
    operation: "reverse",
    keyOf: reverseKey,
    request: (query, settings) =>
      ask("/reverse", query, {
        settings,
        params: { ...pointOf(query), limit: MAX_CANDIDATES },
      }),
    read: (wire, _query, { trail }) => read(wire, { country: null, trail }),
  },
};

export default defineSource({
  id: "photon",
  name: "Photon",
  ...OPEN_GEOCODER,
  config: lookupSettings("Photon, a geocoder of the open map.", {
    url: address("Base address, before /api."),
    languages: texts(PHOTON_LANGUAGES, "What the server was built with."),
    countrycode: flag(true, "The server knows the parameter countrycode (1.1.0 and newer)."),
  }),
  geocoder: photonGeocoder,
});

function forwardReader(operation: string): Reader<GeocodeQuery, PhotonSettings, Candidate[]> {
  return {
    operation,
    keyOf: geocodeKey,
    request: (query, settings) =>
      ask("/api", query, { settings, params: toParams(query, settings) }),
    read: (wire, { country }, { settings, trail }) =>
      read(wire, { country: settings.countrycode ? null : country, trail }),
  };
}

function toParams({ q, country, near }: GeocodeQuery, settings: PhotonSettings): Params {
  const bias = biasOf(near);
  const narrow = country === null || settings.countrycode;
  return {
    q,
    limit: narrow ? MAX_CANDIDATES : WIDE,
    countrycode: settings.countrycode ? country : null,
    lat: bias && bias.lat,
    lon: bias && bias.lon,
    zoom: bias && BIAS_ZOOM,
  };
}

function ask(
  path: string,
  query: GeocodeQuery | ReverseQuery,
  { settings, params }: { settings: PhotonSettings; params: Params },
): BareRequest {
  const language = languageOf(query.language);
  const lang = findSupported(language, settings.languages);
  return toRequest(settings, { path, params: { ...params, lang }, language });
}

/** As the server spells it; null: it would refuse, and makes of the header what it can. */
function findSupported(language: string, languages: readonly string[]): string | null {
  const wanted = language.toLowerCase();
  const exact = languages.find((one) => one.toLowerCase() === wanted);
  return exact ?? languages.find((one) => one.toLowerCase() === primary(wanted)) ?? null;
}

function read(
  wire: WireAnswer,
  { country, trail }: { country: string | null; trail: TrailRecorder },
): ReadAnswer<Candidate[]> {
  const opened = openAnswer(wire, KEYLESS);
  if (!opened.ok) return opened;
  const features = featuresOf(opened.json);
  if (!features) return { ok: false, ...WRONG_SHAPE };
  return gather(features, (feature) => photonDraft(feature, country), trail);
}
