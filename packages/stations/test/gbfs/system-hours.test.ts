/**
 * The hours of a system before GBFS 3.0 (system_hours, system_calendar), as the text of opening hours that
 * they become, and what that text says of moments worked out by hand.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHoursMemory, evaluateHours, parseHours } from "#hours/hours.ts";
import { readHours } from "../../gbfs/gbfs-hours.ts";

const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const BOTH = ["member", "nonmember"];

type Row = {
  user_types?: unknown;
  days?: unknown;
  start_time?: unknown;
  end_time?: unknown;
};
const row = (start_time: string, end_time: string, change: Row = {}): Row => ({
  ...{ user_types: BOTH, days: WEEK, start_time, end_time },
  ...change,
});
const hours = (...rows: unknown[]) => ({ data: { rental_hours: rows } });
const calendar = (...rows: unknown[]) => ({ data: { calendars: rows } });
const season = (start: string, end: string) => {
  const [start_month, start_day, start_year] = start.split(" ").map(Number);
  const [end_month, end_day, end_year] = end.split(" ").map(Number);
  return {
    ...{ start_month, start_day, end_month, end_day },
    ...(start_year && { start_year }),
    ...(end_year && { end_year }),
  };
};

/** [case, hours, calendar, text]. */
const TEXTS: readonly [string, unknown, unknown, string | null][] = [
  ["neither", undefined, undefined, null],
  ["all week, all day", hours(row("00:00:00", "23:59:59")), undefined, "24/7"],
  ["to 24:00", hours(row("00:00:00", "24:00:00")), undefined, "24/7"],
  ["every day", hours(row("06:00:00", "22:00:00")), undefined, "Mo-Su 06:00-22:00; PH unknown"],
  [
    "the example of the specification",
    hours(
      row("00:00:00", "23:59:59", { user_types: ["member"], days: ["sat", "sun"] }),
      row("05:00:00", "23:59:59", { user_types: ["nonmember"], days: ["sat", "sun"] }),
      row("00:00:00", "23:59:59", { days: WEEK.slice(0, 5) }),
    ),
    undefined,
    "Mo-Fr 00:00-24:00; Sa-Su 05:00-24:00, Sa-Su 00:00-05:00 unknown; PH unknown",
  ],
  ["over midnight", hours(row("22:00:00", "02:00:00")), undefined, "Mo-Su 22:00-26:00; PH unknown"],
  [
    "over midnight as hours beyond 24",
    hours(row("23:30:00", "25:30:00")),
    undefined,
    "Mo-Su 23:30-25:30; PH unknown",
  ],
  [
    "twice a day",
    hours(row("06:00:00", "10:00:00"), row("16:00:00", "20:00:00")),
    undefined,
    "Mo-Su 06:00-10:00,16:00-20:00; PH unknown",
  ],
  [
    "days that no row names",
    hours(row("06:00:00", "22:00:00", { days: ["mon", "wed", "sat"] })),
    undefined,
    "Mo,We,Sa 06:00-22:00; Tu,Th-Fr,Su unknown; PH unknown",
  ],
  [
    "days that only members have",
    hours(
      row("06:00:00", "22:00:00", { user_types: ["member"] }),
      row("06:00:00", "22:00:00", { user_types: ["nonmember"], days: WEEK.slice(0, 5) }),
    ),
    undefined,
    "Mo-Fr 06:00-22:00; Sa-Su 06:00-22:00 unknown; PH unknown",
  ],
  [
    "one kind of riders is named at all",
    hours(row("06:00:00", "22:00:00", { user_types: ["nonmember"] })),
    undefined,
    "Mo-Su 06:00-22:00; PH unknown",
  ],
  [
    "no kind of riders",
    hours(row("06:00", "22:00", { user_types: undefined })),
    undefined,
    "Mo-Su 06:00-22:00; PH unknown",
  ],
  ["an empty list", hours(), undefined, null],
  ["from midnight to midnight", hours(row("00:00:00", "00:00:00")), undefined, "24/7"],
  ["to the last minute", hours(row("00:00", "23:59")), undefined, "24/7"],
  ["until midnight", hours(row("06:00", "00:00")), undefined, "Mo-Su 06:00-24:00; PH unknown"],
  ["from a moment to the same", hours(row("08:00:00", "08:00:00")), undefined, null],
  ["a time that is none", hours(row("6 am", "22:00:00")), undefined, null],
  ["a time beyond the next day", hours(row("06:00:00", "49:00:00")), undefined, null],
  ["a day that is none", hours(row("06:00:00", "22:00:00", { days: ["day"] })), undefined, null],
  ["a row that is none", hours(row("06:00:00", "22:00:00"), "daily"), undefined, null],
  ["another shape", { data: {} }, undefined, null],
  ["a body that could not be read", null, undefined, null],
  [
    "more rows than any system has",
    hours(...Array(65).fill(row("06:00", "22:00"))),
    undefined,
    null,
  ],
  ["a season", undefined, calendar(season("4 1", "10 31")), "Apr 01-Oct 31 00:00-24:00"],
  [
    "a season over New Year",
    undefined,
    calendar(season("11 15", "3 15")),
    "Nov 15-Mar 15 00:00-24:00",
  ],
  [
    "a season of one year",
    undefined,
    calendar(season("4 1 2026", "10 31 2026")),
    "2026 Apr 01-2026 Oct 31 00:00-24:00",
  ],
  ["all year", undefined, calendar(season("1 1", "12 31")), null],
  [
    "seasons with hours",
    hours(row("06:00:00", "22:00:00")),
    calendar(season("4 1", "5 31"), season("9 1", "10 31")),
    "Apr 01-May 31,Sep 01-Oct 31 Mo-Su 06:00-22:00; Apr 01-May 31,Sep 01-Oct 31 PH unknown",
  ],
  [
    "a season with hours that cannot be read",
    hours(row("6 am", "22:00:00")),
    calendar(season("4 1", "10 31")),
    "Apr 01-Oct 31 unknown",
  ],
  ["a date that is none", hours(row("06:00", "22:00")), calendar(season("4 31", "10 31")), null],
  [
    "a year on one side alone",
    hours(row("06:00", "22:00")),
    calendar(season("4 1 2026", "10 31")),
    null,
  ],
  ["a calendar that cannot be read", hours(row("06:00", "22:00")), null, null],
];

for (const [what, rows, seasons, text] of TEXTS)
  test(`hours of a system before 3.0: ${what}`, () => {
    assert.equal(readHours(rows, seasons), text);
    if (text !== null) assert.ok(parseHours(text), text);
  });

const PLACE = { lat: 43.65, lon: -79.38, time_zone: "America/Toronto", country: "CA" };

/** Local times are those of Toronto, 5 h behind UTC until 8 March 2026, then 4. */
const MOMENTS: readonly [string, unknown, unknown, string, string][] = [
  [
    "a weekday's night",
    hours(row("06:00:00", "22:00:00")),
    undefined,
    "2026-06-10T07:00Z",
    "closed",
  ],
  ["a weekday's noon", hours(row("06:00:00", "22:00:00")), undefined, "2026-06-10T16:00Z", "open"],
  ["Canada Day", hours(row("06:00:00", "22:00:00")), undefined, "2026-07-01T16:00Z", "unknown"],
  [
    "hours of members alone",
    hours(
      row("00:00:00", "23:59:59", { user_types: ["member"] }),
      row("05:00:00", "23:59:59", { user_types: ["nonmember"] }),
    ),
    undefined,
    "2026-06-10T06:00Z",
    "unknown",
  ],
  ["after midnight", hours(row("22:00:00", "02:00:00")), undefined, "2026-06-10T05:30Z", "open"],
  ["after that", hours(row("22:00:00", "02:00:00")), undefined, "2026-06-10T06:30Z", "closed"],
  ["winter", undefined, calendar(season("4 1", "10 31")), "2026-01-15T16:00Z", "closed"],
  ["summer", undefined, calendar(season("4 1", "10 31")), "2026-07-15T16:00Z", "open"],
  [
    "winter, of hours that cannot be read",
    null,
    calendar(season("4 1", "10 31")),
    "2026-01-15T16:00Z",
    "closed",
  ],
  [
    "summer, of hours that cannot be read",
    null,
    calendar(season("4 1", "10 31")),
    "2026-07-15T16:00Z",
    "unknown",
  ],
  [
    "the season of a year that is over",
    undefined,
    calendar(season("4 1 2025", "10 31 2025")),
    "2026-07-15T16:00Z",
    "closed",
  ],
  [
    "between two seasons",
    hours(row("06:00:00", "22:00:00")),
    calendar(season("4 1", "5 31"), season("9 1", "10 31")),
    "2026-07-15T16:00Z",
    "closed",
  ],
  [
    "within the second",
    hours(row("06:00:00", "22:00:00")),
    calendar(season("4 1", "5 31"), season("9 1", "10 31")),
    "2026-09-15T16:00Z",
    "open",
  ],
];

for (const [what, rows, seasons, moment, state] of MOMENTS)
  test(`by the hours of a system before 3.0: ${what} is ${state}`, () => {
    const parsed = parseHours(readHours(rows, seasons)!)!;
    const match = evaluateHours(parsed, Date.parse(moment), PLACE, createHoursMemory());
    assert.equal(match.state, state);
  });
