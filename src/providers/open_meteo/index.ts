/**
 * Open-Meteo: forecasts without a key on a host that is for non-commercial use, with one on another:
 * one series for now and six days (§4.12a, §4.12b), as columns of hours that belong together.
 * Reference: open-meteo.com/en/docs, open-meteo/open-meteo (mobility.md 5.3).
 */
import type { TrailRecorder } from "#kit/trail.ts";
import type { Moment, Outlook, Span } from "#core/weather/outlook.ts";
import { type Row, toBool, toList, toNumber, toRow, toTime_s } from "#kit/coerce.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { toCondition } from "#providers/open_meteo/codes.ts";
import { address, lookupSettings, text } from "#providers/settings.ts";
import { defineSource, type WeatherReader } from "#providers/source.ts";
import {
  apart,
  byTime,
  createGauge,
  type Gauge,
  toCell,
  WEATHER_STALE_S,
} from "#providers/weather-lookup.ts";

type OpenMeteoSettings = LookupSettings & { api_key: string | null };

const NOW = [
  ...["temperature_2m", "relative_humidity_2m", "apparent_temperature", "is_day", "weather_code"],
  ...["cloud_cover", "pressure_msl", "surface_pressure", "visibility"],
  ...["wind_speed_10m", "wind_direction_10m", "wind_gusts_10m"],
] as const;
const FALLS = ["precipitation", "rain", "showers", "precipitation_probability"] as const;
const DAYS = 6;
const HOUR_S = 3_600;
/** As far as OpenWeatherMap sees. */
const FARTHEST_M = 10_000;

export const openMeteoForecast: WeatherReader<OpenMeteoSettings, Outlook> = {
  operation: "getForecast",
  keyOf: ({ lat, lon }) => JSON.stringify([toCell(lat), toCell(lon)]),
  request: ({ lat, lon }, { url, api_key }) => {
    const parameters = new URLSearchParams({
      latitude: toCell(lat),
      longitude: toCell(lon),
      current: NOW.join(","),
      hourly: [...NOW, ...FALLS].join(","),
      timeformat: "unixtime",
      wind_speed_unit: "ms",
      forecast_days: String(DAYS),
    });
    return {
      url: `${url}/v1/forecast?${parameters.toString()}`,
      headers: { accept: "application/json" },
      ...(api_key === null
        ? {}
        : { auth: { kind: "query" as const, name: "apikey", value: api_key } }),
    };
  },
  read: (wire, _query, { trail }) => {
    const opened = openAnswer(wire, {});
    if (!opened.ok) return opened;
    const body = toRow(opened.json);
    const hours = toHours(toRow(body?.["hourly"]));
    const now = toRow(body?.["current"]);
    const rows = now ? [...hours, now] : hours;
    const moments = rows.flatMap((row, index) => {
      const moment = toMoment(row, trail);
      if (typeof moment !== "string") return [moment];
      trail.drop(moment, `#${index}`);
      return [];
    });
    if (moments.length === 0) return { ok: false, ...WRONG_SHAPE };
    const spans = hours.flatMap((hour) => toSpan(hour, trail) ?? []);
    return {
      ok: true,
      value: { moments: byTime(moments, trail), spans: apart(spans, trail) },
      raw: rows.length,
    };
  },
};

export default defineSource({
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
  config: lookupSettings(
    "Open-Meteo: weather and forecast; its free host is for non-commercial use. Asked only where weather.source names it.",
    {
      url: address("Base address, before /v1/forecast.", "https://api.open-meteo.com"),
      api_key: text("For commercial use, together with its own address."),
    },
  ),
  role: "weather",
  named_only: true,
  policy: { cache_s: 600, places: 8, stale_s: WEATHER_STALE_S },
  weather: { series: openMeteoForecast },
});

/** Columns of equal length, turned into rows; a shorter column is unknown at its end. */
function toHours(columns: Row | null): Row[] {
  if (!columns) return [];
  const entries = Object.entries(columns).map(([name, column]) => [name, toList(column)] as const);
  return toList(columns["time"]).map((_, index) =>
    Object.fromEntries(entries.map(([name, column]) => [name, column[index]])),
  );
}

function toMoment(row: Row, trail: TrailRecorder): Moment | string {
  const at_s = toTime_s(row["time"]);
  if (at_s === null) return "time_unusable";
  const gauge = createGauge(trail, String(at_s));
  const temp_c = gauge("temperature", row["temperature_2m"]);
  if (temp_c === null) return "temperature_missing";
  const clouds_percent = gauge("percent", row["cloud_cover"]);
  const pressure_hpa = gauge("pressure", row["pressure_msl"]);
  return {
    at_s,
    temp_c,
    clouds_percent,
    pressure_hpa,
    sea_level_hpa: pressure_hpa,
    feels_like_c: gauge("temperature", row["apparent_temperature"]),
    ground_level_hpa: gauge("pressure", row["surface_pressure"]),
    humidity_percent: gauge("percent", row["relative_humidity_2m"]),
    visibility_m: toVisibility(gauge, row["visibility"]),
    wind_ms: gauge("speed", row["wind_speed_10m"]),
    gust_ms: gauge("speed", row["wind_gusts_10m"]),
    wind_deg: gauge("direction", row["wind_direction_10m"]),
    conditions: conditionsOf(row, clouds_percent, trail),
  };
}

function toVisibility(gauge: Gauge, wire: unknown): number | null {
  const metres = gauge("visibility", wire);
  return metres === null ? null : Math.min(metres, FARTHEST_M);
}

function conditionsOf(row: Row, clouds_percent: number | null, trail: TrailRecorder) {
  const code = toNumber(row["weather_code"]);
  if (code === null) return [];
  const day = toBool(row["is_day"]);
  const condition = toCondition(code, { clouds_percent, night: day === null ? null : !day });
  if (!condition) trail.repair("weather_code_unknown", String(code));
  return condition ? [condition] : [];
}

/** A value at an hour fell in the hour before it. Snow is in centimetres: what is left is snow. */
function toSpan(row: Row, trail: TrailRecorder): Span | null {
  const to_s = toTime_s(row["time"]);
  const gauge = createGauge(trail, String(to_s));
  const all = gauge("fall", row["precipitation"]);
  if (to_s === null || all === null) return null;
  const [rain, showers] = [gauge("fall", row["rain"]), gauge("fall", row["showers"])];
  // Without a value for rain it is unknown which it was.
  if (rain === null && showers === null && all > 0) return null;
  const rain_mm = Math.min(all, (rain ?? 0) + (showers ?? 0));
  const percent = gauge("percent", row["precipitation_probability"]);
  const pop = percent === null ? null : percent / 100;
  return { from_s: to_s - HOUR_S, to_s, rain_mm, snow_mm: all - rain_mm, pop };
}
