/** Strict UTF-8 as a value: the same as a decoder that throws. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findWide, toUtf8Text } from "../../text/utf8.ts";
import { tries } from "../../../../test/support/size.ts";

/** The last and the first byte of each kind of lead and follower, and both sides of each bound. */
const EDGES = [
  ...[0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf],
  ...[0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff],
];

function read(bytes: readonly number[]): string | null {
  const wide = findWide(bytes);
  return wide === null ? null : toUtf8Text(bytes, wide);
}

function decode(bytes: readonly number[]): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes),
    );
  } catch {
    return null;
  }
}

test("each lead with each follower at the edges, in two, three and four bytes", () => {
  let texts = 0;
  for (const a of EDGES)
    for (const b of EDGES)
      for (const rest of [[], [0x80], [0xbf], [0x80, 0x80], [0xbf, 0xbf], [0x80, 0x41]]) {
        const bytes = [a, b, ...rest];
        const expected = decode(bytes);
        assert.equal(read(bytes), expected, bytes.map((byte) => byte.toString(16)).join(" "));
        if (expected !== null) texts++;
      }
  assert.ok(texts > 50, `${texts} texts`);
});

test("any text is read as it was written, with each wide character in its place", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const bytes = [...new TextEncoder().encode(text)];
      assert.equal(read(bytes), text);
      const wide = Array.from(text).filter((letter) => letter > "\u007f");
      assert.deepEqual(
        findWide(bytes)!.map(({ code }) => code),
        wide.map((letter) => letter.codePointAt(0)),
      );
    }),
    { numRuns: tries(200) },
  );
});
