/** Weather: in which units it is told, and who is asked (decisions, Legacy routes). */
import { Type } from "typebox";
import { WEATHER_UNITS } from "#contract/weather.ts";
import { section, text } from "#config/schema-parts.ts";
import { source } from "#config/schema-places.ts";

const url = Type.String({ format: "http-url" });

function address(description: string, fallback: string) {
  return Type.Union([url, Type.Null()], { default: fallback, description });
}

export const WEATHER_SCHEMAS = {
  openweathermap: source(
    {
      url: address("Base address, before /data/2.5.", "https://api.openweathermap.org"),
      api_key: text("Write it as ${NAME} of an environment variable."),
    },
    { description: "OpenWeatherMap: weather and forecast, with a key." },
  ),
  met_norway: source(
    { url: address("Base address, before /locationforecast.", "https://api.met.no/weatherapi") },
    { description: "MET Norway: weather and forecast of the whole world, without a key." },
  ),
  open_meteo: source(
    {
      url: address("Base address, before /v1/forecast.", "https://api.open-meteo.com"),
      api_key: text("For commercial use, together with its own address."),
    },
    {
      description:
        "Open-Meteo: weather and forecast; its free host is for non-commercial use. Asked only where weather.source names it.",
    },
  ),
} as const;
export type WeatherSourceName = keyof typeof WEATHER_SCHEMAS;

export const WeatherSchema = section(
  {
    units: Type.Enum([...WEATHER_UNITS], {
      default: "metric",
      description: "°C and m/s, K and m/s, or °F and miles an hour.",
    }),
    source: Type.Optional(
      Type.Enum(Object.keys(WEATHER_SCHEMAS) as WeatherSourceName[], {
        description: "Who is asked. Default: openweathermap where it has a key, else met_norway.",
      }),
    ),
  },
  "The legacy routes of weather and forecast.",
);
