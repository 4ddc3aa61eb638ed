/** Hours of structured periods: of every week, on public holidays, and of single dates. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createHoursMemory, evaluateHours, type HoursPlace } from "../hours.ts";
import { type Dated, type Weekly, weeklyHours } from "../weekly.ts";
import { tries } from "../../../test/support/size.ts";

const BERLIN: HoursPlace = { lat: 52.52, lon: 13.4, time_zone: "Europe/Berlin", country: "DE" };
const memory = createHoursMemory();

test("structured periods reach over midnight", () => {
  const hours = weeklyHours([{ day: 6, from_min: 1_200, to_min: 1_560 }]);
  const open = evaluateHours(hours, Date.UTC(2026, 10, 23, 0, 30), BERLIN, memory);
  assert.deepEqual(open, {
    state: "open",
    until_ms: Date.UTC(2026, 10, 23, 1),
    rule: "Su 20:00-26:00",
    holidays_known: true,
  });
});

test("a period may end with the next day, and have one minute", () => {
  const states = (from_min: number, to_min: number): string =>
    evaluateHours(
      weeklyHours([{ day: 0, from_min, to_min }]),
      Date.UTC(2026, 10, 23, 11),
      BERLIN,
      memory,
    ).state;
  // Monday at noon.
  for (const [from, to, state] of [
    [0, 2_880, "open"],
    [0, 721, "open"],
    [720, 721, "open"],
    [0, 720, "closed"],
    [721, 1_440, "closed"],
  ] as const)
    assert.equal(states(from, to), state, `${from} ${to}`);
});

test("structured periods that are none are passed over", () => {
  const hours = weeklyHours([
    { day: 0, from_min: 600, to_min: 600 },
    { day: 0, from_min: -1, to_min: 600 },
    { day: 0, from_min: 600, to_min: 2_881 },
    { day: 0, from_min: Number.NaN, to_min: 700 },
    { day: 1, from_min: 480, to_min: 720 },
  ]);
  assert.deepEqual(
    hours.rules.map(({ text }) => text),
    ["Tu 08:00-12:00", "PH unknown"],
  );
});

const HOUR_MS = 3_600_000;
const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const daily = (from_min: number, to_min: number): Weekly =>
  DAYS.map((day) => ({ day, from_min, to_min }));
/** Local hours of a day of December 2026, when Berlin is an hour ahead. */
const december_ms = (date: number, hour: number): number =>
  Date.UTC(2026, 11, date) + (hour - 1) * HOUR_MS;
const NOON_MS = december_ms(25, 12);

test("a regular week says nothing of public holidays", () => {
  const hours = weeklyHours(daily(480, 1_200));
  const at = (at_ms: number, place = BERLIN) => evaluateHours(hours, at_ms, place, memory);
  assert.equal(at(december_ms(24, 12)).state, "open");
  assert.deepEqual(at(NOON_MS), {
    state: "unknown",
    // Both days of Christmas.
    until_ms: december_ms(27, 0),
    rule: "PH unknown",
    holidays_known: true,
  });
  assert.equal(at(december_ms(25, 3)).state, "unknown", "at night as well");
  assert.deepEqual(
    [at(december_ms(24, 21)).state, at(december_ms(24, 21)).until_ms],
    ["closed", december_ms(25, 0)],
  );
});

test("where a holiday is not known, neither is what a week says of that day", () => {
  const hours = weeklyHours(daily(480, 1_200));
  for (const country of [null, "KE"]) {
    const state = evaluateHours(hours, NOON_MS - 48 * HOUR_MS, { ...BERLIN, country }, memory);
    assert.deepEqual([state.state, state.holidays_known], ["unknown", false]);
  }
  // Epiphany is kept in some regions.
  const epiphany_ms = Date.UTC(2027, 0, 6, 11);
  const of = (region: string | null) =>
    evaluateHours(hours, epiphany_ms, { ...BERLIN, region }, memory);
  assert.deepEqual([of(null).state, of(null).holidays_known], ["unknown", false]);
  assert.deepEqual([of("DE-BE").state, of("DE-BY").state], ["open", "unknown"]);
});

test("a week without a gap is open on holidays, as 24/7 is", () => {
  const always = weeklyHours(daily(0, 1_440));
  const nightly = weeklyHours(daily(720, 2_160));
  for (const hours of [always, nightly])
    for (const country of ["DE", null])
      assert.equal(evaluateHours(hours, NOON_MS, { ...BERLIN, country }, memory).state, "open");
  const gap = daily(0, 1_440).map((one) => (one.day === 4 ? { ...one, to_min: 1_439 } : one));
  assert.equal(evaluateHours(weeklyHours(gap), NOON_MS, BERLIN, memory).state, "unknown");
  assert.equal(evaluateHours(weeklyHours(gap.slice(1)), NOON_MS, BERLIN, memory).state, "unknown");
});

test("the night that a holiday begins is as unknown as the holiday, however it is written", () => {
  const whole = daily(1_200, 1_560);
  const split = [...daily(1_200, 1_440), ...daily(0, 120)];
  for (const hours of [weeklyHours(whole), weeklyHours(split)]) {
    const at = (date: number, hour: number) =>
      evaluateHours(hours, december_ms(date, hour), BERLIN, memory).state;
    assert.deepEqual(
      [at(26, 21), at(27, 1), at(27, 3), at(27, 21)],
      ["unknown", "unknown", "closed", "open"],
    );
  }
});

test("a date that is given is known, holiday or not, and no other", () => {
  const dated: Dated = [
    { year: 2026, month: 12, date: 24, periods: [{ from_min: 480, to_min: 840 }] },
    { year: 2026, month: 12, date: 25, periods: [] },
    { year: 2026, month: 12, date: 26, periods: [{ from_min: 600, to_min: 720 }] },
  ];
  const hours = weeklyHours(daily(480, 1_200), dated);
  const at = (date: number, hour: number) =>
    evaluateHours(hours, december_ms(date, hour), BERLIN, memory);
  assert.deepEqual([at(24, 13).state, at(24, 15).state], ["open", "closed"]);
  const closed = { state: "closed", until_ms: december_ms(26, 10), holidays_known: true };
  assert.deepEqual(at(25, 12), { ...closed, rule: "2026-12-25 off" });
  assert.deepEqual([at(26, 11).state, at(26, 11).rule], ["open", "2026-12-26 10:00-12:00"]);
  const next_year_ms = NOON_MS + 365 * 24 * HOUR_MS;
  assert.equal(evaluateHours(hours, next_year_ms, BERLIN, memory).state, "unknown");
});

test("on every minute a week says what its periods say, or nothing", () => {
  const period = fc
    .tuple(fc.constantFrom(...DAYS), fc.nat(1_439), fc.integer({ min: 1, max: 1_440 }))
    .map(([day, from_min, length]) => ({ day, from_min, to_min: from_min + length }));
  let [unknown, entry] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(period, { maxLength: 8 }),
      fc.array(fc.nat(366 * 1_440), { minLength: 1, maxLength: 40 }),
      (weekly, minutes) => {
        const hours = weeklyHours(weekly);
        const place = { ...BERLIN, time_zone: "UTC" };
        for (const minute of minutes) {
          const at_ms = Date.UTC(2026, 0, 1) + minute * 60_000;
          const { state } = evaluateHours(hours, at_ms, place, memory);
          // Of the week that begins on a Monday.
          const at = (minute + 3 * 1_440) % 10_080;
          const isOpen = weekly.some(({ day, from_min, to_min }) =>
            [at, at + 10_080].some(
              (one) => day * 1_440 + from_min <= one && one < day * 1_440 + to_min,
            ),
          );
          if (state === "unknown") unknown++;
          else assert.equal(state, isOpen ? "open" : "closed", new Date(at_ms).toISOString());
          if (state !== "unknown") entry++;
        }
      },
    ),
    { numRuns: tries(300) },
  );
  assert.ok(entry > 3 * unknown && unknown > 20, `${entry} known, ${unknown} unknown`);
});
