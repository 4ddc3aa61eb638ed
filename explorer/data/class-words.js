/** Words of ten languages that name a kind or a class of places: tables that are read when something is typed. */
import { KINDS } from "../page/kinds.js";

/**
 * By kind or class and language, its words with bars between them.
 * @typedef {Readonly<Record<string, Readonly<Record<string, string>>>>} Table
 * `isKind`: the filters can show it alone; `isExact`: the text is one of its words
 * @typedef {{ id: string, isKind: boolean, isExact: boolean }} Meaning
 */

/** Meanings that are offered for one text, at most. */
const MOST = 3;
/** Letters of the beginning of a word, in the language of the page and in others. */
const OWN_LETTERS = 2;
const FOREIGN_LETTERS = 3;

/** @type {Promise<ReturnType<typeof toWords>> | null} */
let read = null;

/** The words; null: they could not be read, which is tried again with the next text. @param {string} assets */
export async function readWords(assets) {
  read ??= Promise.all([
    readTable(`${assets}/data/class-words.json`),
    readTable(`${assets}/data/kind-words.json`),
  ]).then(([classes, kinds]) => toWords(classes, kinds));
  return read.catch(() => (read = null));
}

/** @param {string} path @returns {Promise<Table>} */
async function readTable(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** @param {Table} classes @param {Table} kinds of the filters that are no class */
export function toWords(classes, kinds) {
  const known = new Set(KINDS.map(({ id }) => id));
  const entries = [...Object.entries(kinds), ...Object.entries(classes)].map(([id, words]) => ({
    id,
    isKind: known.has(id),
    isClass: Object.hasOwn(classes, id),
    names: words,
    words: [
      { tag: "", plain: toPlain(id.replaceAll("_", " ")) },
      ...Object.entries(words).flatMap(([tag, line]) =>
        line.split("|").map((word) => ({ tag, plain: toPlain(word) })),
      ),
    ],
  }));

  return {
    /** Classes that a text means, with commas between them; "": it means none. @param {string} text */
    classesOf(text) {
      const plain = toPlain(text);
      return entries
        .filter(({ isClass, words }) => isClass && words.some((word) => word.plain === plain))
        .map(({ id }) => id)
        .join(",");
    },
    /** What a text means or begins to, the surest first. @param {string} text @param {string} language of the page @returns {Meaning[]} */
    meaningsOf(text, language) {
      const plain = toPlain(text);
      if (plain === "") return [];
      const meant = entries
        .map(({ id, isKind, words }) => ({ id, isKind, rank: rankOf(words, plain, language) }))
        .filter(({ rank }) => rank < Infinity)
        .toSorted((a, b) => a.rank - b.rank || Number(b.isKind) - Number(a.isKind))
        .map(({ id, isKind, rank }) => ({ id, isKind, isExact: rank <= WHOLE }));
      const exact = meant.filter(({ isExact }) => isExact);
      return (exact.length > 0 ? exact : meant).slice(0, MOST);
    },
    /** What a class is called in a language, as its first word. @param {string} id @param {string} language */
    nameOf(id, language) {
      const names = entries.find((entry) => entry.id === id)?.names;
      return (names?.[language] ?? names?.["en"] ?? id).split("|")[0] ?? id;
    },
  };
}

/** The greatest rank of a whole word. */
const WHOLE = 1;

/** How well the best of some words fits, 0 best; infinite: none does. @param {readonly { tag: string, plain: string }[]} words @param {string} text @param {string} language */
function rankOf(words, text, language) {
  let best = Infinity;
  for (const { tag, plain } of words) {
    if (!plain.startsWith(text)) continue;
    const isOwn = tag === language;
    const isWhole = plain === text;
    if (!isWhole && text.length < lettersOf(text, isOwn)) continue;
    best = Math.min(best, (isWhole ? 0 : WHOLE + 1) + (isOwn ? 0 : 1));
  }
  return best;
}

/** Letters that the beginning of a word has at least: one of a script without blanks is a word as a rule. @param {string} text @param {boolean} isOwn */
function lettersOf(text, isOwn) {
  return text >= "\u3040" ? 1 : isOwn ? OWN_LETTERS : FOREIGN_LETTERS;
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
