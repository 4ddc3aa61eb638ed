/**
 * Weather now and its forecast of one point, from one source, in the service's own terms
 * (core/weather): what the legacy routes answer, before it has their form.
 */
import type { Location } from "#kit/geo.ts";
import type { Current, Forecast } from "#core/weather/weather-model.ts";
import { askOne, type Failed, type SourceAnswer } from "../one-source.ts";
import type { SearchInput } from "../search-reply.ts";
import type { WeatherDeps } from "./weather-search.ts";

type Deps = Pick<WeatherDeps, "clock" | "source" | "ask"> & {
  /** null: no source of weather is configured. */
  source_id: string | null;
};

/** Both answers, each of which may be a failure. */
export type Soon = {
  source_id: string | null;
  /** Of the source, for messages. */
  name: string;
  current: SourceAnswer<Current> | Failed;
  forecast: SourceAnswer<Forecast> | Failed;
};
export type WeatherSoon = (input: SearchInput<Location>) => Promise<Soon>;

export function createWeatherSoon({ clock, source: name, source_id, ask }: Deps): WeatherSoon {
  return async ({ question: { lat, lon }, deadline_ms, signal, keyed }) => {
    const query = { lat, lon, language: "en" } as const;
    const circumstances = { clock, deadline_ms, signal, keyed, name };
    const [current, forecast] = await Promise.all([
      askOne(ask?.current, query, circumstances),
      askOne(ask?.forecast, query, circumstances),
    ]);
    return { source_id, name, current, forecast };
  };
}
