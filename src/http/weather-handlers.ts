/** Weather and forecast (§4.12a, §4.12b): one source is asked, as with geocoding. */
import type { Weather, WeatherQuestion } from "#app/weather/weather.ts";
import { findOperation } from "#contract/operations.ts";
import type { Decoded } from "#contract/primitives.ts";
import type { WEATHER_PARAMETERS } from "#contract/weather.ts";
import type { Clock } from "#ports.ts";
import type { Gate } from "./gate.ts";
import type { Handler } from "./handler.ts";
import { asking, ONE, sendFailed, sendJson } from "./search-handlers.ts";

export type WeatherHandlerDeps = { clock: Clock; gate: Gate; weather: Weather };
export type WeatherConfig = { deadlines_ms: { legacy: number } };

export function createWeatherHandlers(
  { clock, gate, weather }: WeatherHandlerDeps,
  { deadlines_ms }: WeatherConfig,
): Record<"getWeather" | "getForecast", Handler> {
  const telling = (id: "getWeather" | "getForecast", ask: Weather["weather"]): Handler => {
    const operation = findOperation(id);
    const tell = asking<WeatherQuestion, Awaited<ReturnType<typeof ask>>>(
      clock,
      deadlines_ms.legacy,
      ask,
      (exchange, caller, reply) => {
        if (reply.kind === "failed") return sendFailed(operation, exchange, reply);
        const send = (): void => sendJson(exchange, caller, reply.body, reply.max_age_s);
        return gate.release(exchange, { operation, caller, metered: ONE }, { send });
      },
    );
    return (exchange, caller, value) => tell(exchange, caller, toQuestion(value));
  };
  return {
    getWeather: telling("getWeather", weather.weather),
    getForecast: telling("getForecast", weather.forecast),
  };
}

function toQuestion(value: Record<string, unknown>): WeatherQuestion {
  const { coords, lang } = value as Decoded<typeof WEATHER_PARAMETERS>;
  return { ...coords, language: lang };
}
