/** GET /v1/places/nearby: places by what they are. All of it is in preview (docs/places.md). */
import { Type, type Static } from "typebox";
import { interestMembers } from "./attributes.ts";
import { BaseStatement } from "./bases.ts";
import { matchMembers, nearestKnownMember, STRICT_PARAMETERS } from "./filter-match.ts";
import { LIMITS } from "./limits.ts";
import { Notices } from "./notices.ts";
import { type Operation, SEARCH_CACHING, SEARCH_ERRORS } from "./operation.ts";
import { PLACE_CLASSES } from "./place-classes.ts";
import { preview, PREVIEW } from "./preview.ts";
import {
  closed,
  Count,
  DEBUG,
  integerParameter,
  LANGUAGE,
  LAT,
  listParameter,
  Location,
  LON_ALONE,
  Message,
  numberParameter,
  Status,
  Text,
  TOKEN,
} from "./primitives.ts";
import { Attribution, MAPS_CATEGORIES, ProvidersDebug } from "./services.ts";
import { LOCAL_MEMBERS, UnknownCounts, USABLE_PARAMETERS } from "./usable.ts";
import { WALK_PARAMETERS, walkingMember, walkMember } from "./walk.ts";

const { radius_default, radius_max, limit_default, limit_max } = LIMITS.places;
const { usable, wheelchair } = USABLE_PARAMETERS;

export const CLASS_PARAMETERS = {
  lat: LAT,
  lon: LON_ALONE,
  classes: preview(
    listParameter({
      choices: PLACE_CLASSES,
      many: true,
      required: true,
      example: "pharmacy,supermarket",
      description:
        "Comma-separated classes, such as pharmacy, supermarket, cafe, atm, playground, or a type of `/v1/services/nearby`. One that is not known is refused with those that are meant, also of a word in another language.",
    }),
  ),
  radius: preview(
    numberParameter({
      description: "Metres.",
      exclusiveMinimum: 0,
      default: radius_default,
      reduced_to: radius_max,
      example: "800",
      unit: "metres",
    }),
  ),
  limit: preview(
    integerParameter({
      description: "At most this many of the nearest, over all classes.",
      minimum: 1,
      default: limit_default,
      reduced_to: limit_max,
      example: "20",
    }),
  ),
  language: LANGUAGE,
  ...{ usable, wheelchair },
  ...STRICT_PARAMETERS,
  ...WALK_PARAMETERS,
  debug: DEBUG,
  token: TOKEN,
} as const;

const PlaceAttributes = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object(
    {
      ...interestMembers(),
      cuisine: Type.Optional(
        Type.Array(Text, { description: "Of a restaurant, in the words of the open map." }),
      ),
      maps_place_id: Type.Optional(Text),
      maps_uri: Type.Optional(Text),
      types: Type.Optional(Type.Array(Text)),
    },
    {
      title: "PlaceAttributes",
      description:
        "What is known of it; what is not is absent. Of an urban service they are those of `/v1/services/nearby`.",
      additionalProperties: true,
      ...PREVIEW,
    },
  ),
);

const PlaceResult = Type.Object(
  {
    id: { ...Text, description: "Stable; of an urban service, that of `/v1/services/nearby`." },
    type: Type.Literal("place"),
    place_class: Type.Enum([...PLACE_CLASSES], { type: "string" }),
    external_id: Type.Optional({ ...Text, description: "As its source knows it." }),
    name: { ...Text, description: "Its own, else what its class is called in the language." },
    location: Location,
    distance_meters: Count,
    ...walkMember,
    attributes: PlaceAttributes,
    source_id: Text,
    ...matchMembers,
  },
  { title: "Place", description: "A place of a class.", ...PREVIEW, ...closed },
);

export const ClassPlacesBody = Type.Object(
  {
    status: Status,
    message: Type.Optional(Message),
    notices: Type.Optional(Notices),
    query_origin: Location,
    radius: Type.Number({ exclusiveMinimum: 0, maximum: radius_max }),
    total: Type.Integer({ minimum: 0, description: "Found, before the limit." }),
    ...LOCAL_MEMBERS,
    ...walkingMember,
    ...nearestKnownMember,
    base: Type.Optional(BaseStatement),
    summary: Type.Record(Type.String({ pattern: "^[a-z_]+$" }), Count, {
      description: "What was found of every requested class, zero included, before the limit.",
    }),
    unknown: UnknownCounts,
    results: Type.Array(PlaceResult, { maxItems: limit_max }),
    attributions: Type.Optional(
      Type.Array(Attribution, { description: "Where the maps provider was asked." }),
    ),
    debug: Type.Optional(ProvidersDebug),
  },
  { title: "Places", description: "Places inside the circle.", ...PREVIEW, ...closed },
);
export type ClassPlacesBodyValue = Static<typeof ClassPlacesBody>;

export const CLASS_PLACES_EXAMPLE: ClassPlacesBodyValue = {
  status: "success",
  query_origin: { lat: 48.8566, lon: 2.3522 },
  radius: 1500,
  total: 2,
  local_time: "2026-11-14T10:31:00+01:00",
  time_zone: "Europe/Paris",
  summary: { pharmacy: 1, atm: 1 },
  results: [
    {
      id: "svc_poi_4n8c1v6b3x9z2m5k7j0h",
      type: "place",
      place_class: "pharmacy",
      external_id: "node/345678901",
      name: "Pharmacie des Tilleuls",
      location: { lat: 48.857, lon: 2.3531 },
      distance_meters: 80,
      attributes: {
        address: "12 Rue des Tilleuls, 75004 Paris",
        phone: "+33 1 00 00 00 00",
        opening_hours: "Mo-Sa 09:00-20:00",
        wheelchair: "yes",
        usable: {
          state: "open",
          until: "2026-11-14T20:00:00+01:00",
          rule: "Mo-Sa 09:00-20:00",
          holidays_known: true,
        },
      },
      source_id: "openstreetmap",
    },
    {
      id: "svc_poi_1q7w2e9r4t6y3u8i5o0p",
      type: "place",
      place_class: "atm",
      external_id: "node/345678902",
      name: "ATM",
      location: { lat: 48.8581, lon: 2.3519 },
      distance_meters: 168,
      attributes: { usable: { state: "unknown", until: null, rule: null, holidays_known: true } },
      source_id: "openstreetmap",
    },
  ],
};

export const CLASS_OPERATIONS = [
  {
    id: "getPlacesNearby",
    method: "GET",
    path: "/v1/places/nearby",
    tag: "Services",
    summary: "Places of some classes around a point",
    description:
      "Pharmacies, supermarkets, restaurants, schools, museums and some 80 further classes, with hours, address and telephone where they are known, and the types of `/v1/services/nearby`. Points of interest are those of an imported base that covers the point; elsewhere the maps provider is asked, where one is configured. Where no source knows the point the answer is `partial`, never an empty list. In preview.",
    parameters: CLASS_PARAMETERS,
    success: {
      description: "What was found, the nearest first.",
      content: {
        "application/json": {
          schema: ClassPlacesBody,
          examples: { success: CLASS_PLACES_EXAMPLE },
        },
      },
    },
    errors: SEARCH_ERRORS,
    auth: "optional",
    scope: ["data:read"],
    charge: { per: "category", first: 1, each: 1, categories: MAPS_CATEGORIES },
    deadline: { name: "places", default_ms: 3_000 },
    caching: SEARCH_CACHING,
    licence_link: true,
    addition: true,
  },
] as const satisfies readonly Operation[];
