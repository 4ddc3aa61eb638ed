/** Stations, vehicles, lines, alerts, actions and warnings of /v1/nearby (§2.9; decisions, Global nearby). */
import { Type } from "typebox";
import { availabilityAdditions, stationAdditions, vehicleAdditions } from "./nearby-additions.ts";
import { LIMITS } from "./limits.ts";
import { PREVIEW } from "./preview.ts";
import { closed, Count, Location, Nullable, Text, Timestamp } from "./primitives.ts";
import { matchMembers } from "./filter-match.ts";
import { walkMember } from "./walk.ts";

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
    ...availabilityAdditions,
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

/** Members of a station apart from its location, which GeoJSON has in the geometry. */
export const stationMembers = {
  id: Type.String({ pattern: "^svc_station_" }),
  type: Type.Literal("station"),
  name: Text,
  network: Type.Object({ id: Text, name: Text }, closed),
  capacity: Type.Optional(NullableCount),
  availability: Availability,
  distance_meters: Distance,
  ...walkMember,
  ...matchMembers,
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
    ...walkMember,
    ...matchMembers,
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
      "A vehicle that is parked freely; `service_status` and `action_state` say whether it can be picked up.",
    ...closed,
  },
);

/** Stations by their ids, and how many there are where they are not all listed. */
function ofStations(description: string) {
  const { named_stations_max: maxItems } = LIMITS.nearby;
  return {
    station_ids: Type.Array(Text, { maxItems, description }),
    station_count: Type.Optional({
      ...Count,
      ...PREVIEW,
      description: "How many stations there are, where they are not all listed.",
    }),
  };
}

export const Line = Type.Object(
  {
    id: Text,
    short_name: NullableText,
    long_name: NullableText,
    mode: Text,
    operators: Type.Array(
      Type.Object({ id: Text, name: NullableText, url: Type.Optional(NullableText) }, closed),
    ),
    ...ofStations("The first of them by id."),
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
    ...ofStations(
      "Of more than there is room for, the nearest in the circle; none: of the whole system.",
    ),
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
