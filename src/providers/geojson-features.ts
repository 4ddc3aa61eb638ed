/**
 * A GeoJSON FeatureCollection (RFC 7946), read feature by feature from its bytes: registers are files
 * of a hundred megabytes, and the whole tree would be several times that.
 */
import { parseJsonBytes } from "#kit/json.ts";

export type Features = {
  count: number;
  /** The document is the bare list that a FeatureCollection should hold. */
  bare: boolean;
  /** Each member of `features`, parsed; undefined for one that is no JSON. May be walked again. */
  rows(): Iterable<unknown>;
};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const BOM = [0xef, 0xbb, 0xbf] as const;

/**
 * null: no object with a list of features, or not a whole one. The document is walked once to its
 * end before anything is given out: half a register must not replace a whole one.
 */
export function openFeatures(bytes: Uint8Array): Features | null {
  const list = findFeatures(bytes);
  return list && { count: list.count, bare: list.bare, rows: () => parseEach(bytes, list.at) };
}

function* parseEach(bytes: Uint8Array, at: number): Iterable<unknown> {
  for (const [from, to] of listElements(bytes, at)) yield parseJsonBytes(bytes.subarray(from, to));
}

type List = { at: number; count: number; bare: boolean };

/** A list that is the whole document, of features as far as the first one shows. */
function wholeList(bytes: Uint8Array, at: number): List | null {
  const { end, count } = skipMember(bytes, at);
  const whole = end !== -1 && skipSpace(bytes, end) === bytes.length;
  if (!whole || !count) return null;
  const [first] = parseEach(bytes, at);
  const type = (first as { type?: unknown } | null | undefined)?.type;
  return type === "Feature" ? { at, count, bare: true } : null;
}

/** Where the list opens that is the document's `features`; as for JSON.parse, the last one counts. */
function findFeatures(bytes: Uint8Array): List | null {
  let at = skipSpace(bytes, BOM.every((byte, i) => bytes[i] === byte) ? BOM.length : 0);
  if (bytes[at] === OPEN_LIST) return wholeList(bytes, at);
  if (bytes[at] !== OPEN_OBJECT) return null;
  at = skipSpace(bytes, at + 1);
  let list: List | null = null;
  while (bytes[at] === QUOTE) {
    const key_end = skipValue(bytes, at);
    const colon = skipSpace(bytes, key_end);
    if (bytes[colon] !== COLON) return null;
    const value = skipSpace(bytes, colon + 1);
    const { end, count } = skipMember(bytes, value);
    if (end === -1) return null;
    if (isFeaturesKey(bytes, at, key_end))
      list = count === null ? null : { at: value, count, bare: false };
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
    if (bytes[at] !== QUOTE) return null;
  }
  const whole = bytes[at] === CLOSE_OBJECT && skipSpace(bytes, at + 1) === bytes.length;
  return whole ? list : null;
}

const FEATURES_KEY = new TextEncoder().encode('"features"');

function isFeaturesKey(bytes: Uint8Array, from: number, to: number): boolean {
  return (
    to - from === FEATURES_KEY.length && FEATURES_KEY.every((byte, i) => bytes[from + i] === byte)
  );
}

/** Lists are walked by their elements, so that what is walked later is known to be walkable. */
function skipMember(bytes: Uint8Array, at: number): { end: number; count: number | null } {
  if (bytes[at] !== OPEN_LIST) return { end: skipValue(bytes, at), count: null };
  const elements = listElements(bytes, at);
  for (let count = 0; ; count++) {
    const next = elements.next();
    if (next.done) return { end: next.value, count };
  }
}

/** From and to of each element of a list; at last where the list ends, -1 when it does not. */
function* listElements(bytes: Uint8Array, list: number): Generator<[number, number], number> {
  let at = skipSpace(bytes, list + 1);
  if (bytes[at] === CLOSE_LIST) return at + 1;
  for (;;) {
    const end = skipValue(bytes, at);
    if (end === -1) return -1;
    yield [at, end];
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    if (bytes[at] !== COMMA) return -1;
    at = skipSpace(bytes, at + 1);
  }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** The end of the value that begins here; -1: the bytes end first, or no value begins. */
function skipValue(bytes: Uint8Array, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return skipText(bytes, from);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return skipNested(bytes, from);
  let at = from;
  while (at < bytes.length && !ENDS[bytes[at]!]) at++;
  return at === from || at === bytes.length ? -1 : at;
}

/** What ends a number, `true`, `false` or `null`. */
const ENDS = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x0d, 0x09, COMMA, COLON, CLOSE_LIST, CLOSE_OBJECT, QUOTE])
  ENDS[byte] = 1;

function skipText(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at + 1;
  }
  return -1;
}

/** Depth alone is counted: brackets that do not pair are found when the element is parsed. */
function skipNested(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = skipText(bytes, at) - 1;
      if (at < 0) return -1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return -1;
}
