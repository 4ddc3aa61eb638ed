/** Numbers, times and dates of cells: what is meant, or null. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dayOfCell, digitOf, secondsOf, wholeOf } from "../../gtfs/cell-values.ts";
import type { CsvRow } from "#kit/csv.ts";

/** A row of one cell, within a buffer that holds digits around it. */
function rowOf(text: string): CsvRow {
  const bytes = new TextEncoder().encode(`11:11:11${text}22:22:22`);
  return {
    bytes,
    line: 1,
    starts: Int32Array.of(8),
    ends: Int32Array.of(bytes.length - 8),
    escaped: Uint8Array.of(0),
  };
}
const seconds = (text: string): number | null => secondsOf(rowOf(text), 0);
const whole = (text: string): number | null => wholeOf(rowOf(text), 0);

test("times of the day, and of the days after it", () => {
  const cases: [string, number][] = [
    ["0:00:00", 0],
    ["00:00:01", 1],
    ["8:05:30", 29_130],
    ["08:05:30", 29_130],
    ["23:59:59", 86_399],
    ["24:00:00", 86_400],
    ["25:35:00", 92_100],
    ["100:00:00", 360_000],
    ["240:00:00", 864_000],
  ];
  for (const [text, expected] of cases) assert.equal(seconds(text), expected, text);
});

test("whatever else is no time", () => {
  const cases = [
    "",
    "8",
    "08:00",
    "8:0:00",
    "8:00:0",
    ":00:00",
    "08:60:00",
    "08:00:60",
    "-8:00:00",
    "+8:00:00",
    "08-00-00",
    "08:00:00Z",
    "08:00:00.5",
    "8h:00:00",
    "1000:00:00",
    "241:00:00",
    "08:0a:00",
    "08:00:a0",
    "noon",
    "8:00:00 AM",
  ];
  for (const text of cases) assert.equal(seconds(text), null, text);
});

test("every time that is written is read, and of other texts none", () => {
  const pad = (value: number): string => String(value).padStart(2, "0");
  const arb = fc.record({ h: fc.nat(240), m: fc.nat(59), s: fc.nat(59) });
  fc.assert(
    fc.property(arb, ({ h, m, s }) => {
      const expected = h * 3_600 + m * 60 + s;
      assert.equal(seconds(`${h}:${pad(m)}:${pad(s)}`), expected);
      assert.equal(seconds(`${pad(h)}:${pad(m)}:${pad(s)}`), expected);
    }),
  );
  fc.assert(
    fc.property(
      fc.string({ maxLength: 10, unit: fc.constantFrom(...Array.from("0123456789:- a")) }),
      (text) => {
        const match = /^(\d{1,3}):([0-5]\d):([0-5]\d)$/.exec(text);
        const [h, m, s] = (match ?? []).slice(1).map(Number);
        const expected = match && h! <= 240 ? h! * 3_600 + m! * 60 + s! : null;
        assert.equal(seconds(text), expected, text);
      },
    ),
  );
});

test("whole numbers of up to nine digits", () => {
  for (const [text, expected] of [
    ["0", 0],
    ["007", 7],
    ["999999999", 999_999_999],
  ] as const)
    assert.equal(whole(text), expected);
  for (const text of ["", "1000000000", "-1", "1.0", "1e3", "x", "٣"])
    assert.equal(whole(text), null, text);
});

test("a digit, zero where there is none, null where it means nothing", () => {
  const digit = (text: string, most: number): number | null => digitOf(rowOf(text), 0, most);
  assert.equal(digit("", 3), 0);
  assert.equal(digit("0", 3), 0);
  assert.equal(digit("3", 3), 3);
  for (const text of ["4", "9", "11", "-1", "x", "/", ":"])
    assert.equal(digit(text, 3), null, text);
});

test("dates of 1970 to 2199, leap days among them", () => {
  const cases: [string, number][] = [
    ["19700101", 0],
    ["19700102", 1],
    ["20000229", 11_016],
    ["20240229", 19_782],
    ["21991231", 84_005],
  ];
  for (const [text, expected] of cases) assert.equal(dayOfCell(text), expected, text);
  for (const text of [
    "",
    "19691231",
    "22000101",
    "00000101",
    "20230229",
    "21000229",
    "20240230",
    "20241301",
    "20240001",
    "20240100",
    "2024011",
    "202401011",
    "2024-1-1",
    " 20240101",
    "20240101\n",
    "２０２４０１０１",
  ])
    assert.equal(dayOfCell(text), null, JSON.stringify(text));
});
