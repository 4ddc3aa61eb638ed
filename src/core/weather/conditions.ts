/** OpenWeatherMap's condition codes: group and icon of each (openweathermap.org/weather-conditions). */
import type { Condition } from "#core/weather/weather-model.ts";

type Group = readonly [main: string, icon: string, ids: readonly number[]];

const GROUPS: readonly Group[] = [
  ["Thunderstorm", "11", [200, 201, 202, 210, 211, 212, 221, 230, 231, 232]],
  ["Drizzle", "09", [300, 301, 302, 310, 311, 312, 313, 314, 321]],
  ["Rain", "10", [500, 501, 502, 503, 504]],
  ["Rain", "13", [511]],
  ["Rain", "09", [520, 521, 522, 531]],
  ["Snow", "13", [600, 601, 602, 611, 612, 613, 615, 616, 620, 621, 622]],
  ["Mist", "50", [701]],
  ["Smoke", "50", [711]],
  ["Haze", "50", [721]],
  ["Dust", "50", [731, 761]],
  ["Fog", "50", [741]],
  ["Sand", "50", [751]],
  ["Ash", "50", [762]],
  ["Squall", "50", [771]],
  ["Tornado", "50", [781]],
  ["Clear", "01", [800]],
  ["Clouds", "02", [801]],
  ["Clouds", "03", [802]],
  ["Clouds", "04", [803, 804]],
];

/** Group and icon of every code there is. */
export const CONDITIONS: ReadonlyMap<number, { main: string; icon: string }> = new Map(
  GROUPS.flatMap(([main, icon, ids]) => ids.map((id) => [id, { main, icon }] as const)),
);

/** Group and icon of a code; undefined: none that is known. */
export function findCondition(id: number): { main: string; icon: string } | undefined {
  return CONDITIONS.get(id);
}

/** Returns the condition of a code of our own tables; throws for an unknown one, a programming error. */
export function getCondition(id: number, night: boolean | null): Condition {
  const condition = findCondition(id);
  if (!condition) throw new Error(`no condition ${id}`);
  return { id, ...condition, night, description: null };
}
