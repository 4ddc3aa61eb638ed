/** GET /v1/sources: where the data come from, under which licence, and how they are (an addition). */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { closed, Count, Nullable, numberParameter, Text, Timestamp, TOKEN } from "./primitives.ts";
import { PREVIEW } from "./preview.ts";

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
  token: TOKEN,
} as const;

/** Names for a failure (decisions, Second edition, Messages). */
export const FAILURE_WORDS = [
  "refused our key",
  "too slow",
  "unreadable",
  "unreachable",
  "does not cover this point",
  "not configured",
  "over its allowance",
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
      description: "What it holds, by part and kind, such as `services.toilets`.",
    }),
  },
  { ...PREVIEW, description: "Of an imported base alone.", ...closed },
);

const Source = Type.Object(
  {
    id: Text,
    name: Text,
    kind: Type.Enum(["feed", "lookup"], {
      type: "string",
      description: "`feed`: read whole, in the background. `lookup`: asked per question.",
    }),
    operations: Type.Array(Text),
    state: Type.Enum(
      ["ok", "timeout", "error", "unauthorized", "unavailable", "idle", "not_surveyed", "disabled"],
      { type: "string" },
    ),
    licence: Nullable(Text),
    licence_url: Nullable(Text),
    attribution: Nullable(Text),
    attribution_url: Nullable(Text),
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
  },
  { title: "Source", description: "One source of data; unknown is null.", ...closed },
);

export const Sources = Type.Object(
  { sources: Type.Array(Source) },
  { title: "Sources", description: "The sources, or those that may cover the circle.", ...closed },
);
export type SourcesBody = Static<typeof Sources>;
