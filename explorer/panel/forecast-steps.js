/** Steps and days of the forecast by the clocks of the place. Pure. */

/**
 * As GET /realtime/{coords}/forecast/{lang} has it. An amount that is absent is not known: the body leaves out
 * zero as well as what no source states.
 * @typedef {{ dt: number, main: { temp: number, temp_min?: number, temp_max?: number }, weather: { description: string }[],
 *   wind: { speed?: number }, pop?: number, rain?: Record<string, number>, snow?: Record<string, number> }} Step
 * @typedef {{ list: readonly Step[], city: { timezone: number } }} Body
 * @typedef {{ chance: number | null, mm: number | null, isLeast: boolean }} Fall
 * `local_ms`: the moment as if the clocks of the place were those of UTC
 * @typedef {{ local_ms: number, least: number, most: number, fall: Fall, wind: { speed?: number } }} Day
 */

/** Steps of a whole day. */
const STEPS_OF_DAY = 8;
const STEP_MS = 10_800_000;

/** The steps of the next 24 hours. @param {Body} body */
export function toHours({ list, city }) {
  return list.slice(0, STEPS_OF_DAY).map((step) => ({
    local_ms: localOf(step, city),
    temp: step.main.temp,
    words: step.weather[0]?.description ?? "",
    fall: fallOf([step]),
    wind: step.wind,
  }));
}

/** The days after that of the first step. `until_ms`: end of the last step; null: the day is whole. @param {Body} body @returns {(Day & { until_ms: number | null })[]} */
export function toDays({ list, city }) {
  const dayOf = (/** @type {Step} */ step) => Math.floor(localOf(step, city) / 86_400_000);
  /** @type {Map<number, Step[]>} */
  const days = new Map();
  for (const step of list) days.set(dayOf(step), [...(days.get(dayOf(step)) ?? []), step]);
  return [...days.values()].slice(1).flatMap((steps) => {
    const [first, last] = [steps[0], steps.at(-1)];
    if (first === undefined || last === undefined) return [];
    const speeds = steps.flatMap(({ wind }) => wind.speed ?? []);
    return {
      local_ms: localOf(first, city),
      until_ms: steps.length < STEPS_OF_DAY ? localOf(last, city) + STEP_MS : null,
      least: Math.min(...steps.map(({ main }) => main.temp_min ?? main.temp)),
      most: Math.max(...steps.map(({ main }) => main.temp_max ?? main.temp)),
      fall: fallOf(steps),
      wind: speeds.length === 0 ? {} : { speed: Math.max(...speeds) },
    };
  });
}

/** The highest chance and the sum of the amounts that are known. @param {readonly Step[]} steps @returns {Fall} */
function fallOf(steps) {
  const chances = steps.flatMap(({ pop }) => pop ?? []);
  const amounts = steps.map(amountOf);
  const known = amounts.flatMap((mm) => mm ?? []);
  return {
    chance: chances.length === 0 ? null : Math.max(...chances),
    mm: known.length === 0 ? null : known.reduce((sum, mm) => sum + mm, 0),
    isLeast: known.length < amounts.length,
  };
}

/** Rain and snow together, millimetres; null: not known. @param {Step} step */
function amountOf({ rain, snow }) {
  const known = [rain?.["3h"], snow?.["3h"]].flatMap((mm) => mm ?? []);
  return known.length === 0 ? null : known.reduce((sum, mm) => sum + mm, 0);
}

/** @param {Step} step @param {Body["city"]} city */
function localOf({ dt }, { timezone }) {
  return (dt + timezone) * 1_000;
}
