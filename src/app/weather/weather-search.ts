/**
 * Weather and forecast at a point (§4.12a, §4.12b): one source, asked with its terms; where it knows
 * nothing of the place, country, time zone and the sun are found out here.
 */
import type {
  ForecastBodyValue,
  WeatherBodyValue,
  WeatherLanguage,
  WeatherUnits,
} from "#api/weather.ts";
import type { Location } from "#kit/geo.ts";
import {
  type Style,
  type WeatherPlace,
  toForecastBody,
  toWeatherBody,
} from "#core/weather/bodies.ts";
import { UNITS } from "#core/weather/weather-units.ts";
import type { Current, Forecast } from "#core/weather/weather-model.ts";
import type { Clock } from "#ports.ts";
import type { WeatherQuery } from "#providers/weather-lookup.ts";
import type { Ask } from "#upstream/lookup/ask-source.ts";
import { countryAt, type FindCountries } from "../country.ts";
import { askOne, type SourceReply } from "../one-source.ts";
import type { SearchInput } from "../search-reply.ts";
import { type FindTimezone, offsetOf_s } from "../timezone.ts";

export type WeatherDeps = {
  clock: Clock;
  /** Of the source, for messages. */
  source: string;
  /** null: no source of weather is configured. */
  ask: { current: Ask<WeatherQuery, Current>; forecast: Ask<WeatherQuery, Forecast> } | null;
  units: WeatherUnits;
  countries(): Promise<FindCountries>;
  timezones(): Promise<FindTimezone>;
};

export type WeatherQuestion = Location & { language: WeatherLanguage };
type Ways = { weather: WeatherBodyValue; forecast: ForecastBodyValue };
export type Weather = {
  [W in keyof Ways]: (input: SearchInput<WeatherQuestion>) => Promise<SourceReply<Ways[W]>>;
};

/** A step that began longer ago than it lasts is no forecast. */
const STEP_S = 3 * 3_600;

export function createWeather(deps: WeatherDeps): Weather {
  const { ask, clock } = deps;
  return {
    weather: (input) => answer(deps, input, ask?.current, toWeatherBody),
    forecast: (input) =>
      answer(deps, input, ask?.forecast, ({ steps, site }, around, style) => {
        const now_s = Math.floor(clock.now() / 1000);
        const ahead = steps.filter(({ at_s }) => at_s > now_s - STEP_S);
        return toForecastBody({ steps: ahead, site }, around, { ...style, now_s });
      }),
  };
}

async function answer<V, B>(
  deps: WeatherDeps,
  { question, deadline_ms, signal, keyed }: SearchInput<WeatherQuestion>,
  ask: Ask<WeatherQuery, V> | undefined,
  toBody: (value: V, around: WeatherPlace, style: Style) => B,
): Promise<SourceReply<B>> {
  const { clock, units, source: name } = deps;
  const answered = await askOne(ask, question, { clock, deadline_ms, signal, keyed, name });
  if (answered.kind === "failed") return answered;
  const { lat, lon, language } = question;
  const around = await surroundingsOf({ lat, lon }, deps);
  const body = toBody(answered.value, around, { language, units: UNITS[units] });
  return { kind: "ok", body, max_age_s: answered.max_age_s };
}

async function surroundingsOf(
  location: Location,
  { clock, countries, timezones }: WeatherDeps,
): Promise<WeatherPlace> {
  const { lat, lon } = location;
  const [find, zoneAt] = await Promise.all([countries(), timezones()]);
  const timezone_s = offsetOf_s(zoneAt(lat, lon), clock.now());
  return { location, country: countryAt(find, lat, lon), timezone_s };
}
