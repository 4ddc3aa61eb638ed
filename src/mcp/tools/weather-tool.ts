/** get_weather: the weather now and in the next hours, in units that its members name. */
import { judgeStatus } from "#core/coverage.ts";
import { offsetOf_s, toLocalTime } from "#app/timezone.ts";
import type { Soon } from "#app/weather/soon.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import { findCondition } from "#core/weather/conditions.ts";
import { sunOf } from "#core/weather/weather-sun.ts";
import { weatherText } from "#core/weather/texts.ts";
import { toHundredths } from "#core/weather/weather-units.ts";
import type { Current, Fall, ForecastStep, WeatherReading } from "#core/weather/weather-model.ts";
import { localAt } from "../local.ts";
import { toCredits } from "../answer-sources.ts";
import type { AnswerOf, Refused, RunTool, ToolDeps } from "../tool.ts";

type Answer = AnswerOf<"get_weather">;
type Now = NonNullable<Answer["now"]>;
type Step = NonNullable<Answer["forecast"]>[number];

/** Of a forecast (§4.12b). */
const STEP_S = 3 * 3_600;

export function createGetWeather(deps: ToolDeps): RunTool<"get_weather"> {
  return async ({ lat, lon, hours }, { caller, ...query }) => {
    const question = { lat, lon };
    const soon = await deps.weather({ ...query, question, keyed: caller.kind === "keyed" });
    const { current, forecast } = soon;
    if (current.kind === "failed" && forecast.kind === "failed") return refuse(current);
    const now_ms = deps.clock.now();
    const local = await localAt(deps, question, { at_ms: now_ms });
    const say: SayTime = (at_s) => toLocalTime(local.time_zone, at_s * 1_000);
    const sources = soon.source_id === null ? [] : [soon.source_id];
    const answer = {
      ...toStatus(soon),
      query_origin: question,
      ...local,
      untrusted_text: true as const,
      now: current.kind === "ok" ? toNow(current.value, say) : null,
      forecast:
        forecast.kind === "ok" ? toSteps(forecast.value.steps, { now_ms, hours, say }) : null,
      ...toSun(question, { now_ms, time_zone: local.time_zone, say }),
      sources,
      freshness: { answered_at: new Date(now_ms).toISOString(), valid_for_s: validFor_s(soon) },
      attribution: toCredits([{ sources }], deps.termsOf),
    };
    const requested = [
      ...(current.kind === "ok" ? [{ operation: "getWeather", metered: ONE_ANSWER } as const] : []),
      ...(forecast.kind === "ok"
        ? [{ operation: "getForecast", metered: ONE_ANSWER } as const]
        : []),
    ];
    return { kind: "answered", answer, requested };
  };
}

/** Epoch seconds, in the offset of the point. */
type SayTime = (at_s: number) => string;

function refuse(failed: Extract<Soon["current"], { kind: "failed" }>): Refused {
  return { ...failed, kind: "refused", charged: false };
}

function toStatus({ current, forecast }: Soon): Pick<Answer, "status" | "message"> {
  const message =
    current.kind === "failed"
      ? `The weather of now is unknown: ${current.message}.`
      : forecast.kind === "failed"
        ? `What is to come is unknown: ${forecast.message}.`
        : null;
  const status = judgeStatus({ isIncomplete: message !== null, found: true });
  return { status, ...(message === null ? {} : { message }) };
}

function validFor_s({ current, forecast }: Soon): number | null {
  if (current.kind === "failed" || forecast.kind === "failed") return null;
  return Math.min(current.max_age_s, forecast.max_age_s);
}

function toNow({ reading, base }: Current, say: SayTime): Now {
  return {
    at: say(reading.at_s),
    basis: base === "model" ? "modelled" : "observed",
    ...toConditions(reading),
    precipitation_mm: sumOf(reading, "1h"),
  };
}

/** The steps that begin before the hours are over, and do not end before now. */
function toSteps(
  steps: readonly ForecastStep[],
  { now_ms, hours, say }: { now_ms: number; hours: number; say: SayTime },
): Step[] {
  const now_s = now_ms / 1_000;
  const ahead = steps.filter(({ at_s }) => at_s > now_s && at_s - STEP_S < now_s + hours * 3_600);
  return ahead.map((step) => ({
    from: say(step.at_s - STEP_S),
    until: say(step.at_s),
    ...toConditions(step),
    precipitation_mm: sumOf(step, "3h"),
    precipitation_probability_percent: step.pop === null ? null : Math.round(step.pop * 100),
  }));
}

function toConditions(reading: WeatherReading): Omit<Now, "at" | "basis" | "precipitation_mm"> {
  const { conditions, temp_c, feels_like_c, wind_ms, gust_ms, wind_deg } = reading;
  const { humidity_percent, clouds_percent, visibility_m } = reading;
  const id = conditions[0]?.id;
  // By our own tables: a source may put any text next to its codes.
  const entry = id === undefined ? undefined : findCondition(id);
  return {
    condition: entry?.main ?? null,
    description: entry && id !== undefined ? weatherText({ id, main: entry.main }, "en") : null,
    temperature_c: toHundredths(temp_c),
    feels_like_c: rounded(feels_like_c),
    wind_ms: rounded(wind_ms),
    gust_ms: rounded(gust_ms),
    wind_from_degrees: whole(wind_deg),
    humidity_percent: whole(humidity_percent),
    cloud_percent: whole(clouds_percent),
    visibility_m: whole(visibility_m),
  };
}

/** Rain and snow; what one of them lacks is nothing where the other is known. */
function sumOf(
  { rain, snow }: Pick<WeatherReading, "rain" | "snow">,
  span: keyof Fall,
): number | null {
  const defined = [rain?.[span], snow?.[span]].filter((mm) => mm !== undefined);
  return defined.length === 0 ? null : toHundredths(defined.reduce((sum, mm) => sum + mm, 0));
}

function rounded(value: number | null): number | null {
  return value === null ? null : toHundredths(value);
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value) + 0;
}

function toSun(
  at: { lat: number; lon: number },
  { now_ms, time_zone, say }: { now_ms: number; time_zone: string; say: SayTime },
): Pick<Answer, "sunrise" | "sunset"> {
  const times = sunOf(at, now_ms / 1_000, offsetOf_s(time_zone, now_ms));
  const { sunrise_s, sunset_s } = times;
  return {
    sunrise: sunrise_s === null ? null : say(sunrise_s),
    sunset: sunset_s === null ? null : say(sunset_s),
  };
}
