/** One reading of OpenWeatherMap, now or in three hours: what was asked for is in K and m/s. */
import { findCondition } from "#core/weather/conditions.ts";
import { fromKelvin } from "#core/weather/weather-units.ts";
import type { Condition, Fall, WeatherReading } from "#core/weather/weather-model.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toList, toNumber, toRow, toText, toTime_s } from "#kit/coerce.ts";
import { createGauge, type Gauge } from "#providers/weather-lookup.ts";

const KELVIN = 273.15;

/** A reading, or why it is none. */
export function toReading(row: Row, trail: TrailRecorder): WeatherReading | string {
  const at_s = toTime_s(row["dt"]);
  if (at_s === null) return "time_unusable";
  const gauge = createGauge(trail, String(at_s));
  const main = toRow(row["main"]) ?? {};
  const temp_c = toCelsius(gauge, main["temp"]);
  if (temp_c === null) return "temperature_missing";
  const [wind, clouds] = [toRow(row["wind"]), toRow(row["clouds"])];
  return {
    at_s,
    temp_c,
    feels_like_c: toCelsius(gauge, main["feels_like"]),
    temp_min_c: toCelsius(gauge, main["temp_min"]),
    temp_max_c: toCelsius(gauge, main["temp_max"]),
    pressure_hpa: gauge("pressure", main["pressure"]),
    sea_level_hpa: gauge("pressure", main["sea_level"]),
    ground_level_hpa: gauge("pressure", main["grnd_level"]),
    humidity_percent: gauge("percent", main["humidity"]),
    visibility_m: gauge("visibility", row["visibility"]),
    wind_ms: gauge("speed", wind?.["speed"]),
    gust_ms: gauge("speed", wind?.["gust"]),
    wind_deg: gauge("direction", wind?.["deg"]),
    clouds_percent: gauge("percent", clouds?.["all"]),
    conditions: toConditions(row["weather"], trail),
    rain: toFall(gauge, row["rain"]),
    snow: toFall(gauge, row["snow"]),
  };
}

/** Kelvin on the wire; what is no temperature of Earth in Kelvin is none in Celsius either. */
function toCelsius(gauge: Gauge, wire: unknown): number | null {
  const kelvin = toNumber(wire);
  const celsius = gauge("temperature", kelvin === null ? wire : kelvin - KELVIN);
  return celsius === null || kelvin === null ? null : fromKelvin(kelvin);
}

function toFall(gauge: Gauge, wire: unknown): Fall | null {
  const row = toRow(wire);
  if (!row) return null;
  const [one, three] = [gauge("fall", row["1h"]), gauge("fall", row["3h"])];
  if (one === null && three === null) return null;
  return { ...(one !== null && { "1h": one }), ...(three !== null && { "3h": three }) };
}

function toConditions(wire: unknown, trail: TrailRecorder): Condition[] {
  return toList(wire).flatMap((each) => {
    const row = toRow(each);
    const condition = row && toCondition(row);
    if (!condition) trail.drop("condition_unknown", toText(row?.["id"]) ?? "");
    return condition ?? [];
  });
}

/** A code that we do not know yet is passed on if it says what it is. */
function toCondition(row: Row): Condition | null {
  const id = toNumber(row["id"]);
  if (id === null || !Number.isSafeInteger(id)) return null;
  const [, icon, letter] = /^(\d\d)([dn])$/.exec(toText(row["icon"]) ?? "") ?? [];
  const description = toText(row["description"]);
  const night = letter === undefined ? null : letter === "n";
  const condition = findCondition(id);
  if (condition) return { id, ...condition, night, description };
  const main = toText(row["main"]);
  if (main === null || description === null || icon === undefined) return null;
  return { id, main, icon, night, description };
}
