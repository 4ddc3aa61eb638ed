/**
 * Weather now and day by day (§4.12a, §4.12b) for people, in the units of the server. Where an
 * older one does not state them, degrees are only degrees, and the speed of the wind is a number.
 */
import type { On } from "#cli/print/print-answer.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ForecastBodyValue, WeatherBodyValue } from "#api/weather.ts";

type Step = ForecastBodyValue["list"][number];
type Day = { name: string; steps: Step[] };

type Units = { temperature: string; speed: string };

const UNITS: Readonly<Record<string, Units>> = {
  metric: { temperature: " °C", speed: " m/s" },
  standard: { temperature: " K", speed: " m/s" },
  imperial: { temperature: " °F", speed: " mph" },
};
const UNSTATED: Units = { temperature: "°", speed: "" };

const COLUMNS: readonly Column[] = [
  { title: "day" },
  { title: "low", align: "right" },
  { title: "high", align: "right" },
  { title: "rain", align: "right" },
  { title: "snow", align: "right" },
  { title: "chance", align: "right" },
  { title: "wind", align: "right" },
  { title: "weather", elastic: true, wraps: 3 },
];
const MOST_WORDS = 2;
const FIRST_DRY_CODE = 700;

export function formatWeather(now: WeatherBodyValue, next: ForecastBodyValue, on: On) {
  const days = toDays(next.list, next.city.timezone);
  const rows = days.map((day) => toRow(day, unitsOf(next), on));
  return [
    headline(now, on),
    detailLine(now),
    rows.length > 0 ? `\n${renderTable(COLUMNS, rows, on)}` : "",
  ].join("");
}

function unitsOf({ units = "" }: { units?: string }): Units {
  return UNITS[units] ?? UNSTATED;
}

function headline(now: WeatherBodyValue, { paint }: On): string {
  const { name, coord, sys, weather, main } = now;
  const place = [name ?? `${coord.lat}, ${coord.lon}`, sys.country ?? ""];
  const where = place.map(oneLine).filter((text) => text !== "");
  const what = weather.map(({ description }) => oneLine(description)).join(", ");
  return `${paint.bold(where.join(", "))} · ${degrees(main.temp, unitsOf(now))} · ${what || UNKNOWN}\n`;
}

/** Only what is known. */
function detailLine(now: WeatherBodyValue): string {
  const { main, wind, sys, timezone, visibility } = now;
  const units = unitsOf(now);
  const { feels_like, humidity, pressure } = main;
  const { sunrise, sunset } = sys;
  const parts = [
    feels_like === undefined ? null : `feels like ${degrees(feels_like, units)}`,
    wind.speed === undefined ? null : `wind ${windText(wind.speed, wind.deg, units)}`,
    humidity === undefined ? null : `humidity ${humidity} %`,
    pressure === undefined ? null : `${pressure} hPa`,
    visibility === undefined ? null : `visibility ${(visibility / 1_000).toFixed(1)} km`,
    sunrise === undefined || sunset === undefined
      ? null
      : `sun ${clockText(sunrise, timezone)} to ${clockText(sunset, timezone)} (${offsetText(timezone)})`,
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

function toRow({ name, steps }: Day, units: Units, { paint }: On): string[] {
  const lows = steps.map(({ main }) => main.temp_min ?? main.temp);
  const highs = steps.map(({ main }) => main.temp_max ?? main.temp);
  return [
    name,
    degrees(Math.min(...lows), units),
    degrees(Math.max(...highs), units),
    fallText(
      steps.map(({ rain }) => rain?.["3h"]),
      paint.cyan,
    ),
    fallText(
      steps.map(({ snow }) => snow?.["3h"]),
      paint.bold,
    ),
    chanceText(steps.map(({ pop }) => pop)),
    strongest(steps, units),
    foremost(steps),
  ];
}

type Amounts = readonly (number | undefined)[];

/** A member that is not there may be none, or unknown: a dash is both. */
function fallText(amounts: Amounts, brush: (text: string) => string): string {
  const defined = amounts.filter((mm) => mm !== undefined);
  if (defined.length === 0) return UNKNOWN;
  return brush(`${defined.reduce((sum, mm) => sum + mm, 0).toFixed(1)} mm`);
}

function chanceText(shares: Amounts): string {
  const defined = shares.filter((share) => share !== undefined);
  return defined.length === 0 ? UNKNOWN : `${Math.round(Math.max(...defined) * 100)} %`;
}

function strongest(steps: readonly Step[], units: Units): string {
  const winds = steps.flatMap(({ wind: { speed, deg } }) =>
    speed === undefined ? [] : [{ speed, deg }],
  );
  const [most] = winds.toSorted((a, b) => b.speed - a.speed);
  return most ? windText(most.speed, most.deg, units) : UNKNOWN;
}

/**
 * What falls at the wettest step, at any hour as in the columns of rain and snow, before what most
 * steps say, by day where there is one.
 */
function foremost(steps: readonly Step[]): string {
  const light = steps.filter(({ sys }) => sys.pod === "d");
  const wet = commonest(
    steps
      .filter(isWet)
      .toSorted((a, b) => fallen(b) - fallen(a))
      .slice(0, 1),
  );
  const most = commonest(light.length > 0 ? light : steps);
  const words = [...new Set([...wet, ...most])];
  return words.slice(0, MOST_WORDS).join(", ") || UNKNOWN;
}

/** Thunder, drizzle, rain, snow: codes below those of fog and clouds. */
function isWet({ weather: [first] }: Step): boolean {
  return first !== undefined && first.id < FIRST_DRY_CODE;
}

function fallen({ rain, snow }: Step): number {
  return (rain?.["3h"] ?? 0) + (snow?.["3h"] ?? 0);
}

function commonest(steps: readonly Step[]): string[] {
  const reported = steps.flatMap(({ weather }) => weather[0]?.description ?? []);
  const groups = [...Map.groupBy(reported, (word) => word)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length).map(([word]) => oneLine(word));
}

const COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;

/** Where it comes from. */
function windText(speed: number, deg: number | undefined, units: Units): string {
  const from = deg === undefined ? "" : ` ${COMPASS[Math.round(deg / 45) % 8]}`;
  return `${speed.toFixed(1)}${units.speed}${from}`;
}

function degrees(value: number, { temperature }: Units): string {
  // "+ 0" makes 0 of -0.
  return `${Math.round(value) + 0}${temperature}`;
}

function clockText(at_s: number, timezone_s: number): string {
  return toLocal(at_s, timezone_s).toISOString().slice(11, 16);
}

const DAY = { timeZone: "UTC", weekday: "short", day: "2-digit", month: "short" } as const;

/** Without a formatter made ahead, which would cost the start of every command 20 ms. */
function dayText(at_s: number, timezone_s: number): string {
  return toLocal(at_s, timezone_s).toLocaleDateString("en-GB", DAY).replace(",", "");
}

/** `UTC+01:00`. */
function offsetText(timezone_s: number): string {
  const clock = new Date(Math.abs(timezone_s) * 1_000).toISOString().slice(11, 16);
  return `UTC${timezone_s < 0 ? "-" : "+"}${clock}`;
}

/** A date whose UTC is the clock of the place. */
function toLocal(at_s: number, timezone_s: number): Date {
  return new Date((at_s + timezone_s) * 1_000);
}
