// How the simulated geocoders compare words: without case, without diacritics, in any script.

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** Words that are written out here and cut short there. */
const SHORT: Readonly<Record<string, string>> = {
  street: "st",
  avenue: "ave",
  av: "ave",
  boulevard: "blvd",
  road: "rd",
  place: "pl",
  lane: "ln",
  court: "ct",
  calzada: "calz",
  ulica: "ul",
  aleja: "al",
  strasse: "str",
};

/** Letters and digits part company: `10b` and `4丁目` are two words each. */
export function wordsIn(text: string): string[] {
  const folded = text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/[ßøłæœđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
  const words = folded.match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? [];
  return words.map((word) => SHORT[word] ?? word.replace(/strasse$/, "str"));
}

export const isNumber = (word: string): boolean => /^\p{N}+$/u.test(word);

const isUnspaced = (word: string): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word);

/** Finds a word; where words are not parted by spaces, one may be within the other. */
export function holds(own: ReadonlySet<string>, word: string): string | null {
  if (own.has(word)) return word;
  if (!isUnspaced(word)) return null;
  for (const each of own)
    if (isUnspaced(each) && (each.includes(word) || word.includes(each))) return each;
  return null;
}
