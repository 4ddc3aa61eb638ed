/** Departures around a point and of a station: parameters, answer and rows (docs/design/departures.md). */
import { Type, type Static } from "typebox";
import { DEPARTURES_EXAMPLE, STATION_DEPARTURES_EXAMPLE } from "./departures-examples.ts";
import { LIMITS } from "./limits.ts";
import { Notices } from "./notices.ts";
import { PREVIEW } from "./preview.ts";
import { ONE_UNIT, type Operation, SEARCH_CACHING, SEARCH_ERRORS } from "./operation.ts";
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
  LON_ALONE,
  Message,
  Nullable,
  numberParameter,
  patternParameter,
  PlaceTime,
  segmentParameter,
  Status,
  Text,
  TOKEN,
} from "./primitives.ts";
import { ProvidersDebug } from "./services.ts";
import { LOCAL_MEMBERS } from "./usable.ts";
import { TRANSPORT_MODES, TRANSPORT_PROVIDERS } from "./tokens.ts";
import { TIME_PARAMETERS, timeMembers, UnknownToward } from "./departure-times.ts";
import { HEX, TransitModeName, Operator } from "./transit.ts";
import { platformStepFreeMember } from "./step-free.ts";
import { WALK_PACE, WALK_PARAMETERS, walkingMember, walkMember } from "./walk.ts";

const LIMIT = LIMITS.departures;

const WITHIN = integerParameter({
  description: "Minutes from now, or from `at`.",
  minimum: 1,
  default: LIMIT.within_default,
  reduced_to: LIMIT.within_max,
  example: "30",
  unit: "minutes",
});
const LIMIT_PARAMETER = integerParameter({
  description: "At most this many of the next ones.",
  minimum: 1,
  default: LIMIT.limit_default,
  reduced_to: LIMIT.limit_max,
  example: "10",
});
const MODES = listParameter({
  choices: TRANSPORT_MODES,
  default: TRANSPORT_MODES,
  implied: true,
  description: "Comma-separated modes; all when left out.",
  example: "metro,tram",
});
const LINES = patternParameter({
  description:
    "Comma-separated lines, as the vehicles show them; upper and lower case are the same.",
  example: "4,N12",
  pattern: "^[^,]{1,60}(,[^,]{1,60}){0,19}$",
  rule: "1 to 20 names of lines with commas between them, of at most 60 characters each",
  word: "LINE,…",
  names: true,
});

export const DEPARTURES_PARAMETERS = {
  lat: LAT,
  lon: LON_ALONE,
  radius: numberParameter({
    description: "Metres.",
    exclusiveMinimum: 0,
    default: LIMIT.radius_default,
    reduced_to: LIMIT.radius_max,
    example: "400",
    unit: "metres",
  }),
  within: WITHIN,
  limit: LIMIT_PARAMETER,
  modes: MODES,
  lines: LINES,
  ...TIME_PARAMETERS,
  language: LANGUAGE,
  walk: {
    ...WALK_PARAMETERS.walk,
    description:
      "Adds to each departure the way on foot to its station, and in how many seconds one must leave for it. `false` with a parameter that asks for ways on foot is refused.",
  },
  ...WALK_PACE,
  debug: DEBUG,
  token: TOKEN,
} as const;

export const STATION_DEPARTURES_PARAMETERS = {
  station_id: segmentParameter({
    description:
      "Id of a station, as given by GET /v1/transport/nearby or GET /v1/departures/nearby.",
    example: "svc_transport_station_4q7x2m9k5c1v8b3n6w0j",
  }),
  within: WITHIN,
  limit: LIMIT_PARAMETER,
  arrivals: booleanParameter("Arrivals in place of departures."),
  modes: MODES,
  lines: LINES,
  ...TIME_PARAMETERS,
  language: LANGUAGE,
  debug: DEBUG,
  token: TOKEN,
} as const;

const StationId = Type.String({ pattern: "^svc_transport_station_" });

const Line = Type.Object(
  {
    id: Text,
    short_name: Nullable(Text),
    long_name: Nullable(Text),
    mode: TransitModeName,
    color: Type.Optional(Type.String({ pattern: HEX })),
    text_color: Type.Optional(Type.String({ pattern: HEX })),
  },
  { title: "DepartureLine", ...closed },
);

export const Departure = Type.Object(
  {
    id: Type.String({
      pattern: "^svc_departure_",
      description: "The same for this call of this run as long as its timetable is in use.",
    }),
    station: Type.Object(
      { id: StationId, name: Text, location: Location, distance_meters: Nullable(Count) },
      {
        description: "`distance_meters`: from the point; null where none was asked about.",
        ...closed,
      },
    ),
    platform: Nullable(
      Type.Object(
        { planned: Nullable(Text), live: Nullable(Text) },
        { description: "null: the publisher names none.", ...closed },
      ),
    ),
    line: Line,
    operator: Nullable(Operator),
    headsign: { ...Nullable(Text), description: "What the vehicle shows; null: not published." },
    planned_at: {
      ...Nullable(PlaceTime),
      description: "By the timetable, with the offset of the station; null: the run is not in it.",
    },
    expected_at: {
      ...Nullable(PlaceTime),
      description:
        "By the live feed. null: it says nothing of this call, or is too old; that is never the planned time.",
    },
    delay_seconds: {
      ...Nullable(Type.Integer()),
      description: "Expected after planned; negative: early. null: unknown, which is not on time.",
    },
    realtime: Type.Enum(["live", "planned_only", "unknown"], {
      type: "string",
      description:
        "`live`: the feed speaks of this call. `planned_only`: there is no live feed, or only intervals are promised. `unknown`: there is one, and it says nothing of this call or is too old.",
    }),
    status: Type.Enum(["scheduled", "cancelled", "skipped", "added"], {
      type: "string",
      description:
        "`cancelled`: the run does not take place. `skipped`: it does not stop here. `added`: it is not in the timetable.",
    }),
    headway_seconds: Type.Optional({
      ...Count,
      description: "Only this interval is promised; `planned_at` is one of the times it may be.",
    }),
    approximate: Type.Optional(
      Type.Literal(true, {
        description: "The timetable gives the time of this call as a rough one.",
      }),
    ),
    wheelchair: Type.Enum(["yes", "no", "unknown"], { type: "string" }),
    ...walkMember,
    ...platformStepFreeMember,
    leave_in_seconds: Type.Optional(
      Nullable(
        Type.Integer({
          ...PREVIEW,
          description:
            "Seconds, from the moment of the answer, until one must leave to walk there in time; negative: it is too late. null: the way or the time is not known, or it does not leave.",
        }),
      ),
    ),
    missed: Type.Optional(
      Type.Literal(true, {
        ...PREVIEW,
        description: "It cannot be reached on foot in time: `leave_in_seconds` is negative.",
      }),
    ),
    ...timeMembers,
    continues_as: {
      ...Nullable(Type.Object({ line: Line, headsign: Nullable(Text) }, closed)),
      description:
        "At its last stop the vehicle goes on as this, and riders may stay in it. null: it does not, or that is not published.",
    },
    alerts: Type.Array(Text, {
      maxItems: LIMIT.named_alerts_max,
      description: "Ids in `results.alerts`.",
    }),
    alert_count: Type.Optional({
      ...Count,
      ...PREVIEW,
      description: "How many alerts are about it, where they are not all listed.",
    }),
    observed_at: {
      ...Nullable(PlaceTime),
      description: "When the live feed was made; null where `realtime` is not `live`.",
    },
    sources: Type.Array(
      Type.Object(
        {
          provider: Type.Enum([...TRANSPORT_PROVIDERS], { type: "string" }),
          feed_id: Nullable(Text),
          trip_id: Nullable(Text),
          service_date: Nullable(Type.String({ format: "date" })),
        },
        closed,
      ),
      {
        minItems: 1,
        description:
          "Who publishes it. Several: the same line at the same station in the same planned minute with the same destination, shown once.",
      },
    ),
  },
  { title: "Departure", ...closed },
);

export const DepartureAlert = Type.Object(
  {
    id: Text,
    feed_id: Nullable(Text),
    cause: Nullable(Text),
    effect: Nullable(Text),
    header: Nullable(Text),
    description: Nullable(Text),
    url: Nullable(Text),
    active_periods: Type.Array(
      Type.Object(
        { from: Nullable(PlaceTime), to: Nullable(PlaceTime) },
        { description: "null: open on that side.", ...closed },
      ),
      { maxItems: LIMIT.periods_max, description: "The first ones that have not ended." },
    ),
  },
  {
    title: "DepartureAlert",
    description: "A notice of a publisher about these departures.",
    ...closed,
  },
);

const { requested_radius, applied_radius, ...ofBoth } = ProvidersDebug.properties;
/** §2.7; of a station no radius is asked for. */
const DeparturesDebug = Type.Object(
  {
    ...ofBoth,
    requested_radius: Type.Optional(requested_radius),
    applied_radius: Type.Optional(applied_radius),
  },
  {
    title: "DeparturesDebug",
    description: "Only with `debug=true` (§2.7); of a station without a radius.",
    ...closed,
  },
);

export const DepartureWindow = Type.Object(
  { from: PlaceTime, to: PlaceTime },
  { description: "With the offset of the place, as all times of the answer.", ...closed },
);

const members = {
  status: Status,
  message: Type.Optional(Message),
  window: DepartureWindow,
  ...LOCAL_MEMBERS,
  total: Type.Integer({
    minimum: 0,
    description:
      "Found, before the limit; a lower bound where a notice says that not all were looked at.",
  }),
  unknown: UnknownToward,
  notices: Type.Optional(Notices),
  results: Type.Object(
    {
      departures: Type.Array(Departure, { maxItems: LIMIT.limit_max }),
      alerts: Type.Array(DepartureAlert, { maxItems: LIMIT.alerts_max }),
    },
    closed,
  ),
  debug: Type.Optional(DeparturesDebug),
};

export const DeparturesBody = Type.Object(
  {
    ...members,
    query_origin: Location,
    radius: Type.Number({ exclusiveMinimum: 0, maximum: LIMIT.radius_max }),
    ...walkingMember,
  },
  { title: "Departures", description: "The next departures inside the circle.", ...closed },
);
export type DeparturesBodyValue = Static<typeof DeparturesBody>;

const StationDeparturesBody = Type.Object(
  {
    ...members,
    station: Type.Object({ id: StationId, name: Text, location: Location }, closed),
    kind: Type.Enum(["departures", "arrivals"], { type: "string" }),
  },
  { title: "StationDepartures", description: "The next departures of a station.", ...closed },
);

const ROW = {
  method: "GET",
  tag: "Transport",
  auth: "optional",
  scope: ["data:read"],
  charge: ONE_UNIT,
  caching: SEARCH_CACHING,
  licence_link: true,
  addition: true,
} as const;

export const DEPARTURE_OPERATIONS = [
  {
    ...ROW,
    id: "getDeparturesNearby",
    path: "/v1/departures/nearby",
    summary: "The next departures around a point",
    description:
      "Departures of all stations in the circle, in order of time: live where a feed says so, planned where none does, and never on time where it is not known. Cancelled ones are shown as such. A departure that several feeds publish is one result with several sources.",
    parameters: DEPARTURES_PARAMETERS,
    success: {
      description: "Departures, the next ones first.",
      content: {
        "application/json": { schema: DeparturesBody, examples: { success: DEPARTURES_EXAMPLE } },
      },
    },
    errors: SEARCH_ERRORS,
    deadline: { name: "departures", default_ms: 3_000 },
  },
  {
    ...ROW,
    id: "getStationDepartures",
    path: "/v1/departures/{station_id}",
    summary: "The next departures or arrivals of a station",
    description:
      "As GET /v1/departures/nearby, of one station by its id. An id that is not known here, or no longer, is 404.",
    parameters: STATION_DEPARTURES_PARAMETERS,
    success: {
      description: "Departures or arrivals, the next ones first.",
      content: {
        "application/json": {
          schema: StationDeparturesBody,
          examples: { success: STATION_DEPARTURES_EXAMPLE },
        },
      },
    },
    errors: { ...SEARCH_ERRORS, 404: ["unknown_station"] },
    deadline: { name: "departures", default_ms: 3_000 },
  },
] as const satisfies readonly Operation[];
