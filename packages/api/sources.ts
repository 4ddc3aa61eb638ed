/** GET /v1/sources: where the data come from, under which licence, and how they are (an addition). */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import {
  closed,
  Count,
  Nullable,
  numberParameter,
  optionalChoiceParameter,
  Text,
  Timestamp,
  TOKEN,
} from "./primitives.ts";
import { preview, PREVIEW } from "./preview.ts";

export const SOURCES_PARAMETERS = {
  lat: numberParameter({
    minimum: LIMITS.lat.min,
    maximum: LIMITS.lat.max,
    description: "Latitude, WGS 84 degrees; together with `lon`.",
    example: "48.8566",
    unit: "degrees",
  }),
  lon: numberParameter({
    minimum: LIMITS.lon.min,
    maximum: LIMITS.lon.max,
    description: "Longitude, WGS 84 degrees; together with `lat`. `lng` is an alias.",
    example: "2.3522",
    alias: "lng",
    unit: "degrees",
  }),
  radius: numberParameter({
    minimum: 1,
    default: LIMITS.sources.radius_default,
    description: "Metres around the point; without a point it has no effect.",
    example: "400",
    unit: "metres",
  }),
  history: preview(
    optionalChoiceParameter({
      choices: ["24h"],
      description: "`24h`: adds to each source how it did in the last 24 hours (`history`).",
      example: "24h",
    }),
  ),
  token: TOKEN,
} as const;

/** Names for a failure (decisions, Second edition, Messages). */
export const FAILURE_WORDS = [
  "refused our key",
  "too slow",
  "answers with errors",
  "unreadable",
  "unreachable",
  "does not cover this point",
  "not configured",
  "over its allowance",
  "of another version",
  "has ended",
  "has not begun",
] as const;
export type FailureWord = (typeof FAILURE_WORDS)[number];

const Problem = Type.Object(
  {
    word: Type.Enum([...FAILURE_WORDS], {
      type: "string",
      description: "What is wrong, in a word.",
    }),
    reason: { ...Text, description: "A machine token, such as `station_status:http_500`." },
    message: { ...Text, description: "The cause in one sentence." },
  },
  {
    ...PREVIEW,
    description: "Why the source fails or is not asked; null: nothing is known to be wrong.",
    ...closed,
  },
);
export type ProblemBody = Static<typeof Problem>;

const Latitude = Type.Number({ minimum: LIMITS.lat.min, maximum: LIMITS.lat.max });
const Longitude = Type.Number({ minimum: LIMITS.lon.min, maximum: LIMITS.lon.max });

const Area = Type.Object(
  { south: Latitude, west: Longitude, north: Latitude, east: Longitude },
  { description: "west > east when it crosses the antimeridian.", ...closed },
);

const Base = Type.Object(
  {
    data_at: Nullable({ ...Timestamp, description: "State of the map that it shows." }),
    imported_at: Timestamp,
    bytes: Count,
    holds: Type.Record(Type.String(), Type.Record(Type.String(), Count), {
      description:
        "What it holds, by part and kind, such as `services.toilets`. Without `walk`, minutes on foot need a new import.",
    }),
    pages: Type.Optional(
      Type.Object(
        {
          total: { ...Count, description: "Parts of which the file is made; 1: it is whole." },
          failed: {
            ...Count,
            description: "Those that could not be read: places in them are missing.",
          },
        },
        { description: "Of a base alone.", ...closed },
      ),
    ),
  },
  { ...PREVIEW, description: "Of an imported base alone.", ...closed },
);

const Live = Type.Object(
  {
    problem: Nullable(Problem),
    resting: Type.Boolean({
      ...PREVIEW,
      description: "They are old since no caller asks for departures, which is no failure.",
    }),
    made_at: { ...Nullable(Timestamp), description: "Of the data in use; null: none are." },
    runs: { ...Count, description: "Trips of a day that the data speak of." },
    matched_share: {
      ...Nullable(Type.Number({ minimum: 0, maximum: 1 })),
      description: "How many of them the timetable has; null: there are none.",
    },
    alerts: Count,
  },
  closed,
);

const Timetable = Type.Object(
  {
    trips: Count,
    calls: Count,
    runs_from: { ...Nullable(Type.String({ format: "date" })), description: "null: never." },
    runs_until: Nullable(Type.String({ format: "date" })),
    time_zone: Nullable(Text),
    live: {
      ...Nullable(Live),
      description: "Its live data; null: none are configured.",
    },
  },
  { ...PREVIEW, description: "Of an imported timetable alone.", ...closed },
);
export type TimetableFacts = Static<typeof Timetable>;

const SOURCE_STATES = [
  "ok",
  "timeout",
  "error",
  "unauthorized",
  "unavailable",
  "idle",
  "not_surveyed",
  "disabled",
] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

const State = Type.Enum([...SOURCE_STATES], { type: "string" });

const Reading = Type.Object(
  {
    state: Type.Enum(["waiting", "reading"], { type: "string" }),
    ahead: { ...Count, description: "Readings that have to end before it; 0 while it is read." },
    for_s: { ...Count, description: "How long it has been in this state." },
  },
  {
    ...PREVIEW,
    description:
      "Its reading, of a register alone; absent: it is not read now. Large documents are read in turns, by their bytes.",
    ...closed,
  },
);
export type ReadingBody = Static<typeof Reading>;

const RegisterLive = Type.Object(
  {
    state: State,
    problem: Nullable(Problem),
    resting: Type.Boolean({
      description: "It is not read since no caller asks near its places, which is no failure.",
    }),
    last_success_at: Nullable(Timestamp),
    age_s: {
      ...Nullable(Type.Number({ minimum: 0 })),
      description: "Since its states were read, or were confirmed; null: never.",
    },
    states: {
      ...Nullable(Count),
      description: "Of sites that are known; null: it was never read.",
    },
    unknown_sites: {
      ...Nullable(Count),
      description: "States of sites that its register does not have, which are left out.",
    },
    max_age_s: { ...Count, description: "A state that was observed longer ago is unknown." },
    reading: Type.Optional(Reading),
  },
  {
    ...PREVIEW,
    description: "Live half of a register of car parks or charging points alone.",
    ...closed,
  },
);
export type RegisterLiveBody = Static<typeof RegisterLive>;

export const Slot = Type.Object(
  {
    attempts: { ...Count, description: "Readings or calls that ended in this time." },
    failures: { ...Count, description: "How many of them failed." },
    state: { ...State, description: "The worst that was seen." },
    age_s: {
      ...Nullable(Type.Number({ minimum: 0 })),
      description: "The oldest that its data were seen; null: unknown, or it was not asked.",
    },
  },
  closed,
);

const History = Nullable(
  Type.Object(
    {
      step_s: { ...Count, description: "Length of a slot, 900." },
      from: { ...Timestamp, description: "When the first slot begins." },
      slots: Type.Array(Nullable(Slot), {
        description:
          "96 of them, the oldest first; the last one is under way. null: nothing is known of that time.",
      }),
    },
    closed,
  ),
);
export type SourceHistoryBody = Static<typeof History>;

export const Source = Type.Object(
  {
    id: Text,
    name: Text,
    kind: Type.Enum(["feed", "lookup"], {
      type: "string",
      description: "`feed`: read whole, in the background. `lookup`: asked per question.",
    }),
    operations: Type.Array(Text),
    state: State,
    licence: Nullable(Text),
    licence_url: Nullable(Text),
    attribution: Nullable(Text),
    attribution_url: Nullable(Text),
    color: Type.Optional(
      Type.String({
        ...PREVIEW,
        pattern: "^#[0-9a-f]{6}$",
        description: "Of its brand; absent: none is published.",
      }),
    ),
    terms: Type.Object(
      {
        map: Type.Enum(["any", "own"], {
          type: "string",
          description: "`own`: results may be shown on no map but the source's own.",
        }),
      },
      { description: "What else its terms ask of those who show it.", ...closed },
    ),
    entity_count: Nullable(Count),
    bbox: Nullable(Area),
    areas: Nullable(
      Type.Array(Area, {
        ...PREVIEW,
        description:
          "Its parts where it has distant ones, the one with most things first; one otherwise.",
      }),
    ),
    problem: Nullable(Problem),
    last_success_at: Nullable(Timestamp),
    age_s: Nullable(Type.Number({ minimum: 0 })),
    error_rate_5m: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    base: Type.Optional(Base),
    timetable: Type.Optional(Timetable),
    reading: Type.Optional(Reading),
    live: Type.Optional(RegisterLive),
    history: Type.Optional({
      ...History,
      ...PREVIEW,
      description: `With \`history=24h\` alone, as the process that answers saw it; null: it was not asked in that time, or is not among the ${LIMITS.sources.history_max} of the list (${LIMITS.sources.history_near_max} around a point) that were asked most.`,
    }),
  },
  { title: "Source", description: "One source of data; unknown is null.", ...closed },
);

export const Sources = Type.Object(
  { sources: Type.Array(Source) },
  { title: "Sources", description: "The sources, or those that may cover the circle.", ...closed },
);
export type SourcesBody = Static<typeof Sources>;
