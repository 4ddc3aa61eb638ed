/** Hours of lockers at their bounds: to midnight, around the clock, and past it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inpostOpening } from "#providers/inpost/inpost-hours.ts";

const DAY = 1_440;
/** Monday's periods in minutes of its week, from `MON|…`. */
const weekly = (fields: string): unknown => {
  const rest = ["TUE", "WED", "THU", "FRI", "SAT", "SUN"].map((day) => `${day}|-|-`);
  return inpostOpening({ opening_hours: [`MON|${fields}`, ...rest].join(";") })?.weekly;
};

test("the end of a period that is not after its begin is of the next day", () => {
  // What goes on past midnight may be two of them.
  const minutes = (fields: string): number =>
    (weekly(fields) as { from_min: number; to_min: number }[]).reduce(
      (sum, { from_min, to_min }) => sum + to_min - from_min,
      0,
    );
  for (const [fields, expected] of [
    ["08:00-20:00|-", 720],
    ["08:00-08:01|-", 1],
    ["08:00-08:00|-", DAY],
    ["08:00-07:59|-", DAY - 1],
    ["00:00-00:00|-", DAY],
    ["00:00-24:00|-", DAY],
    ["08:00-12:00|14:00-18:00", 480],
    ["-|-", 0],
  ] as const)
    assert.equal(minutes(fields), expected, fields);
});
