/** Opening hours at a moment: open, closed or unknown, and until when. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHoursMemory, evaluateHours, type HoursPlace, parseHours } from "../hours.ts";
import { CASES, UNREADABLE } from "./cases.ts";

const BERLIN: HoursPlace = { lat: 52.52, lon: 13.4, time_zone: "Europe/Berlin", country: "DE" };
const memory = createHoursMemory();

test("hours that never end are open", () => {
  const state = evaluateHours(parseHours("24/7")!, Date.UTC(2026, 10, 23), BERLIN, memory);
  assert.deepEqual(state, { state: "open", until_ms: null, rule: "24/7", holidays_known: true });
});

test("a weekly rule is evaluated by the clocks of the place", () => {
  const hours = parseHours("Mo-Fr 08:00-12:00")!;
  // A Monday; 08:30 in Berlin.
  const open = evaluateHours(hours, Date.UTC(2026, 10, 23, 7, 30), BERLIN, memory);
  assert.equal(open.state, "open");
  assert.equal(open.until_ms, Date.UTC(2026, 10, 23, 11));
  const closed = evaluateHours(hours, Date.UTC(2026, 10, 27, 11), BERLIN, memory);
  assert.equal(closed.state, "closed");
  assert.equal(closed.until_ms, Date.UTC(2026, 10, 30, 7));
});

const YEAR = 2026;

/** `11-23T10:00` in Berlin, which is one hour ahead of UTC in winter, and two in summer. */
function toBerlin_ms(text: string): number {
  const whole = text.length > 11 ? text : `${YEAR}-${text}`;
  const winter_ms = Date.parse(`${whole}:00+01:00`);
  const year = Number(whole.slice(0, 4));
  const lastSunday = (month: number): number =>
    Date.UTC(year, month, 31 - ((new Date(Date.UTC(year, month, 31)).getUTCDay() + 7) % 7), 1);
  const summer = winter_ms >= lastSunday(2) && winter_ms < lastSunday(9);
  return summer ? winter_ms - 3_600_000 : winter_ms;
}

test("every part of the grammar is evaluated as worked out by hand", () => {
  const wrong: string[] = [];
  let moments = 0;
  for (const [value, open, closed, unknown = ""] of CASES) {
    const hours = parseHours(value);
    if (!hours) {
      wrong.push(`${value}: not read`);
      continue;
    }
    for (const [expected, texts] of Object.entries({ open, closed, unknown }))
      for (const text of texts.split(" ").filter(Boolean)) {
        moments += 1;
        const { state } = evaluateHours(hours, toBerlin_ms(text), BERLIN, memory);
        if (state !== expected) wrong.push(`${value}: ${text} is ${state}, not ${expected}`);
      }
  }
  assert.deepEqual(wrong, []);
  assert.ok(CASES.length >= 150 && moments >= 400, `${CASES.length} values, ${moments} moments`);
});

test("what is no opening hours, or may mean several things, is not read", () => {
  assert.deepEqual(
    UNREADABLE.filter((text) => parseHours(text) !== null),
    [],
  );
});

const stateAt = (text: string, at: string, place: HoursPlace = BERLIN) =>
  evaluateHours(parseHours(text)!, Date.parse(at), place, memory);

test("clocks that change are followed", () => {
  // 29 March 2026: after 01:59 comes 03:00. 25 October: after 02:59 comes 02:00 again.
  assert.equal(stateAt("01:00-03:00", "2026-03-29T00:30Z").until_ms, Date.UTC(2026, 2, 29, 1));
  assert.equal(stateAt("08:00-12:00", "2026-03-28T23:30Z").until_ms, Date.UTC(2026, 2, 29, 6));
  assert.equal(stateAt("01:00-02:30", "2026-10-25T00:10Z").until_ms, Date.UTC(2026, 9, 25, 0, 30));
  assert.equal(stateAt("01:00-02:30", "2026-10-25T00:45Z").state, "closed");
  assert.equal(stateAt("01:00-02:30", "2026-10-25T01:10Z").state, "open");
  assert.equal(stateAt("22:00-06:00", "2026-10-24T21:00Z").until_ms, Date.UTC(2026, 9, 25, 5));
});

test("where the sun does not rise or set, hours by the sun are not known", () => {
  const north = { lat: 69.65, lon: 18.96, time_zone: "Europe/Oslo", country: "NO" };
  assert.equal(stateAt("sunrise-sunset", "2026-12-21T11:00Z", north).state, "unknown");
  assert.equal(stateAt("sunrise-sunset", "2026-06-21T11:00Z", north).state, "unknown");
  assert.equal(stateAt("sunrise-sunset", "2026-03-21T11:00Z", north).state, "open");
  assert.equal(stateAt("24/7; sunset-sunrise off", "2026-06-21T11:00Z", north).state, "unknown");
});

test("a holiday that is not known makes unknown only what depends on it", () => {
  const nowhere = { ...BERLIN, country: "NP" };
  const value = "Mo-Fr 08:00-18:00; PH off";
  const request = stateAt(value, "2026-11-23T10:00Z", nowhere);
  assert.deepEqual([request.state, request.holidays_known], ["unknown", false]);
  const night = stateAt(value, "2026-11-23T02:00Z", nowhere);
  assert.deepEqual([night.state, night.holidays_known], ["closed", true]);
  const both = stateAt("Mo-Su,PH 08:00-18:00", "2026-11-23T10:00Z", nowhere);
  assert.deepEqual([both.state, both.holidays_known], ["open", true]);
  const without = stateAt("Mo-Fr 08:00-18:00", "2026-11-23T10:00Z", nowhere);
  assert.deepEqual([without.state, without.holidays_known], ["open", true]);
});

test("the rule that decides is given as it is written", () => {
  const value = "mo-fr 8:00-18:00; We 08:00-12:00 , Sa 10:00-12:00";
  assert.equal(stateAt(value, "2026-11-24T10:00Z").rule, "mo-fr 8:00-18:00");
  assert.equal(stateAt(value, "2026-11-25T08:00Z").rule, "We 08:00-12:00");
  assert.equal(stateAt(value, "2026-11-28T10:00Z").rule, "Sa 10:00-12:00");
  assert.equal(stateAt(value, "2026-11-29T10:00Z").rule, null);
});

test("a time zone that is none, and a time out of range, are not known", () => {
  for (const time_zone of ["", "Nowhere/Town", "Europe/Berlin\n"])
    assert.equal(stateAt("24/7", "2026-11-23T10:00Z", { ...BERLIN, time_zone }).state, "unknown");
  const hours = parseHours("24/7")!;
  for (const at_ms of [Number.NaN, -1, 1e15, Infinity])
    assert.equal(evaluateHours(hours, at_ms, BERLIN, memory).state, "unknown");
});

test("long texts and many rules are not read", () => {
  assert.ok(parseHours(`Mo 08:00-12:00${" ".repeat(1_010)}`));
  assert.equal(parseHours(`Mo 08:00-12:00${" ".repeat(1_011)}`), null);
  assert.ok(parseHours("Mo off;".repeat(146)));
  assert.ok(parseHours("open,".repeat(200).slice(0, -1)));
  assert.equal(parseHours("open,".repeat(201).slice(0, -1)), null);
});
