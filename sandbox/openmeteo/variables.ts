// The variables of the simulated Open-Meteo, with their units. What falls is that of the hour before.
import type { Point } from "../geo.ts";
import { hash } from "../rng.ts";
import { isDay } from "../world/sun.ts";
import {
  type Fall,
  fallIn,
  HOUR_MS,
  hourOf,
  type Sky,
  type Weather,
  weatherAt,
} from "../world/weather.ts";

export const UNITS: Readonly<Record<string, string>> = {
  temperature_2m: "°C",
  relative_humidity_2m: "%",
  apparent_temperature: "°C",
  is_day: "",
  precipitation: "mm",
  rain: "mm",
  showers: "mm",
  snowfall: "cm",
  weather_code: "wmo code",
  cloud_cover: "%",
  pressure_msl: "hPa",
  surface_pressure: "hPa",
  visibility: "m",
  wind_speed_10m: "m/s",
  wind_direction_10m: "°",
  wind_gusts_10m: "m/s",
  precipitation_probability: "%",
};

export const isVariable = (name: string): boolean => Object.hasOwn(UNITS, name);

const CODES: Readonly<Record<Sky["kind"], readonly number[]>> = {
  clouds: [0, 1, 2, 3, 3],
  fog: [45],
  rain: [61, 63, 65],
  showers: [80, 81, 82],
  snow: [71, 73, 75],
  thunder: [96, 96, 96],
};

type Read = (facts: { weather: Weather; fall: Fall; day: boolean; key: number }) => number | null;

const READERS: Readonly<Record<string, Read>> = {
  temperature_2m: ({ weather }) => weather.temp_c,
  relative_humidity_2m: ({ weather }) => weather.humidity,
  apparent_temperature: ({ weather }) => weather.feels_c,
  is_day: ({ day }) => (day ? 1 : 0),
  precipitation: ({ fall }) => fall.mm,
  rain: ({ fall, weather }) => (fall.snow || weather.sky.kind === "showers" ? 0 : fall.mm),
  showers: ({ fall, weather }) => (!fall.snow && weather.sky.kind === "showers" ? fall.mm : 0),
  // Seven centimetres of it are ten millimetres of water.
  snowfall: ({ fall }) => (fall.snow ? Math.round(fall.mm * 70) / 100 : 0),
  weather_code: ({ weather: { sky } }) => CODES[sky.kind][sky.level] ?? 0,
  cloud_cover: ({ weather }) => weather.clouds,
  pressure_msl: ({ weather }) => weather.pressure_hpa,
  surface_pressure: ({ weather }) => Math.round((weather.pressure_hpa - 4.5) * 10) / 10,
  // Some models do not know it.
  visibility: ({ weather, key }) => (key % 4 === 0 ? null : weather.visibility_m),
  wind_speed_10m: ({ weather }) => weather.wind_ms,
  wind_direction_10m: ({ weather }) => weather.wind_deg,
  wind_gusts_10m: ({ weather }) => weather.gust_ms,
  precipitation_probability: ({ fall }) => fall.percent,
};

export function valueOf(name: string, seed: number, at: Point, at_ms: number): number | null {
  const facts = {
    weather: weatherAt(seed, at, at_ms),
    fall: fallIn(seed, at, hourOf(at_ms) - HOUR_MS),
    day: isDay(at, at_ms),
    key: hash(seed, Math.round(at.lat), Math.round(at.lon), 0x77),
  };
  return READERS[name]?.(facts) ?? null;
}
