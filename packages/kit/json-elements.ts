/**
 * Elements of lists inside a JSON document, found by walking over its bytes: registers are files of a
 * hundred megabytes, and the whole tree would be several times that. Each walk is linear, and only what
 * is looked for is parsed.
 */
import { parseJsonBytes, parseWithin } from "./json.ts";

/** Where a value lies: its first byte, and the one behind its last. */
export type JsonSpan = readonly [from: number, to: number];

/** A member on the way to the elements. Without an optional one the path goes on at what it would be in. */
export type JsonStep = { is(name: string): boolean; optional?: true };

export type JsonElements = {
  count: number;
  /** May be walked again. */
  spans(): Iterable<JsonSpan>;
};

/** Elements of a document; more are no register. */
export const MAX_JSON_ELEMENTS = 2_000_000;

/** What one element may take; more costs this element. */
export const JSON_ELEMENT_BOUNDS = {
  bytes: 4 * 1024 ** 2,
  depth: 64,
  rows: 50_000,
  values: 500_000,
} as const;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const BOM = [0xef, 0xbb, 0xbf] as const;
/** No other value begins with this letter. */
const NULL = 0x6e;
/** Bytes of a name that is looked at. */
const MAX_NAME = 1_024;

/**
 * Finds the elements at the end of `path`. What lies there, and at each step, is a value, a list of
 * values, or null, which is none; a member that an object names twice counts twice. null: the bytes are
 * no whole document, or have too many elements. They are walked once to their end before anything is given out: half a register
 * must not replace a whole one.
 */
export function openJsonElements(
  bytes: Uint8Array,
  path: readonly JsonStep[],
): JsonElements | null {
  const begin = beginOfJson(bytes);
  const walk = walkJson(bytes, begin, path);
  for (let count = 0; count <= MAX_JSON_ELEMENTS; count++) {
    const next = walk.next();
    if (!next.done) continue;
    if (!isEnd(bytes, next.value)) return null;
    return { count, spans: () => walkJson(bytes, begin, path) };
  }
  return null;
}

/** A step to the member of one of these names. */
export function jsonStep(names: readonly string[], optional?: true): JsonStep {
  return { is: (name) => names.includes(name), ...(optional && { optional }) };
}

/** Parses an element; undefined: it is no JSON, or beyond the bounds. */
export function parseJsonSpan(bytes: Uint8Array, [from, to]: JsonSpan): unknown {
  const size = to - from;
  if (size > JSON_ELEMENT_BOUNDS.bytes) return undefined;
  const part = bytes.subarray(from, to);
  // Most are short and flat.
  if (size <= JSON_ELEMENT_BOUNDS.rows && isFlat(part)) return parseJsonBytes(part);
  const parsed = parseWithin(part, JSON_ELEMENT_BOUNDS);
  return "value" in parsed ? parsed.value : undefined;
}

/** Whether there are no more opening brackets than levels that are allowed, those within texts too. */
function isFlat(bytes: Uint8Array): boolean {
  let left = JSON_ELEMENT_BOUNDS.depth;
  for (const bracket of [OPEN_LIST, OPEN_OBJECT])
    for (let at = bytes.indexOf(bracket); at !== -1; at = bytes.indexOf(bracket, at + 1))
      if (--left < 0) return false;
  return true;
}

/** Where a document begins, behind its byte order mark and what is blank. */
export function beginOfJson(bytes: Uint8Array): number {
  return skipSpace(bytes, BOM.every((byte, i) => bytes[i] === byte) ? BOM.length : 0);
}

/** Whether nothing follows a value that ends here; -1: it does not end. */
export function isEnd(bytes: Uint8Array, end: number): boolean {
  return end !== -1 && skipSpace(bytes, end) === bytes.length;
}

/** The elements below the value that begins at `from`; at last where it ends, -1: it does not. */
export function* walkJson(
  bytes: Uint8Array,
  from: number,
  path: readonly JsonStep[],
): Generator<JsonSpan, number> {
  if (bytes[from] === NULL) return skipValue(bytes, from);
  if (bytes[from] !== OPEN_LIST) return yield* walkValue(bytes, from, path);
  const elements = walkList(bytes, from);
  let next = elements.next();
  while (!next.done) next = elements.next(yield* walkValue(bytes, next.value, path));
  return next.value;
}

function* walkValue(
  bytes: Uint8Array,
  from: number,
  path: readonly JsonStep[],
): Generator<JsonSpan, number> {
  if (path.length > 0 && bytes[from] === OPEN_OBJECT) {
    const members = walkObject(bytes, from);
    let next = members.next();
    while (!next.done) {
      const { name, at } = next.value;
      const rest = name === null ? null : stepInto(path, name);
      next = members.next(rest ? yield* walkJson(bytes, at, rest) : skipValue(bytes, at));
    }
    return next.value;
  }
  const end = skipValue(bytes, from);
  if (path.length === 0 && end !== -1) yield [from, end];
  return end;
}

/** What is left of the path behind a member; null: the member is not on it. */
function stepInto(path: readonly JsonStep[], name: string): readonly JsonStep[] | null {
  for (const [index, step] of path.entries()) {
    if (step.is(name)) return path.slice(index + 1);
    if (!step.optional) return null;
  }
  return null;
}

/**
 * Where each element of a list begins; each is answered with where it ends. At last where the list
 * ends, -1: it does not.
 */
function* walkList(bytes: Uint8Array, from: number): Generator<number, number, number> {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_LIST) return at + 1;
  for (;;) {
    const end = yield at;
    if (end === -1) return -1;
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    if (bytes[at] !== COMMA) return -1;
    at = skipSpace(bytes, at + 1);
  }
}

/** A member of an object, and where its value begins; `name` null: it is no name, or a long one. */
type JsonMember = { name: string | null; at: number };

/** The members of an object; likewise. */
export function* walkObject(
  bytes: Uint8Array,
  from: number,
): Generator<JsonMember, number, number> {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const name_end = bytes[at] === QUOTE ? skipText(bytes, at) : -1;
    const colon = name_end === -1 ? -1 : skipSpace(bytes, name_end);
    if (colon === -1 || bytes[colon] !== COLON) return -1;
    const name = name_end - at > MAX_NAME ? null : parseJsonBytes(bytes.subarray(at, name_end));
    const value = skipSpace(bytes, colon + 1);
    const end = yield { name: typeof name === "string" ? name : null, at: value };
    if (end === -1) return -1;
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    if (bytes[at] !== COMMA) return -1;
    at = skipSpace(bytes, at + 1);
  }
}

export function isList(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_LIST;
}

export function isObject(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_OBJECT;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** The end of the value that begins here; -1: the bytes end first, or no value begins. */
export function skipValue(bytes: Uint8Array, from: number): number {
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
