/**
 * Weather in the service's own terms, from any source: °C, m/s, hPa, %, metres, millimetres of
 * water, Unix seconds. null is unknown, never 0 (decisions, Conventions).
 */
import type { Location } from "#kit/geo.ts";

/** Words by condition code. */
export type WeatherTexts = Readonly<Record<number, string>>;

/** Condition of the weather, by OpenWeatherMap's codes (conditions.ts). */
export type Condition = {
  id: number;
  /** Group, in English. */
  main: string;
  /** Two digits, without the letter for day or night. */
  icon: string;
  /** null: the source did not say; the sun decides. */
  night: boolean | null;
  /** In the language asked for, of sources that speak; null: our own text. */
  description: string | null;
};

/** Millimetres by the span that they fell in. */
export type Fall = { "1h"?: number; "3h"?: number };

/** Values measured or expected at a moment. */
export type WeatherReading = {
  at_s: number;
  temp_c: number;
  feels_like_c: number | null;
  temp_min_c: number | null;
  temp_max_c: number | null;
  pressure_hpa: number | null;
  sea_level_hpa: number | null;
  ground_level_hpa: number | null;
  humidity_percent: number | null;
  visibility_m: number | null;
  wind_ms: number | null;
  gust_ms: number | null;
  /** Where it comes from; 0 and 360 are north. */
  wind_deg: number | null;
  clouds_percent: number | null;
  conditions: readonly Condition[];
  rain: Fall | null;
  snow: Fall | null;
};

/**
 * Values of a step; `pop`: probability of precipitation, 0..1. `temp_kf`: a number of
 * OpenWeatherMap's own.
 */
export type ForecastStep = WeatherReading & { pop: number | null; temp_kf: number | null };

/** Facts a source states about the place; most know nothing, and it is found out here. */
export type Site = {
  location: Location | null;
  id: number | null;
  name: string | null;
  country: string | null;
  population: number | null;
  timezone_s: number | null;
  sunrise_s: number | null;
  sunset_s: number | null;
  /** Of OpenWeatherMap alone: its station and an undocumented number. */
  station: { type: number | null; id: number | null; message: number | null };
};

export const NOWHERE: Site = {
  location: null,
  id: null,
  name: null,
  country: null,
  population: null,
  timezone_s: null,
  sunrise_s: null,
  sunset_s: null,
  station: { type: null, id: null, message: null },
};

/** Current weather; `base`: where the numbers come from: `stations`, or `model`. */
export type Current = { reading: WeatherReading; site: Site; base: string };
export type Forecast = { steps: readonly ForecastStep[]; site: Site };
