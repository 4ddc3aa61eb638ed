/**
 * The legacy routes of weather and forecast (§4.12a, §4.12b; decisions, Legacy routes): the bodies of
 * OpenWeatherMap's current weather and 5-day/3-hour forecast. A value that is unknown is left out.
 * Metric (°C, m/s) unless the deployment says otherwise; hPa, %, metres and millimetres always.
 */
import { Type, type Static, type TSchema } from "typebox";
import { choiceParameter, closed, COORDS, Count, Text, TOKEN } from "./primitives.ts";

/** §4.12a. Codes are OpenWeatherMap's: cz Czech, kr Korean, la Latvian, se Swedish, ua Ukrainian. */
export const WEATHER_LANGUAGES = [
  ...["ar", "bg", "ca", "cz", "de", "el", "en", "fa", "fi", "fr", "gl"],
  ...["hr", "hu", "it", "ja", "kr", "la", "lt", "mk", "nl", "pl", "pt"],
  ...["ro", "ru", "se", "sk", "sl", "es", "tr", "ua", "vi", "zh_cn", "zh_tw"],
] as const;
export type WeatherLanguage = (typeof WEATHER_LANGUAGES)[number];

export const WEATHER_UNITS = ["metric", "standard", "imperial"] as const;
export type WeatherUnits = (typeof WEATHER_UNITS)[number];

/** The parameter of the path; left out: French. */
export const WEATHER_LANGUAGE = {
  ...choiceParameter({
    choices: WEATHER_LANGUAGES,
    default: "fr",
    description: "Language of the descriptions, by OpenWeatherMap's codes; left out: French.",
  }),
  in: "path",
} as const;

export const WEATHER_PARAMETERS = {
  coords: COORDS,
  lang: WEATHER_LANGUAGE,
  token: TOKEN,
} as const;

const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Degrees = Type.Number({ minimum: 0, maximum: 360 });
const Unix = Type.Integer({ description: "Unix time, seconds." });
const Amount = Type.Number({ minimum: 0 });

function optional<T extends TSchema>(schema: T) {
  return Type.Optional(schema);
}

const UNITS = optional(
  Type.Enum([...WEATHER_UNITS], {
    type: "string",
    description: "Of the deployment: metric (°C, m/s), standard (K, m/s) or imperial (°F, mph).",
    "x-stability": "preview",
  }),
);

const Condition = Type.Object(
  {
    id: Type.Integer({ description: "Condition code, such as 500." }),
    main: Type.String({ minLength: 1, description: "Group, in English, such as `Rain`." }),
    description: Type.String({ minLength: 1, description: "In the language asked for." }),
    icon: Type.String({ pattern: "^[0-9]{2}[dn]$" }),
  },
  { title: "WeatherCondition", description: "What the weather is, the foremost first.", ...closed },
);

const MAIN = {
  temp: Type.Number(),
  feels_like: optional(Type.Number()),
  temp_min: optional(Type.Number()),
  temp_max: optional(Type.Number()),
  pressure: optional(Amount),
  humidity: optional(Percent),
  sea_level: optional(Amount),
  grnd_level: optional(Amount),
};
const MEASURED = {
  weather: Type.Array(Condition),
  visibility: optional(Amount),
  wind: Type.Object(
    { speed: optional(Amount), deg: optional(Degrees), gust: optional(Amount) },
    closed,
  ),
  clouds: Type.Object({ all: optional(Percent) }, closed),
};
const Fall = Type.Object(
  { "1h": optional(Amount), "3h": optional(Amount) },
  { title: "Precipitation", description: "Millimetres of the last hour or three.", ...closed },
);
const Coord = Type.Object({ lon: Type.Number(), lat: Type.Number() }, closed);
const Offset = Type.Integer({ description: "Offset from UTC, seconds." });
/** Neither is there where the sun does not rise or set that day. */
const SUN = { sunrise: optional(Unix), sunset: optional(Unix) };

export const WeatherBody = Type.Object(
  {
    coord: Coord,
    weather: MEASURED.weather,
    base: Text,
    main: Type.Object(MAIN, closed),
    visibility: MEASURED.visibility,
    wind: MEASURED.wind,
    rain: optional(Fall),
    snow: optional(Fall),
    clouds: MEASURED.clouds,
    dt: Unix,
    sys: Type.Object(
      {
        type: optional(Type.Integer()),
        id: optional(Type.Integer()),
        message: optional(Type.Number()),
        country: optional(Text),
        ...SUN,
      },
      closed,
    ),
    timezone: Offset,
    id: optional(Type.Integer()),
    name: optional(Text),
    cod: Type.Literal(200),
    units: UNITS,
  },
  { title: "Weather", description: "The weather at a point now (§4.12a).", ...closed },
);
export type WeatherBodyValue = Static<typeof WeatherBody>;

const Step = Type.Object(
  {
    dt: Unix,
    main: Type.Object({ ...MAIN, temp_kf: optional(Type.Number()) }, closed),
    ...MEASURED,
    pop: optional(Type.Number({ minimum: 0, maximum: 1 })),
    rain: optional(Fall),
    snow: optional(Fall),
    sys: Type.Object({ pod: Type.Enum(["d", "n"], { type: "string" }) }, closed),
    dt_txt: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:00:00$", description: "In UTC." }),
  },
  { title: "ForecastStep", description: "What is expected at one moment.", ...closed },
);

export const ForecastBody = Type.Object(
  {
    cod: Type.Literal("200"),
    units: UNITS,
    message: Type.Number(),
    cnt: Count,
    list: Type.Array(Step, { maxItems: 40 }),
    city: Type.Object(
      {
        id: optional(Type.Integer()),
        name: optional(Text),
        coord: Coord,
        country: optional(Text),
        population: optional(Count),
        timezone: Offset,
        ...SUN,
      },
      closed,
    ),
  },
  { title: "Forecast", description: "Five days in steps of three hours (§4.12b).", ...closed },
);
export type ForecastBodyValue = Static<typeof ForecastBody>;

const PLACE = { lon: 2.3522, lat: 48.8566 };
const CLOUDS = { id: 803, main: "Clouds", description: "broken clouds", icon: "04d" };
const TODAY = { sunrise: 1_795_244_940, sunset: 1_795_277_040 };

/** Realistic examples; the tests hold them to the schemas. */
export const WEATHER_EXAMPLE: WeatherBodyValue = {
  coord: PLACE,
  weather: [CLOUDS],
  base: "stations",
  main: { temp: 8.9, feels_like: 7.2, temp_min: 8.4, temp_max: 9.4, pressure: 1016, humidity: 81 },
  visibility: 10_000,
  wind: { speed: 4.1, deg: 230 },
  clouds: { all: 75 },
  dt: 1_795_256_400,
  sys: { type: 2, id: 2_041_230, country: "FR", ...TODAY },
  timezone: 3_600,
  id: 2_988_507,
  name: "Paris",
  cod: 200,
  units: "metric",
};

export const FORECAST_EXAMPLE: ForecastBodyValue = {
  cod: "200",
  units: "metric",
  message: 0,
  cnt: 1,
  list: [
    {
      dt: 1_795_262_400,
      main: { temp: 9.8, temp_min: 7.3, temp_max: 9.8, pressure: 1015, humidity: 78 },
      weather: [{ id: 500, main: "Rain", description: "light rain", icon: "10d" }],
      clouds: { all: 90 },
      wind: { speed: 5.2, deg: 225, gust: 9.1 },
      visibility: 10_000,
      pop: 0.62,
      rain: { "3h": 0.8 },
      sys: { pod: "d" },
      dt_txt: "2026-11-21 12:00:00",
    },
  ],
  city: {
    id: 2_988_507,
    name: "Paris",
    coord: PLACE,
    country: "FR",
    population: 2_138_551,
    timezone: 3_600,
    ...TODAY,
  },
};
