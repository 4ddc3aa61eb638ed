// Service days of a city: numbers of days since 1970-01-01, each from noon minus twelve hours on the
// city's clocks, and which services run on them.

const DAY_MS = 86_400_000;
const HALF_DAY_MS = DAY_MS / 2;

export type Days = {
  /** When a service day begins, epoch ms. */
  start_ms(day: number): number;
  /** Days that a moment may belong to: trips run until four in the morning of the next one. */
  around(at_ms: number): number[];
};

export function createDays(time_zone: string): Days {
  const cache = new Map<number, number>();
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: time_zone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const offsetAt = (at_ms: number): number => readClock(format, at_ms) - at_ms;
  const find = (day: number): number => {
    const noon = day * DAY_MS + HALF_DAY_MS;
    const guess = noon - offsetAt(noon);
    return noon - offsetAt(guess) - HALF_DAY_MS;
  };
  return {
    start_ms(day) {
      const match = cache.get(day) ?? find(day);
      cache.set(day, match);
      return match;
    },
    around(at_ms) {
      const today = Math.floor(at_ms / DAY_MS);
      return [today - 2, today - 1, today, today + 1];
    },
  };
}

/** What the clocks show, as if it were UTC. */
function readClock(format: Intl.DateTimeFormat, at_ms: number): number {
  const parts = format.formatToParts(at_ms);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = [
    ...(["year", "month", "day", "hour", "minute", "second"] as const),
  ].map((type) => Number(parts.find((part) => part.type === type)?.value ?? 0));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** A day as GTFS writes it: 20260105. */
export const toDate = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");

/**
 * `workdays` do not run on holidays, `festive` on nothing else; `nights` are those before Saturdays
 * and Sundays.
 */
export const SERVICES = ["daily", "workdays", "nights", "festive"] as const;
export type Service = (typeof SERVICES)[number];

/** Monday first; all false: exceptions alone. */
export const WEEK: Readonly<Record<Service, readonly boolean[]>> = {
  daily: [true, true, true, true, true, true, true],
  workdays: [true, true, true, true, true, false, false],
  nights: [false, false, false, false, true, true, false],
  festive: [false, false, false, false, false, false, false],
};

export const isHoliday = (day: number): boolean => day % 17 === 5;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (day + 3) % 7;

export function runsOn(service: Service, day: number): boolean {
  if (isHoliday(day) && service === "festive") return true;
  if (isHoliday(day) && service === "workdays") return false;
  return WEEK[service][weekdayOf(day)] ?? false;
}
