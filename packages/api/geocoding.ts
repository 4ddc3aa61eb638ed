/** Geocoding, place search, reverse geocoding: parameters (§4.3 to §4.5) and answer (§2.2). */
import { Type, type Static } from "typebox";
import { MAPS_PROVIDER_ID } from "./deployment.ts";
import { BaseStatement } from "./bases.ts";
import { LIMITS } from "./limits.ts";
import { preview, PREVIEW } from "./preview.ts";
import {
  booleanParameter,
  closed,
  Count,
  countryParameter,
  LANGUAGE,
  LAT,
  Location,
  LON_ALONE,
  Nullable,
  numberParameter,
  Text,
  textParameter,
  TOKEN,
} from "./primitives.ts";

const { q_min, q_max, results_max } = LIMITS.geocode;

const Q = textParameter({
  min: q_min,
  max: q_max,
  example: "10 avenue Gambetta, Paris",
  description: "What to look for: an address, a place, a point of interest. In any language.",
});
const BIAS = "together with the other one; results near the point go first";

export const GEOCODE_PARAMETERS = {
  q: Q,
  language: LANGUAGE,
  country: countryParameter("Only results of this country, ISO 3166-1 alpha-2."),
  token: TOKEN,
} as const;

export const PLACE_SEARCH_PARAMETERS = {
  q: Q,
  lat: numberParameter({
    minimum: LIMITS.lat.min,
    maximum: LIMITS.lat.max,
    example: "48.8566",
    unit: "degrees",
    description: `Latitude, WGS 84 degrees; ${BIAS}.`,
  }),
  lon: numberParameter({
    minimum: LIMITS.lon.min,
    maximum: LIMITS.lon.max,
    example: "2.3522",
    unit: "degrees",
    description: `Longitude, WGS 84 degrees; ${BIAS}.`,
  }),
  language: LANGUAGE,
  prefix: preview(
    booleanParameter(
      "true: the last word of `q` is the beginning of one, as at each keystroke. Only imported bases honour it.",
    ),
  ),
  token: TOKEN,
} as const;

export const REVERSE_PARAMETERS = {
  lat: LAT,
  lon: LON_ALONE,
  language: LANGUAGE,
  token: TOKEN,
} as const;

const Part = Nullable(Text);

export const GeocodeCandidate = Type.Object(
  {
    svc_id: Type.Null(),
    name: Text,
    label: Text,
    type: Type.Enum(
      [
        ...["address", "street", "locality", "city", "neighborhood", "region", "country", "poi"],
        ...["station", "airport", "railway_station", "transit_station", "establishment", "unknown"],
      ],
      { type: "string" },
    ),
    location: Location,
    address: Type.Object(
      {
        formatted: Part,
        street: Part,
        street_number: Part,
        city: Part,
        postal_code: Part,
        region: Part,
        country: Part,
      },
      closed,
    ),
    source_id: Type.Literal(MAPS_PROVIDER_ID),
    source_place_id: Part,
    match_quality: Type.Optional(
      Type.Enum(["rooftop", "range_interpolated", "geometric_center", "approximate"], {
        type: "string",
        description: "Precision the provider reports; not a confidence of this service.",
      }),
    ),
    base_id: Type.Optional({
      ...Text,
      ...PREVIEW,
      description:
        "Id of the imported data that it is of, as `meta.bases` lists them: `gazetteer` are GeoNames' places of the world, which no map has.",
    }),
  },
  { title: "GeocodeCandidate", description: "One candidate (§2.2); unknown is null.", ...closed },
);

export const GeocodeBody = Type.Object(
  {
    results: Type.Array(GeocodeCandidate, { maxItems: results_max }),
    meta: Type.Object(
      {
        source: Type.Literal(MAPS_PROVIDER_ID),
        cache: Type.Enum(["hit", "miss"], { type: "string" }),
        total: Count,
        query: Type.Optional(Text),
        origin: Type.Optional(Location),
        bases: Type.Optional(
          Type.Array(BaseStatement, {
            ...PREVIEW,
            description: "The imported data that the candidates are of.",
          }),
        ),
        status: Type.Optional(
          Type.Enum(["partial"], {
            type: "string",
            ...PREVIEW,
            description:
              "`partial`: the place that the question names lies outside all imported data, so that no more than the place is known; absent: the whole question was answered.",
          }),
        ),
        notices: Type.Optional(
          Type.Array(Text, {
            ...PREVIEW,
            description:
              "What one should know beyond the candidates, such as that there may be more.",
          }),
        ),
      },
      closed,
    ),
  },
  {
    title: "Geocoding",
    description: "Up to five candidates in the provider's order of relevance; none is no error.",
    ...closed,
  },
);
export type GeocodeBodyValue = Static<typeof GeocodeBody>;
