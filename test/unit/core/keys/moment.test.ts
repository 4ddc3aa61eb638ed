/** When a key ends, as people write it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readDuration_ms, readMoment_ms } from "#core/keys/moment.ts";
import { forAll } from "../../../support/domain.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

const MOMENTS: readonly [text: string, time: string | null][] = [
  ["2027-01-31", "2027-01-31T00:00:00.000Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2027-01-31T08:30:00Z", "2027-01-31T08:30:00.000Z"],
  ["2027-01-31t08:30:00z", "2027-01-31T08:30:00.000Z"],
  ["2027-01-31T08:30:00.25+01:00", "2027-01-31T07:30:00.250Z"],
  ["2027-01-31T08:30Z", "2027-01-31T08:30:00.000Z"],
  ["30d", "2026-12-21T12:00:00.000Z"],
  ["2w", "2026-12-05T12:00:00.000Z"],
  ["90m", "2026-11-21T13:30:00.000Z"],
  ["45s", "2026-11-21T12:00:45.000Z"],
  ["0h", "2026-11-21T12:00:00.000Z"],
  ["2020-01-01", "2020-01-01T00:00:00.000Z"],
  ["2027-02-29", null],
  ["2027-02-31T08:00:00Z", null],
  ["2027-13-01", null],
  ["2027-01-31T25:00:00Z", null],
  ["2027-01-31T08:30:00", null],
  ["2027-01-31 08:30:00Z", null],
  ["31/01/2027", null],
  ["1769817600", null],
  ["tomorrow", null],
  ["30", null],
  ["-30d", null],
  ["1.5h", null],
  ["30 d", null],
  ["999999w", null],
  ["", null],
];
for (const [text, time] of MOMENTS) {
  test(`${JSON.stringify(text)} is ${time ?? "no moment"}`, () => {
    const at_ms = readMoment_ms(text, NOW);
    assert.equal(at_ms === null ? null : new Date(at_ms).toISOString(), time);
  });
}

test("any time that is written as RFC 3339 is read back", () => {
  const times = fc.date({ min: new Date(0), max: new Date("9999-12-30"), noInvalidDate: true });
  forAll(
    fc.property(times, (time) => {
      assert.equal(readMoment_ms(time.toISOString(), NOW), time.getTime());
    }),
  );
});

test("durations are whole numbers of one unit", () => {
  assert.equal(readDuration_ms("24h"), 86_400_000);
  assert.equal(readDuration_ms("1d"), 86_400_000);
  for (const text of ["", "h", "24", "24H", "1h30m", "2027-01-01", "1e3s"]) {
    assert.equal(readDuration_ms(text), null, text);
  }
});
