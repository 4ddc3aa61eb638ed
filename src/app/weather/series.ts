/** Sources with one series for everything: current weather and steps come from the same answer. */
import { type Outlook, toCurrent, toForecast } from "#core/weather/outlook.ts";
import type { Clock } from "#ports.ts";
import type { WeatherQuery } from "#providers/weather-lookup.ts";
import type { Ask, CachedValue } from "#upstream/lookup/ask-source.ts";
import type { WeatherDeps } from "./weather-search.ts";

export function fromSeries(
  ask: Ask<WeatherQuery, Outlook>,
  clock: Clock,
): NonNullable<WeatherDeps["ask"]> {
  const now_s = (): number => Math.floor(clock.now() / 1000);
  return {
    current: take(ask, (outlook) => toCurrent(outlook, now_s())),
    forecast: take(ask, (outlook) => {
      const forecast = toForecast(outlook, now_s());
      return forecast.steps.length === 0 ? null : forecast;
    }),
  };
}

/** A series that has nothing of the time asked for is an answer that is no good. */
function take<A, B>(
  ask: Ask<WeatherQuery, A>,
  meaning: (value: A) => B | null,
): Ask<WeatherQuery, B> {
  const of = (stored: CachedValue<A>): CachedValue<B> | null => {
    const value = meaning(stored.value);
    return value === null ? null : { ...stored, value };
  };
  return async (query, options) => {
    const reply = await ask(query, options);
    if (reply.status !== "ok") return { ...reply, rescue: reply.rescue && of(reply.rescue) };
    const stored = of(reply.stored);
    return stored ? { ...reply, stored } : { status: "error", reason: "out_of_time", rescue: null };
  };
}
