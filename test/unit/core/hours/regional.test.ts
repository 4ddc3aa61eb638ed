/**
 * Holidays of regions: by region where it is known, else not known. The days are those of the regions'
 * own laws: the codes of Alabama (1-3-8), Utah (63G-1-301), Vermont (title 1, 371), Nevada (236.015) and their like.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toDay } from "#core/hours/calendar.ts";
import { createHolidays, HOLIDAYS, resolveHoliday } from "#core/hours/holidays.ts";
import { createHoursMemory, evaluateHours, parseHours } from "#core/hours/hours.ts";
import { MAYBE, NO, YES } from "#core/hours/model.ts";
import table from "#core/hours/holidays-regional.json" with { type: "json" };

const holidays = createHolidays();
const on = (date: string, country: string, region: string | null) =>
  holidays.find(toDay(Date.parse(date) / 86_400_000), country, region);

/** A date, a region that keeps it, and one of the same country that does not. */
const KEPT: readonly [date: string, keeps: string, keeps_not: string][] = [
  ["2026-06-01", "US-AL", "US-NY"],
  ["2026-07-24", "US-UT", "US-CA"],
  ["2027-08-16", "US-VT", "US-CA"],
  ["2026-10-30", "US-NV", "US-OH"],
  ["2026-08-10", "US-RI", "US-TX"],
  ["2026-03-30", "US-AK", "US-FL"],
  ["2026-08-21", "US-HI", "US-FL"],
  ["2026-07-09", "CA-NU", "CA-ON"],
  ["2026-04-13", "BR-ES", "BR-RJ"],
  ["2026-08-05", "ES-CE", "ES-MD"],
  ["2026-10-31", "DE-SN", "DE-BY"],
];

for (const [date, keeps, keeps_not] of KEPT)
  test(`${date} is known where the region is: kept in ${keeps}, not in ${keeps_not}`, () => {
    const country = keeps.slice(0, 2);
    assert.deepEqual(
      [on(date, country, keeps), on(date, country, keeps_not), on(date, country, null)],
      [YES, NO, MAYBE],
    );
  });

test("PH off in Montgomery on the first Monday of June is unknown, and known in a region", () => {
  const hours = parseHours("Mo-Su 08:00-18:00; PH off")!;
  const at_ms = Date.parse("2026-06-01T12:00:00-05:00");
  const place = { lat: 32.37, lon: -86.3, time_zone: "America/Chicago", country: "US" };
  const state = (region: string | null) =>
    evaluateHours(hours, at_ms, { ...place, region }, createHoursMemory()).state;
  assert.deepEqual([null, "US-AL", "US-NY"].map(state), ["unknown", "closed", "open"]);
});

test("where the list of regions is not certain, those on it keep the day and others may", () => {
  for (const [date, keeps, other] of [
    ["2026-04-27", "US-MS", "US-NY"],
    ["2026-09-28", "AU-WA", "AU-NSW"],
    ["2026-11-13", "NZ-CAN", "NZ-OTA"],
  ] as const) {
    const country = keeps.slice(0, 2);
    assert.deepEqual([on(date, country, keeps), on(date, country, other)], [YES, MAYBE], date);
  }
});

test("days of towns are not known in their region", () => {
  assert.equal(on("2026-08-08", "DE", "DE-BY"), MAYBE, "Augsburg");
  assert.equal(on("2026-08-08", "DE", "DE-SN"), MAYBE, "some towns, of which not all are known");
});

test("of years beyond those that the table was made for nothing is known", () => {
  assert.equal(on(`${table.last_year + 1}-11-24`, "US", null), MAYBE);
  assert.equal(on(`${table.last_year}-11-20`, "US", "US-NY"), NO);
  assert.equal(on(`${table.last_year + 1}-11-24`, "PL", null), NO, "a country without regions");
});

test("every rule of the regions names a day, and its country has a table", () => {
  for (const [country, { rules, dated }] of Object.entries(table.countries)) {
    assert.ok(Object.hasOwn(HOLIDAYS, country), country);
    for (const { day, regions, perhaps } of rules) {
      assert.equal(toDay(resolveHoliday(day, 2027)).year, 2027, day);
      assert.match(`${regions} ${perhaps}`.trim(), /^[A-Z0-9]{1,3}(?: [A-Z0-9]{1,3})*$/, day);
    }
    for (const date of Object.keys(dated)) assert.match(date, /^20\d\d-\d\d-\d\d$/);
  }
});
