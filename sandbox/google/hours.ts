// Opening hours in the form of the Places API, of the few OSM-like forms that the world's services use.
import type { City } from "../world/model.ts";

/** By day, Sunday first: from minute to minute; null: closed. */
type Week = readonly (readonly [from: number, to: number] | null)[];

const DAYS = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];
const DAY_MS = 86_400_000;
const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0];

type Request = { readonly city: City; readonly now_ms: number; readonly language: string };

export type Hours = {
  readonly current: Record<string, unknown>;
  readonly regular: Record<string, unknown>;
};

export function toHours(text: string, { city, now_ms, language }: Request): Hours {
  const always = text === "24/7";
  const week = always ? DAYS.map(() => [0, 1440] as const) : readWeek(text);
  const { day, minute, midnight_ms } = clockOf(city, now_ms);
  const span = week[day];
  const openNow = span !== null && span !== undefined && minute >= span[0] && minute < span[1];
  const shared = { openNow, weekdayDescriptions: describe(week, language) };
  return {
    current: { ...shared, periods: listPeriods(week, always, (n) => dateOf(midnight_ms, n - day)) },
    regular: { ...shared, periods: listPeriods(week, always) },
  };
}

function readWeek(text: string): Week {
  const week: (readonly [number, number] | null)[] = DAYS.map(() => null);
  for (const rule of text.split(";")) {
    const match = /^\s*(\w\w)(?:-(\w\w))? (\d\d):(\d\d)-(\d\d):(\d\d)\s*$/.exec(rule);
    if (match === null) throw new Error(`hours in another form: ${text}`);
    const [, first = "", last = first, ...times] = match;
    const [h1 = 0, m1 = 0, h2 = 0, m2 = 0] = times.map(Number);
    for (const day of daysFrom(DAYS.indexOf(first), DAYS.indexOf(last)))
      week[day] = [h1 * 60 + m1, h2 * 60 + m2];
  }
  return week;
}

const daysFrom = (first: number, last: number): number[] =>
  Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, n) => (first + n) % 7);

/** Formats are dear to make, and every place wants some. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const weekdays = new Map<string, readonly string[]>();

function kept<T>(made: Map<string, T>, name: string, make: () => T): T {
  const entry = made.get(name) ?? make();
  made.set(name, entry);
  return entry;
}

/** Weekday, minute of the day and date (as its midnight in UTC) where the city is. */
function clockOf({ timezone }: City, now_ms: number) {
  const parts = kept(clocks, timezone, () => {
    const clock = { weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
    const date = { year: "numeric", month: "numeric", day: "numeric" } as const;
    const usual = { ...clock, ...date, timeZone: timezone, hourCycle: "h23" } as const;
    return new Intl.DateTimeFormat("en-US", usual);
  }).formatToParts(now_ms);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  const day = DAYS.indexOf(part("weekday").slice(0, 2));
  const number = (type: string): number => Number(part(type));
  return {
    day,
    minute: number("hour") * 60 + number("minute"),
    midnight_ms: Date.UTC(number("year"), number("month") - 1, number("day")),
  };
}

type CalendarDate = { readonly year: number; readonly month: number; readonly day: number };

function dateOf(midnight_ms: number, days: number): CalendarDate {
  const date = new Date(midnight_ms + ((days + 7) % 7) * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Always open is one period that begins on Sunday and has no end. Zeros are members that are set. */
function listPeriods(week: Week, always: boolean, date?: (day: number) => CalendarDate): unknown[] {
  const at = (day: number, minute: number): unknown => ({
    day,
    hour: Math.floor(minute / 60),
    minute: minute % 60,
    ...(date === undefined ? {} : { date: date(day) }),
  });
  if (always) return [{ open: at(0, 0) }];
  return week.flatMap((span, day) =>
    span === null ? [] : [{ open: at(day, span[0]), close: at(day, span[1]) }],
  );
}

type Words = readonly [always: string, closed: string];
const WORDS: Readonly<Record<string, Words>> = {
  en: ["Open 24 hours", "Closed"],
  fr: ["Ouvert 24h/24", "Fermé"],
  de: ["24 Stunden geöffnet", "Geschlossen"],
  es: ["Abierto 24 horas", "Cerrado"],
  pl: ["Czynne całą dobę", "Zamknięte"],
  pt: ["Atendimento 24 horas", "Fechado"],
  ja: ["24 時間営業", "定休日"],
};

function describe(week: Week, language: string): string[] {
  const tag = language in WORDS ? language : "en";
  const [always, closed] = WORDS[tag] ?? ["", ""];
  const names = kept(weekdays, tag, () => sayDays(tag));
  return MONDAY_FIRST.map((day) => {
    const span = week[day];
    const text = !span ? closed : span[1] - span[0] === 1440 ? always : sayTimes(span, tag);
    return `${names[day]}: ${text}`;
  });
}

/** From the first of January 2023 on, which was a Sunday. */
function sayDays(tag: string): string[] {
  const format = new Intl.DateTimeFormat(tag, { weekday: "long", timeZone: "UTC" });
  return DAYS.map((_, day) => format.format(Date.UTC(2023, 0, 1 + day)));
}

/** English ones come with narrow and thin spaces. */
function sayTimes([from, to]: readonly [number, number], tag: string): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  const say = (minute: number): string => {
    const hour = Math.floor(minute / 60);
    if (tag !== "en") return `${two(hour)}:${two(minute % 60)}`;
    return `${hour % 12 || 12}:${two(minute % 60)}\u202f${hour % 24 < 12 ? "AM" : "PM"}`;
  };
  return tag === "en" ? `${say(from)}\u2009–\u2009${say(to)}` : `${say(from)}–${say(to)}`;
}
