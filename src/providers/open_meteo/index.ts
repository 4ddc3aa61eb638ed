/**
 * Open-Meteo: forecasts without a key on a host that is for non-commercial use, with one on another.
 * Reference: open-meteo.com/en/docs, open-meteo/open-meteo (mobility.md 5.3).
 */
import { defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type OpenMeteoSettings = LookupSettings & { api_key: string | null };

export default defineProvider({
  id: "open_meteo",
  name: "Open-Meteo",
  kind: "lookup",
  operations: ["getWeather", "getForecast"],
  terms: {
    attribution: "Weather data by Open-Meteo.com",
    attribution_url: "https://open-meteo.com/",
    licence: "CC BY 4.0",
    licence_url: "https://creativecommons.org/licenses/by/4.0/",
    store: "all",
  },
  limits: { max_bytes: 1_024 * 1_024 },
  lifecycle: "active",
});
