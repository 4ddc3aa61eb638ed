/**
 * Text made comparable: compatibility forms, case, accents and apostrophes removed. Marks that
 * change a letter rather than accent it (Kana voicing, Indic vowels) stay.
 */

const ASCII = /^[ -~\s]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
const APOSTROPHES = /['’‘ʼ`´]/g;
/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};
const SPECIAL = /[ßøæœłđðþı]/g;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Folded text; letters of scripts without case or accents are left as they are. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replace(APOSTROPHES, "");
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(APOSTROPHES, "")
    .replace(SPECIAL, (letter) => LETTERS[letter]!);
}

/** Runs of letters and digits of folded text. */
export function nameWords(folded: string): string[] {
  return folded.match(isAscii(folded) ? /[a-z0-9]+/g : /[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
