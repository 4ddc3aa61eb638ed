/**
 * Urban services, parking, charging: parameters (§4.6, §4.7), service results (§2.3 to §2.5) and
 * answers. Service results are also the `places` of /v1/nearby (decisions, Global nearby).
 */
import { Type, type Static, type TSchema } from "typebox";
import { factMembers, type PlaceKind } from "./attributes.ts";
import { MAPS_PROVIDER_ID, MAPS_PROVIDER_NAME } from "./deployment.ts";
import { BaseStatement } from "./bases.ts";
import { LIMITS } from "./limits.ts";
import { Notices } from "./notices.ts";
import { preview, PREVIEW } from "./preview.ts";
import { CONNECTOR_TYPES, SERVICE_TYPES } from "./tokens.ts";
import {
  closed,
  Count,
  countryParameter,
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
  Timestamp,
  TOKEN,
} from "./primitives.ts";
import { SERVICE_SOURCE_IDS } from "./service-sources.ts";
import {
  CHARGING_FILTERS,
  LOCAL_MEMBERS,
  MOVED_COUNTS,
  MovedSummary,
  UnknownCounts,
  Usable,
  USABLE_PARAMETERS,
} from "./usable.ts";
import { matchMembers, nearestKnownMember } from "./filter-match.ts";
import { WALK_PARAMETERS, walkingMember, walkMember } from "./walk.ts";

/** Types that the maps provider of a deployment answers (§4.6). */
export const MAPS_CATEGORIES = ["parking", "charging"] as const;

function radiusParameter(limits: { radius_default: number; radius_max: number }) {
  return numberParameter({
    description: "Metres.",
    exclusiveMinimum: 0,
    default: limits.radius_default,
    reduced_to: limits.radius_max,
    example: "1500",
    unit: "metres",
  });
}

export const SERVICES_PARAMETERS = {
  lat: LAT,
  lon: LON_ALONE,
  types: listParameter({
    choices: SERVICE_TYPES,
    required: true,
    example: "toilets,drinking_water",
    description:
      "Comma-separated types. `drinking_water` is an alias of `fountain`: either finds drinking points and fountains; asked together, each counts once. With `drinking_water` alone water of unknown quality comes last, as `fountain`.",
  }),
  country: countryParameter(
    "Hint for sources that need it, ISO 3166-1 alpha-2; without it the country of the point.",
  ),
  radius: radiusParameter(LIMITS.services),
  limit: integerParameter({
    description: "At most this many of the nearest, over all types.",
    minimum: 1,
    default: LIMITS.services.limit_default,
    reduced_to: LIMITS.services.limit_max,
    example: "50",
  }),
  ...USABLE_PARAMETERS,
  ...CHARGING_FILTERS,
  ...WALK_PARAMETERS,
  language: preview({
    ...LANGUAGE,
    description:
      "Preferred language of names, a BCP 47 tag: what has no name of its own is called by its kind in it. English where it is left out or not known.",
  }),
  debug: DEBUG,
  token: TOKEN,
} as const;

const FACILITY_SEARCH = {
  lat: LAT,
  lon: LON_ALONE,
  language: LANGUAGE,
  radius: radiusParameter(LIMITS.facilities),
  limit: integerParameter({
    description: "At most this many of the nearest.",
    minimum: 1,
    default: LIMITS.facilities.limit_default,
    reduced_to: LIMITS.facilities.limit_max,
    example: "20",
  }),
  ...USABLE_PARAMETERS,
} as const;
const LAST = { ...WALK_PARAMETERS, debug: DEBUG, token: TOKEN } as const;

export const FACILITY_PARAMETERS = { ...FACILITY_SEARCH, ...LAST } as const;
export const CHARGING_PARAMETERS = { ...FACILITY_SEARCH, ...CHARGING_FILTERS, ...LAST } as const;

const Provider = Type.Object({ id: Text, name: Text }, closed);

/** Members of every service result; a type's own members are laid over it. */
function serviceMembers<
  T extends TSchema,
  A extends TSchema,
  S extends TSchema,
  K extends TSchema,
>(own: { service_type: T; attributes: A; source_id: S; source_type: K }) {
  return {
    id: Text,
    type: Type.Literal("service"),
    service_type: own.service_type,
    provider: Type.Optional(Provider),
    external_id: Type.Optional(Text),
    name: Text,
    location: Location,
    distance_meters: Count,
    ...walkMember,
    ...matchMembers,
    attributes: own.attributes,
    source_id: own.source_id,
    source_type: own.source_type,
  };
}

/** Additional members a provider obliges us to show, such as attributions of third parties. */
const open = { additionalProperties: true } as const;

const placeMembers = {
  maps_place_id: Text,
  address: Type.Optional(Text),
  types: Type.Array(Text),
  open_status: Type.Enum(["open", "closed", "unknown"], { type: "string" }),
  opening_hours: Type.Optional(Type.Array(Text)),
  usable: Type.Optional(Usable),
  maps_uri: Type.Optional(Text),
};

export const ParkingAttributes = Type.Object(
  {
    ...factMembers("parking"),
    ...placeMembers,
    primary_type: Type.Optional(
      Type.Enum(["parking", "parking_garage", "parking_lot"], { type: "string" }),
    ),
    parking: Type.Object(
      {
        kind: Type.Enum(["parking", "garage", "lot"], { type: "string" }),
        features: Type.Array(
          Type.Enum(
            [
              ...["free_parking", "paid_parking", "free_street_parking", "paid_street_parking"],
              ...["valet_parking", "free_garage_parking", "paid_garage_parking"],
            ],
            { type: "string" },
          ),
        ),
      },
      closed,
    ),
  },
  { title: "ParkingAttributes", description: "§2.4.", ...open },
);

const availability = {
  available_count: Type.Optional(Count),
  out_of_service_count: Type.Optional(Count),
  availability_updated_at: Type.Optional(Timestamp),
};

const Connector = Type.Object(
  {
    type: Type.Enum([...CONNECTOR_TYPES], { type: "string" }),
    max_kw: Type.Optional(Type.Number({ minimum: 0 })),
    count: Type.Optional(Count),
    ...availability,
  },
  { title: "Connector", description: "Connectors of one type and power (§2.5).", ...closed },
);

export const ChargingAttributes = Type.Object(
  {
    ...factMembers("charging"),
    ...placeMembers,
    primary_type: Type.Optional(Type.Literal("electric_vehicle_charging_station")),
    charging: Type.Object(
      {
        connector_count: Type.Optional(Count),
        ...availability,
        connectors: Type.Array(Connector),
        source: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              "Source of all of this where several were merged: the one that knows the state now, else the one that knows most.",
            ...PREVIEW,
          }),
        ),
      },
      {
        description: "A member that the provider does not supply is absent, never 0.",
        ...closed,
      },
    ),
  },
  { title: "ChargingAttributes", description: "§2.5.", ...open },
);

function attributesOf(kind: PlaceKind, title: string, what: string) {
  return Type.Object(factMembers(kind), { title, description: `Attributes of ${what}.`, ...open });
}

/** By kind (§2.3). */
const ServiceAttributes = Type.Object(
  {},
  {
    description:
      "Facts by kind. A fact has one name, type and set of values over all sources; one that is not known is absent.",
    additionalProperties: true,
    anyOf: [
      attributesOf("aed", "AedAttributes", "defibrillators"),
      attributesOf("toilets", "ToiletsAttributes", "toilets"),
      attributesOf("water", "WaterAttributes", "drinking points and fountains"),
      attributesOf("wifi", "WifiAttributes", "places with Wi-Fi"),
      attributesOf("locker", "LockerAttributes", "parcel lockers"),
      ParkingAttributes,
      ChargingAttributes,
    ],
  },
);

export const ServiceResult = Type.Object(
  serviceMembers({
    service_type: Type.Enum([...SERVICE_TYPES], { type: "string" }),
    attributes: ServiceAttributes,
    source_id: Type.Enum<string[]>([...SERVICE_SOURCE_IDS], { type: "string" }),
    source_type: Type.Enum(["partner_api", "community"], { type: "string" }),
  }),
  { title: "Service", description: "An urban service (§2.3).", ...closed },
);

function facility<A extends TSchema>(token: "parking" | "charging", attributes: A, title: string) {
  const members = serviceMembers({
    service_type: Type.Literal(token),
    attributes,
    source_id: Type.Literal(MAPS_PROVIDER_ID),
    source_type: Type.Literal("partner_api"),
  });
  return Type.Object(members, {
    title,
    description: `One of the maps provider's (§2.3).`,
    ...closed,
  });
}

export const Attribution = Type.Object(
  {
    provider: Type.Literal(MAPS_PROVIDER_NAME),
    display_name: Type.Literal(MAPS_PROVIDER_NAME),
    required: Type.Literal(true),
  },
  { title: "Attribution", description: "Consumers must display it (§2.6).", ...closed },
);

const PROVIDER_STATUSES = ["ok", "timeout", "error", "unauthorized", "unavailable"] as const;

export const ProvidersDebug = Type.Object(
  {
    providers: Type.Record(
      Type.String(),
      Type.Object(
        {
          status: Type.Enum([...PROVIDER_STATUSES], { type: "string" }),
          raw_count: Count,
          returned_count: Count,
          reason: Type.Optional(
            Type.String({ description: "A short token: why it is not `ok`. An addition." }),
          ),
        },
        closed,
      ),
    ),
    provider_calls: Count,
    cache: Type.Enum(["hit", "miss", "partial"], { type: "string" }),
    requested_radius: Type.Number({ exclusiveMinimum: 0 }),
    applied_radius: Type.Number({ exclusiveMinimum: 0 }),
    requested_limit: Type.Integer({ minimum: 1 }),
    applied_limit: Type.Integer({ minimum: 1 }),
  },
  { title: "ProvidersDebug", description: "Only with `debug=true` (§2.7).", ...closed },
);

const bodyMembers = {
  status: Status,
  message: Type.Optional(Message),
  notices: Type.Optional(Notices),
  query_origin: Location,
  total: Type.Integer({ minimum: 0, description: "Found, before the limit." }),
  ...LOCAL_MEMBERS,
  ...walkingMember,
  ...nearestKnownMember,
  base: Type.Optional(BaseStatement),
  debug: Type.Optional(ProvidersDebug),
};

export const ServicesBody = Type.Object(
  {
    ...bodyMembers,
    radius: Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.services.radius_max }),
    summary: Type.Record(Type.String({ pattern: `^(${SERVICE_TYPES.join("|")})$` }), Count, {
      description: "What was found of every requested type, zero included, before the limit.",
      properties: MOVED_COUNTS,
    }),
    unknown: UnknownCounts,
    not_potable: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "With `drinking_water` or `fountain`: places inside the circle whose water is known not to be potable. They never count as `drinking_water`, and are results only where `fountain` is requested.",
        "x-stability": "preview",
      }),
    ),
    potable_unknown: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "With `drinking_water` and without `fountain`: how many of `total` are not known to be potable. They count under no type of `summary`, their `service_type` is `fountain`, and they come after all other results.",
        "x-stability": "preview",
      }),
    ),
    results: Type.Array(ServiceResult, { maxItems: LIMITS.services.results_max }),
    attributions: Type.Optional(
      Type.Array(Attribution, { description: "With parking or charging." }),
    ),
  },
  { title: "Services", description: "Urban services inside the circle (§4.6).", ...closed },
);
export type ServicesBodyValue = Static<typeof ServicesBody>;

function facilitiesBody<I extends TSchema>(item: I, title: string, description: string) {
  const radius = Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.facilities.radius_max });
  const results = Type.Array(item, { maxItems: LIMITS.facilities.limit_max });
  const unknown = UnknownCounts;
  const summary = MovedSummary;
  const members = { ...bodyMembers, radius, unknown, summary, results, attribution: Attribution };
  return Type.Object(members, { title, description, ...closed });
}

const ParkingResult = facility("parking", ParkingAttributes, "ParkingService");
const ChargingResult = facility("charging", ChargingAttributes, "ChargingService");
export const ParkingBody = facilitiesBody(
  ParkingResult,
  "Parking",
  "Parking inside the circle (§4.7).",
);
export const ChargingBody = facilitiesBody(
  ChargingResult,
  "Charging",
  "EV charging inside the circle (§4.7).",
);
export type ParkingBodyValue = Static<typeof ParkingBody>;
export type ChargingBodyValue = Static<typeof ChargingBody>;
