/**
 * MET Norway: forecasts for the whole world without a key, for everybody who says who asks. Reference:
 * api.met.no/doc, Locationforecast 2.0 and TermsOfService (mobility.md 5.4).
 */
import { defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type MetNorwaySettings = LookupSettings;

export default defineProvider({
  id: "met_norway",
  name: "MET Norway",
  kind: "lookup",
  operations: ["getWeather", "getForecast"],
  terms: {
    attribution: "Data from MET Norway",
    attribution_url: "https://api.met.no/",
    licence: "CC BY 4.0",
    licence_url: "https://creativecommons.org/licenses/by/4.0/",
    store: "all",
  },
  // Ten days of everything are 100 KiB.
  limits: { max_bytes: 4 * 1_024 * 1_024 },
  lifecycle: "active",
});
