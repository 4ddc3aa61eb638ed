/** The source of weather of a deployment (decisions, Legacy routes). */
import type { FindCountries } from "#app/country.ts";
import type { FindTimezone } from "#app/timezone.ts";
import type { SourceItem } from "#app/answer-types.ts";
import { fromSeries } from "#app/weather/series.ts";
import { createWeatherSoon, type WeatherSoon } from "#app/weather/soon.ts";
import { createWeather, type Weather, type WeatherDeps } from "#app/weather/weather-search.ts";
import type { Config } from "#config/load.ts";
import { listSources, type SourceId } from "#providers/registry.ts";
import { isConfigured } from "#providers/source.ts";
import type { AskDeps } from "#upstream/lookup/ask-source.ts";
import { askOf, type OpenedSource, openSource } from "#upstream/lookup/opened-source.ts";
import { type LookupHealth, toListed, toSourceItem } from "#app/source-items.ts";

export type OpenWeather = Weather & {
  soon: WeatherSoon;
  listSources(now_ms: number): SourceItem[];
};

type Deps = AskDeps & {
  health: LookupHealth;
  countries(): Promise<FindCountries>;
  timezones(): Promise<FindTimezone>;
};

export function openWeather({ weather, sources }: Config, deps: Deps): OpenWeather {
  const { clock, countries, timezones, health } = deps;
  const id = choose(weather.source, sources);
  // One that is named is shown though it is switched off.
  const opened = id && openSource(id, { ...sources, [id]: { ...sources[id], enabled: true } });
  const isOn = opened !== null && sources[opened.id].enabled && opened.configured;
  const listed = opened && toListed({ ...opened, configured: isOn });
  const source = opened?.source.name ?? "The source of weather";
  const ask = isOn ? toAsk(opened, deps) : null;
  return {
    ...createWeather({
      source,
      clock,
      ask,
      units: weather.units,
      countries,
      timezones,
    }),
    soon: createWeatherSoon({ source, source_id: id, clock, ask }),
    listSources: (now_ms) => (listed ? [toSourceItem(listed, health, now_ms)] : []),
  };
}

/** The source that the file names; else the first that has what it needs. */
function choose(name: string | null, sources: Config["sources"]): SourceId | null {
  const all = listSources().filter(([, { role }]) => role === "weather");
  const match = all.find(([id, source]) =>
    name === null
      ? !source.named_only && sources[id].enabled && isConfigured(source, sources[id])
      : id === name,
  );
  return match?.[0] ?? null;
}

function toAsk(opened: OpenedSource, deps: Deps): WeatherDeps["ask"] {
  const weather = opened.source.weather!;
  if ("series" in weather) return fromSeries(askOf(opened, weather.series, deps), deps.clock);
  return {
    current: askOf(opened, weather.current, deps),
    forecast: askOf(opened, weather.forecast, deps),
  };
}
