/** Opening hours at a moment: open, closed or unknown, and until when. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createHoursMemory,
  evaluateHours,
  type HoursPlace,
  parseHours,
  weeklyHours,
} from "#core/hours/hours.ts";
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
