/**
 * Reads a raw query string (application/x-www-form-urlencoded) into one slot per known name.
 * Nothing is judged here: a repeated or malformed value is marked for the decoder to refuse.
 */
import { isUtf8 } from "node:buffer";

export const MALFORMED = Symbol("malformed");
export const REPEATED = Symbol("repeated");
export type Slot = string | undefined | typeof MALFORMED | typeof REPEATED;
export type Slots = Slot[];

/** Unknown names are ignored, whatever they carry (decisions, Conventions). */
export function scanQuery(raw: string, names: ReadonlyMap<string, number>): Slots {
  const slots: Slots = [];
  let equals = -1;
  for (let from = 0; from < raw.length;) {
    const ampersand = raw.indexOf("&", from);
    const end = ampersand === -1 ? raw.length : ampersand;
    // Looked for again only once it is passed, so that a long query stays linear.
    if (equals < from) equals = indexOrEnd(raw, from);
    const split = equals < end ? equals : end;
    const slot = findSlot(raw.slice(from, split), names);
    if (slot !== undefined) {
      slots[slot] = slots[slot] === undefined ? decodeText(raw.slice(split + 1, end)) : REPEATED;
    }
    from = end + 1;
  }
  return slots;
}

function indexOrEnd(raw: string, from: number): number {
  const at = raw.indexOf("=", from);
  return at === -1 ? raw.length : at;
}

function findSlot(name: string, names: ReadonlyMap<string, number>): number | undefined {
  const slot = names.get(name);
  if (slot !== undefined || !ENCODED.test(name)) return slot;
  const decoded = decodeText(name);
  return typeof decoded === "string" ? names.get(decoded) : undefined;
}

/** Node hands bytes above 0x7f through as Latin-1 characters. */
// oxlint-disable-next-line no-control-regex
const ENCODED = /[%+\u0080-\uffff]/;

function decodeText(text: string): string | typeof MALFORMED {
  return ENCODED.test(text) ? decodeBytes(text) : text;
}

function decodeBytes(text: string): string | typeof MALFORMED {
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0xff) return MALFORMED;
    if (code !== PERCENT) {
      bytes[length++] = code === PLUS ? SPACE : code;
      continue;
    }
    const high = hexValue(text.charCodeAt(at + 1));
    const low = hexValue(text.charCodeAt(at + 2));
    if (high === -1 || low === -1) return MALFORMED;
    bytes[length++] = high * 16 + low;
    at += 2;
  }
  const used = bytes.subarray(0, length);
  return isUtf8(used) ? used.toString("utf8") : MALFORMED;
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** -1 for anything that is not a hexadecimal digit, the end of the text (NaN) included. */
function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
