/** The codes of the WMO that Open-Meteo gives (WeatherCode.swift) as OpenWeatherMap's. */
import { getCondition } from "#core/weather/conditions.ts";
import type { Condition } from "#core/weather/weather-model.ts";

export const WMO_CODES: ReadonlyMap<number, number> = new Map([
  ...([
    [0, 800],
    [1, 801],
    [2, 802],
    [3, 804],
    [45, 741],
    [48, 741],
  ] as const),
  ...([
    [51, 300],
    [53, 301],
    [55, 302],
    [56, 511],
    [57, 511],
  ] as const),
  ...([
    [61, 500],
    [63, 501],
    [65, 502],
    [66, 511],
    [67, 511],
  ] as const),
  ...([
    [71, 600],
    [73, 601],
    [75, 602],
    [77, 600],
  ] as const),
  ...([
    [80, 520],
    [81, 521],
    [82, 522],
    [85, 620],
    [86, 622],
  ] as const),
  ...([
    [95, 211],
    [96, 201],
    [99, 202],
  ] as const),
]);
const OVERCAST = 3;
/** OpenWeatherMap's overcast begins here; below it clouds are broken. */
const OVERCAST_PERCENT = 85;
const BROKEN_ID = 803;

/** Returns the condition of a code; null: not one of the codes. */
export function toCondition(
  code: number,
  { clouds_percent, night }: { clouds_percent: number | null; night: boolean | null },
): Condition | null {
  const id = WMO_CODES.get(code);
  if (id === undefined) return null;
  const broken = code === OVERCAST && clouds_percent !== null && clouds_percent < OVERCAST_PERCENT;
  return getCondition(broken ? BROKEN_ID : id, night);
}
