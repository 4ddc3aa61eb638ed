/**
 * Texts of sources as they are shown, compared and handed to agents (decisions, Texts of sources):
 * without invisible characters, with single blanks, and of limited length.
 */
import { cutText } from "./cut.ts";
import { repairMojibake } from "./mojibake.ts";
import { decodePercent } from "./percent.ts";

/** Most texts: nothing but visible ASCII with single blanks. */
const PLAIN = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;
/** Controls that separate words. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/**
 * Never shown, in any script: controls, soft hyphens, Hangul fillers, zero-width spaces, embeddings,
 * overrides and isolates, invisible operators, annotations, byte order marks, tags, controls of
 * shorthand, music and hieroglyphs, and what Unicode keeps free for more of them.
 */
const INVISIBLE =
  /[\p{Cc}\u00ad\u115f\u1160\u200b\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\u034f|\u17b4|\u17b5/gu;
/** Needed by right-to-left text next to left-to-right words and digits. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;
const REPEATED_MARKS = /([\u061c\u200e\u200f])[\u061c\u200e\u200f]+/g;
const RIGHT_TO_LEFT =
  /[\u0590-\u061b\u061d-\u08ff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\ufb1d-\ufdff\ufe70-\ufefc]/u;
/** Zero-width (non-)joiners, and what may precede and follow one. */
const JOINERS = /[\u200c\u200d]/;
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/** Variation selectors: beyond the first of a character, and where none belongs, they hide a text. */
const SELECTORS =
  /([\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
const MISPLACED =
  /(?<!\p{Script=Mongolian})[\u180b-\u180f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<![\p{Emoji}\p{S}\p{P}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Myanmar}\p{Script=Phags_Pa}])[\ufe00-\ufe0f]/gu;
const BLANKS = /\s{2,}/g;

/** Characters (decisions, Texts of sources). */
export const MAX_NAME = 256;
export const MAX_TEXT = 4_096;
/** How much longer than its result a text may be before it is looked at: the rest is not read. */
const SPARE = 4;

export function cleanText(value: string, most: number = MAX_TEXT): string {
  const text = shortened(value, most);
  if (text.length <= most && PLAIN.test(text)) return text;
  const visible = onlyVisible(repairMojibake(text));
  return cutText(visible.replace(BLANKS, " ").trim(), most);
}

/** A name is short, and may have been taken out of an address. */
export function cleanName(value: string): string {
  return cleanText(decodePercent(shortened(value, MAX_NAME)), MAX_NAME);
}

/** An identifier: nothing is repaired, collapsed or cut, so that the ids of two files still meet. */
export function cleanId(value: string): string {
  return PLAIN.test(value) ? value : onlyVisible(value).trim();
}

function shortened(value: string, most: number): string {
  return value.length > most * SPARE ? value.slice(0, most * SPARE) : value;
}

function onlyVisible(text: string): string {
  const seen = text.toWellFormed().replace(BREAKS, " ").replace(INVISIBLE, "");
  const marked = RIGHT_TO_LEFT.test(seen) ? seen : seen.replace(DIRECTION_MARKS, "");
  const selected = marked.replace(SELECTORS, "$1").replace(MISPLACED, "");
  return dropJoiners(selected).replace(REPEATED_MARKS, "$1");
}

/** A joiner stays between two characters of a script that needs it, or of one emoji. */
function dropJoiners(text: string): string {
  if (!JOINERS.test(text)) return text;
  const characters = Array.from(text);
  return characters
    .filter((character, i) => {
      if (!JOINERS.test(character)) return true;
      return JOINED.test(characters[i - 1] ?? "") && JOINED.test(characters[i + 1] ?? "");
    })
    .join("");
}
