/**
 * OpenWeatherMap: current weather and a five-day forecast, with a key. Reference:
 * openweathermap.org/current, openweathermap.org/forecast5 (mobility.md 5.1, 5.2).
 */
import { defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type OpenWeatherMapSettings = LookupSettings & { api_key: string };

export default defineProvider({
  id: "openweathermap",
  name: "OpenWeatherMap",
  kind: "lookup",
  operations: ["getWeather", "getForecast"],
  terms: {
    attribution: "Weather data provided by OpenWeather",
    attribution_url: "https://openweathermap.org/",
    licence: "CC BY-SA 4.0",
    licence_url: "https://creativecommons.org/licenses/by-sa/4.0/",
    store: "all",
  },
  limits: { max_bytes: 1_024 * 1_024 },
  lifecycle: "active",
});
