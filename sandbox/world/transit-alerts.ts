// Notices of the publishers: works on a line for some hours, a lift that is out of order for a day.
import { hash, pick } from "../rng.ts";
import type { Line, Part, TransitStation } from "./transit-model.ts";
import type { Timetable } from "./transit-runs.ts";

export type TransitAlert = {
  /** Of its feed. */
  readonly id: string;
  readonly cause: string;
  readonly effect: string;
  /** Both: the line at that station. */
  readonly line: Line | null;
  readonly station: TransitStation | null;
  /** When it holds; null: no bound on that side. */
  readonly from_ms: number | null;
  readonly to_ms: number | null;
};

const HOUR_MS = 3_600_000;
const LINE_ALERTS = [
  ["MAINTENANCE", "DETOUR"],
  ["CONSTRUCTION", "REDUCED_SERVICE"],
  ["WEATHER", "SIGNIFICANT_DELAYS"],
  ["UNKNOWN_CAUSE", "MODIFIED_SERVICE"],
] as const;

/** In the feed of one part from half an hour before they hold until they do no more. */
export function listAlerts(timetable: Timetable, part: Part, minute_ms: number): TransitAlert[] {
  const { network, days } = timetable;
  const lines = network.lines.filter((line) => line.parts.includes(part));
  return days.around(minute_ms).flatMap((day) => {
    const day_ms = days.start_ms(day);
    const matches = lines.flatMap((line) => lineAlert(timetable, line, day, day_ms));
    return [...matches, ...stationAlert(timetable, part, day, day_ms)]
      .filter(({ first_ms, end_ms }) => minute_ms >= first_ms - HOUR_MS / 2 && minute_ms < end_ms)
      .map(({ alert }) => alert);
  });
}

type Visible = { readonly alert: TransitAlert; readonly first_ms: number; readonly end_ms: number };

function lineAlert({ network }: Timetable, line: Line, day: number, day_ms: number): Visible[] {
  const key = hash(line.key, day, 82);
  if (key % 3 !== 0) return [];
  const from = day_ms + (5 + (hash(key, 83) % 16)) * HOUR_MS;
  const to = from + (1 + (hash(key, 84) % 5)) * HOUR_MS;
  const [cause, effect] = pick(LINE_ALERTS, hash(key, 85));
  const call = pick(line.outbound, hash(key, 86));
  const isLocal = hash(key, 87) % 3 === 0;
  const alert = {
    id: `line-${line.index + 1}-${day}`,
    cause,
    effect,
    line,
    station: isLocal ? (network.stations[call.station] ?? null) : null,
    from_ms: from,
    // How long the weather lasts is not known.
    to_ms: cause === "WEATHER" ? null : to,
  };
  return [{ alert, first_ms: from, end_ms: to }];
}

function stationAlert({ network }: Timetable, part: Part, day: number, day_ms: number): Visible[] {
  const stations = network.stations.filter(
    ({ form, lines }) => form === "station" && lines.some((line) => line.parts.includes(part)),
  );
  if (stations.length === 0) return [];
  const station = pick(stations, hash(stations[0]?.key ?? 0, part, day, 88));
  const alert = {
    id: `lift-${station.index}-${day}`,
    cause: "TECHNICAL_PROBLEM",
    effect: "ACCESSIBILITY_ISSUE",
    line: null,
    station,
    from_ms: null,
    to_ms: null,
  };
  return [{ alert, first_ms: day_ms, end_ms: day_ms + 24 * HOUR_MS }];
}

/** What it is about, in the words of its publisher. */
export function headerOf({ line, station }: TransitAlert): string {
  const name = line === null ? "" : line.short_name || line.long_name;
  return [name, station?.name ?? ""].filter((text) => text !== "").join(" · ");
}
