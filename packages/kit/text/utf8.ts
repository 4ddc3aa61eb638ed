/** Strict UTF-8 (RFC 3629) as a value: what is not UTF-8 is null, and nothing throws. */

/** One character of more than one byte: where its bytes begin, how many, and what it is. */
export type WideCharacter = { at: number; length: number; code: number };

/** The characters beyond ASCII, in order; null when the bytes are not UTF-8 from end to end. */
export function findWide(bytes: ArrayLike<number>): WideCharacter[] | null {
  const characters: WideCharacter[] = [];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const length = lengthOf(lead);
    if (length === 0 || at + length > bytes.length) return null;
    let code = lead & (0x7f >> length);
    for (let i = 1; i < length; i++) {
      const byte = bytes[at + i]!;
      if ((byte & 0xc0) !== 0x80) return null;
      code = (code << 6) | (byte & 0x3f);
    }
    if (code < SMALLEST[length]! || code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff))
      return null;
    characters.push({ at, length, code });
    at += length;
  }
  return characters;
}

/** The text, given what `findWide` found in the same bytes. */
export function toUtf8Text(bytes: ArrayLike<number>, wide: readonly WideCharacter[]): string {
  let text = "";
  let at = 0;
  for (const { at: start, length, code } of wide) {
    for (; at < start; at++) text += String.fromCharCode(bytes[at]!);
    text += String.fromCodePoint(code);
    at += length;
  }
  for (; at < bytes.length; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

/** By length, the smallest character that needs that many bytes: a longer form is not allowed. */
const SMALLEST = [0, 0, 0x80, 0x800, 0x1_0000] as const;

function lengthOf(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}
