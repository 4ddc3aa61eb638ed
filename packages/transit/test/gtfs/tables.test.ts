/** Ids as numbers, and pairs of numbers: held to Map and Set. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NO_ENTRY, addText, createByteTable, findText, textOf } from "../../gtfs/byte-table.ts";
import type { CsvRow } from "#kit/csv.ts";
import { createPairSet } from "../../gtfs/pair-set.ts";

/** A row of one cell, somewhere in a buffer; with doubled quotes when they are wanted. */
function rowOf(text: string, escaped = false): CsvRow {
  const cell = Buffer.from(escaped ? text.replaceAll('"', '""') : text);
  const bytes = Buffer.concat([Buffer.from("##"), cell, Buffer.from("#")]);
  return {
    bytes,
    line: 1,
    starts: Int32Array.of(2),
    ends: Int32Array.of(2 + cell.length),
    escaped: Uint8Array.of(escaped ? 1 : 0),
  };
}

test("texts have numbers in order of first sight, whatever the seed", () => {
  const arbText = fc.string({
    minLength: 1,
    maxLength: 8,
    unit: fc.constantFrom("a", "b", '"', "é"),
  });
  fc.assert(
    fc.property(fc.array(arbText, { maxLength: 400 }), fc.nat(2 ** 31), (texts, seed) => {
      const table = createByteTable(seed);
      const numbers = new Map<string, number>();
      for (const [i, text] of texts.entries()) {
        if (!numbers.has(text)) {
          assert.equal(findText(table, rowOf(text), 0), NO_ENTRY);
          numbers.set(text, numbers.size);
        }
        assert.equal(addText(table, rowOf(text, i % 2 === 0), 0), numbers.get(text));
        assert.equal(findText(table, rowOf(text, i % 3 === 0), 0), numbers.get(text));
      }
      assert.equal(table.count, numbers.size);
      for (const [text, number] of numbers) assert.equal(textOf(table, number), text);
    }),
    { numRuns: 50 },
  );
});

test("thousands of texts, also long ones, do not collide", () => {
  const table = createByteTable(7);
  const texts = Array.from({ length: 20_000 }, (_, i) => `${"long-prefix-".repeat(i % 4)}${i}`);
  for (const [i, text] of texts.entries()) assert.equal(addText(table, rowOf(text), 0), i);
  for (const [i, text] of texts.entries()) assert.equal(findText(table, rowOf(text), 0), i);
  assert.equal(findText(table, rowOf("20000x"), 0), NO_ENTRY);
});

test("an empty cell has no number", () => {
  const table = createByteTable(1);
  assert.equal(addText(table, rowOf(""), 0), NO_ENTRY);
  assert.equal(findText(table, rowOf(""), 0), NO_ENTRY);
});

test("pairs are kept once each", () => {
  const arbPair = fc.tuple(fc.nat(3_000_000), fc.nat(9_999));
  fc.assert(
    fc.property(fc.array(arbPair, { maxLength: 2_000 }), (pairs) => {
      const set = createPairSet(10_000);
      for (const [a, b] of [...pairs, ...pairs]) set.add(a, b);
      const expected = new Set(pairs.map((pair) => pair.join()));
      assert.equal(set.count(), expected.size);
      assert.deepEqual(new Set([...set.entries()].map((pair) => pair.join())), expected);
    }),
    { numRuns: 20 },
  );
});
