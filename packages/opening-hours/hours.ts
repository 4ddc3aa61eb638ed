/** Evaluates opening hours at a moment and a place: open, closed or unknown, and until when. */
import { createHolidays, type Holidays } from "./holidays.ts";
import { DAY_MIN, type Hours, toHours } from "./hours-model.ts";
import { parseRules } from "./parse-hours.ts";
import {
  type PlanOutcome,
  type RulePart,
  type HoursPlan,
  planDay,
  type DaysAround,
} from "./day-plan.ts";
import { createSun } from "./sun-events.ts";
import { createZones, type Stretch, type TimeZones } from "#kit/time-zones.ts";
import { DAY_MS } from "#kit/time.ts";

export type { Hours } from "./hours-model.ts";

/** Where the hours apply; `country` is a code of ISO 3166-1 and `region` one of ISO 3166-2. */
export type HoursPlace = {
  lat: number;
  lon: number;
  time_zone: string;
  country: string | null;
  region?: string | null;
};

export type OpenState = {
  state: "open" | "closed" | "unknown";
  /** The moment of the next change of `state`; null: none within a bounded search. */
  until_ms: number | null;
  /** The text of the rule that decided; null: none applies. */
  rule: string | null;
  /** false: the state depends on a holiday that is not known. */
  holidays_known: boolean;
};

/**
 * What evaluations share, owned by the caller: offsets of time zones, holidays, and the last state of
 * each hours, which holds for a part of a day.
 */
export type HoursMemory = {
  readonly zones: TimeZones;
  readonly holidays: Holidays;
  readonly last: WeakMap<Hours, CachedState>;
};

/** From the first moment until the second. */
type CachedState = { from_ms: number; to_ms: number; place: HoursPlace; state: OpenState };

export function createHoursMemory(): HoursMemory {
  return { zones: createZones(), holidays: createHolidays(), last: new WeakMap() };
}

const MINUTE_MS = 60_000;
const NAMES = { 2: "closed", 4: "open", 8: "unknown" } as const;

const NOT_KNOWN: OpenState = { state: "unknown", until_ms: null, rule: null, holidays_known: true };

/** Reads OpenStreetMap's grammar of opening hours; null where the text cannot be read. */
export function parseHours(text: string): Hours | null {
  const rules = parseRules(text);
  return rules && toHours(rules);
}

/** Returns the state at a moment, which holds until `until_ms`. */
export function evaluateHours(
  hours: Hours,
  at_ms: number,
  place: HoursPlace,
  memory: HoursMemory,
): OpenState {
  const last = memory.last.get(hours);
  if (last && last.from_ms <= at_ms && at_ms < last.to_ms && isAlike(hours, place, last.place))
    return last.state;
  const stretch = memory.zones.find(place.time_zone, at_ms);
  if (!stretch) return NOT_KNOWN;
  const course = createCourse(hours, place, memory);
  const now = course.at(at_ms, stretch);
  const { state, holidays_known } = now;
  const rule = now.rule === null ? null : hours.rules[now.rule]!.text;
  const until_ms = findChange_ms(course, hours.horizon_days, { at_ms, stretch, state });
  const match = { state: NAMES[state], until_ms, rule, holidays_known };
  memory.last.set(hours, { ...extentOf(now, course, { at_ms, stretch }), place, state: match });
  return match;
}

/** Two places with equal states; where exactly matters to the sun only. */
function isAlike({ sun, holidays }: Hours, one: HoursPlace, other: HoursPlace): boolean {
  if (one === other) return true;
  if (one.time_zone !== other.time_zone) return false;
  const isOneCountry =
    one.country === other.country && (one.region ?? null) === (other.region ?? null);
  if (holidays && !isOneCountry) return false;
  return !sun || (one.lat === other.lat && one.lon === other.lon);
}

/** The moments around this one that are in the same part of the same day. */
function extentOf(
  now: RulePart,
  course: Course,
  { at_ms, stretch }: { at_ms: number; stretch: Stretch },
): { from_ms: number; to_ms: number } {
  const day = Math.floor((at_ms + stretch.offset_ms) / DAY_MS);
  const end = course.plan(day).find(({ from }) => from > now.from)?.from ?? DAY_MIN;
  const midnight_ms = day * DAY_MS - stretch.offset_ms;
  return {
    from_ms: Math.max(stretch.from_ms, midnight_ms + now.from * MINUTE_MS),
    to_ms: Math.min(stretch.to_ms, midnight_ms + end * MINUTE_MS),
  };
}

/** The states of one place, day by day. */
type Course = {
  plan: (day: number) => HoursPlan;
  at: (at_ms: number, stretch: Stretch) => RulePart;
  find: (at_ms: number) => Stretch | null;
};

function createCourse({ rules }: Hours, place: HoursPlace, memory: HoursMemory): Course {
  const find = (at_ms: number): Stretch | null => memory.zones.find(place.time_zone, at_ms);
  const around: DaysAround = {
    isHoliday: (day) => memory.holidays.find(day, place.country, place.region ?? null),
    findSun: createSun(place, find),
  };
  let planned = Number.NaN;
  let last: HoursPlan = [];
  const plan = (day: number): HoursPlan => {
    if (day !== planned) last = planDay(rules, day, around);
    planned = day;
    return last;
  };
  return {
    plan,
    find,
    at(at_ms, { offset_ms }) {
      const day = Math.floor((at_ms + offset_ms) / DAY_MS);
      const minute = Math.floor((at_ms + offset_ms - day * DAY_MS) / MINUTE_MS);
      return plan(day).findLast(({ from }) => from <= minute)!;
    },
  };
}

type From = { at_ms: number; stretch: Stretch; state: PlanOutcome };

/** Walks from day to day, and from one offset of the zone to the next. */
function findChange_ms(course: Course, horizon_days: number, from: From): number | null {
  let { at_ms, stretch } = from;
  const first = Math.floor((at_ms + stretch.offset_ms) / DAY_MS);
  for (let day = first; day < first + horizon_days; day++) {
    for (const part of course.plan(day)) {
      const begin_ms = day * DAY_MS + part.from * MINUTE_MS;
      // Clocks change before this part of the day begins.
      while (begin_ms - stretch.offset_ms >= stretch.to_ms) {
        at_ms = stretch.to_ms;
        const next = course.find(at_ms);
        if (!next) return null;
        stretch = next;
        if (course.at(at_ms, stretch).state !== from.state) return at_ms;
      }
      const change_ms = begin_ms - stretch.offset_ms;
      if (change_ms > at_ms && part.state !== from.state) return change_ms;
    }
  }
  return null;
}
