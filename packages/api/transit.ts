/** GET /v1/transport/nearby: parameters (§4.7a), answer and station (§2.8). */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { Notices } from "./notices.ts";
import {
  booleanParameter,
  closed,
  Count,
  DEBUG,
  integerParameter,
  LANGUAGE,
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
import { TRANSPORT_DEFAULT_MODES, TRANSPORT_MODES, TRANSPORT_PROVIDERS } from "./tokens.ts";
import { PREVIEW } from "./preview.ts";
import { stepFreeMember } from "./step-free.ts";
import { ProvidersDebug } from "./services.ts";
import { LeftOut, matchMembers, nearestKnownMember, STRICT_PARAMETERS } from "./filter-match.ts";
import { WALK_PARAMETERS, walkingMember, walkMember } from "./walk.ts";

const { radius_default, radius_max, limit_default, limit_max } = LIMITS.transport;

export const TRANSPORT_PARAMETERS = {
  lat: LAT,
  lon: LON,
  radius: numberParameter({
    description: "Metres.",
    exclusiveMinimum: 0,
    default: radius_default,
    reduced_to: radius_max,
    example: "1000",
    unit: "metres",
  }),
  limit: integerParameter({
    description: "At most this many of the nearest.",
    minimum: 1,
    default: limit_default,
    reduced_to: limit_max,
    example: "50",
  }),
  modes: listParameter({
    choices: TRANSPORT_MODES,
    default: TRANSPORT_DEFAULT_MODES,
    implied: true,
    description:
      "Comma-separated modes; a station is given when one of them serves it. With `providers=gbfs` alone the default is the modes that GBFS has.",
    example: "metro,tram",
  }),
  providers: listParameter({
    choices: TRANSPORT_PROVIDERS,
    default: TRANSPORT_PROVIDERS.slice(0, 1),
    implied: true,
    example: "navitia,gtfs",
    description:
      "Comma-separated providers; those that are named are asked, and no others. Left out, navitia is asked; where it is not configured, does not cover the point or finds nothing, the deployment's others are asked in turn (gtfs, transitland, gbfs) until one finds something. Each source names its true provider.",
  }),
  realtime: booleanParameter(
    "A preference, reserved: departures and alerts are never fetched; the reply only says whether they exist.",
  ),
  language: LANGUAGE,
  ...STRICT_PARAMETERS,
  ...WALK_PARAMETERS,
  debug: DEBUG,
  token: TOKEN,
} as const;

export const TransitModeName = Type.Enum([...TRANSPORT_MODES], { type: "string" });

export const Operator = Type.Object(
  { id: Text, name: Text, url: Type.Optional(Text) },
  { title: "TransportOperator", ...closed },
);
export const HEX = "^[0-9A-Fa-f]{6}$";
const Route = Type.Object(
  {
    id: Text,
    short_name: Nullable(Text),
    long_name: Nullable(Text),
    mode: TransitModeName,
    operator_id: Nullable(Text),
    color: Type.Optional(Type.String({ pattern: HEX })),
    text_color: Type.Optional(Type.String({ pattern: HEX })),
  },
  { title: "TransportRoute", ...closed },
);
const Capability = Type.Object(
  { available: Nullable(Type.Boolean()), queried: Type.Literal(false) },
  {
    title: "TransportCapability",
    description: "Whether it exists; null when unknown. It is never queried.",
    ...closed,
  },
);

export const TransportStation = Type.Object(
  {
    id: Type.String({ pattern: "^svc_transport_station_" }),
    type: Type.Literal("transport_station"),
    name: Text,
    location: Location,
    distance_meters: Count,
    ...walkMember,
    ...matchMembers,
    ...stepFreeMember,
    modes: Type.Array(TransitModeName, { minItems: 1 }),
    operators: Type.Array(Operator, { maxItems: LIMITS.transport.routes_max }),
    operator_count: Type.Optional({
      ...Count,
      ...PREVIEW,
      description: "How many operators there are, where they are not all listed.",
    }),
    routes: Type.Array(Route, { maxItems: LIMITS.transport.routes_max }),
    route_count: Type.Optional({
      ...Count,
      ...PREVIEW,
      description: "How many routes there are, where they are not all listed.",
    }),
    realtime: Capability,
    alerts: Capability,
    accessibility: Type.Object(
      { wheelchair: Type.Enum(["yes", "no", "unknown"], { type: "string" }) },
      closed,
    ),
    freshness: Type.Object({ data_class: Type.Literal("static"), fetched_at: Timestamp }, closed),
    sources: Type.Array(
      Type.Object(
        {
          provider: Type.Enum([...TRANSPORT_PROVIDERS], { type: "string" }),
          region: Nullable(Text),
          source_id: Text,
          operator_id: Nullable(Text),
          feed_id: Nullable(Text),
        },
        closed,
      ),
      { minItems: 1 },
    ),
  },
  {
    title: "TransportStation",
    description: "A public transport station (§2.8): static data only.",
    ...closed,
  },
);

export const TransportBody = Type.Object(
  {
    status: Status,
    message: Type.Optional(Message),
    query_origin: Location,
    radius: Type.Number({ exclusiveMinimum: 0, maximum: radius_max }),
    total: Type.Integer({ minimum: 0, description: "Found, before the limit." }),
    notices: Type.Optional(Notices),
    ...walkingMember,
    ...nearestKnownMember,
    unknown: Type.Optional(Type.Object({ left_out: LeftOut }, { ...PREVIEW, ...closed })),
    results: Type.Object(
      { stations: Type.Array(TransportStation, { maxItems: LIMITS.transport.stations_max }) },
      closed,
    ),
    debug: Type.Optional(ProvidersDebug),
  },
  { title: "Transport", description: "Stations inside the circle (§4.7a).", ...closed },
);
export type TransportBodyValue = Static<typeof TransportBody>;
