/**
 * Texts of any characters for properties: those of `fc.string({ unit: "binary" })`, which lays out a
 * table of all 1.1 million characters in every process that draws one.
 */
import fc from "fast-check";

const SURROGATES = { from: 0xd800, count: 0x800 };
const CHARACTERS = 0x11_0000 - SURROGATES.count;

const character = fc.nat({ max: CHARACTERS - 1 }).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count),
  (value) => {
    const code = typeof value === "string" ? (value.codePointAt(0) ?? NaN) : NaN;
    const n = code < SURROGATES.from ? code : code - SURROGATES.count;
    // Only what is one whole character has been drawn.
    if (!(n >= 0) || String.fromCodePoint(code) !== value) throw new Error("not a character");
    if (code >= SURROGATES.from && code < SURROGATES.from + SURROGATES.count)
      throw new Error("half a character");
    return n;
  },
);

export function anyText(
  bounds: Pick<fc.StringConstraints, "minLength" | "maxLength"> = {},
): fc.Arbitrary<string> {
  return fc.string({ ...bounds, unit: character });
}
