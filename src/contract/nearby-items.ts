/** Stations, vehicles, lines, alerts, actions and warnings of /v1/nearby (§2.9; decisions, Global nearby). */
import { Type } from "typebox";
import { LIMITS } from "./limits.ts";
import { closed, Count, Location, Nullable, Text, Timestamp } from "./primitives.ts";
import { PREVIEW } from "./preview.ts";

export const QUERY_MODES = ["bicycle", "scooter", "moped", "car"] as const;
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
const ENTITY_TYPES = [
  "bicycle_vehicle",
  "bicycle_station",
  "scooter_vehicle",
  "motorscooter_vehicle",
  "car_vehicle",
  "parking",
  "transit_stop",
  "transit_station",
] as const;

/** Form factors and propulsion types of GBFS, those before 3.0 included (mobility.md 1.5). */
export const FORM_FACTORS = [
  "bicycle",
  "cargo_bicycle",
  "car",
  "moped",
  "scooter",
  "scooter_standing",
  "scooter_seated",
  "other",
] as const;
export const PROPULSIONS = [
  "human",
  "electric_assist",
  "electric",
  "combustion",
  "combustion_diesel",
  "hybrid",
  "plug_in_hybrid",
  "hydrogen_fuel_cell",
] as const;

const NullableText = Nullable(Text);
const NullableCount = Nullable(Count);
const NullableFlag = Nullable(Type.Boolean());
const NullableTime = Nullable(Timestamp);
const OpenObject = Type.Object({}, { additionalProperties: true });
const Id = Type.String({ minLength: 1 });

/** `other` is in the contract's list but is never asked for. */
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

/** §2.9 lists these for vehicles; stations have them too (decisions, Global nearby). */
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

const Link = Type.String({ minLength: 1, maxLength: 2048 });
const RentalUris = Type.Object(
  { android: Type.Optional(Link), ios: Type.Optional(Link), web: Type.Optional(Link) },
  {
    title: "RentalUris",
    description:
      "Where to rent it: `https`, or for `android` and `ios` a scheme that the system registers for its app. Other links are left out.",
    ...closed,
  },
);
const FormFactor = Type.Enum([...FORM_FACTORS], { type: "string" });
const Propulsion = Type.Enum([...PROPULSIONS], { type: "string" });
const VehicleType = Type.Object(
  {
    form_factor: Type.Optional(FormFactor),
    propulsion: Type.Optional(Propulsion),
    name: Type.Optional(Text),
  },
  {
    title: "VehicleType",
    description: "What the vehicle is, as published; members that are not stated are absent.",
    minProperties: 1,
    ...closed,
  },
);
const AcceptedType = Type.Object(
  { form_factor: Type.Optional(FormFactor), propulsion: Type.Optional(Propulsion) },
  { title: "AcceptedType", minProperties: 1, ...closed },
);

/** Members of a station beyond §2.9. */
const stationAdditions = {
  address: Type.Optional(Type.String({ ...PREVIEW, description: "As published." })),
  opening_hours: Type.Optional(
    Type.String({ ...PREVIEW, description: "Hours of the station, as published." }),
  ),
  rental_uris: Type.Optional(Type.Object(RentalUris.properties, { ...RentalUris, ...PREVIEW })),
  vehicle_types: Type.Optional(
    Type.Array(AcceptedType, {
      ...PREVIEW,
      minItems: 1,
      maxItems: 8,
      description: "Kinds of vehicle that the station is made for, where it says so.",
    }),
  ),
  vehicles_listed: Type.Optional(
    Type.Literal(true, {
      ...PREVIEW,
      description:
        "Vehicles that stand here are objects of `vehicles`, too, each with this `station_id`: do not add `availability.vehicles` to theirs. Absent: they are not listed.",
    }),
  ),
};

/** Members of a vehicle's source beyond §2.9. */
const vehicleAdditions = {
  brand: Type.Optional(
    Type.String({ ...PREVIEW, description: "Name under which the public knows whose it is." }),
  ),
  vehicle_type: Type.Optional(Type.Object(VehicleType.properties, { ...VehicleType, ...PREVIEW })),
  battery: Type.Optional(
    Type.Integer({
      ...PREVIEW,
      minimum: 0,
      maximum: 100,
      description: "What is left in battery or tank, percent, as published.",
    }),
  ),
  range_m: Type.Optional(
    Type.Number({ ...PREVIEW, minimum: 0, description: "What it can still go, as published." }),
  ),
  rental_uris: Type.Optional(Type.Object(RentalUris.properties, { ...RentalUris, ...PREVIEW })),
  pricing_plan_id: Type.Optional(
    Type.String({ ...PREVIEW, description: "The publisher's id of its pricing plan." }),
  ),
  station_id: Type.Optional(
    Type.String({
      ...PREVIEW,
      pattern: "^svc_station_",
      description: "`id` of the virtual station at which it stands, and which counts it.",
    }),
  ),
};

/** Members of a station apart from its location, which GeoJSON has in the geometry. */
export const stationMembers = {
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
  ...stationAdditions,
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
    ...vehicleAdditions,
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
  {
    title: "Vehicle",
    description:
      "A vehicle that is parked freely; `service_status` and `availability` say whether it can be picked up.",
    ...closed,
  },
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

const ruleMembers = {
  ride_start_allowed: Type.Optional(Flag),
  ride_end_allowed: Type.Optional(
    Type.Boolean({ description: "false: a ride must not end here (no parking)." }),
  ),
  ride_through_allowed: Type.Optional(Type.Boolean({ description: "false: no riding here." })),
  maximum_speed_kph: Type.Optional(Type.Number({ minimum: 0 })),
  station_parking: Type.Optional(
    Type.Boolean({ description: "true: a ride may only end at a station." }),
  ),
  vehicle_types: Type.Optional(
    Type.Array(VehicleType, {
      minItems: 1,
      maxItems: LIMITS.nearby.zone_types_max,
      description: "Kinds of vehicle it is for. Absent: all that were asked for.",
    }),
  ),
};

/** Geofencing of one system around the point. */
export const SystemZones = Type.Object(
  {
    network: Type.Object({ id: Text, name: Text }, closed),
    rules: Type.Array(
      Type.Object(
        {
          ...ruleMembers,
          scope: Type.Enum(["zone", "global"], {
            type: "string",
            description: "`global`: it holds wherever no zone has a rule.",
          }),
          zone: Type.Optional(Text),
        },
        { title: "RuleAtPoint", ...closed },
      ),
      {
        description:
          "What holds at the point: for each kind of vehicle the rule of the first zone that has one. What a rule does not state is unknown.",
      },
    ),
    zones: Type.Array(
      Type.Object(
        {
          name: Type.Optional(Text),
          contains_point: Flag,
          distance_meters: Type.Number({
            minimum: 0,
            description: "From the point to the zone's outline; 0 inside.",
          }),
          rules: Type.Array(Type.Object(ruleMembers, { title: "ZoneRule", ...closed }), {
            minItems: 1,
            maxItems: LIMITS.nearby.zone_rules_max,
          }),
        },
        { title: "Zone", ...closed },
      ),
      {
        maxItems: LIMITS.nearby.zones_max,
        description: "Those that touch the circle, nearest first.",
      },
    ),
    total: Type.Integer({
      minimum: 0,
      description: "Zones that touch the circle, before the list was cut.",
    }),
  },
  {
    title: "SystemZones",
    description: "Where vehicles of one system may be ridden, parked, and how fast.",
    ...closed,
  },
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
