/** get_weather (docs/agents.md): arguments and answer. Units are in the names of members. */
import { Type } from "typebox";
import { common, local, status_members } from "./agent-results.ts";
import { closed, integerParameter, Location, Nullable, Text } from "./primitives.ts";
import { POINT_ARGUMENTS } from "./agent-point.ts";

/** Hours ahead that an answer may have; the sources' steps have three. */
const HOURS = { most: 24, usual: 6 } as const;

export const WEATHER_ARGUMENTS = {
  ...POINT_ARGUMENTS,
  hours: integerParameter({
    minimum: 1,
    maximum: HOURS.most,
    default: HOURS.usual,
    example: "6",
    description: "Ahead.",
  }),
} as const;

const Time = Type.String({ format: "date-time", description: "With the offset of the point." });
const Value = Nullable(Type.Number());

const conditions = {
  condition: Nullable(Type.String({ description: "Group, such as Rain, Snow, Clouds, Clear." })),
  description: Nullable(Text),
  temperature_c: Type.Number(),
  feels_like_c: Value,
  wind_ms: Value,
  gust_ms: Value,
  wind_from_degrees: Value,
  humidity_percent: Value,
  cloud_percent: Value,
  visibility_m: Value,
};

const Now = Type.Object(
  {
    at: Time,
    basis: Type.Enum(["observed", "modelled"], {
      type: "string",
      description: "modelled: of a forecast, for a moment near `at`.",
    }),
    ...conditions,
    precipitation_mm: { ...Value, description: "Rain and snow of one hour, as water." },
  },
  closed,
);

const Step = Type.Object(
  {
    from: Time,
    until: { ...Time, description: "Values without a span are of this moment." },
    ...conditions,
    precipitation_mm: { ...Value, description: "From `from` to `until`, rain and snow, as water." },
    precipitation_probability_percent: Value,
  },
  closed,
);

export const WeatherShown = Type.Object(
  {
    ...status_members,
    query_origin: Location,
    ...local,
    now: { ...Nullable(Now), description: "null: it could not be asked for." },
    forecast: { ...Nullable(Type.Array(Step)), description: "null: it could not be asked for." },
    sunrise: { ...Nullable(Time), description: "Of today; null: the sun does not rise." },
    sunset: { ...Nullable(Time), description: "Of today; null: the sun does not set." },
    sources: Type.Array(Text),
    ...common,
  },
  closed,
);
