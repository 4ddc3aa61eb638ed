/**
 * A list of a JSON document, read element by element from its bytes (packages/kit/json-elements.ts),
 * with what its envelope says.
 */
import { parseJsonBytes } from "#kit/json.ts";
import {
  beginOfJson,
  isEnd,
  isList,
  isObject,
  type JsonSpan,
  MAX_JSON_ELEMENTS,
  parseJsonSpan,
  skipValue,
  walkJson,
  walkObject,
} from "#kit/json-elements.ts";

export type JsonList = {
  count: number;
  /** Member of the document that has it; null: it is the whole document. */
  member: string | null;
  /** Other members of the document that are short: a status, the address of a next page. */
  others: ReadonlyMap<string, unknown>;
  /** Each element, parsed; undefined for one that is no JSON, or beyond the bounds. May be walked again. */
  rows(): Iterable<unknown>;
  /** Where each element begins and ends. */
  spans(): Iterable<JsonSpan>;
};

/** Bytes of a member that is read as well as the list. */
const MAX_SHORT = 1_024;
const MAX_MEMBERS = 1_000;

/**
 * Finds the list under the first of `names` that has one, or the bare list that is the whole document;
 * null: there is none, or not a whole document. The document is walked once to its end before anything
 * is given out: half a register must not replace a whole one.
 */
export function openJsonList(bytes: Uint8Array, names: readonly string[]): JsonList | null {
  const at = beginOfJson(bytes);
  if (isList(bytes, at)) {
    const { end, count } = countElements(bytes, at);
    return isEnd(bytes, end)
      ? toList(bytes, { at, count }, { member: null, others: NOTHING })
      : null;
  }
  const document = isObject(bytes, at) ? readMembers(bytes, at, names) : null;
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
  const spans = (): Iterable<JsonSpan> => walkJson(bytes, at, []);
  return { count, ...rest, spans, rows: () => parseEach(bytes, spans()) };
}

/** Each element, parsed; undefined for one that is no JSON, or beyond the bounds. */
function* parseEach(bytes: Uint8Array, spans: Iterable<JsonSpan>): Generator<unknown, void> {
  for (const span of spans) yield parseJsonSpan(bytes, span);
}

type Members = { lists: Map<string, Found | null>; others: Map<string, unknown> };
const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** As for JSON.parse, the last one of a name counts; null: the document is not whole. */
function readMembers(bytes: Uint8Array, from: number, names: readonly string[]): Members | null {
  const members: Members = { lists: new Map(), others: new Map() };
  const walk = walkObject(bytes, from);
  let next = walk.next();
  for (let read = 0; !next.done; read++) {
    const { name, at } = next.value;
    if (read === MAX_MEMBERS) return null;
    const found = isList(bytes, at) ? countElements(bytes, at) : null;
    const end = found ? found.end : skipValue(bytes, at);
    if (name !== null && names.includes(name))
      members.lists.set(name, found && { at, count: found.count });
    else if (name !== null && end !== -1 && end - at <= MAX_SHORT)
      members.others.set(name, parseJsonBytes(bytes.subarray(at, end)));
    next = walk.next(end);
  }
  return isEnd(bytes, next.value) ? members : null;
}

/** Lists are walked by their elements, so that what is walked later is known to be walkable. */
function countElements(bytes: Uint8Array, at: number): { end: number; count: number } {
  const elements = walkJson(bytes, at, []);
  for (let count = 0; count <= MAX_JSON_ELEMENTS; count++) {
    const next = elements.next();
    if (next.done) return { end: next.value, count };
  }
  return { end: -1, count: 0 };
}
