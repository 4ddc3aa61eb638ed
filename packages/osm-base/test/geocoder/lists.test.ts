import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bucketsOf, rowsOf } from "../../geocoder/buckets.ts";
import { clusterBoxes, gapOf, unionOf } from "../../geocoder/clusters.ts";
import { Growing } from "#kit/growing.ts";
import { Lists } from "../../geocoder/number-lists.ts";

const NUMBER = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

test("a list has one number, however often it is added, and comes out as it went in", () => {
  const list = fc.array(fc.oneof(fc.nat({ max: 3 }), NUMBER), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 60 }), fc.nat({ max: 2_000 }), (input, more) => {
      const lists = new Lists();
      const expected = new Map([["", 0]]);
      // More lists than there are slots at first.
      const all = [...input, ...Array.from({ length: more }, (_, i) => [i, i % 7]), ...input];
      for (const each of all) {
        const key = each.join();
        assert.equal(lists.find(each), expected.get(key) ?? 0);
        if (!expected.has(key)) expected.set(key, expected.size);
        assert.equal(lists.add(each), expected.get(key));
      }
      assert.equal(lists.count, expected.size);
      for (const [key, id] of expected) {
        assert.equal([...lists.get(id)].join(), key);
        assert.equal(lists.find(lists.get(id)), id);
      }
    }),
    { numRuns: 40 },
  );
});

test("each row is in the bucket of its number, in order, and in no other", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 6 })), (numbers) => {
      const buckets = bucketsOf(numbers, 7);
      for (let number = 0; number < 7; number++)
        assert.deepEqual(
          [...rowsOf(buckets, number)],
          numbers.flatMap((each, row) => (each === number ? [row] : [])),
        );
    }),
  );
});

test("a column that grows keeps what was pushed", () => {
  fc.assert(
    fc.property(fc.array(fc.array(NUMBER, { maxLength: 900 }), { maxLength: 8 }), (parts) => {
      const column = new Growing(Int32Array, 4);
      for (const part of parts) {
        column.pushAll(part);
        column.push(part.length);
      }
      const expected = parts.flatMap((part) => [...part, part.length]);
      assert.deepEqual([...column.view()], expected);
      assert.equal(column.length, expected.length);
      for (const [i, value] of expected.entries()) assert.equal(column.at(i), value);
    }),
  );
});

test("boxes are of one part when others between them leave no gap", () => {
  const corner = fc.integer({ min: 0, max: 600_000 });
  const box = fc
    .tuple(corner, corner, fc.nat({ max: 40_000 }), fc.nat({ max: 40_000 }))
    .map(([south, west, up, aside]) => [south, west, south + up, west + aside]);
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 12 }), (input) => {
      const boxes = Int32Array.from(input.flat());
      const gap_m = 1_000;
      const parts = clusterBoxes(boxes, gap_m);
      const part_of = input.map((_, i) => i);
      for (let round = 0; round < input.length; round++)
        for (let i = 0; i < input.length; i++)
          for (let j = 0; j < input.length; j++)
            // A gap is measured at the latitude of the northern box.
            if (input[i]![0]! >= input[j]![0]! && gapOf(input[i]!, input[j]!) <= gap_m)
              part_of[i] = part_of[j] = Math.min(part_of[i]!, part_of[j]!);
      const firsts = [...new Set(part_of)];
      assert.equal(parts.starts.length - 1, firsts.length);
      for (const [part, first] of firsts.entries())
        assert.deepEqual(
          [...rowsOf(parts, part)],
          part_of.flatMap((each, i) => (each === first ? [i] : [])),
        );
    }),
  );
});

test("a union holds all its boxes and no more", () => {
  assert.deepEqual([...unionOf(Int32Array.of(1, 2, 3, 4, 0, 3, 2, 9, 2, -5, 7, 1))], [0, -5, 7, 9]);
});
