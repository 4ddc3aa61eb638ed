/** Values as publishers write them (mobility.md 1.12 #1, #4; 1.10). */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  toBool,
  toCount,
  toId,
  toIds,
  toLocalised,
  toNumber,
  toText,
  toTime_s,
} from "#kit/coerce.ts";
import { readEnvelope } from "../../gbfs/envelope.ts";

const DAY_S = 86_400;
const TIME_S = 1_767_225_600;

test("times", () => {
  const cases: [unknown, number | null][] = [
    [TIME_S, TIME_S],
    [TIME_S + 0.9, TIME_S],
    [TIME_S * 1_000 + 999, TIME_S],
    [String(TIME_S), TIME_S],
    [String(TIME_S * 1_000), TIME_S],
    ["2026-01-01T00:00:00Z", TIME_S],
    ["2026-01-01T01:00:00+01:00", TIME_S],
    ["2025-12-31T19:00:00.1234567-05:00", TIME_S],
    ["2026-01-01 05:45:00+0545", TIME_S],
    ["2026-01-01T00:00Z", TIME_S],
    ["2026-01-01T00:00:00", null],
    ["2026-13-01T00:00:00Z", null],
    ["yesterday", null],
    [DAY_S, null],
    [-62_135_596_800, null],
    [0, null],
    [1e300, null],
    [Number.NaN, null],
    [null, null],
    [true, null],
  ];
  for (const [value, expected] of cases) assert.equal(toTime_s(value), expected, String(value));
});

test("a time later than tomorrow is absurd, where today is known", () => {
  assert.equal(toTime_s(TIME_S + DAY_S, TIME_S), TIME_S + DAY_S);
  assert.equal(toTime_s(TIME_S + DAY_S + 1, TIME_S), null);
  assert.equal(toTime_s(TIME_S + DAY_S + 1), TIME_S + DAY_S + 1);
});

test("numbers, counts and flags", () => {
  const numbers: [unknown, number | null][] = [
    ["1.5", 1.5],
    [" -2 ", -2],
    ["1e3", 1_000],
    [".5", 0.5],
    ["0x10", null],
    ["1,5", null],
    ["", null],
    ["Infinity", null],
    ["1e999", null],
    [true, null],
  ];
  for (const [value, expected] of numbers) assert.equal(toNumber(value), expected, String(value));
  const counts: [unknown, number | null][] = [
    [2.9, 2],
    [-1, null],
    [-0.5, null],
    [0.4, null],
    ["0.4", null],
    [0, 0],
    [99_998, 99_998],
    [99_999, null],
    ["7", 7],
    [undefined, null],
  ];
  for (const [value, expected] of counts) assert.equal(toCount(value), expected, String(value));
  assert.ok(!Object.is(toCount(-0), -0));
  for (const yes of [true, 1, "1", "true", "YES", " y "]) assert.equal(toBool(yes), true);
  for (const no of [false, 0, "0", "False", "no"]) assert.equal(toBool(no), false);
  for (const other of [2, "", "maybe", null, undefined, {}]) assert.equal(toBool(other), null);
});

test("ids and texts", () => {
  assert.equal(toId(213_688_169), "213688169");
  assert.equal(toId(" a\u0000 "), "a");
  assert.equal(toId(""), null);
  assert.equal(toId("x".repeat(513)), null);
  assert.deepEqual(toIds(["a", 1, null, "a"]), ["a", "1"]);
  assert.deepEqual(toIds("a"), ["a"]);
  assert.deepEqual(toIds(undefined), []);
  assert.equal(toText("Line\r\n two\u009b"), "Line two");
  assert.equal(toText("\u202eevil\u2066"), "evil");
  assert.equal(toText("\u200fשלום"), "\u200fשלום");
  assert.equal(toText("a\ud800b"), "a\ufffdb");
  assert.equal(toText("x".repeat(5_000))?.length, 4_096);
});

test("localised strings", () => {
  const name = [
    { text: "", language: "en" },
    { text: "Hafen", language: "de-AT" },
    { text: "Port", language: "fr" },
  ];
  assert.equal(toLocalised(name, ["fr", "de"]), "Port");
  assert.equal(toLocalised(name, ["DE"]), "Hafen");
  assert.equal(toLocalised(name, ["en", "fr"]), "Port");
  assert.equal(toLocalised(name, ["en"]), "Hafen");
  assert.equal(toLocalised([], ["en"]), null);
  assert.equal(toLocalised("Port", ["en"]), "Port");
  assert.equal(toLocalised(["", "Port"], ["en"]), "Port");
  assert.equal(toLocalised({ text: "Port", language: "fr" }, []), "Port");
});

test("envelopes", () => {
  const read = (document: object) => readEnvelope({ data: {}, ...document });
  assert.equal(read({ last_updated: "2026-01-01T00:00:00.0000000Z" })?.last_updated_s, TIME_S);
  assert.equal(read({ last_updated: TIME_S * 1_000 })?.last_updated_s, TIME_S);
  assert.equal(read({})?.last_updated_s, null);
  assert.deepEqual([read({ ttl: "30" })?.ttl_s, read({ ttl: -1 })?.ttl_s], [30, null]);
  assert.deepEqual([read({ version: 2.3 })?.version, read({})?.version], ["2.3", null]);
  for (const wire of [null, [], "x", 1, {}, { data: [] }, { data: null }]) {
    assert.equal(readEnvelope(wire), null);
  }
});
