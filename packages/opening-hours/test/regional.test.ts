/**
 * Holidays of regions: by region where it is known, else not known. The days are those of the regions'
 * own laws: the codes of Alabama (1-3-8), Utah (63G-1-301), Vermont (title 1, 371), Nevada (236.015) and their like.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toDay } from "../hours-calendar.ts";
import { createHolidays, HOLIDAYS, resolveHoliday } from "../holidays.ts";
import { createHoursMemory, evaluateHours, parseHours } from "../hours.ts";
import { MAYBE, NO, YES } from "../hours-model.ts";
import table from "../holidays-regional.json" with { type: "json" };

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
  ["2026-09-08", "ES-AS", "ES-MD"],
];

/** A date, a region that keeps it or may, and one of the same country that surely does not. */
const NOT_KEPT: readonly [date: string, may: string, keeps_not: string][] = [
  ["2026-09-24", "AT-5", "AT-9"],
  ["2026-11-15", "AT-3", "AT-5"],
  ["2026-03-09", "AU-VIC", "AU-NSW"],
  ["2026-04-04", "AU-NSW", "AU-TAS"],
  ["2026-12-24", "AU-QLD", "AU-NSW"],
  ["2026-07-11", "BE-VLG", "BE-WAL"],
  ["2026-07-09", "BR-SP", "BR-RJ"],
  ["2026-06-24", "CA-QC", "CA-ON"],
  ["2026-08-15", "CH-FR", "CH-ZH"],
  ["2026-12-08", "CH-LU", "CH-BE"],
  ["2026-06-04", "DE-SN", "DE-HH"],
  ["2026-08-08", "DE-BY", "DE-SN"],
  ["2026-05-02", "ES-MD", "ES-CT"],
  ["2026-12-26", "FR-GES", "FR-IDF"],
  ["2026-05-25", "IT-BZ", "IT-25"],
  ["2026-11-30", "NZ-CIT", "NZ-AUK"],
  ["2026-07-01", "PT-30", "PT-11"],
  ["2026-04-20", "US-MA", "US-TX"],
  ["2026-04-27", "US-MS", "US-NY"],
];

for (const [date, may, keeps_not] of NOT_KEPT)
  test(`${date} is none in ${keeps_not}, which is known, and one or perhaps one in ${may}`, () => {
    const country = may.slice(0, 2);
    assert.notEqual(on(date, country, may), NO);
    assert.equal(on(date, country, keeps_not), NO);
    assert.equal(on(date, country, null), MAYBE);
  });

test("who may keep a day is named with all whom the table of regions names", () => {
  const tables: Record<string, (typeof table.countries)["AT"]> = table.countries;
  for (const [country, { some }] of Object.entries(HOLIDAYS))
    for (const { day, regions, perhaps } of some) {
      if (!perhaps) continue;
      assert.equal(regions, null, `${country} ${day}`);
      for (const region of perhaps) assert.ok(region.startsWith(`${country}-`), region);
      const rule = tables[country]?.rules.find((each) => each.day === day);
      for (const code of `${rule?.regions ?? ""} ${rule?.perhaps ?? ""}`.trim().split(" "))
        assert.ok(
          code === "" || perhaps.includes(`${country}-${code}`),
          `${country} ${day} ${code}`,
        );
    }
});

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
    ["2026-11-27", "US-CA", "US-MN"],
    ["2026-08-15", "CH-LU", "CH-FR"],
    ["2026-11-13", "NZ-CAN", "NZ-OTA"],
  ] as const) {
    const country = keeps.slice(0, 2);
    assert.deepEqual([on(date, country, keeps), on(date, country, other)], [YES, MAYBE], date);
  }
});

test("days of towns are not known in their region", () => {
  assert.equal(on("2026-08-08", "DE", "DE-BY"), MAYBE, "Augsburg");
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
