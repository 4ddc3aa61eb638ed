/** The rows of §4.3 to §4.5 in the table of operations. */
import {
  GEOCODE_EXAMPLE,
  GEOCODE_NOTHING_EXAMPLE,
  REVERSE_EXAMPLE,
  SEARCH_EXAMPLE,
} from "./geocoding-examples.ts";
import {
  GEOCODE_PARAMETERS,
  GeocodeBody,
  PLACE_SEARCH_PARAMETERS,
  REVERSE_PARAMETERS,
} from "./geocoding.ts";
import { CREDENTIAL_401, ONE_UNIT, type Operation } from "./operation.ts";

/** §7 with the additions of the decisions (Errors): credentials are accepted here, too. */
const ERRORS = {
  400: ["invalid_request", "conflicting_credentials"],
  401: CREDENTIAL_401,
  403: ["insufficient_scope", "plan_not_allowed", "account_suspended"],
  429: ["rate_limited", "quota_exhausted"],
  502: ["provider_bad_response"],
  503: ["provider_unavailable", "overloaded", "shutting_down", "store_unavailable"],
  504: ["provider_timeout"],
} as const;

const SHARED = {
  method: "GET",
  tag: "Geocoding",
  errors: ERRORS,
  auth: "optional",
  charge: ONE_UNIT,
  deadline: {
    name: "geocoding",
    default_ms: 2_500,
    description: "Geocode, place search, reverse geocode.",
  },
  caching: "Anonymous: `public`, at most 30 s. With a key: `private`.",
  licence_link: true,
} as const;

export const GEOCODING_OPERATIONS = [
  {
    ...SHARED,
    id: "geocode",
    path: "/v1/geocode",
    summary: "Address to coordinates",
    description:
      "Up to five candidates for an address or a place, in the maps provider's order of relevance; the first is the highest-ranked, not guaranteed to be unique. No match is 200 with an empty list. The service does not choose one answer.",
    parameters: GEOCODE_PARAMETERS,
    success: {
      description: "The candidates.",
      content: {
        "application/json": {
          schema: GeocodeBody,
          examples: { found: GEOCODE_EXAMPLE, nothing: GEOCODE_NOTHING_EXAMPLE },
        },
      },
    },
    scope: ["geography:read", "data:read"],
  },
  {
    ...SHARED,
    id: "searchPlaces",
    path: "/v1/place-search",
    summary: "Places and points of interest by text",
    description:
      "As geocode, for places and points of interest. `lat` and `lon`, given together, only prefer results near that point.",
    parameters: PLACE_SEARCH_PARAMETERS,
    together: ["lat", "lon"],
    success: {
      description: "The candidates.",
      content: { "application/json": { schema: GeocodeBody, examples: { found: SEARCH_EXAMPLE } } },
    },
    scope: ["geography:read", "data:read"],
  },
  {
    ...SHARED,
    id: "reverseGeocode",
    path: "/v1/reverse-geocode",
    summary: "Coordinates to address",
    description:
      "What is at a point: up to five candidates in the maps provider's order. Anonymous calls are answered; a key needs the scope `geography:read`.",
    parameters: REVERSE_PARAMETERS,
    success: {
      description: "The candidates.",
      content: {
        "application/json": { schema: GeocodeBody, examples: { found: REVERSE_EXAMPLE } },
      },
    },
    scope: ["geography:read"],
  },
] as const satisfies readonly Operation[];
