/**
 * Results of the tools (docs/agents.md): the members of §2 an agent decides by, and no others, so
 * that an answer stays small. Every schema is picked from those of the operations.
 */
import { type TProperties, Type } from "typebox";
import { GeocodeCandidate } from "./geocoding.ts";
import {
  Action,
  Alert,
  Availability,
  Line,
  Station,
  VehicleSource,
  Warning,
} from "./nearby-items.ts";
import { closed, Count, Location, Nullable, Status, Text, Timestamp } from "./primitives.ts";
import { ServiceResult, ServicesBody } from "./services.ts";
import { TransportStation } from "./transit.ts";
import { LOCAL_MEMBERS } from "./usable.ts";

/** Most results that one answer shows, and its largest size, in bytes of JSON. */
export const SHOWN = {
  items_max: 20,
  bytes_max: 8_192,
  lines_max: 10,
  alerts_max: 5,
  /** Characters of a name: sources may put anything into one. */
  name_max: 120,
} as const;

const NullableText = Nullable(Text);

const ShownStation = Type.Object(
  {
    kind: Type.Literal("station"),
    id: Station.properties.id,
    name: Text,
    network: Text,
    mode: Station.properties.mode,
    location: Location,
    distance_meters: Station.properties.distance_meters,
    availability: Type.Partial(
      Type.Pick(Availability, [
        ...(["vehicles", "docks", "electric", "by_mode"] as const),
        ...(["is_renting", "is_returning", "observed_at"] as const),
      ]),
    ),
  },
  closed,
);

const ShownVehicle = Type.Object(
  {
    kind: Type.Literal("vehicle"),
    source_id: Text,
    network_id: Text,
    name: Type.Optional(Text),
    mode: VehicleSource.properties.mode,
    location: Type.Optional(Location),
    distance_meters: Type.Optional(VehicleSource.properties.distance_meters),
    battery: VehicleSource.properties.battery,
    range_m: VehicleSource.properties.range_m,
  },
  closed,
);

/** Attributes that would make it too long are named instead. */
const ShownService = Type.Object(
  {
    kind: Type.Literal("service"),
    id: Text,
    service_type: ServiceResult.properties.service_type,
    name: Text,
    location: Location,
    distance_meters: Count,
    attributes: Type.Object(
      {
        usable: Type.Optional(
          Type.Object(
            {
              state: Type.Enum(["open", "closed"], { type: "string" }),
              until: Nullable(Text),
            },
            { description: "Whether it is open at `local_time`; absent: not known.", ...closed },
          ),
        ),
      },
      { description: "What the source says about it.", additionalProperties: true },
    ),
    omitted: Type.Optional(Type.Array(Text, { description: "Attributes left out for brevity." })),
    source_id: Text,
  },
  closed,
);

const ShownTransit = Type.Object(
  {
    id: TransportStation.properties.id,
    name: Text,
    location: Location,
    distance_meters: Count,
    modes: TransportStation.properties.modes,
    lines: Type.Array(Text, { description: "Names of lines that call here, the first ten." }),
    lines_total: Count,
    wheelchair: TransportStation.properties.accessibility.properties.wheelchair,
    providers: Type.Array(Text),
  },
  closed,
);

const ShownPlace = Type.Object(
  {
    name: Text,
    label: Text,
    type: GeocodeCandidate.properties.type,
    location: Location,
    city: NullableText,
    country: NullableText,
    match_quality: GeocodeCandidate.properties.match_quality,
    source_id: Text,
  },
  closed,
);

const Source = Type.Object(
  {
    source_id: Text,
    provider: Text,
    attribution: Nullable(Type.String()),
    licence: Nullable(Type.String()),
  },
  {
    title: "AgentSource",
    description: "Whose data it is; the attribution must be shown.",
    ...closed,
  },
);

const Freshness = Type.Object(
  {
    answered_at: Timestamp,
    valid_for_s: Type.Optional(
      Nullable(Type.Integer({ minimum: 0, description: "null: ask again for another answer." })),
    ),
    received_at: Type.Optional(Nullable(Timestamp)),
    fresh: Type.Optional(Count),
    stale: Type.Optional(Count),
    unknown: Type.Optional(Count),
    realtime_reliable: Type.Optional(Type.Boolean()),
  },
  { description: "When the answer was made, and how old its data are.", ...closed },
);

/** In every answer. */
const shared = {
  total: Type.Integer({ minimum: 0, description: "Found; `results` shows the first of them." }),
  shown: Count,
  freshness: Freshness,
  attribution: Type.Array(Source),
  more_sources: Type.Optional(
    Type.Integer({ minimum: 1, description: "Sources of the dataset that are not listed here." }),
  ),
} satisfies TProperties;

const circle = {
  status: Status,
  message: Type.Optional(Text),
  notices: Type.Optional(
    Type.Array(Text, {
      minItems: 1,
      maxItems: 5,
      description:
        "What `message` does not say of sources: which failed, or name no more than their nearest.",
    }),
  ),
  query_origin: Location,
  radius: Type.Number({ exclusiveMinimum: 0 }),
} satisfies TProperties;

const Dataset = Type.Object(
  {
    id: Text,
    version: Text,
    href: Type.String({ description: "GET it with the same key: everything that was found." }),
    uri: Type.String({ description: "The same as a resource of this server." }),
    expires_at: Timestamp,
    entity_count: Count,
    next_offset: Nullable(
      Type.Integer({ minimum: 0, description: "For read_dataset: where to go on; null: the end." }),
    ),
  },
  closed,
);

export const NearbyShown = Type.Object(
  {
    ...circle,
    ...shared,
    warnings: Type.Array(Warning),
    results: Type.Array(Type.Union([ShownStation, ShownVehicle, ShownService]), {
      description: "Nearest first.",
    }),
    available_actions: Type.Optional(Type.Array(Action.properties.id)),
    lines: Type.Optional(Type.Array(Type.Pick(Line, ["id", "short_name", "long_name", "mode"]))),
    alerts: Type.Optional(
      Type.Array(Type.Pick(Alert, ["id", "network_id", "summary", "starts_at", "ends_at"])),
    ),
    dataset: Dataset,
  },
  closed,
);

export const ServicesShown = Type.Object(
  {
    ...circle,
    ...shared,
    ...LOCAL_MEMBERS,
    summary: Type.Record(Type.String(), Count),
    not_potable: ServicesBody.properties.not_potable,
    results: Type.Array(ShownService),
  },
  closed,
);

export const StationsShown = Type.Object(
  { ...circle, ...shared, results: Type.Array(ShownTransit) },
  closed,
);

export const PlacesShown = Type.Object({ ...shared, results: Type.Array(ShownPlace) }, closed);
