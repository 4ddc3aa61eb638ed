/** The sources of weather of a deployment, put together (decisions, Legacy routes). */
import type { Sandbox } from "../../sandbox/main.ts";
import type { FindCountries } from "#app/country.ts";
import { loadTimezones } from "#app/timezone.ts";
import type { SourceItem } from "#app/types.ts";
import { fromSeries } from "#app/weather/series.ts";
import { createWeather, type Weather, type WeatherDeps } from "#app/weather/weather.ts";
import type { Config } from "#config/load.ts";
import { WEATHER_SCHEMAS, type WeatherSourceName } from "#config/schema-weather.ts";
import type { SettledWeather } from "#config/weather.ts";
import type { Descriptor } from "#providers/define.ts";
import metNorway from "#providers/met_norway/index.ts";
import { metNorwayForecast } from "#providers/met_norway/forecast.ts";
import openMeteo from "#providers/open_meteo/index.ts";
import { openMeteoForecast } from "#providers/open_meteo/forecast.ts";
import openWeatherMap from "#providers/openweathermap/index.ts";
import {
  openWeatherMapCurrent,
  openWeatherMapForecast,
} from "#providers/openweathermap/weather.ts";
import type { AskDeps } from "#upstream/lookup/ask.ts";
import type { LookupPolicy } from "#upstream/lookup/policy.ts";
import { type LookupHealth, toSourceItem } from "./places/health.ts";
import { askOf, treat } from "./places/parts.ts";
import { toBase } from "./places/settings.ts";

export type OpenWeather = Weather & {
  addresses: readonly { url: string }[];
  listSources(now_ms: number): SourceItem[];
};

type Deps = AskDeps & { health: LookupHealth; countries(): Promise<FindCountries> };

/** OpenWeatherMap updates every ten minutes, forecasts change by the hour. */
const CURRENT_S = 600;
const FORECAST_S = 3_600;
/** Weather of this morning is no weather of now: an old answer stands in for so long only. */
const RESCUE_MS = 3 * 3_600_000;
/** Below twenty a second for everybody who asks with this name (MET Norway, terms of service). */
const MET_PER_SECOND = 15;

export function openWeather(config: Config, sandbox: Sandbox | null, deps: Deps): OpenWeather {
  const settled = fillIn(config.sources.weather, sandbox);
  const asked = choose(settled);
  const ask = asked === null ? null : OPEN[asked](settled, deps);
  const { units } = settled;
  const { clock, countries } = deps;
  const source = asked === null ? "The source of weather" : PROVIDERS[asked].name;
  const weather = createWeather({
    source,
    clock,
    ask,
    units,
    countries,
    timezones: once(loadTimezones),
  });
  const configured = asked !== null && isConfigured(settled, asked);
  return {
    ...weather,
    addresses: NAMES.flatMap((name) => settled[name].url ?? []).map((url) => ({ url })),
    listSources: (now_ms) =>
      asked === null ? [] : [toItem(asked, settled, { configured, now_ms, health: deps.health })],
  };
}

const NAMES = Object.keys(WEATHER_SCHEMAS) as WeatherSourceName[];
const PROVIDERS: Readonly<Record<WeatherSourceName, Descriptor>> = {
  openweathermap: openWeatherMap,
  met_norway: metNorway,
  open_meteo: openMeteo,
};

/** What the file leaves open is filled in by the simulator. */
function fillIn(weather: SettledWeather, sandbox: Sandbox | null): SettledWeather {
  if (!sandbox) return weather;
  const upstreams = sandbox.upstreams();
  const filled = NAMES.map((name) => {
    const usual = (WEATHER_SCHEMAS[name].properties.url as { default?: unknown }).default;
    const open = weather[name].simulated && weather[name].url === usual;
    return [name, open ? { ...weather[name], ...upstreams[name] } : weather[name]];
  });
  return { ...weather, ...(Object.fromEntries(filled) as Partial<SettledWeather>) };
}

/** Whom the file names; else OpenWeatherMap where it has a key, else MET Norway. */
function choose(settled: SettledWeather): WeatherSourceName | null {
  if (settled.source !== null) return settled.source;
  const usual = ["openweathermap", "met_norway"] as const;
  return usual.find((name) => isConfigured(settled, name)) ?? null;
}

function isConfigured(settled: SettledWeather, name: WeatherSourceName): boolean {
  const { enabled, url } = settled[name];
  return enabled && url !== null && (name !== "openweathermap" || settled[name].api_key !== null);
}

type Open = (settled: SettledWeather, deps: Deps) => WeatherDeps["ask"];

/** null: it lacks its key or its address, or is switched off. */
const OPEN: Readonly<Record<WeatherSourceName, Open>> = {
  openweathermap: ({ openweathermap: stated }, deps) => {
    const { enabled, url, api_key, timeout_ms } = stated;
    if (!enabled || url === null || api_key === null) return null;
    const settings = { url: toBase(url), api_key, timeout_ms };
    const treated = (cache_s: number): LookupPolicy =>
      soon(treat(openWeatherMap, stated, { cache_s, places: 8 }));
    const [now, ahead] = [treated(CURRENT_S), treated(FORECAST_S)];
    return {
      current: askOf(openWeatherMapCurrent, { settings, policy: now }, deps),
      forecast: askOf(openWeatherMapForecast, { settings, policy: ahead }, deps),
    };
  },
  met_norway: ({ met_norway: stated }, deps) => {
    const { enabled, url, timeout_ms } = stated;
    if (!enabled || url === null) return null;
    const settings = { url: toBase(url), timeout_ms };
    const usual = { cache_s: FORECAST_S, places: 8, per_second: MET_PER_SECOND };
    const policy = soon(treat(metNorway, stated, usual));
    return fromSeries(askOf(metNorwayForecast, { settings, policy }, deps), deps.clock);
  },
  open_meteo: ({ open_meteo: stated }, deps) => {
    const { enabled, url, api_key, timeout_ms } = stated;
    if (!enabled || url === null) return null;
    const settings = { url: toBase(url), api_key, timeout_ms };
    const policy = soon(treat(openMeteo, stated, { cache_s: CURRENT_S, places: 8 }));
    return fromSeries(askOf(openMeteoForecast, { settings, policy }, deps), deps.clock);
  },
};

function soon(policy: LookupPolicy): LookupPolicy {
  const [renew_ms, rescue_ms] = [policy.renew_ms, policy.rescue_ms].map((ms) =>
    Math.min(ms, RESCUE_MS),
  ) as [number, number];
  return { ...policy, renew_ms, rescue_ms };
}

function toItem(
  name: WeatherSourceName,
  settled: SettledWeather,
  { configured, now_ms, health }: { configured: boolean; now_ms: number; health: LookupHealth },
): SourceItem {
  const provider = PROVIDERS[name];
  const { id, operations } = provider;
  const listed = { id, name: provider.name, operations, provider, configured, registry: null };
  return toSourceItem({ ...listed, terms: settled[name] }, health, now_ms);
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
