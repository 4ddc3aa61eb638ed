import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BLOCK, isBlockNumber, readTag, valueOf } from "../../geocoder/house-numbers.ts";

const valuesOf = (text: string, blocks = false): number[] =>
  readTag(text, blocks)?.numbers.map(({ value }) => value) ?? [];

test("rows, lists and letters are read as the numbers they are", () => {
  assert.deepEqual(valuesOf("12"), [12]);
  assert.deepEqual(valuesOf("12 A"), [12]);
  assert.deepEqual(valuesOf("12-16"), [12, 14, 16]);
  assert.deepEqual(valuesOf("12-15"), [12, 13, 14, 15]);
  assert.deepEqual(valuesOf("3;5"), [3, 5]);
  assert.deepEqual(valuesOf("12/3"), [12, 3]);
  assert.deepEqual(valuesOf("s/n"), [0]);
  assert.deepEqual(valuesOf(""), []);
  assert.equal(readTag("7 a", false)!.numbers[0]!.key, "7a");
});

test("a hyphen joins block and house where a street numbers so", () => {
  assert.equal(isBlockNumber("215-12"), true);
  assert.equal(isBlockNumber("91-05"), true);
  assert.equal(isBlockNumber("12-16"), false);
  assert.equal(isBlockNumber("12"), null);
  assert.deepEqual(valuesOf("215-12", true), [215 * BLOCK + 12]);
  assert.equal(valueOf("215-12", true), 215 * BLOCK + 12);
  assert.equal(valueOf("21512", true), 215 * BLOCK + 12);
  assert.equal(valueOf("215-12", false), 215);
});

test("any tag costs a bounded number of numbers", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.boolean(), (text, blocks) => {
      const tagged = readTag(text, blocks);
      assert.ok((tagged?.numbers.length ?? 0) <= 16 * 62);
      for (const { value } of tagged?.numbers ?? []) assert.ok(value >= 0 && value < 2 ** 32);
    }),
  );
});
