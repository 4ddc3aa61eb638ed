/**
 * Measures a JSON text before it is parsed: a document of ten million empty objects is a few
 * megabytes of text and a gigabyte of heap. One pass over the bytes, whatever they are: what is not
 * JSON is left to the parser.
 */
export type JsonBounds = { depth: number; rows: number; values: number };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The first bound that the text exceeds; null: none. */
export function exceededBound(
  bytes: Uint8Array,
  { depth: deepest, rows, values }: JsonBounds,
): "too_deep" | "too_many_rows" | "too_many_values" | null {
  /** Commas of each open container; it has one member more, where it has any. */
  const commas = new Uint32Array(deepest + 1);
  let depth = 0;
  let seen = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]!) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > deepest) return "too_deep";
        commas[depth] = 0;
        if (++seen > values) return "too_many_values";
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth > 0) depth--;
        break;
      case COMMA:
        if (++commas[depth]! >= rows) return "too_many_rows";
        if (++seen > values) return "too_many_values";
        break;
    }
  }
  return null;
}

/** Where the closing quote of a string is, or the end of the text. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
