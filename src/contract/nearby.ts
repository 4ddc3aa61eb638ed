/** GET /v1/nearby: parameters (§4.9), answer (§2.9) and GeoJSON form, with what the decisions add. */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
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
  Timestamp,
  TOKEN,
} from "./primitives.ts";
import { ServiceResult } from "./services.ts";

export const QUERY_MODES = ["bicycle", "scooter", "moped", "car"] as const;
export const FAMILIES = ["places", "lines", "stations", "vehicles", "alerts"] as const;
export const FORMATS = ["json", "geojson"] as const;
export const INTENTS = [
  "explore",
  "pickup",
  "return",
  "depart",
  "arrive",
  "park",
  "charge",
  "reserve",
] as const;
export const CAPABILITIES = ["pickup", "return", "park", "charge", "reserve", "navigate"] as const;
export const ENTITY_TYPES = [
  "bicycle_vehicle",
  "bicycle_station",
  "scooter_vehicle",
  "motorscooter_vehicle",
  "car_vehicle",
  "parking",
  "transit_stop",
  "transit_station",
] as const;

export const NEARBY_PARAMETERS = {
  lat: LAT,
  lon: LON,
  radius: numberParameter({
    minimum: LIMITS.nearby.radius_min,
    default: LIMITS.nearby.radius_default,
    description: "Metres. Above 400 it is reduced to 400 and `warnings` says so.",
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
    default: ["stations", "vehicles"],
    description: "Comma-separated result families.",
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
  format: choiceParameter({
    choices: FORMATS,
    default: "json",
    description: "`json`, or `geojson` for an RFC 7946 FeatureCollection.",
  }),
  debug: DEBUG,
  token: TOKEN,
} as const;

const NullableText = Nullable(Text);
const NullableCount = Nullable(Count);
const NullableFlag = Nullable(Type.Boolean());
const NullableNumber = Nullable(Type.Number());
const NullableTime = Nullable(Timestamp);
const OpenObject = Type.Object({}, { additionalProperties: true });
const Id = Type.String({ minLength: 1 });

/** `other` stands in the contract's list but is never asked for. */
const Mode = Type.Enum([...QUERY_MODES, "other"], { title: "Mode", type: "string" });

export const Action = Type.Object(
  { id: Text, intent: Type.Enum([...INTENTS], { type: "string" }), mode: Mode },
  { title: "Action", description: "Something that can be done here.", ...closed },
);

/** Decisions, Global nearby; null is unknown, and never 0. */
export const Availability = Type.Object(
  {
    vehicles: NullableCount,
    docks: NullableCount,
    disabled_vehicles: NullableCount,
    disabled_docks: NullableCount,
    by_mode: Nullable(
      Type.Record(Type.String({ pattern: `^(${QUERY_MODES.join("|")}|other)$` }), Count),
    ),
    electric: NullableCount,
    is_installed: NullableFlag,
    is_renting: NullableFlag,
    is_returning: NullableFlag,
    last_reported: NullableTime,
    observed_at: NullableTime,
  },
  { title: "Availability", description: "Live counts and flags; null is unknown.", ...closed },
);

const EntityType = Nullable(Type.Enum([...ENTITY_TYPES], { type: "string" }));
const DataClass = Type.Enum(["realtime", "semi_static", "static"], {
  title: "DataClass",
  type: "string",
});
const ServiceStatus = Type.Object(
  {
    state: Type.Enum(["operational", "degraded", "unavailable", "maintenance", "unknown"], {
      type: "string",
    }),
  },
  { title: "ServiceStatus", ...closed },
);
const Flag = Type.Boolean();
const Capabilities = Type.Object(
  { pickup: Flag, return: Flag, park: Flag, charge: Flag, reserve: Flag, navigate: Flag },
  { title: "Capabilities", description: "What the thing is for, whatever the time.", ...closed },
);
const ActionState = Type.Record(
  Type.String(),
  Type.Enum(["available_now", "unavailable_now", "unknown"], { type: "string" }),
  { title: "ActionState", description: "Per action: whether it can be done now." },
);

const Provenance = Type.Object(
  {
    kind: Type.Enum(["provider", "svc_internal"], { type: "string" }),
    source: Type.String(),
    provider: Type.String(),
    entity_id: Type.String(),
    source_id: Type.String(),
    network_id: Type.String(),
    fields: Type.Array(Type.String()),
  },
  { title: "Provenance", description: "Which source gave which members.", ...closed },
);

/** §2.9 lists these for vehicles; the decisions allow them on stations too. */
const resolution = {
  resolution_status: Type.Optional(
    Type.Enum(["unresolved", "merged", "possible_match"], { type: "string" }),
  ),
  resolution_confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  provenance: Type.Optional(Type.Array(Provenance)),
  conflicts: Type.Optional(Type.Array(OpenObject)),
};

const Distance = Type.Number({
  minimum: 0,
  description: "Straight-line metres from query_origin.",
});

/** Members of a station apart from its location, which GeoJSON has in the geometry. */
const stationMembers = {
  id: Type.String({ pattern: "^svc_station_" }),
  type: Type.Literal("station"),
  name: Text,
  network: Type.Object({ id: Text, name: Text }, closed),
  capacity: Type.Optional(NullableCount),
  availability: Availability,
  distance_meters: Distance,
  entity_type: Type.Optional(EntityType),
  mode: Type.Optional(Nullable(Mode)),
  data_class: Type.Optional(DataClass),
  service_status: Type.Optional(ServiceStatus),
  capabilities: Type.Optional(Capabilities),
  action_state: Type.Optional(ActionState),
  context_actions: Type.Optional(Type.Array(Action)),
  ...resolution,
};

export const Station = Type.Object(
  { ...stationMembers, location: Location },
  {
    title: "Station",
    description: "A station, merged from every source that observes it.",
    ...closed,
  },
);

export const VehicleSource = Type.Object(
  {
    id: Type.Optional(Text),
    name: Type.Optional(Text),
    location: Type.Optional(Location),
    source_kind: Type.Optional(Type.Enum(["provider", "gbfs"], { type: "string" })),
    distance_meters: Type.Optional(Distance),
    entity_type: EntityType,
    mode: Nullable(Mode),
    data_class: DataClass,
    service_status: ServiceStatus,
    capabilities: Capabilities,
    action_state: ActionState,
    context_actions: Type.Array(Action),
  },
  { title: "VehicleSource", description: "The vehicle as its source describes it.", ...closed },
);

export const Vehicle = Type.Object(
  {
    source: VehicleSource,
    source_id: Id,
    network_id: Id,
    canonical_id: Type.Optional(Type.Null()),
    svc_id: Type.Optional(Text),
    entity_source: Type.Optional(Type.Literal("svc")),
    ...resolution,
  },
  { title: "Vehicle", description: "A vehicle that can be picked up where it stands.", ...closed },
);

export const Line = Type.Object(
  {
    id: Text,
    short_name: NullableText,
    long_name: NullableText,
    mode: Text,
    operators: Type.Array(
      Type.Object({ id: Text, name: NullableText, url: Type.Optional(NullableText) }, closed),
    ),
    station_ids: Type.Array(Text),
    color: Type.Optional(Text),
    text_color: Type.Optional(Text),
  },
  { title: "Line", description: "A public transport line of the stations in range.", ...closed },
);

export const Alert = Type.Object(
  {
    id: Text,
    type: NullableText,
    network_id: Text,
    station_ids: Type.Array(Text),
    summary: NullableText,
    description: NullableText,
    url: NullableText,
    starts_at: NullableTime,
    ends_at: NullableTime,
  },
  { title: "Alert", description: "An alert of a system or station that is in force.", ...closed },
);

export const Warning = Type.Object(
  {
    code: Type.Enum(["radius_capped", "limit_capped"], { type: "string" }),
    message: Text,
    requested: Type.Number(),
    applied: Type.Number(),
  },
  { title: "Warning", description: "A value that was reduced.", ...closed },
);

const DebugObservation = Type.Object(
  {
    source_id: Text,
    network_id: Text,
    entity_id: Text,
    location: Nullable(Location),
    observed_at: NullableTime,
    age_s: NullableNumber,
    merged: Type.Boolean(),
    score: NullableNumber,
    reasons: Type.Array(Type.String()),
  },
  closed,
);

/** §2.9: only with debug=true; the shapes left open there are those of the decisions. */
export const NearbyDebug = Type.Object(
  {
    sources: Type.Array(
      Type.Object(
        {
          source_id: Text,
          status: Type.Enum(["ok", "timeout", "error", "unauthorized", "unavailable"], {
            type: "string",
          }),
          raw_count: Count,
          matched_count: Count,
          reason: NullableText,
        },
        closed,
      ),
    ),
    resolution: Type.Object(
      { unresolved: Count, merged: Count, possible_match: Count },
      { description: "Counts by resolution status.", additionalProperties: Count },
    ),
    entities: Type.Array(
      Type.Object(
        {
          id: Text,
          observations: Type.Array(DebugObservation),
          near_misses: Type.Array(OpenObject),
        },
        closed,
      ),
    ),
    realtime: OpenObject,
    warnings: Type.Array(Type.String()),
    usage: Type.Object({ units: Count, plan: Text, remaining: NullableCount }, closed),
    protection: OpenObject,
    orchestration: Type.Object(
      {
        deadline_ms: Type.Number(),
        elapsed_ms: Type.Number({ minimum: 0 }),
        sources: Type.Array(
          Type.Object(
            {
              source_id: Text,
              started_ms: NullableNumber,
              elapsed_ms: NullableNumber,
              cache: Nullable(Type.Enum(["hit", "miss", "revalidated"], { type: "string" })),
              age_s: NullableNumber,
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    requested_radius: Type.Number(),
    applied_radius: Type.Number({ maximum: LIMITS.nearby.radius_max }),
    requested_limit: Type.Integer(),
    applied_limit: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    offset: Count,
    coverage: Type.String(),
  },
  { title: "NearbyDebug", description: "Diagnostics, only with debug=true.", ...closed },
);

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
    results: Type.Object(
      {
        places: Type.Array(ServiceResult),
        lines: Type.Array(Line, { maxItems: LIMITS.nearby.lines_max }),
        stations: Type.Array(Station),
        vehicles: Type.Array(Vehicle),
        alerts: Type.Array(Alert, { maxItems: LIMITS.nearby.alerts_max }),
      },
      closed,
    ),
    available_actions: Type.Array(Action),
    requested_radius: Type.Number({ minimum: LIMITS.nearby.radius_min }),
    requested_limit: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1, description: "Applied limit." }),
    warnings: Type.Optional(Warnings),
    debug: Type.Optional(NearbyDebug),
  },
  { title: "Nearby", description: "What stands inside the circle (§2.9).", ...closed },
);
export type NearbyBodyValue = Static<typeof NearbyBody>;

const Point = Type.Object(
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

export const StationProperties = Type.Object(stationMembers, {
  title: "StationProperties",
  description: "A station without its location, which is the geometry.",
  ...closed,
});

export const Feature = Type.Object(
  {
    type: Type.Literal("Feature"),
    id: Type.Optional(Text),
    geometry: Nullable(Point),
    properties: Type.Union([StationProperties, Vehicle]),
  },
  { title: "Feature", description: "A station or a vehicle.", ...closed },
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
          radius: Radius,
          limit: Type.Integer({ minimum: 1 }),
          offset: Count,
          warnings: Type.Optional(Warnings),
        },
        closed,
      ),
    ),
  },
  { title: "NearbyGeoJson", description: "The same answer as a FeatureCollection.", ...closed },
);
export type NearbyGeoJsonValue = Static<typeof NearbyGeoJson>;
