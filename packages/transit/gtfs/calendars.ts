/** calendar.txt and calendar_dates.txt (mobility.md 3.1): the days on which services run. */
import type { ServiceColumns } from "../timetable/service-calendar.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { NO_ENTRY, addText, type ByteTable } from "./byte-table.ts";
import { dayOfCell, digitOf } from "./cell-values.ts";
import { type CsvFile, readCell } from "#kit/csv.ts";

type Week = { weekdays: number; from_day: number; to_day: number };

export type Calendar = { weeks: Map<number, Week> };

const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
const COLUMNS = ["service_id", "start_date", "end_date", ...WEEKDAYS] as const;

/** Services with a week; `services` numbers their ids. */
export function readCalendar(services: ByteTable, trail: TrailRecorder): CsvFile & Calendar {
  const weeks = new Map<number, Week>();
  return {
    file: "calendar.txt",
    columns: COLUMNS,
    needed: ["service_id", "start_date", "end_date"],
    weeks,
    onRow(row) {
      const service = addText(services, row, 0);
      if (service === NO_ENTRY) return trail.drop("service_without_id", `line ${row.line}`);
      const id = readCell(row, 0);
      if (weeks.has(service)) return trail.drop("duplicate_service", id);
      const from_day = dayOfCell(readCell(row, 1));
      const to_day = dayOfCell(readCell(row, 2));
      if (from_day === null || to_day === null) return trail.drop("service_without_dates", id);
      const weekdays = WEEKDAYS.reduce(
        (bits, _, i) => bits | (digitOf(row, i + 3, 1) === 1 ? 1 << i : 0),
        0,
      );
      weeks.set(service, { weekdays, from_day, to_day });
    },
  };
}

export type CalendarDates = {
  count: number;
  /** service × SPAN + 2 × day, plus 1 where the day is added. */
  keys: Float64Array;
};

/** Above twice the days until 2199. */
const SPAN = 2 ** 20;
const ADDED = 1;
const REMOVED = 2;
const FIRST_ROWS = 1_024;

/** Days that are added to a service or taken from it. */
export function readCalendarDates(
  services: ByteTable,
  trail: TrailRecorder,
): CsvFile & CalendarDates {
  const dates: CsvFile & CalendarDates = {
    file: "calendar_dates.txt",
    columns: ["service_id", "date", "exception_type"],
    needed: ["service_id", "date", "exception_type"],
    count: 0,
    keys: new Float64Array(FIRST_ROWS),
    onRow(row) {
      const service = addText(services, row, 0);
      const day = dayOfCell(readCell(row, 1));
      const type = digitOf(row, 2, REMOVED);
      if (service === NO_ENTRY || day === null || !type)
        return trail.drop("unreadable_exception", `line ${row.line}`);
      if (dates.count === dates.keys.length) {
        const wider = new Float64Array(dates.count * 2);
        wider.set(dates.keys);
        dates.keys = wider;
      }
      dates.keys[dates.count++] = service * SPAN + 2 * day + Number(type === ADDED);
    },
  };
  return dates;
}

/** Services as columns. A day that is both added and removed is added. */
export function toServices(
  count: number,
  { weeks }: Calendar,
  { keys, count: rows }: CalendarDates,
): ServiceColumns {
  const service_weekdays = new Uint8Array(count);
  const service_from = new Int32Array(count).fill(0);
  const service_to = new Int32Array(count).fill(-1);
  for (const [service, { weekdays, from_day, to_day }] of weeks) {
    service_weekdays[service] = weekdays;
    service_from[service] = from_day;
    service_to[service] = to_day;
  }
  const sorted = keys.slice(0, rows).sort();
  const last = sorted.filter((key, i) => Math.floor(key / 2) !== Math.floor(sorted[i + 1]! / 2));
  const exception_starts = new Uint32Array(count + 1);
  for (const key of last) exception_starts[Math.floor(key / SPAN) + 1]!++;
  for (let i = 0; i < count; i++) exception_starts[i + 1]! += exception_starts[i]!;
  const exceptions = Int32Array.from(last, (key) => key % SPAN);
  return { service_weekdays, service_from, service_to, exception_starts, exceptions };
}
