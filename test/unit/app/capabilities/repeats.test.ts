/** What is remembered for repeats, and for how long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Repeats } from "#app/capabilities/repeated-searches.ts";

test("answers too old to be repeated do not stay in memory", () => {
  const repeats = new Repeats<string>();
  const remember = (key: string, now_ms: number): void =>
    repeats.remember(key, now_ms, Promise.resolve(key), () => true);
  for (let i = 0; i < 1_000; i++) remember(`old ${i}`, i);
  assert.equal(repeats.size, 1_000);
  assert.ok(repeats.recall("old 0", 119_999), "within two minutes");
  assert.equal(repeats.recall("old 0", 120_000), null);
  for (let i = 0; i < 1_000; i++) remember(`new ${i}`, 200_000);
  assert.equal(repeats.size, 1_000, "the old ones are gone");
  assert.ok(repeats.recall("new 0", 200_000));
});

test("a crowd of questions is remembered up to a bound", () => {
  const repeats = new Repeats<number>();
  for (let i = 0; i < 30_000; i++) repeats.remember(`${i}`, 0, Promise.resolve(i), () => true);
  assert.equal(repeats.size, 20_000);
  assert.ok(repeats.recall("29999", 0));
});
