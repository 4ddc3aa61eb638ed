/** Current weather and the forecast (§4.12a, §4.12b). The key is never part of the url. */
import type { Location } from "#core/entities.ts";
import type { Failure } from "#core/outcome.ts";
import type { Current, Forecast, Site, Step } from "#core/weather/weather.ts";
import { type Row, toName, toNumber, toRow, toText, toTime_s } from "#providers/coerce.ts";
import type { Wire } from "#providers/lookup.ts";
import { failureOf, openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/answers.ts";
import descriptor, { type OpenWeatherMapSettings } from "#providers/openweathermap/index.ts";
import { toReading } from "#providers/openweathermap/reading.ts";
import { REFUSAL_BYTES, toLocation } from "#providers/place-rows.ts";
import type { SourceRequest } from "#providers/provider.ts";
import {
  byTime,
  toCell,
  type WeatherLookup,
  type WeatherQuery,
} from "#providers/weather-lookup.ts";

type Settings = OpenWeatherMapSettings;

export const openWeatherMapCurrent: WeatherLookup<Settings, Current> = {
  id: `${descriptor.id}.getWeather`,
  provider: descriptor,
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

export const openWeatherMapForecast: WeatherLookup<Settings, Forecast> = {
  id: `${descriptor.id}.getForecast`,
  provider: descriptor,
  keyOf: toKey,
  request: (query, settings) => ask("forecast", query, settings),
  read: (wire, _query, { trail }) => {
    const opened = open(wire);
    if (!opened.ok) return opened;
    const { list, city } = opened.row;
    if (!Array.isArray(list)) return { ok: false, ...WRONG_SHAPE };
    const steps = list.flatMap((each: unknown, index): Step[] => {
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

/** Five days of eight. */
const MOST = 40;

function toKey({ lat, lon, language }: WeatherQuery): string {
  return JSON.stringify([toCell(lat), toCell(lon), language]);
}

/** Without `units` it is Kelvin; the codes of languages are its own. */
function ask(path: string, query: WeatherQuery, settings: Settings): SourceRequest {
  const { url, api_key, timeout_ms } = settings;
  const { lat, lon, language: lang } = query;
  const parameters = new URLSearchParams({ lat: toCell(lat), lon: toCell(lon), lang });
  return {
    url: `${url}/data/2.5/${path}?${parameters.toString()}`,
    headers: { accept: "application/json" },
    auth: { kind: "query", name: "appid", value: api_key },
    ...{ max_bytes: descriptor.limits.max_bytes, refusal_bytes: REFUSAL_BYTES, timeout_ms },
  };
}

type Opened = { ok: true; row: Row } | ({ ok: false } & Failure);

/** `cod` is a number or a text, and may tell of a failure that the status does not. */
function open(wire: Wire): Opened {
  const opened = openAnswer(wire, {});
  if (!opened.ok) return opened;
  const row = toRow(opened.json);
  const cod = toNumber(row?.["cod"]);
  if (!row || cod === null) return { ok: false, ...WRONG_SHAPE };
  return cod === 200 ? { ok: true, row } : { ok: false, ...failureOf(cod, {}) };
}

function toStep(row: Row, reading: ReturnType<typeof toReading>): Step | string {
  if (typeof reading === "string") return reading;
  if (reading.at_s % 3_600 !== 0) return "time_not_hourly";
  const [pop, temp_kf] = [toNumber(row["pop"]), toNumber(toRow(row["main"])?.["temp_kf"])];
  return { ...reading, pop: pop !== null && pop >= 0 && pop <= 1 ? pop : null, temp_kf };
}

/** Zero stands for unknown in ids, populations and times of the sun; in offsets it is Greenwich. */
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
