/**
 * MET Norway: forecasts for the whole world without a key, one series for now and ten days (§4.12a,
 * §4.12b). Its terms: at most four decimals, a user agent with a contact (every call has one), Expires
 * and If-Modified-Since. Reference: api.met.no/doc, Locationforecast 2.0 and TermsOfService
 * (mobility.md 5.4).
 */
import type { TrailRecorder } from "#kit/trail.ts";
import type { Moment, Outlook, Span } from "#core/weather/outlook.ts";
import { type Row, toList, toRow, toText, toTime_s } from "#kit/coerce.ts";
import { kindOfFall, metNorwayCondition } from "#providers/met_norway/symbols.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { defineSource, type WeatherReader } from "#providers/source.ts";
import { apart, byTime, createGauge, toCell, WEATHER_STALE_S } from "#providers/weather-lookup.ts";

/** Forecast by `complete`, which has gusts and probabilities where `compact` does not. */
export const metNorwayForecast: WeatherReader<LookupSettings, Outlook> = {
  operation: "getForecast",
  honours_expiry: true,
  keyOf: ({ lat, lon }) => JSON.stringify([toCell(lat), toCell(lon)]),
  request: ({ lat, lon }, { url }) => ({
    url: `${url}/locationforecast/2.0/complete?lat=${toCell(lat)}&lon=${toCell(lon)}`,
    headers: { accept: "application/json" },
  }),
  read: (wire, _query, { trail }) => {
    const opened = openAnswer(wire, {});
    if (!opened.ok) return opened;
    const series = toRow(toRow(opened.json)?.["properties"])?.["timeseries"];
    const entries = toList(series).flatMap((each, index) => {
      const entry = toEntry(each, trail);
      if (typeof entry !== "string") return [entry];
      trail.drop(entry, `#${index}`);
      return [];
    });
    // No moment at all is another protocol.
    if (entries.length === 0) return { ok: false, ...WRONG_SHAPE };
    const ordered = byTime(entries, trail);
    const moments = ordered.map(({ moment }) => moment);
    const spans = apart(
      ordered.flatMap(({ span }) => span ?? []),
      trail,
    );
    return { ok: true, value: { moments, spans }, raw: toList(series).length };
  },
};

export default defineSource({
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
  config: lookupSettings("MET Norway: weather and forecast of the whole world, without a key.", {
    url: address("Base address, before /locationforecast.", "https://api.met.no/weatherapi"),
  }),
  role: "weather",
  // Below twenty a second for all that use this name (terms of service).
  policy: { cache_s: 3_600, places: 8, per_second: 15, stale_s: WEATHER_STALE_S },
  weather: { series: metNorwayForecast },
});

type Entry = { at_s: number; moment: Moment; span: Span | null };

function toEntry(wire: unknown, trail: TrailRecorder): Entry | string {
  const row = toRow(wire);
  const at_s = toTime_s(row?.["time"]);
  if (at_s === null) return "time_unusable";
  const data = toRow(row?.["data"]) ?? {};
  const details = toRow(toRow(data["instant"])?.["details"]) ?? {};
  const gauge = createGauge(trail, String(at_s));
  const temp_c = gauge("temperature", details["air_temperature"]);
  if (temp_c === null) return "temperature_missing";
  const pressure_hpa = gauge("pressure", details["air_pressure_at_sea_level"]);
  const symbols = symbolsOf(data);
  const defined = symbols.map(metNorwayCondition).filter((each) => each !== null);
  if (defined.length < symbols.length) trail.repair("symbol_unknown", String(at_s));
  const moment: Moment = {
    at_s,
    temp_c,
    feels_like_c: null,
    pressure_hpa,
    sea_level_hpa: pressure_hpa,
    ground_level_hpa: null,
    visibility_m: null,
    humidity_percent: gauge("percent", details["relative_humidity"]),
    wind_ms: gauge("speed", details["wind_speed"]),
    gust_ms: gauge("speed", details["wind_speed_of_gust"]),
    wind_deg: gauge("direction", details["wind_from_direction"]),
    clouds_percent: gauge("percent", details["cloud_area_fraction"]),
    conditions: defined.slice(0, 1),
  };
  return { at_s, moment, span: toSpan(data, moment, trail) };
}

/** Of the shortest time ahead first. */
function symbolsOf(data: Row): string[] {
  return ["next_1_hours", "next_6_hours", "next_12_hours"]
    .map((name) => toText(toRow(toRow(data[name])?.["summary"])?.["symbol_code"]))
    .filter((symbol) => symbol !== null);
}

const SPANS = [
  ["next_1_hours", 3_600],
  ["next_6_hours", 21_600],
] as const;
/** At and below it what falls is snow, where the symbol does not say (0.5 °C: half of it is). */
const SNOW_C = 0.5;

function toSpan(data: Row, { at_s, temp_c }: Moment, trail: TrailRecorder): Span | null {
  const gauge = createGauge(trail, String(at_s));
  for (const [name, length_s] of SPANS) {
    const ahead = toRow(data[name]);
    const details = toRow(ahead?.["details"]);
    const amount = gauge("fall", details?.["precipitation_amount"]);
    if (amount === null) continue;
    const symbol = toText(toRow(ahead?.["summary"])?.["symbol_code"]) ?? "";
    const kind = kindOfFall(symbol) ?? (temp_c <= SNOW_C ? "snow" : "rain");
    const percent = gauge("percent", details?.["probability_of_precipitation"]);
    return {
      from_s: at_s,
      to_s: at_s + length_s,
      pop: percent === null ? null : percent / 100,
      rain_mm: kind === "rain" ? amount : 0,
      snow_mm: kind === "snow" ? amount : 0,
    };
  }
  return null;
}
