/**
 * Free text, language tags and country codes (decisions, Conventions and Geocoding), read character
 * by character, unlike the service.
 */

/** Blanks by every standard: ASCII's, and the separators of Unicode. */
const BLANKS = new Set(
  [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]
    .concat(Array.from({ length: 11 }, (_, n) => 0x2000 + n))
    .map((code) => String.fromCodePoint(code)),
);
/** A blank to ECMAScript, but not to Unicode; and the other way round. */
const BYTE_ORDER_MARK = "\ufeff";
const NEXT_LINE = "\u0085";

const MOST_CODE_POINTS = 200;

/** What `q` may be taken for; `certain`: every reading of "trimmed" accepts it. */
export type FreeText = { readings: readonly string[]; certain: boolean };

/** Trimmed, composed (NFC), 1 to 200 code points; undefined: refused by every reading. */
export function readText(text: string): FreeText | undefined {
  const all = [BYTE_ORDER_MARK, NEXT_LINE].map((extra) => trimmed(text, extra).normalize("NFC"));
  const readings = all.filter((one) => {
    const points = Array.from(one).length;
    return points > 0 && points <= MOST_CODE_POINTS;
  });
  if (readings.length === 0) return undefined;
  return { readings: [...new Set(readings)], certain: readings.length === all.length };
}

function trimmed(text: string, extra: string): string {
  const chars = Array.from(text);
  const isBlank = (char: string): boolean => BLANKS.has(char) || char === extra;
  let [from, to] = [0, chars.length];
  while (from < to && isBlank(chars[from]!)) from++;
  while (to > from && isBlank(chars[to - 1]!)) to--;
  return chars.slice(from, to).join("");
}

const isLetter = (char: string): boolean =>
  (char >= "a" && char <= "z") || (char >= "A" && char <= "Z");
const isLetterOrDigit = (char: string): boolean => isLetter(char) || (char >= "0" && char <= "9");

/** Two or three letters, then up to three parts of two to eight letters or digits. */
export function readLanguage(text: string): string | undefined {
  const [first = "", ...others] = text.split("-");
  if (first.length < 2 || first.length > 3 || !Array.from(first).every(isLetter)) return undefined;
  if (others.length > 3) return undefined;
  const isPart = (part: string): boolean =>
    part.length >= 2 && part.length <= 8 && Array.from(part).every(isLetterOrDigit);
  return others.every(isPart) ? text : undefined;
}

/** Two ASCII letters. */
export function readCountry(text: string): string | undefined {
  return text.length === 2 && Array.from(text).every(isLetter) ? text.toUpperCase() : undefined;
}
