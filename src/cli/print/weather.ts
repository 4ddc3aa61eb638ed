/**
 * Weather now and day by day (§4.12a, §4.12b) for people. The units are the server's, which its
 * answers do not state: degrees are only degrees, and the speed of the wind is a number.
 */
import { ROOM } from "#cli/print/answer.ts";
import type { On } from "#cli/print/answer.ts";
import { renderTable } from "#cli/print/table.ts";
import type { Column } from "#cli/print/table.ts";
import { UNKNOWN, clean } from "#cli/print/words.ts";
import type { ForecastBodyValue, WeatherBodyValue } from "#contract/weather.ts";

type Step = ForecastBodyValue["list"][number];
type Day = { name: string; steps: Step[] };

const COLUMNS: readonly Column[] = [
  { title: "day" },
  { title: "low", align: "right" },
  { title: "high", align: "right" },
  { title: "rain", align: "right" },
  { title: "snow", align: "right" },
  { title: "chance", align: "right" },
  { title: "wind", align: "right" },
  { title: "weather", elastic: true },
];
const MOST_WORDS = 2;

export function formatWeather(now: WeatherBodyValue, { list, city }: ForecastBodyValue, on: On) {
  const days = toDays(list, city.timezone);
  const rows = days.map((day) => toRow(day, on));
  return [
    headline(now, on),
    detailLine(now),
    rows.length > 0 ? `\n${renderTable(COLUMNS, rows, { ...on, room: ROOM })}` : "",
  ].join("");
}

function headline({ name, coord, sys, weather, main }: WeatherBodyValue, { paint }: On): string {
  const place = [name ?? `${coord.lat}, ${coord.lon}`, sys.country ?? ""];
  const where = place.map(clean).filter((text) => text !== "");
  const what = weather.map(({ description }) => clean(description)).join(", ");
  return `${paint.bold(where.join(", "))} · ${degrees(main.temp)} · ${what || UNKNOWN}\n`;
}

/** Only what is known. */
function detailLine({ main, wind, sys, timezone, visibility }: WeatherBodyValue): string {
  const { feels_like, humidity, pressure } = main;
  const { sunrise, sunset } = sys;
  const parts = [
    feels_like === undefined ? null : `feels like ${degrees(feels_like)}`,
    wind.speed === undefined ? null : `wind ${windText(wind.speed, wind.deg)}`,
    humidity === undefined ? null : `humidity ${humidity} %`,
    pressure === undefined ? null : `${pressure} hPa`,
    visibility === undefined ? null : `sight ${(visibility / 1_000).toFixed(1)} km`,
    sunrise === undefined || sunset === undefined
      ? null
      : `sun ${clockText(sunrise, timezone)} to ${clockText(sunset, timezone)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : `${parts.join(" · ")}\n`;
}

/** By the calendar of the place. */
function toDays(list: readonly Step[], timezone_s: number): Day[] {
  const days = new Map<string, Day>();
  for (const step of list) {
    const name = dayText(step.dt, timezone_s);
    const day = days.get(name) ?? { name, steps: [] };
    day.steps.push(step);
    days.set(name, day);
  }
  return [...days.values()];
}

function toRow({ name, steps }: Day, { paint }: On): string[] {
  const lows = steps.map(({ main }) => main.temp_min ?? main.temp);
  const highs = steps.map(({ main }) => main.temp_max ?? main.temp);
  return [
    name,
    degrees(Math.min(...lows)),
    degrees(Math.max(...highs)),
    fallText(
      steps.map(({ rain }) => rain?.["3h"]),
      paint.cyan,
    ),
    fallText(
      steps.map(({ snow }) => snow?.["3h"]),
      paint.bold,
    ),
    chanceText(steps.map(({ pop }) => pop)),
    strongest(steps),
    commonest(steps),
  ];
}

type Amounts = readonly (number | undefined)[];

/** A member that is not there may be none, or unknown: a dash is both. */
function fallText(amounts: Amounts, brush: (text: string) => string): string {
  const known = amounts.filter((mm) => mm !== undefined);
  if (known.length === 0) return UNKNOWN;
  return brush(`${known.reduce((sum, mm) => sum + mm, 0).toFixed(1)} mm`);
}

function chanceText(shares: Amounts): string {
  const known = shares.filter((share) => share !== undefined);
  return known.length === 0 ? UNKNOWN : `${Math.round(Math.max(...known) * 100)} %`;
}

function strongest(steps: readonly Step[]): string {
  const winds = steps.flatMap(({ wind: { speed, deg } }) =>
    speed === undefined ? [] : [{ speed, deg }],
  );
  const [most] = winds.toSorted((a, b) => b.speed - a.speed);
  return most ? windText(most.speed, most.deg) : UNKNOWN;
}

/** What most of the day's steps say, by day where there is one. */
function commonest(steps: readonly Step[]): string {
  const light = steps.filter(({ sys }) => sys.pod === "d");
  const counts = new Map<string, number>();
  for (const { weather } of light.length > 0 ? light : steps) {
    const [first] = weather;
    if (first) counts.set(first.description, (counts.get(first.description) ?? 0) + 1);
  }
  const words = [...counts].toSorted(([, a], [, b]) => b - a).map(([word]) => clean(word));
  return words.slice(0, MOST_WORDS).join(", ") || UNKNOWN;
}

const COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;

/** Where it comes from. */
function windText(speed: number, deg: number | undefined): string {
  const from = deg === undefined ? "" : ` ${COMPASS[Math.round(deg / 45) % 8]}`;
  return `${speed.toFixed(1)}${from}`;
}

function degrees(value: number): string {
  // "+ 0" makes 0 of -0.
  return `${Math.round(value) + 0}°`;
}

function clockText(at_s: number, timezone_s: number): string {
  return toLocal(at_s, timezone_s).toISOString().slice(11, 16);
}

const DAY_TEXT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  weekday: "short",
  day: "2-digit",
  month: "short",
});

function dayText(at_s: number, timezone_s: number): string {
  return DAY_TEXT.format(toLocal(at_s, timezone_s)).replace(",", "");
}

/** A date whose UTC is the clock of the place. */
function toLocal(at_s: number, timezone_s: number): Date {
  return new Date((at_s + timezone_s) * 1_000);
}
