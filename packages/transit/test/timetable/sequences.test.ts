/** Distinct sequences: numbered as a map of their texts would, for any input and any seed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Sequences } from "../../timetable/sequences.ts";

const arbSequence = fc.oneof(
  fc.array(fc.integer({ min: -1, max: 2 }), { maxLength: 4 }),
  fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 40 }),
);

/** Parts that are full after each sequence, after some, and never. */
const arbPart = fc.constantFrom(1, 8, 50, undefined);

test("equal sequences have one number, others their own, and each comes back", () => {
  fc.assert(
    fc.property(fc.array(arbSequence, { maxLength: 60 }), fc.nat(), arbPart, (all, seed, part) => {
      const sequences = new Sequences(seed, part);
      const expected = new Map<string, number>();
      for (const each of all) {
        const key = JSON.stringify(each);
        if (!expected.has(key)) expected.set(key, expected.size);
        // What follows the length is no part of it.
        const input = Int32Array.from([...each, 99]);
        assert.equal(sequences.intern(input, each.length), expected.get(key));
      }
      assert.equal(sequences.count, expected.size);
      for (const [key, index] of expected) {
        const values = [...sequences.at(index)];
        assert.equal(JSON.stringify(values), key);
        assert.deepEqual(
          values.map((_, place) => sequences.valueAt(index, place)),
          values,
        );
      }
    }),
  );
});

test("thousands are found again, whatever the table grew to", () => {
  const sequences = new Sequences(7);
  const make = (i: number): Int32Array => Int32Array.of(i >> 6, i & 63, i);
  for (let i = 0; i < 5_000; i++) assert.equal(sequences.intern(make(i), 3), i);
  for (let i = 0; i < 5_000; i++) {
    assert.equal(sequences.intern(make(i), 3), i);
    assert.deepEqual(sequences.at(i), make(i));
  }
  assert.equal(sequences.count, 5_000);
});

test("a sequence is copied: its owner may write over it", () => {
  const sequences = new Sequences(1);
  const input = Int32Array.of(1, 2, 3);
  sequences.intern(input, 3);
  input.fill(9);
  assert.deepEqual([...sequences.at(0)], [1, 2, 3]);
  assert.equal(sequences.intern(Int32Array.of(1, 2, 3), 3), 0);
});
