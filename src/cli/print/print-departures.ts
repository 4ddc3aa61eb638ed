/** An answer of /v1/departures/nearby for people: a board. */
import { formatAnswer } from "#cli/print/print-answer.ts";
import type { On } from "#cli/print/print-answer.ts";
import type { Paint } from "#cli/print/paint.ts";
import type { Column } from "#cli/print/print-table.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { UNKNOWN, metres } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { DeparturesBodyValue } from "#api/departures.ts";

type Departure = DeparturesBodyValue["results"]["departures"][number];

const COLUMNS: readonly Column[] = [
  { title: "leaves" },
  { title: "live" },
  { title: "line", elastic: true },
  { title: "to", elastic: 2 },
  { title: "pl." },
  { title: "station", elastic: true },
  { title: "away", align: "right" },
];

/** A board around a point, or of one station. */
type Board = Omit<DeparturesBodyValue, "radius" | "query_origin"> &
  ({ radius: number; query_origin: Point } | { station: { location: Point } });
type Point = { lat: number; lon: number };

export function formatDepartures(board: Board, on: On): string {
  const body = "station" in board ? { ...board, query_origin: board.station.location } : board;
  const { departures, alerts } = body.results;
  const rows = departures.map((departure) => toRow(departure, body, on));
  const notices = alerts.flatMap(({ header }) =>
    header === null ? [] : [`! ${oneLine(header)}\n`],
  );
  const alerting = notices.length > 0 ? `\n${notices.join("")}` : "";
  const walks = departures.map(({ walk }) => walk);
  const below = `${walkNotes(body, walks)}${alerting}`;
  const leaving = withLeaving(body, { columns: COLUMNS, rows, below }, departures);
  return formatAnswer(body, withMinutes(body, leaving, walks, COLUMNS.length), on);
}

/** When one must leave to be there in time, in the last column. */
function withLeaving<T extends { columns: readonly Column[]; rows: string[][] }>(
  { walking }: Board,
  table: T,
  departures: readonly Departure[],
): T {
  if (!walking) return table;
  return {
    ...table,
    columns: [...table.columns, { title: "leave", align: "right" }],
    rows: table.rows.map((row, i) => [...row, toLeaving(departures[i]!)]),
  };
}

/** `now`, `in 4 min` down to the whole one, so that no one comes too late; `missed`. */
function toLeaving({ leave_in_seconds = null, missed }: Departure): string {
  if (missed) return "missed";
  if (leave_in_seconds === null) return UNKNOWN;
  const minutes = Math.floor(leave_in_seconds / 60);
  return minutes === 0 ? "now" : `in ${minutes} min`;
}

function toRow(departure: Departure, body: Clocked, { paint }: On): string[] {
  const zone = body.time_zone;
  const { planned_at, expected_at, line, platform, station } = departure;
  const at = planned_at ?? expected_at;
  const track = platform?.live ?? platform?.planned ?? null;
  return [
    at === null ? UNKNOWN : toMoment(at, body),
    departure.departed ? paint.red("gone") : toLive(departure, zone, paint),
    toLine(line),
    toDestination(departure),
    track === null ? UNKNOWN : oneLine(track),
    oneLine(station.name),
    station.distance_meters === null ? UNKNOWN : metres(station.distance_meters),
  ];
}

function toLine(line: Departure["line"]): string {
  return oneLine(line.short_name ?? line.long_name ?? line.id);
}

/** Where it goes, and as what it goes on where riders may stay in it. */
function toDestination({ headsign, continues_as, toward }: Departure): string {
  const shown = headsign === null ? UNKNOWN : oneLine(headsign);
  const at = toward?.planned_at ?? null;
  const to = at === null ? shown : `${shown}, ${oneLine(toward!.name)} at ${at.slice(11, 16)}`;
  if (continues_as === null) return to;
  const on = continues_as.headsign === null ? "" : ` ${oneLine(continues_as.headsign)}`;
  return `${to}, then ${toLine(continues_as.line)}${on}`;
}

/** What the live feed says: nothing is not on time. */
function toLive(departure: Departure, zone: string | undefined, paint: Paint): string {
  const { status, expected_at, delay_seconds, realtime, headway_seconds } = departure;
  if (status === "cancelled") return paint.red("cancelled");
  if (status === "skipped") return paint.red("no stop");
  if (headway_seconds !== undefined) return `every ${Math.round(headway_seconds / 60)} min`;
  if (expected_at === null) return realtime === "planned_only" ? "planned" : UNKNOWN;
  if (status === "added") return paint.green("extra");
  if (delay_seconds === null) return toClock(expected_at, zone);
  const late_min = Math.round(delay_seconds / 60);
  if (late_min === 0) return paint.green("on time");
  return paint.yellow(`${toClock(expected_at, zone)} (${late_min > 0 ? "+" : ""}${late_min})`);
}

type Clocked = Pick<DeparturesBodyValue, "local_time" | "time_zone">;

/** HH:MM at the station, with the date where it is another than that of the answer. */
function toMoment(time: string, { local_time, time_zone }: Clocked): string {
  const date = time.slice(0, 10);
  const isToday = local_time === undefined || local_time.slice(0, 10) === date;
  return isToday ? toClock(time, time_zone) : `${date} ${toClock(time, time_zone)}`;
}

/** HH:MM at the station; an older server says it in UTC. */
function toClock(time: string, zone = "UTC"): string {
  if (!time.endsWith("Z")) return time.slice(11, 16);
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
  }).format(new Date(time));
}
