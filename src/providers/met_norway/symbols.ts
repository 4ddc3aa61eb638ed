/** MET Norway's symbols (metno/weathericons, weather/legend.csv) as OpenWeatherMap's codes. */
import { getCondition } from "#core/weather/conditions.ts";
import type { Condition } from "#core/weather/weather-model.ts";

/** By what falls, in three intensities. */
const FALLS = {
  rain: [500, 501, 502],
  rainshowers: [520, 521, 522],
  rainandthunder: [200, 201, 202],
  rainshowersandthunder: [200, 201, 202],
  sleet: [611, 611, 611],
  sleetshowers: [612, 613, 613],
  sleetandthunder: [211, 211, 211],
  sleetshowersandthunder: [211, 211, 211],
  snow: [600, 601, 602],
  snowshowers: [620, 621, 622],
  snowandthunder: [211, 211, 211],
  snowshowersandthunder: [211, 211, 211],
} as const;

export const SYMBOLS: ReadonlyMap<string, number> = new Map<string, number>([
  ...([
    ["clearsky", 800],
    ["fair", 801],
    ["partlycloudy", 802],
    ["cloudy", 804],
    ["fog", 741],
  ] as const),
  ...Object.entries(FALLS).flatMap(
    ([fall, [light, plain, heavy]]) =>
      [
        [`light${fall}`, light],
        [fall, plain],
        [`heavy${fall}`, heavy],
      ] as const,
  ),
  // As they are sent, with a letter too many.
  ["lightssleetshowersandthunder", 211],
  ["lightssnowshowersandthunder", 211],
]);

/** Returns the precipitation that a symbol means; sleet counts as rain. null: it means none. */
export function kindOfFall(symbol: string): "rain" | "snow" | null {
  if (symbol.includes("snow")) return "snow";
  return /rain|sleet/.test(symbol) ? "rain" : null;
}

/**
 * Returns a symbol's condition; `_polartwilight` is day; one without a suffix is the same day and
 * night.
 */
export function metNorwayCondition(symbol: string): Condition | null {
  const [, stem = "", suffix] = /^([a-z]+)(?:_(day|night|polartwilight))?$/.exec(symbol) ?? [];
  const id = SYMBOLS.get(stem);
  if (id === undefined) return null;
  return getCondition(id, suffix === undefined ? null : suffix === "night");
}
