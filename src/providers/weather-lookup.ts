/** Common parts of the sources of weather: the question, ranges of what can be, conditions. */
import type { WeatherLanguage } from "#api/weather.ts";
import type { Location } from "#kit/geo.ts";
import type { Span } from "#core/weather/outlook.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toNumber } from "#kit/coerce.ts";

export type WeatherQuery = Location & { language: WeatherLanguage };

/** Weather of this morning is no weather of now: an old answer is used for three hours only. */
export const WEATHER_STALE_S: number = 3 * 3_600;

/** MET Norway refuses more; a ten-thousandth is 11 m, and neighbours ask the same question. */
const DECIMALS = 4;

/** Degrees as text, never with an exponent and never -0. */
export function toCell(degrees: number): string {
  return String(Number(degrees.toFixed(DECIMALS)) + 0);
}

/** What has been seen on Earth, with room; anything beyond is a mistake and no weather. */
const RANGES = {
  temperature: [-100, 70],
  pressure: [300, 1_100],
  percent: [0, 100],
  visibility: [0, 1_000_000],
  speed: [0, 150],
  direction: [0, 360],
  fall: [0, 1_000],
} as const satisfies Record<string, readonly [low: number, high: number]>;

/** Returns a value of a quantity, or null; an impossible value is noted. */
export type Gauge = (quantity: keyof typeof RANGES, wire: unknown) => number | null;

/** Makes a gauge. `id`: what the trail names as an example. */
export function createGauge(trail: TrailRecorder, id: string): Gauge {
  return (quantity, wire) => {
    if (wire == null) return null;
    const value = toNumber(wire);
    const [low, high] = RANGES[quantity];
    if (value !== null && value >= low && value <= high) return value;
    trail.repair(`${quantity}_unusable`, id);
    return null;
  };
}

/** Sorts by time and keeps the first of each moment. */
export function byTime<T extends { at_s: number }>(rows: readonly T[], trail: TrailRecorder): T[] {
  const matches = new Map<number, T>();
  for (const row of rows) {
    if (matches.has(row.at_s)) trail.drop("time_duplicate", String(row.at_s));
    else matches.set(row.at_s, row);
  }
  return [...matches.values()].toSorted((a, b) => a.at_s - b.at_s);
}

/** Sorts by time and drops what reaches into another: the one that begins first stays. */
export function apart(spans: readonly Span[], trail: TrailRecorder): Span[] {
  let end_s = -Infinity;
  return spans
    .toSorted((a, b) => a.from_s - b.from_s)
    .filter(({ from_s, to_s }) => {
      const free = from_s >= end_s;
      if (free) end_s = to_s;
      else trail.drop("span_overlaps", String(from_s));
      return free;
    });
}
