/** Days of services and their beginnings: weeks, exceptions, changes of clocks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createZones } from "#kit/time-zones.ts";
import {
  dayStart_ms,
  runsOn,
  type ServiceColumns,
  spanOf,
  utcDay,
} from "../../timetable/service-calendar.ts";

const day = (text: string): number => Date.parse(text) / 86_400_000;
const MONDAY = 1;
const WEEKEND = 0b1100000;

type Service = {
  weekdays?: number;
  from?: number;
  to?: number;
  exceptions?: readonly (readonly [day: number, added: boolean])[];
};

function columnsOf(services: readonly Service[]): ServiceColumns {
  const lists = services.map(({ exceptions = [] }) =>
    exceptions.map(([at, added]) => 2 * at + Number(added)).sort((a, b) => a - b),
  );
  const starts = [0];
  for (const { length } of lists) starts.push(starts.at(-1)! + length);
  return {
    service_weekdays: Uint8Array.from(services, ({ weekdays = 0 }) => weekdays),
    service_from: Int32Array.from(services, ({ from = 0 }) => from),
    service_to: Int32Array.from(services, ({ to = -1 }) => to),
    exception_starts: Uint32Array.from(starts),
    exceptions: Int32Array.from(lists.flat()),
  };
}

test("a week runs on its weekdays, from its first to its last day", () => {
  const from = day("2026-03-02");
  const columns = columnsOf([{ weekdays: MONDAY | WEEKEND, from, to: from + 7 }]);
  const runs = Array.from({ length: 11 }, (_, i) => runsOn(columns, 0, from - 2 + i));
  // Saturday and Sunday before it are out; Monday, Saturday, Sunday, and the last Monday are in.
  assert.deepEqual(runs.map(Number), [0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0]);
  assert.deepEqual(spanOf(columns, 0), [from, from + 7]);
});

test("the leap day has its weekday, and so have days before 1970", () => {
  const thursday = columnsOf([{ weekdays: 1 << 3, from: -1_000_000, to: 1_000_000 }]);
  for (const text of ["2024-02-29", "1970-01-01", "1969-12-25", "2026-11-19"])
    assert.ok(runsOn(thursday, 0, day(text)), text);
  for (const text of ["2024-02-28", "2024-03-01", "1969-12-31", "1970-01-02"])
    assert.ok(!runsOn(thursday, 0, day(text)), text);
});

test("the first of January 1970 runs without a word of it among the exceptions", () => {
  const columns = columnsOf([
    { weekdays: 0x7f, from: -5, to: 5 },
    { weekdays: 0x7f, from: -5, to: 5, exceptions: [[-3, false]] },
    { weekdays: 0x7f, from: -5, to: 5, exceptions: [[3, false]] },
  ]);
  for (const service of [0, 1, 2]) assert.ok(runsOn(columns, service, 0), String(service));
  assert.ok(!runsOn(columns, 1, -3));
  assert.ok(!runsOn(columns, 2, 3));
});

test("an exception wins over the week, in its own service only", () => {
  const from = day("2026-01-05");
  const columns = columnsOf([
    {
      weekdays: MONDAY,
      from,
      to: from + 13,
      exceptions: [
        [from, false],
        [from + 1, true],
      ],
    },
    { weekdays: MONDAY, from, to: from + 13 },
    {
      exceptions: [
        [from - 9, true],
        [from + 99, true],
        [from + 200, false],
      ],
    },
    {},
  ]);
  assert.deepEqual(
    [0, 1, 7].map((i) => runsOn(columns, 0, from + i)),
    [false, true, true],
  );
  assert.deepEqual(
    [0, 1, 7].map((i) => runsOn(columns, 1, from + i)),
    [true, false, true],
  );
  assert.deepEqual(
    [-9, 0, 99, 200].map((i) => runsOn(columns, 2, from + i)),
    [true, false, true, false],
  );
  assert.deepEqual(spanOf(columns, 2), [from - 9, from + 99]);
  assert.equal(runsOn(columns, 3, from), false);
  assert.equal(spanOf(columns, 3), null);
});

test("a span reaches over the week and the days added outside of it", () => {
  const week = { weekdays: 0x7f, from: 100, to: 200 };
  const columns = columnsOf([
    {
      ...week,
      exceptions: [
        [50, true],
        [300, true],
        [400, false],
      ],
    },
    { ...week, weekdays: 0, exceptions: [[150, true]] },
    { ...week, from: 201 },
  ]);
  assert.deepEqual(spanOf(columns, 0), [50, 300]);
  assert.deepEqual(spanOf(columns, 1), [150, 150]);
  assert.equal(spanOf(columns, 2), null);
});

test("services run as lists of their days would say", () => {
  const arbDay = fc.integer({ min: -20, max: 20 });
  const arbService = fc.record({
    weekdays: fc.nat(127),
    from: arbDay,
    to: arbDay,
    exceptions: fc.uniqueArray(fc.tuple(arbDay, fc.boolean()), { selector: ([at]) => at }),
  });
  fc.assert(
    fc.property(fc.array(arbService, { minLength: 1, maxLength: 4 }), (services) => {
      const columns = columnsOf(services);
      services.forEach(({ weekdays, from, to, exceptions }, service) => {
        const stated = new Map(exceptions);
        const days: number[] = [];
        for (let at = -25; at <= 25; at++) {
          const weekday = (new Date(at * 86_400_000).getUTCDay() + 6) % 7;
          const inWeek = at >= from && at <= to && ((weekdays >> weekday) & 1) === 1;
          const expected = stated.get(at) ?? inWeek;
          assert.equal(runsOn(columns, service, at), expected);
          if (expected) days.push(at);
        }
        const span = spanOf(columns, service);
        if (days.length > 0) assert.ok(span && span[0] <= days[0]! && span[1] >= days.at(-1)!);
      });
    }),
  );
});

test("a service day begins at noon minus twelve hours, also where the clock changes", () => {
  const zones = createZones();
  const begins = (zone: string, text: string): string =>
    new Date(dayStart_ms(zones, zone, day(text))!).toISOString();
  assert.equal(begins("Europe/Berlin", "2026-01-15"), "2026-01-14T23:00:00.000Z");
  // Spring: an hour before midnight. Autumn: an hour after it.
  assert.equal(begins("Europe/Berlin", "2026-03-29"), "2026-03-28T22:00:00.000Z");
  assert.equal(begins("Europe/Berlin", "2026-10-25"), "2026-10-24T23:00:00.000Z");
  assert.equal(begins("America/New_York", "2026-03-08"), "2026-03-08T04:00:00.000Z");
  assert.equal(begins("America/New_York", "2026-11-01"), "2026-11-01T05:00:00.000Z");
  assert.equal(begins("America/Sao_Paulo", "2018-11-04"), "2018-11-04T02:00:00.000Z");
  assert.equal(begins("Australia/Lord_Howe", "2025-10-05"), "2025-10-04T13:00:00.000Z");
  assert.equal(begins("Asia/Kolkata", "2024-02-29"), "2024-02-28T18:30:00.000Z");
  assert.equal(begins("Pacific/Kiritimati", "2026-01-01"), "2025-12-31T10:00:00.000Z");
});

test("an unknown zone, and a day that is none of 1970 to 2199, have no beginning", () => {
  const zones = createZones();
  assert.equal(dayStart_ms(zones, "Mars/Olympus", day("2026-01-01")), null);
  assert.equal(dayStart_ms(zones, "", day("2026-01-01")), null);
  assert.equal(dayStart_ms(zones, "Europe/Berlin", day("1969-12-30")), null);
  assert.equal(dayStart_ms(zones, "Europe/Berlin", day("2200-01-02")), null);
});

test("the day of a moment in UTC", () => {
  assert.equal(utcDay(0), 0);
  assert.equal(utcDay(86_399_999), 0);
  assert.equal(utcDay(86_400_000), 1);
  assert.equal(utcDay(-1), -1);
});
