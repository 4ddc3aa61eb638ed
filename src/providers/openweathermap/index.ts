/**
 * OpenWeatherMap: current weather and a five-day forecast (§4.12a, §4.12b), with a key that is never
 * part of the url. Reference: openweathermap.org/current, openweathermap.org/forecast5 (mobility.md
 * 5.1, 5.2).
 */
import type { Location } from "#kit/geo.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Current, Forecast, Site, ForecastStep } from "#core/weather/weather-model.ts";
import { type Row, toName, toNumber, toRow, toText, toTime_s } from "#kit/coerce.ts";
import type { LookupSettings, WireAnswer } from "#providers/lookup.ts";
import { failureOf, openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { toReading } from "#providers/openweathermap/reading.ts";
import { toLocation } from "#providers/place-rows.ts";
import { address, lookupSettings, secret } from "#providers/settings.ts";
import { type BareRequest, defineSource, type WeatherReader } from "#providers/source.ts";
import { byTime, toCell, WEATHER_STALE_S, type WeatherQuery } from "#providers/weather-lookup.ts";

type Settings = LookupSettings & { api_key: string };

export const openWeatherMapCurrent: WeatherReader<Settings, Current> = {
  operation: "getWeather",
  keyOf: toKey,
  request: (query, settings) => ask("weather", query, settings),
  read: (wire, _query, { trail }) => {
    const opened = open(wire);
    if (!opened.ok) return opened;
    const { row } = opened;
    const reading = toReading(row, trail);
    if (typeof reading === "string") return { ok: false, ...WRONG_SHAPE };
    const sys = toRow(row["sys"]) ?? {};
    const site = toSite({ ...sys, ...row, country: sys["country"], sys });
    return { ok: true, value: { reading, site, base: toText(row["base"]) ?? "stations" }, raw: 1 };
  },
};

export const openWeatherMapForecast: WeatherReader<Settings, Forecast> = {
  operation: "getForecast",
  keyOf: toKey,
  request: (query, settings) => ask("forecast", query, settings),
  read: (wire, _query, { trail }) => {
    const opened = open(wire);
    if (!opened.ok) return opened;
    const { list, city } = opened.row;
    if (!Array.isArray(list)) return { ok: false, ...WRONG_SHAPE };
    const steps = list.flatMap((each: unknown, index): ForecastStep[] => {
      const row = toRow(each);
      const step = row ? toStep(row, toReading(row, trail)) : "row_malformed";
      if (typeof step !== "string") return [step];
      trail.drop(step, `#${index}`);
      return [];
    });
    // A list in which nothing is a step is another protocol, and no answer either.
    if (steps.length === 0) return { ok: false, ...WRONG_SHAPE };
    const value = { steps: byTime(steps, trail).slice(0, MOST), site: toSite(toRow(city) ?? {}) };
    return { ok: true, value, raw: list.length };
  },
};

export default defineSource({
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
  config: lookupSettings("OpenWeatherMap: weather and forecast, with a key.", {
    url: address("Base address, before /data/2.5.", "https://api.openweathermap.org"),
    api_key: secret(),
  }),
  needs: ["url", "api_key"],
  key: { variable: "OPENWEATHERMAP_API_KEY", member: "api_key" },
  role: "weather",
  paid: true,
  // It updates every ten minutes; forecasts change by the hour.
  policy: { cache_s: 600, places: 8, stale_s: WEATHER_STALE_S },
  weather: {
    current: openWeatherMapCurrent,
    forecast: { ...openWeatherMapForecast, cache_s: 3_600 },
  },
});

/** Five days of eight. */
const MOST = 40;

function toKey({ lat, lon, language }: WeatherQuery): string {
  return JSON.stringify([toCell(lat), toCell(lon), language]);
}

/** Without `units` it is Kelvin; the codes of languages are its own. */
function ask(path: string, query: WeatherQuery, settings: Settings): BareRequest {
  const { url, api_key } = settings;
  const { lat, lon, language: lang } = query;
  const parameters = new URLSearchParams({ lat: toCell(lat), lon: toCell(lon), lang });
  return {
    url: `${url}/data/2.5/${path}?${parameters.toString()}`,
    headers: { accept: "application/json" },
    auth: { kind: "query", name: "appid", value: api_key },
  };
}

type Opened = { ok: true; row: Row } | ({ ok: false } & Failure);

/** `cod` is a number or a text, and may report a failure that the status does not. */
function open(wire: WireAnswer): Opened {
  const opened = openAnswer(wire, {});
  if (!opened.ok) return opened;
  const row = toRow(opened.json);
  const cod = toNumber(row?.["cod"]);
  if (!row || cod === null) return { ok: false, ...WRONG_SHAPE };
  return cod === 200 ? { ok: true, row } : { ok: false, ...failureOf(cod, {}) };
}

function toStep(row: Row, reading: ReturnType<typeof toReading>): ForecastStep | string {
  if (typeof reading === "string") return reading;
  if (reading.at_s % 3_600 !== 0) return "time_not_hourly";
  const [pop, temp_kf] = [toNumber(row["pop"]), toNumber(toRow(row["main"])?.["temp_kf"])];
  return { ...reading, pop: pop !== null && pop >= 0 && pop <= 1 ? pop : null, temp_kf };
}

/** Zero means unknown in ids, populations and times of the sun; in offsets it is Greenwich. */
function toSite(row: Row): Site {
  const coord = toRow(row["coord"]);
  const location: Location | string = toLocation(coord?.["lat"], coord?.["lon"]);
  const offset_s = toNumber(row["timezone"]);
  const sys = toRow(row["sys"]);
  return {
    location: typeof location === "string" ? null : location,
    id: orUnknown(toNumber(row["id"])),
    name: toName(row["name"]),
    country: toText(row["country"]),
    population: orUnknown(toNumber(row["population"])),
    timezone_s: offset_s !== null && isOffset(offset_s) ? offset_s : null,
    sunrise_s: toTime_s(row["sunrise"]),
    sunset_s: toTime_s(row["sunset"]),
    station: {
      type: toWhole(sys?.["type"]),
      id: toWhole(sys?.["id"]),
      message: toNumber(sys?.["message"]),
    },
  };
}

function orUnknown(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function toWhole(wire: unknown): number | null {
  const value = toNumber(wire);
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

const MOST_OFFSET_S = 15 * 3_600;

function isOffset(value_s: number): boolean {
  return Number.isInteger(value_s) && Math.abs(value_s) <= MOST_OFFSET_S;
}
