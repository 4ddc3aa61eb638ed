/** Words of ten languages that name a class of places: a table that is read when something is typed. */

/** Comparable form of a word → classes, with commas. @type {Promise<Readonly<Record<string, string>>> | null} */
let table = null;

/** Classes that a text means, with commas between them; "": it means none. @param {string} assets @param {string} text */
export async function classesOf(assets, text) {
  table ??= read(assets);
  const words = await table.catch(() => (table = null));
  const plain = toPlain(text);
  // What could not be read is read again with the next text; meanwhile a name is looked for.
  return (words !== null && Object.hasOwn(words, plain) && words[plain]) || "";
}

/** @param {string} assets */
async function read(assets) {
  const response = await fetch(`${assets}/data/class-words.json`);
  if (!response.ok) throw new Error(`class-words: ${response.status}`);
  return response.json();
}

/** Letters that Unicode does not decompose. @type {Readonly<Record<string, string>>} */
const LETTERS = { ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

/** As the service folds words (packages/kit/names/fold.ts). @param {string} text */
export function toPlain(text) {
  const folded = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’‘ʼ`´]/g, "")
    .replace(/[ßøæœłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
  return (folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ");
}
