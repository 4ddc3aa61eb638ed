import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lastUpdated_s, offset_s, shiftText } from "../shift.ts";

const HOUR = 3_600;

test("every form of a time moves and keeps its form", () => {
  const pairs: [string, string][] = [
    ["1473911563", "1473915163"],
    ["1473911563.25", "1473915163.25"],
    ["1473911563000", "1473915163000"],
    ['"1465056042"', '"1465059642"'],
    ['"2026-02-22T08:42:33Z"', '"2026-02-22T09:42:33Z"'],
    ['"2026-02-22T23:42:33+01:00"', '"2026-02-23T00:42:33+01:00"'],
    ['"2024-02-28T23:25:53.3431234-0800"', '"2024-02-29T00:25:53.3431234-0800"'],
    ['"2024-03-21 09:25Z"', '"2024-03-21 10:25Z"'],
    ['"2024-03-21T09:25:53"', '"2024-03-21T10:25:53"'],
  ];
  for (const [before, after] of pairs) {
    assert.equal(
      shiftText(`{"last_reported": ${before}}`, HOUR),
      `{"last_reported": ${after}}`,
      before,
    );
  }
});

test("an implausible time stays as odd as it was", () => {
  for (const odd of ["86400", "0", "-1", "99999999999999", '"unknown"', '""', "null", "true"]) {
    const text = `{"last_reported":${odd},"last_updated": ${odd}}`;
    assert.equal(shiftText(text, HOUR), text);
  }
});

test("only members known to be times move", () => {
  const text = `{"obcn":"4168938980","station_id":1473911563,"name":"\\"last_updated\\": 1473911563,",
    "per_km_pricing":[{"start":0,"end":5}],"start_date":"2010-06-09","last_reported":[1473911563]}`;
  assert.equal(shiftText(text, HOUR), text);
});

test("alert windows, zones and availabilities move", () => {
  const text = `{"times":[{"start":1473911563,"end":1473911600}],"from":"2024-03-21T09:25:53Z"}`;
  assert.equal(
    shiftText(text, -HOUR),
    `{"times":[{"start":1473907963,"end":1473908000}],"from":"2024-03-21T08:25:53Z"}`,
  );
});

test("moving there and back gives the same bytes", () => {
  const time = fc.oneof(
    fc.integer({ min: 1_300_000_000, max: 3_000_000_000 }).map(String),
    fc
      .tuple(
        fc.date({ min: new Date("2010-01-01"), max: new Date("2060-01-01"), noInvalidDate: true }),
        fc.constantFrom("Z", "+00:00", "+05:30", "-0930", "z", ""),
        fc.constantFrom("", ".5", ".1234567"),
      )
      .map(([date, zone, fraction]) => `"${date.toISOString().slice(0, 19)}${fraction}${zone}"`),
  );
  fc.assert(
    fc.property(time, fc.integer({ min: -100_000_000, max: 100_000_000 }), (value, by_s) => {
      const text = `{"last_updated" : ${value}, "data":{}}`;
      const moved = shiftText(text, by_s);
      assert.equal(shiftText(moved, -by_s), text);
      assert.equal(lastUpdated_s(moved), lastUpdated_s(text)! + by_s);
    }),
  );
});

test("a set moves so that its newest document was published at the given time", () => {
  const texts = [
    `{"last_updated":1473911563}`,
    `{"last_updated":"2016-09-15T04:00:00Z"}`,
    `{"last_updated":86400}`,
    "{}",
  ];
  const by_s = offset_s(texts, 1_900_000_000_999);
  assert.equal(lastUpdated_s(shiftText(texts[1]!, by_s)), 1_900_000_000);
  assert.equal(lastUpdated_s(shiftText(texts[0]!, by_s)), 1_900_000_000 - 437);
  assert.equal(offset_s(["{}"], 1_900_000_000_000), 0);
});
