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
