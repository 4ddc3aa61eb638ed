/** Records of a journal: all of those that are whole, and nothing else, whatever else is in the file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  decodeRecords,
  encodeRecord,
  NO_RECORD,
  type Position,
  START,
} from "#storage/usage/record.ts";

const TEXTS = fc.array(fc.string({ minLength: 1, unit: "grapheme" }), { maxLength: 20 });

/** One after the other from the beginning, and where each ends. */
function write(texts: readonly string[], first = 1): { bytes: Buffer; ends: number[] } {
  let place = START;
  const pieces: Buffer[] = [];
  const ends: number[] = [];
  for (const [index, text] of texts.entries()) {
    const { bytes, end } = encodeRecord(place, { seq: first + index, text });
    pieces.push(Buffer.from(bytes));
    ends.push(end.at);
    place = end;
  }
  return { bytes: Buffer.concat(pieces), ends };
}

function read(bytes: Buffer, from: Position = START): [number, string][] {
  return [...decodeRecords(bytes, from)].map(({ seq, text }) => [seq, text]);
}

const numbered = (texts: readonly string[], first = 1): [number, string][] =>
  texts.map((text, index) => [first + index, text]);

test("records are read as written, from the beginning and from the end of any", () => {
  fc.assert(
    fc.property(TEXTS, fc.nat({ max: 2 ** 40 }), (texts, first) => {
      const { bytes } = write(texts, first);
      assert.deepEqual(read(bytes), numbered(texts, first));
      for (const [index, { end }] of [...decodeRecords(bytes, START)].entries()) {
        const rest = texts.slice(index + 1);
        assert.deepEqual(read(bytes.subarray(end.at), end), numbered(rest, first + index + 1));
      }
    }),
  );
});

test("cut off anywhere, or with one bit changed, it ends before the record that was hurt", () => {
  fc.assert(
    fc.property(TEXTS, fc.nat(), fc.nat({ max: 7 }), (texts, where, bit) => {
      const { bytes, ends } = write(texts);
      if (bytes.length === 0) return;
      const at = where % bytes.length;
      const whole = ends.filter((end) => end <= at).length;
      assert.deepEqual(read(bytes.subarray(0, at)), numbered(texts.slice(0, whole)));
      bytes[at]! ^= 1 << bit;
      const match = read(bytes);
      // Two bytes of a record mean nothing, and are looked at all the same.
      assert.deepEqual(match, numbered(texts.slice(0, whole)));
    }),
  );
});

test("nothing of an earlier turn is read, however the records lie", () => {
  const one = fc.constantFrom("a", "bb");
  fc.assert(
    fc.property(fc.array(one, { maxLength: 9 }), fc.array(one, { maxLength: 9 }), (old, texts) => {
      const file = Buffer.alloc(400);
      // Numbers may come again after a restart, and texts may be the same.
      write(["first", ...old], 1).bytes.copy(file);
      write(["fresh", ...texts], 1).bytes.copy(file);
      assert.deepEqual(read(file), numbered(["fresh", ...texts]));
      NO_RECORD.copy(file);
      assert.deepEqual(read(file), []);
    }),
  );
});
