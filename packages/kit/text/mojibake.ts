/**
 * Text in UTF-8 that was read as Latin-1 or Windows-1252, once or twice ("CafÃ©"), is put right
 * where that is certain. Certain means: the whole text is UTF-8 when written back as bytes, all
 * of it becomes characters that names are made of, and at least one place cannot be correct as it
 * is. "AMANHÃ…" and "CAFÉ»" would be UTF-8 as well; they are correct, and stay.
 */
import { findWide, toUtf8Text, type WideCharacter } from "./utf8.ts";

/** Read wrongly twice is seen; a third time is not. */
const MAX_ROUNDS = 2;

/** Bytes 0x80 to 0x9f of Windows-1252; the five that it leaves out stay controls. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const BYTE_OF: ReadonlyMap<string, number> = new Map(
  Array.from(WINDOWS_1252, (character, i) => [character, 0x80 + i] as const),
);

/** A first byte that is followed by a second one: without it there is nothing to do. */
const SUSPECT =
  /[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2026\u2030\u2039\u203a\u20ac\u2122]/;

export function repairMojibake(text: string): string {
  let best = text;
  let repaired = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const once = SUSPECT.test(repaired) ? repairOnce(repaired) : null;
    if (once === null) break;
    repaired = once;
    // Controls are no part of a name, but bytes that were not put together yet.
    if (!CONTROL.test(repaired)) best = repaired;
  }
  return best;
}

const CONTROL = /[\u0080-\u009f]/;

function repairOnce(text: string): string | null {
  const bytes = toBytes(text);
  const wide = bytes && findWide(bytes);
  if (!bytes || !wide || !wide.every(({ code }) => isOfNames(code))) return null;
  return wide.some((_, i) => isCertain(text, wide, i)) ? toUtf8Text(bytes, wide) : null;
}

/** A byte for each character; null where one is in neither table. */
function toBytes(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const byte = code <= 0xff ? code : BYTE_OF.get(text[i]!);
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  return bytes;
}

/** From and to, of letters and signs that occur in names and come out of such a misreading. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x80, 0x17f], // Latin
  [0x18f, 0x192],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x218, 0x21b],
  [0x259, 0x259],
  [0x2c6, 0x2dc],
  [0x300, 0x36f], // combining accents
  [0x370, 0x52f], // Greek, Cyrillic
  [0x531, 0x6ff], // Armenian, Hebrew, Arabic
  [0x900, 0xeff], // Indic scripts, Thai, Lao
  [0x10a0, 0x10ff], // Georgian
  [0x1e00, 0x1fff], // Vietnamese, accented Greek
  [0x2010, 0x2027], // dashes, quotation marks
  [0x2030, 0x205e],
  [0x20a0, 0x20bf],
  [0x2100, 0x22ff],
  [0x2460, 0x24ff],
  [0x25a0, 0x27bf],
  [0x3000, 0x9fff], // Chinese, Japanese
  [0xac00, 0xd7a3], // Korean
  [0xff01, 0xffee],
  [0x1_f000, 0x1_faff],
  [0x2_0000, 0x2_ffff],
];

function isOfNames(code: number): boolean {
  return RANGES.some(([from, to]) => code >= from && code <= to);
}

const LOWER = /\p{Ll}/u;
const LETTER = /\p{L}/u;
/** What occurs between two letters, or ends a word, in correct text. */
const NATURAL = /[\u0085\u0091-\u0097\u009b\u00a0\u00ad\u00b4\u00b7\u00bb‘’“”•–—…›]/;

/** A letter of another script occurs next to others of it, which makes it certain. */
function isLatin(code: number): boolean {
  return code < 0x300 || (code >= 0x1e00 && code <= 0x1eff);
}

/** Could this place not be correct as it is? */
function isCertain(text: string, wide: readonly WideCharacter[], index: number): boolean {
  const { at, length, code } = wide[index]!;
  const end = at + length;
  const last = text[end - 1]!;
  const isOdd = !LETTER.test(last) && !NATURAL.test(last);
  if (length === 4) return true;
  // "Î±Î¸", "æ±äº": such a place and at once another, as long if it has three characters.
  const next = wide[index + 1];
  if (next?.at === end && (length === 3 ? next.length === 3 : isOdd)) return true;
  if (next?.at === end && wide[index + 2]?.at === end + next.length) return true;
  // "â€™" and the like: general punctuation, which begins with these two.
  if (length === 3 && code >= 0x2010 && code <= 0x206f) return true;
  const [before, after] = [text[at - 1] ?? "", text[end] ?? ""];
  if (!isLatin(code)) return false;
  // "lÃ©", "zÄ…": a capital within a word of small letters, and a sign behind it.
  if (length === 2 && LOWER.test(before) && !LOWER.test(text[at]!)) return true;
  // "Ã©c": a sign between two letters, of those that never occur there.
  if (LETTER.test(after) && isOdd) return true;
  if (text[at] !== "Ã") return false;
  // No language has both letters.
  if (/[ƒŠšŒœŽžŸ]/.test(last)) return true;
  // "Ã" and a no-break space as a word of its own, between blanks: "à".
  return last === "\u00a0" && /\s/.test(before) && /\s/.test(after);
}
