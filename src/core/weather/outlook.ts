/**
 * Current weather and a step for every third hour from a source with a series: the steps of §4.12b
 * are at 00, 03, … 21 UTC, whatever the source's own. Between two of its moments values are linear.
 */
import type {
  Current,
  Forecast,
  WeatherReading,
  ForecastStep,
} from "#core/weather/weather-model.ts";
import { NOWHERE } from "#core/weather/weather-model.ts";

/** A moment of a series; precipitation is given by span. */
export type Moment = Omit<WeatherReading, "temp_min_c" | "temp_max_c" | "rain" | "snow">;

/** Precipitation from one moment to another; `pop`: its probability, 0..1. */
export type Span = {
  from_s: number;
  to_s: number;
  rain_mm: number;
  snow_mm: number;
  pop: number | null;
};

/** Moments in order of time, each once; spans that do not overlap. */
export type Outlook = { moments: readonly Moment[]; spans: readonly Span[] };

const HOUR_S = 3_600;
const STEP_S = 3 * HOUR_S;
const STEPS = 40;
/** A moment further away than this says nothing of now. */
const NOW_S = 1.5 * HOUR_S;
/** Series become six-hourly after some days. */
const WIDEST_GAP_S = 6 * HOUR_S;

/** Returns the current weather; null: the series does not cover now. */
export function toCurrent({ moments, spans }: Outlook, now_s: number): Current | null {
  const before = moments.findLast(({ at_s }) => at_s <= now_s && now_s - at_s <= NOW_S);
  const moment = before ?? moments.find(({ at_s }) => at_s > now_s && at_s - now_s <= NOW_S);
  if (!moment) return null;
  const { at_s } = moment;
  const around = spans.find(({ from_s, to_s }) => from_s <= at_s && at_s < to_s);
  const hour = around && to1h(around);
  return {
    reading: {
      ...moment,
      ...extremesOf(moments, moment, { from_s: at_s - HOUR_S, to_s: at_s + HOUR_S }),
      rain: hour ? { "1h": hour.rain_mm } : null,
      snow: hour ? { "1h": hour.snow_mm } : null,
    },
    site: NOWHERE,
    base: "model",
  };
}

/** Returns up to forty steps, the first after now; those that the series does not reach are not there. */
export function toForecast(outlook: Outlook, now_s: number): Forecast {
  const first_s = (Math.floor(now_s / STEP_S) + 1) * STEP_S;
  const times = Array.from({ length: STEPS }, (_, index) => first_s + index * STEP_S);
  return { steps: times.flatMap((at_s) => toStep(outlook, at_s) ?? []), site: NOWHERE };
}

function toStep({ moments, spans }: Outlook, at_s: number): ForecastStep | null {
  const moment = momentAt(moments, at_s);
  if (!moment) return null;
  const reach = { from_s: at_s - STEP_S, to_s: at_s };
  const fall = fallOf(spans, reach);
  return {
    ...moment,
    ...extremesOf(moments, moment, reach),
    rain: fall ? { "3h": fall.rain_mm } : null,
    snow: fall ? { "3h": fall.snow_mm } : null,
    pop: popOf(spans, reach),
    temp_kf: null,
  };
}

/** The moment itself, or what lies between its neighbours. */
function momentAt(moments: readonly Moment[], at_s: number): Moment | null {
  const next = moments.findIndex((each) => each.at_s >= at_s);
  const after = moments[next];
  if (!after || after.at_s === at_s) return after ?? null;
  const before = moments[next - 1];
  if (!before || after.at_s - before.at_s > WIDEST_GAP_S) return null;
  return between(before, after, at_s);
}

function between(before: Moment, after: Moment, at_s: number): Moment {
  const share = (at_s - before.at_s) / (after.at_s - before.at_s);
  const line = <N extends number | null>(a: N, b: N): N =>
    (a === null || b === null ? null : a + (b - a) * share) as N;
  return {
    at_s,
    temp_c: line(before.temp_c, after.temp_c),
    feels_like_c: line(before.feels_like_c, after.feels_like_c),
    pressure_hpa: line(before.pressure_hpa, after.pressure_hpa),
    sea_level_hpa: line(before.sea_level_hpa, after.sea_level_hpa),
    ground_level_hpa: line(before.ground_level_hpa, after.ground_level_hpa),
    humidity_percent: line(before.humidity_percent, after.humidity_percent),
    visibility_m: line(before.visibility_m, after.visibility_m),
    wind_ms: line(before.wind_ms, after.wind_ms),
    gust_ms: line(before.gust_ms, after.gust_ms),
    wind_deg: turned(before.wind_deg, after.wind_deg, share),
    clouds_percent: line(before.clouds_percent, after.clouds_percent),
    // What it was said to be for the hours after the moment before; the sun moved on.
    conditions: before.conditions.map((each) => ({ ...each, night: null })),
  };
}

/** The shorter way round, in [0, 360). */
function turned(from: number | null, to: number | null, share: number): number | null {
  if (from === null || to === null) return null;
  const turn = ((((to - from) % 360) + 540) % 360) - 180;
  return (((from + turn * share) % 360) + 360) % 360;
}

type Reach = { from_s: number; to_s: number };

function extremesOf(moments: readonly Moment[], moment: Moment, { from_s, to_s }: Reach) {
  const near = moments.filter(({ at_s }) => at_s >= from_s && at_s <= to_s);
  const temps = [moment, ...near].map(({ temp_c }) => temp_c);
  return { temp_min_c: Math.min(...temps), temp_max_c: Math.max(...temps) };
}

function overlap_s(span: Span, { from_s, to_s }: Reach): number {
  return Math.max(0, Math.min(span.to_s, to_s) - Math.max(span.from_s, from_s));
}

/** Precipitation within; a span that reaches beyond gives its share. null: not wholly covered. */
function fallOf(spans: readonly Span[], reach: Reach): { rain_mm: number; snow_mm: number } | null {
  let [covered_s, rain_mm, snow_mm] = [0, 0, 0];
  for (const span of spans) {
    const within_s = overlap_s(span, reach);
    const share = within_s / (span.to_s - span.from_s);
    covered_s += within_s;
    rain_mm += span.rain_mm * share;
    snow_mm += span.snow_mm * share;
  }
  return covered_s === reach.to_s - reach.from_s ? { rain_mm, snow_mm } : null;
}

function popOf(spans: readonly Span[], reach: Reach): number | null {
  const within = spans.filter((span) => overlap_s(span, reach) > 0).map(({ pop }) => pop);
  const defined = within.filter((pop) => pop !== null);
  return defined.length === 0 ? null : Math.max(...defined);
}

function to1h(span: Span): { rain_mm: number; snow_mm: number } {
  const share = HOUR_S / (span.to_s - span.from_s);
  return { rain_mm: span.rain_mm * share, snow_mm: span.snow_mm * share };
}
