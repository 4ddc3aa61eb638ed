/** GET /v1/nearby: parameters (§4.9), answer (§2.9) and GeoJSON form (decisions, Global nearby). */
import { beyondMember } from "./beyond.ts";
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { NEARBY_FILTERS, NearbySummary } from "./nearby-filters.ts";
import { NearbyDebug } from "./nearby-debug.ts";
import { Notices } from "./notices.ts";
import { SystemZones } from "./nearby-additions.ts";
import { SystemPrices } from "./prices.ts";
import {
  Action,
  Alert,
  Line,
  QUERY_MODES,
  Station,
  stationMembers,
  Vehicle,
  Warning,
} from "./nearby-items.ts";
import {
  choiceParameter,
  closed,
  Count,
  DEBUG,
  integerParameter,
  LAT,
  listParameter,
  Location,
  LON,
  Message,
  Nullable,
  numberParameter,
  Status,
  Text,
  TOKEN,
} from "./primitives.ts";
import { preview, PREVIEW } from "./preview.ts";
import { ServiceResult } from "./services.ts";
import { nearestKnownMember } from "./filter-match.ts";
import { WALK_PARAMETERS, walkingMember } from "./walk.ts";

/** `zones` and `prices` are additions to §4.9. */
export const FAMILIES = [
  ...(["places", "lines", "stations", "vehicles", "alerts"] as const),
  ...(["zones", "prices"] as const),
] as const;
const DEFAULT_FAMILIES = ["stations", "vehicles"] as const;
const FORMATS = ["json", "geojson"] as const;
export const NEARBY_PARAMETERS = {
  lat: LAT,
  lon: LON,
  radius: numberParameter({
    minimum: LIMITS.nearby.radius_min,
    default: LIMITS.nearby.radius_default,
    description: "Metres.",
    reduced_to: LIMITS.nearby.radius_max,
    warns: true,
    example: "250",
    unit: "metres",
  }),
  modes: listParameter({
    choices: QUERY_MODES,
    default: QUERY_MODES,
    description: "Comma-separated modes.",
    example: "bicycle,scooter",
  }),
  include: listParameter({
    choices: FAMILIES,
    default: DEFAULT_FAMILIES,
    description: "Comma-separated result families. `zones` and `prices` are in preview.",
    example: "stations,vehicles,alerts",
  }),
  limit: integerParameter({
    minimum: LIMITS.nearby.limit_min,
    default: LIMITS.nearby.limit_default,
    description:
      "Stations, vehicles and places in the answer. Above the plan's maximum it is reduced and `warnings` says so.",
    example: "20",
  }),
  offset: integerParameter({
    minimum: LIMITS.nearby.offset_min,
    default: LIMITS.nearby.offset_default,
    description: "How many stations, vehicles and places to skip. The plan bounds it (403).",
    example: "0",
  }),
  ride_minutes: preview(
    integerParameter({
      minimum: 1,
      maximum: LIMITS.prices.ride_minutes_max,
      default: LIMITS.prices.ride_minutes_default,
      description: "With `include=prices`: the length of the ride whose cost is estimated.",
      example: "10",
      unit: "minutes",
    }),
  ),
  format: choiceParameter({
    choices: FORMATS,
    default: "json",
    description: "`json`, or `geojson` for an RFC 7946 FeatureCollection.",
  }),
  ...NEARBY_FILTERS,
  ...WALK_PARAMETERS,
  debug: DEBUG,
  token: TOKEN,
} as const;

const Radius = Type.Number({
  minimum: LIMITS.nearby.radius_min,
  maximum: LIMITS.nearby.radius_max,
  description: "Applied radius, metres.",
});
const Total = Type.Integer({
  minimum: 0,
  description: "Objects after identity resolution, before pagination and plan limits.",
});
const Warnings = Type.Array(Warning, {
  minItems: 1,
  description: "Present when a value was reduced.",
});

export const NearbyBody = Type.Object(
  {
    status: Status,
    message: Type.Optional(Message),
    query_origin: Location,
    radius: Radius,
    total: Total,
    summary: Type.Optional(NearbySummary),
    results: Type.Object(
      {
        places: Type.Array(ServiceResult),
        lines: Type.Array(Line, { maxItems: LIMITS.nearby.lines_max }),
        stations: Type.Array(Station),
        vehicles: Type.Array(Vehicle),
        alerts: Type.Array(Alert, { maxItems: LIMITS.nearby.alerts_max }),
        zones: Type.Optional(
          Type.Array(SystemZones, {
            "x-stability": "preview",
            description:
              "With `include=zones`: geofencing by system. A system that publishes no zones here, or whose zones have not been read yet, is absent.",
          }),
        ),
        prices: Type.Optional(
          Type.Array(SystemPrices, {
            ...PREVIEW,
            description:
              "With `include=prices`: pricing plans by system. A system that publishes none that can be read is absent: what it costs is unknown.",
          }),
        ),
      },
      closed,
    ),
    available_actions: Type.Array(Action),
    requested_radius: Type.Number({ minimum: LIMITS.nearby.radius_min }),
    requested_limit: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1, description: "Applied limit." }),
    warnings: Type.Optional(Warnings),
    notices: Type.Optional(Notices),
    ...walkingMember,
    ...nearestKnownMember,
    ...beyondMember,
    debug: Type.Optional(NearbyDebug),
  },
  { title: "Nearby", description: "Stations and vehicles inside the circle (§2.9).", ...closed },
);
export type NearbyBodyValue = Static<typeof NearbyBody>;

export const Point = Type.Object(
  {
    type: Type.Literal("Point"),
    coordinates: Type.Unsafe<[number, number]>({
      type: "array",
      description: "Longitude, latitude.",
      prefixItems: [
        { type: "number", minimum: LIMITS.lon.min, maximum: LIMITS.lon.max },
        { type: "number", minimum: LIMITS.lat.min, maximum: LIMITS.lat.max },
      ],
      items: { type: "number" },
      minItems: 2,
      maxItems: 2,
    }),
  },
  { title: "Point", ...closed },
);

const StationProperties = Type.Object(stationMembers, {
  title: "StationProperties",
  description: "A station without its location, which is the geometry.",
  ...closed,
});

const PlaceProperties = Type.Omit(ServiceResult, ["location"], {
  title: "PlaceProperties",
  description: "A service without its location, which is the geometry.",
  ...closed,
});

const Feature = Type.Object(
  {
    type: Type.Literal("Feature"),
    id: Type.Optional(Text),
    geometry: Nullable(Point),
    properties: Type.Union([StationProperties, Vehicle, PlaceProperties]),
  },
  { title: "Feature", description: "A station, a vehicle or a place.", ...closed },
);

/** RFC 7946; `meta` carries what the JSON form has at the top (decisions, Global nearby). */
export const NearbyGeoJson = Type.Object(
  {
    type: Type.Literal("FeatureCollection"),
    query_origin: Location,
    features: Type.Array(Feature),
    available_actions: Type.Array(Action),
    meta: Type.Optional(
      Type.Object(
        {
          status: Status,
          message: Type.Optional(Message),
          total: Total,
          summary: Type.Optional(NearbySummary),
          radius: Radius,
          limit: Type.Integer({ minimum: 1 }),
          offset: Count,
          warnings: Type.Optional(Warnings),
          notices: Type.Optional(Notices),
          ...walkingMember,
          ...nearestKnownMember,
          ...beyondMember,
          lines: Type.Optional(
            Type.Array(Line, {
              ...PREVIEW,
              maxItems: LIMITS.nearby.lines_max,
              description:
                "Lines have no place of their own, and are no features. Absent unless asked for.",
            }),
          ),
          alerts: Type.Optional(
            Type.Array(Alert, {
              ...PREVIEW,
              maxItems: LIMITS.nearby.alerts_max,
              description:
                "Alerts have no place of their own, and are no features. Absent unless asked for.",
            }),
          ),
          debug: Type.Optional(NearbyDebug),
          zones: Type.Optional(Type.Array(SystemZones, { "x-stability": "preview" })),
          prices: Type.Optional(Type.Array(SystemPrices, PREVIEW)),
        },
        closed,
      ),
    ),
  },
  { title: "NearbyGeoJson", description: "The same answer as a FeatureCollection.", ...closed },
);
export type NearbyGeoJsonValue = Static<typeof NearbyGeoJson>;
