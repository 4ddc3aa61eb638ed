/**
 * The bodies of §4.12a and §4.12b: in OpenWeatherMap's form, from any source. What is unknown is
 * left out (decisions, Legacy routes).
 */
import type { ForecastBodyValue, WeatherBodyValue, WeatherLanguage } from "#api/weather.ts";
import type { Location } from "#kit/geo.ts";
import { present } from "#kit/present.ts";
import { isNight, sunOf, type SunTimes } from "#core/weather/weather-sun.ts";
import { weatherText } from "#core/weather/texts.ts";
import { toHundredths, type Units } from "#core/weather/weather-units.ts";
import type {
  Condition,
  Current,
  Fall,
  Forecast,
  WeatherReading,
  Site,
} from "#core/weather/weather-model.ts";

/** Facts about the place known without asking a source of weather. `location`: where was asked. */
export type WeatherPlace = {
  location: Location;
  timezone_s: number;
  country: string | null;
};
export type Style = { language: WeatherLanguage; units: Units };

export function toWeatherBody(
  { reading, site, base }: Current,
  around: WeatherPlace,
  style: Style,
): WeatherBodyValue {
  const timezone = site.timezone_s ?? around.timezone_s;
  const { rain, snow } = reading;
  const { id, name } = site;
  return {
    coord: toCoord(site, around),
    weather: conditionsOf(reading, around, style),
    base,
    main: toMain(reading, style.units),
    ...present({ visibility: whole(reading.visibility_m) }),
    wind: toWind(reading, style.units),
    ...present({ rain: toFall(rain), snow: toFall(snow) }),
    clouds: present({ all: whole(reading.clouds_percent) }),
    dt: reading.at_s,
    sys: {
      ...present(site.station),
      ...present({ country: site.country ?? around.country }),
      ...toSun(site, around, { at_s: reading.at_s, timezone }),
    },
    timezone,
    ...present({ id, name }),
    cod: 200,
    units: style.units.name,
  };
}

export function toForecastBody(
  { steps, site }: Forecast,
  around: WeatherPlace,
  { language, units, now_s }: Style & { now_s: number },
): ForecastBodyValue {
  const timezone = site.timezone_s ?? around.timezone_s;
  const { id, name, population } = site;
  const list = steps.map((step) => ({
    dt: step.at_s,
    main: {
      ...toMain(step, units),
      ...present({ temp_kf: step.temp_kf === null ? null : units.warmth(step.temp_kf) }),
    },
    weather: conditionsOf(step, around, { language, units }),
    clouds: present({ all: whole(step.clouds_percent) }),
    wind: toWind(step, units),
    ...present({ visibility: whole(step.visibility_m) }),
    ...present({ pop: step.pop === null ? null : toHundredths(step.pop) }),
    ...present({ rain: toFall(step.rain), snow: toFall(step.snow) }),
    sys: { pod: letterOf(step.conditions[0], step, around) },
    dt_txt: toText(step.at_s),
  }));
  return {
    cod: "200",
    units: units.name,
    message: 0,
    cnt: list.length,
    list,
    city: {
      ...present({ id, name }),
      coord: toCoord(site, around),
      ...present({ country: site.country ?? around.country, population }),
      timezone,
      ...toSun(site, around, { at_s: now_s, timezone }),
    },
  };
}

function toCoord(site: Site, { location }: WeatherPlace): { lon: number; lat: number } {
  const { lat, lon } = site.location ?? location;
  return { lon, lat };
}

function toMain(reading: WeatherReading, { temperature }: Units) {
  const warm = (value: number | null): number | null =>
    value === null ? null : temperature(value);
  return {
    temp: temperature(reading.temp_c),
    ...present({
      feels_like: warm(reading.feels_like_c),
      temp_min: warm(reading.temp_min_c),
      temp_max: warm(reading.temp_max_c),
      pressure: whole(reading.pressure_hpa),
      humidity: whole(reading.humidity_percent),
      sea_level: whole(reading.sea_level_hpa),
      grnd_level: whole(reading.ground_level_hpa),
    }),
  };
}

function toWind({ wind_ms, wind_deg, gust_ms }: WeatherReading, { speed }: Units) {
  return present({
    speed: wind_ms === null ? null : speed(wind_ms),
    deg: whole(wind_deg),
    gust: gust_ms === null ? null : speed(gust_ms),
  });
}

/** Nothing fell: the member is not there, as with OpenWeatherMap. */
function toFall(fall: Fall | null): Fall | null {
  const entries = Object.entries(fall ?? {}).filter(([, mm]) => toHundredths(mm) > 0);
  const rounded = entries.map(([span, mm]) => [span, toHundredths(mm)]);
  return entries.length === 0 ? null : (Object.fromEntries(rounded) as Fall);
}

function conditionsOf(
  reading: WeatherReading,
  around: WeatherPlace,
  { language }: Style,
): WeatherBodyValue["weather"] {
  return reading.conditions.map((condition) => ({
    id: condition.id,
    main: condition.main,
    description: condition.description ?? weatherText(condition, language),
    icon: `${condition.icon}${letterOf(condition, reading, around)}`,
  }));
}

function letterOf(
  condition: Condition | undefined,
  { at_s }: WeatherReading,
  { location }: WeatherPlace,
): "d" | "n" {
  return (condition?.night ?? isNight(location, at_s)) ? "n" : "d";
}

/** As the source has it, else as we compute it; never one of each. */
function toSun(
  site: Site,
  { location }: WeatherPlace,
  { at_s, timezone }: { at_s: number; timezone: number },
) {
  const reported: SunTimes = site;
  const { sunrise_s: sunrise, sunset_s: sunset } =
    reported.sunrise_s === null || reported.sunset_s === null
      ? sunOf(location, at_s, timezone)
      : reported;
  return present({ sunrise, sunset });
}

/** `2026-11-21 15:00:00`, UTC. */
function toText(at_s: number): string {
  return new Date(at_s * 1_000).toISOString().slice(0, 19).replace("T", " ");
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value) + 0;
}
