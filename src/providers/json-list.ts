/**
 * A list of a JSON document, read element by element from its bytes: registers are files of a hundred
 * megabytes, and the whole tree would be several times that.
 */
import { parseJsonBytes } from "#kit/json.ts";

export type JsonList = {
  count: number;
  /** Member of the document that has it; null: it is the whole document. */
  member: string | null;
  /** Other members of the document that are short: a status, the address of a next page. */
  others: ReadonlyMap<string, unknown>;
  /** Each element, parsed; undefined for one that is no JSON. May be walked again. */
  rows(): Iterable<unknown>;
  /** Where each element begins and ends. */
  bounds(): Iterable<readonly [from: number, to: number]>;
};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const BOM = [0xef, 0xbb, 0xbf] as const;

/** Bytes of a member that is read as well as the list, and of a name. */
const MAX_SHORT = 1_024;
const MAX_MEMBERS = 1_000;

/**
 * Finds the list under the first of `names` that has one, or the bare list that is the whole document;
 * null: there is none, or not a whole document. The document is walked once to its end before anything
 * is given out: half a register must not replace a whole one.
 */
export function openJsonList(bytes: Uint8Array, names: readonly string[]): JsonList | null {
  const at = skipSpace(bytes, BOM.every((byte, i) => bytes[i] === byte) ? BOM.length : 0);
  if (bytes[at] === OPEN_LIST) {
    const { end, count } = skipMember(bytes, at);
    const whole = end !== -1 && skipSpace(bytes, end) === bytes.length;
    return whole
      ? toList(bytes, { at, count: count ?? 0 }, { member: null, others: NOTHING })
      : null;
  }
  const document = bytes[at] === OPEN_OBJECT ? readMembers(bytes, at, names) : null;
  const member = names.find((name) => document?.lists.get(name)) ?? null;
  if (!document || member === null) return null;
  return toList(bytes, document.lists.get(member)!, { member, others: document.others });
}

type Found = { at: number; count: number };

function toList(
  bytes: Uint8Array,
  { at, count }: Found,
  rest: Pick<JsonList, "member" | "others">,
): JsonList {
  const bounds = (): Iterable<[number, number]> => listElements(bytes, at);
  return { count, ...rest, bounds, rows: () => parseEach(bytes, bounds()) };
}

function* parseEach(
  bytes: Uint8Array,
  bounds: Iterable<readonly [number, number]>,
): Generator<unknown, void> {
  for (const [from, to] of bounds) yield parseJsonBytes(bytes.subarray(from, to));
}

type Members = { lists: Map<string, Found | null>; others: Map<string, unknown> };
const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** As for JSON.parse, the last one of a name counts; null: the document is not whole. */
function readMembers(bytes: Uint8Array, from: number, names: readonly string[]): Members | null {
  const members: Members = { lists: new Map(), others: new Map() };
  let at = skipSpace(bytes, from + 1);
  for (let read = 0; bytes[at] === QUOTE && read < MAX_MEMBERS; read++) {
    const key_end = skipValue(bytes, at);
    const colon = skipSpace(bytes, key_end);
    if (bytes[colon] !== COLON) return null;
    const value = skipSpace(bytes, colon + 1);
    const name = key_end - at > MAX_SHORT ? null : parseJsonBytes(bytes.subarray(at, key_end));
    const { end, count } = skipMember(bytes, value);
    if (end === -1) return null;
    if (typeof name === "string" && names.includes(name))
      members.lists.set(name, count === null ? null : { at: value, count });
    else if (typeof name === "string" && end - value <= MAX_SHORT)
      members.others.set(name, parseJsonBytes(bytes.subarray(value, end)));
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
    if (bytes[at] !== QUOTE) return null;
  }
  const whole = bytes[at] === CLOSE_OBJECT && skipSpace(bytes, at + 1) === bytes.length;
  return whole ? members : null;
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
