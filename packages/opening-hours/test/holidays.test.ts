/** Public holidays by country, and the calendar below them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { easterOf, toDay, toDayNumber, weekOf } from "../hours-calendar.ts";
import { createHolidays, HOLIDAYS, resolveHoliday } from "../holidays.ts";
import { MAYBE, NO, YES } from "../hours-model.ts";

const holidays = createHolidays();
const on = (date: string, country: string | null, region: string | null = null) =>
  holidays.find(toDay(Date.parse(date) / 86_400_000), country, region);

/** As announced: country, and days of 2026 that are holidays everywhere in it. */
const ANNOUNCED: Readonly<Record<string, string>> = {
  AT: "01-06 06-04 10-26 12-08",
  AU: "01-26 04-03 04-06 04-25",
  BE: "05-14 05-25 07-21 11-11",
  BR: "04-21 09-07 11-20",
  CA: "07-01 09-07",
  CH: "05-14 08-01",
  CZ: "07-05 09-28 11-17",
  DE: "04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26",
  DK: "04-02 05-14 05-25",
  ES: "01-06 04-03 10-12 12-08",
  FI: "06-20 10-31 12-06",
  FJ: "04-04 10-10",
  FR: "04-06 05-08 05-14 05-25 07-14 11-11",
  GB: "04-03 05-04 05-25 12-25",
  IE: "03-17 05-04 06-01 08-03 10-26",
  IT: "04-25 06-02 08-15",
  JP: "01-12 02-23 03-20 07-20 09-21 09-23 10-12",
  MX: "02-02 03-16 11-16",
  NL: "04-06 04-27 05-14",
  NO: "04-02 05-17",
  NZ: "02-06 06-01 07-10 10-26",
  PL: "05-03 06-04 11-11 12-24",
  PT: "04-25 06-04 06-10 10-05",
  SE: "06-06 06-20 10-31",
  US: "01-19 02-16 05-25 06-19 07-04 09-07 11-11 11-26",
  ZA: "03-21 04-27 06-16 08-09 09-24",
};

test("holidays fall on the days announced for 2026", () => {
  const wrong = Object.entries(ANNOUNCED).flatMap(([country, dates]) =>
    dates
      .split(" ")
      .filter((date) => on(`2026-${date}`, country) !== YES)
      .map((date) => `${country} ${date}`),
  );
  assert.deepEqual(wrong, []);
});

test("an ordinary day is none", () => {
  for (const country of Object.keys(ANNOUNCED))
    assert.equal(on("2026-11-24", country), NO, country);
});

test("what is kept in some regions is not known without the region", () => {
  assert.equal(on("2026-10-31", "DE"), MAYBE);
  assert.equal(on("2026-10-31", "DE", "DE-SN"), YES);
  assert.equal(on("2026-10-31", "DE", "DE-BY"), NO);
  assert.equal(on("2026-06-04", "DE", "DE-SN"), MAYBE, "in parts of Saxony");
  assert.equal(on("2026-04-06", "GB"), MAYBE);
  assert.equal(on("2026-04-06", "GB", "GB-SCT"), NO);
});

const UNNAMED: readonly [date: string, country: string, region: string][] = [
  ["2026-05-30", "ES", "ES-XX"],
  ["2026-01-26", "NZ", "NZ-WKO"],
  ["2026-01-26", "NZ", "NZ-BOP"],
  ["2026-10-31", "DE", "DE-XX"],
  ["2026-03-17", "GB", "GB-LND"],
  ["2026-06-24", "CA", "CA-99"],
];

test("of a region that the table does not name nothing is known", () => {
  for (const [date, country, region] of UNNAMED) {
    assert.equal(on(date, country, region), MAYBE, `${region} ${date}`);
    assert.equal(on(`2026-11-24`, country, region), NO, region);
  }
  assert.equal(on("2026-07-14", "FR", "FR-IDF"), YES, "a country without regional days");
});

test("a holiday on a weekend may be kept on another day", () => {
  // Boxing Day 2026 is a Saturday, Independence Day too.
  assert.equal(on("2026-12-28", "GB"), MAYBE);
  assert.equal(on("2026-07-03", "US"), MAYBE);
  // The third of May 2026 is a Sunday, and the two days after it are holidays themselves.
  assert.equal(on("2026-05-06", "JP"), MAYBE);
  // So is the equinox of spring 2027.
  assert.equal(on("2027-03-22", "JP"), MAYBE);
  // New Year 2028 is a Saturday.
  assert.equal(on("2027-12-31", "US"), MAYBE);
});

test("of other countries and other years nothing is known", () => {
  assert.equal(on("2026-12-25", "NP"), MAYBE);
  assert.equal(on("2026-12-25", null), MAYBE);
  assert.equal(on("2026-12-25", "constructor"), MAYBE);
  assert.equal(on("2019-12-25", "DE"), MAYBE);
  assert.equal(on("2035-03-03", "FJ"), MAYBE, "days that no rule gives");
});

test("every rule of the table names a day of its year", () => {
  const FORM =
    /^(?:\d\d-\d\d|easter[+-]\d{1,2}|(?:Mo|Tu|We|Th|Fr|Sa|Su) from \d\d-\d\d|equinox-0[39])$/;
  assert.ok(Object.keys(HOLIDAYS).length >= 25);
  for (const [country, { observed, days, some, near = [] }] of Object.entries(HOLIDAYS)) {
    assert.match(country, /^[A-Z]{2}$/);
    assert.ok(["none", "after", "nearest"].includes(observed), country);
    const rules = [...days, ...some.map(({ day }) => day)];
    assert.equal(new Set(rules).size, rules.length, `${country} repeats a day`);
    for (const rule of rules) {
      assert.match(rule, FORM, country);
      for (const year of [2026, 2027, 2028])
        assert.equal(toDay(resolveHoliday(rule, year)).year, year, `${country} ${rule}`);
    }
    for (const { regions } of some)
      for (const region of regions ?? []) assert.ok(region.startsWith(`${country}-`), region);
    for (const { by_year } of near)
      for (const [year, date] of Object.entries(by_year))
        assert.match(`${year}-${date}`, /^20\d\d-\d\d-\d\d$/);
  }
});

test("Easter falls on the days of almanacs", () => {
  const KNOWN =
    "1981-04-19 2000-04-23 2008-03-23 2024-03-31 2026-04-05 2027-03-28 2038-04-25 2049-04-18";
  for (const date of KNOWN.split(" "))
    assert.equal(easterOf(Number(date.slice(0, 4))), Date.parse(date) / 86_400_000, date);
});

test("days are those of the calendar", () => {
  for (let day = -800; day < 60_000; day += 17) {
    const date = new Date(day * 86_400_000);
    const expected = {
      day,
      weekday: (date.getUTCDay() + 6) % 7,
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      date: date.getUTCDate(),
    };
    assert.deepEqual(toDay(day), expected);
    assert.equal(toDayNumber(expected.year, expected.month, expected.date), day);
  }
});

test("weeks are those of ISO 8601", () => {
  const WEEKS = {
    "2026-01-01": 1,
    "2026-12-31": 53,
    "2027-01-03": 53,
    "2027-01-04": 1,
    "2024-12-30": 1,
  };
  for (const [date, week] of Object.entries(WEEKS))
    assert.equal(weekOf(toDay(Date.parse(date) / 86_400_000)), week, date);
});
