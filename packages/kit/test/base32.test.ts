/** Base 32: the vectors of RFC 4648, and one text for each value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { base32Length, decodeBase32, encodeBase32 } from "../base32.ts";
import { tries } from "../../../test/support/size.ts";

const VECTORS = [
  ["", ""],
  ["f", "my"],
  ["fo", "mzxq"],
  ["foo", "mzxw6"],
  ["foob", "mzxw6yq"],
  ["fooba", "mzxw6ytb"],
  ["foobar", "mzxw6ytboi"],
] as const;

for (const [text, encoded] of VECTORS)
  test(`RFC 4648, 10: "${text}" is "${encoded}"`, () => {
    const bytes = new TextEncoder().encode(text);
    assert.equal(encodeBase32(bytes), encoded);
    assert.deepEqual(decodeBase32(encoded, bytes.length), bytes);
    assert.equal(decodeBase32(encoded, bytes.length + 1), null);
  });

test("there and back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = encodeBase32(bytes);
      assert.equal(text.length, base32Length(bytes.length));
      assert.deepEqual(decodeBase32(text, bytes.length), bytes);
    }),
  );
});

test("accepted text is the text that would have been written", () => {
  const spelled = fc.string({
    unit: fc.constantFrom("a", "b", "z", "2", "7", "A", "Z", "0", "1", "=", "é"),
    maxLength: 5,
  });
  let taken = 0;
  fc.assert(
    fc.property(spelled, fc.nat(3), (text, length) => {
      const bytes = decodeBase32(text, length);
      if (bytes === null) return;
      taken += 1;
      assert.equal(encodeBase32(bytes), text);
    }),
    { numRuns: tries(5_000) },
  );
  assert.ok(taken > 50, `${taken} were taken`);
});

test("other spellings of the same bits are refused", () => {
  for (const text of ["MY", "mz", "m1", "my======", "m y", "mé"])
    assert.equal(decodeBase32(text, 1), null, text);
});
