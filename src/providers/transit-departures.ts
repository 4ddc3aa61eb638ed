/**
 * What the sources of departures have in common (docs/decisions/0029-departures.md): the question, the
 * answer, how rows become boards, and times that are written without an offset.
 */
import type { Location } from "#kit/geo.ts";
import { createZones, type TimeZones } from "#kit/time-zones.ts";
import { createStatedZones } from "#kit/stated-zones.ts";
import { DAY_MS } from "#kit/time.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { FoundDeparture } from "#transit/schedule/boards.ts";
import type { LiveAlertItem } from "#transit/schedule/live-alerts.ts";
import { orderModes } from "#transit/schedule/schedule-modes.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import type { CallKind } from "#transit/timetable/timetable.ts";
import { type Row, toRow } from "#kit/coerce.ts";
import type { Dropped } from "#providers/place-rows.ts";

/** A question: departures or arrivals from (inclusive) to (exclusive), epoch ms. */
export type BoardQuery = Location & {
  radius_m: number;
  kind: CallKind;
  from_ms: number;
  to_ms: number;
  language: string | null;
  /** The only one that is asked about, as this source described it; null: all of the circle. */
  station: TransitStation | null;
};

/** What a source can be asked about; `either`: each of its stations is all there is in that place. */
export type AskedBy = "circle" | "station" | "either";

/** The departures of a station as one publisher describes them. */
export type FoundBoard = {
  station: TransitStation;
  departures: readonly FoundDeparture[];
  /** IANA name of the zone that the source states for the station. */
  time_zone: string | null;
};

export type BoardPage = {
  boards: FoundBoard[];
  /** Those that a departure names. */
  alerts: LiveAlertItem[];
  /** There are more departures in that time than the answer holds. */
  isCut: boolean;
  /** false: the source says that it knows nothing of this part of the world. */
  covered?: false;
};

/** Seconds: departures change, and the key of a question holds its minute. */
export const BOARD_LIFE = { cache_s: 20, stale_s: 40 } as const;

/** Makes the key of a question whose answer does not depend on a language. */
export function boardKey({
  lat,
  lon,
  radius_m,
  kind,
  from_ms,
  to_ms,
  station,
}: BoardQuery): string {
  const where = station ? [station.source.feed_id, station.source.source_id] : [lat, lon, radius_m];
  return JSON.stringify([kind, from_ms, to_ms, ...where]);
}

/** A row that was read; its station has the mode of this departure alone. */
export type BoardRow = {
  station: TransitStation;
  departure: FoundDeparture;
  /** The zone of the station as the source states it; null: it states none. */
  time_zone: string | null;
};

/** Rows that are looked at, and stations that are kept. */
export const MOST_ROWS = 1_000;
const MOST_BOARDS = 200;

/**
 * The departures of a list by station, each once, of the time that was asked for. `read` returns why a
 * row is dropped; null: it is none.
 */
export function toBoards(
  rows: readonly unknown[],
  { from_ms, to_ms }: Pick<BoardQuery, "from_ms" | "to_ms">,
  { read, trail }: { read(row: Row): BoardRow | Dropped | null; trail: TrailRecorder },
): { boards: FoundBoard[]; isCut: boolean } {
  const matches = new Map<string, FoundBoard & { departures: FoundDeparture[] }>();
  const seen = new Set<string>();
  const zoneOf = createStatedZones(trail);
  let isCut = rows.length > MOST_ROWS;
  rows.slice(0, MOST_ROWS).forEach((wire, index) => {
    const row = toRow(wire);
    const one = row ? read(row) : "row_malformed";
    if (one === null) return;
    if (typeof one === "string") {
      trail.drop(one, `#${index}`);
      return;
    }
    const { station, departure } = one;
    const at_ms = timeOfCall(departure);
    if (at_ms < from_ms || at_ms >= to_ms) return;
    if (seen.has(departure.key)) {
      trail.drop("id_duplicate", departure.key);
      return;
    }
    seen.add(departure.key);
    const key = JSON.stringify([station.source.feed_id, station.source.source_id]);
    const board = matches.get(key);
    if (board) board.departures.push(departure);
    else if (matches.size < MOST_BOARDS)
      matches.set(key, { station, departures: [departure], time_zone: zoneOf(one.time_zone) });
    else isCut = true;
  });
  return { boards: [...matches.values()].map(toBoard), isCut };
}

/** Time by which a departure is listed, epoch ms; Infinity: none is stated. */
export function timeOfCall({ expected_ms, planned_ms }: FoundDeparture): number {
  return expected_ms ?? planned_ms ?? Infinity;
}

function toBoard({ station, departures, time_zone }: FoundBoard): FoundBoard {
  const modes = orderModes([...station.modes, ...departures.map(({ route }) => route.mode)]);
  return { station: { ...station, modes }, departures, time_zone };
}

/** Reads times as clocks of one zone show them; in the hour that comes twice the one near `near_ms`. */
export type LocalClock = (text: string | null, near_ms: number) => number | null;

const LOCAL = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/;

/** Creates the reader of "20261123T081500" in a zone; null: the zone is not known. */
export function createLocalClock(
  zone: string,
  zones: TimeZones = createZones(),
): LocalClock | null {
  if (zones.find(zone, 0) === null) return null;
  return (text, near_ms) => {
    const parts = LOCAL.exec(text ?? "")
      ?.slice(1)
      .map(Number);
    if (!parts) return null;
    const [year, month, day, hour, minute, second] = parts as [
      ...[number, number, number],
      ...[number, number, number],
    ];
    const wall_ms = Date.UTC(year, month - 1, day, hour, minute, second);
    // A day or an hour that does not exist would be another one.
    if (new Date(wall_ms).toISOString().replaceAll(/[-:]|\.000Z$/g, "") !== text) return null;
    const around = [wall_ms - DAY_MS, wall_ms + DAY_MS].map((at_ms) => zones.find(zone, at_ms));
    const offsets = [...new Set(around.flatMap((stretch) => stretch?.offset_ms ?? []))];
    const times = offsets.map((offset_ms) => wall_ms - offset_ms);
    // A time in the hour that is left out is none of either: it is read as before the change.
    const real = times.filter((at_ms) => zones.find(zone, at_ms)?.offset_ms === wall_ms - at_ms);
    const away = (at_ms: number): number => Math.abs(at_ms - near_ms);
    return (
      (real.length > 0 ? real : times.slice(0, 1)).sort((a, b) => away(a) - away(b))[0] ?? null
    );
  };
}
