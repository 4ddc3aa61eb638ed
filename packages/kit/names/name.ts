/**
 * Station names, prepared once and then compared by integers: words in canonical spelling as a
 * sorted bag, the suffix that distinguishes twins, a leading or trailing code, and the scripts they
 * are written in.
 */
import { fold, isAscii, nameWords } from "./fold.ts";
import { BIGRAM, entryOf, NUMBER, NAME_WORD, WORD_VALUES } from "./words.ts";
import type { WordKind } from "./words.ts";

/** One bit each, in this order. */
const SCRIPT_TESTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Devanagari}/u,
];
const LATIN = 1;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** A prepared name: sorted ids of its words, and the parts that are not words. */
export type Name = {
  words: readonly number[];
  /** The word id of `(1)`, `#2`; 0 without. */
  suffix: number;
  /** Bits of SCRIPT_TESTS; 0 for a bare code, which says nothing against words. */
  scripts: number;
};

/** What a name is read of: no published one is longer, and pairs of names are compared word by word. */
const MAX_CHARS = 256;
const MAX_WORDS = 32;

const NO_NAME: Name = { words: [], suffix: 0, scripts: 0 };

/** The words of one resolution, numbered from 1. */
export type Lexicon = {
  /** By canonical form, one map per kind: `2` as a number is not the bigram `2`. */
  ids: Map<string, number>[];
  /** By folded spelling; 0 for a word that says nothing. */
  spellings: Map<string, number>;
  texts: string[];
  kinds: WordKind[];
  names: Map<string, Name>;
  /** Scratch of a comparison (packages/kit/names/similarity), reused since millions of pairs are compared. */
  only_a: number[];
  only_b: number[];
  finding: NameFinding;
};

export type NameFinding = {
  /** 0..1; 1 for equal bags of words; -1 when nothing can be said. */
  similarity: number;
  /** Each side has a number the other lacks. */
  number_conflict: boolean;
  /** Each side has a compass point the other lacks. */
  side_conflict: boolean;
};

export function createLexicon(): Lexicon {
  return {
    ids: WORD_VALUES.map(() => new Map()),
    spellings: new Map(),
    texts: [""],
    kinds: [NAME_WORD],
    names: new Map(),
    only_a: [],
    only_b: [],
    finding: { similarity: -1, number_conflict: false, side_conflict: false },
  };
}

/**
 * Every pattern here is linear in the text: none begins with a run of blanks that is not anchored.
 * Ends are looked for in trimmed text.
 */
const TWIN = /(?:[([]\s*#?([0-9]{1,2}|[a-d]|i{1,3})\s*[)\]]|#\s*([0-9]{1,2}))$/i;
/** `001 - Name`, `[B12] Name`, `10.01 Name`: a code, and something that parts it from a word. */
const LEADING_CODE = /^\s*[[(]?[a-z]{0,4}[-_ ]?\d[\w.]*[\])]?\s*[-–—:.)\]_|]\s*(?=\p{L}{2})/iu;
/** `Name - ERI08`. */
const TRAILING_CODE = /(?<=\s)[-–—|]\s*[a-z]{1,4}[-_ ]?\d{1,6}$/i;
/** A name that is nothing but a code (`T08_87`, `angers_12`): says nothing against words. */
const BARE_CODE = /^[\p{L}]{0,3}[-_. ]?\d[\w.-]*$/u;

/**
 * The name as published; `prefixes` are folded names of its network (`citi bike`), which some
 * sources put before every station's.
 */
export function prepareName(lexicon: Lexicon, text: string, prefixes: readonly string[]): Name {
  const bare = withoutPrefix(text.slice(0, MAX_CHARS).trim(), prefixes);
  if (bare === "") return NO_NAME;
  const known_name = lexicon.names.get(bare);
  if (known_name) return known_name;
  const made = makeName(lexicon, bare);
  lexicon.names.set(bare, made);
  return made;
}

function makeName(lexicon: Lexicon, text: string): Name {
  const twin = TWIN.exec(text);
  const body = twin ? text.slice(0, twin.index).trimEnd() : text;
  const coded = BARE_CODE.test(body);
  const match = coded ? body : body.replace(LEADING_CODE, "").replace(TRAILING_CODE, "").trimEnd();
  const words = listWords(lexicon, match);
  if (words.length === 0) return NO_NAME;
  const suffix = twin ? numberWord(lexicon, (twin[1] ?? twin[2])!.toLowerCase(), NUMBER) : 0;
  return { words, suffix, scripts: coded ? 0 : scriptsOf(match) };
}

/** Without the network's own name, which says nothing of a station. */
function withoutPrefix(text: string, prefixes: readonly string[]): string {
  if (!prefixes.some((prefix) => startsLike(text, prefix))) return text;
  if (prefixes.includes(nameWords(fold(text)).join(" "))) return "";
  const cut = SEPARATOR.exec(text);
  if (!cut || !prefixes.includes(nameWords(fold(text.slice(0, cut.index))).join(" "))) return text;
  return text.slice(cut.index + cut[0].length);
}

const SEPARATOR = /\s[-–—:|]\s/;

/** Cheap: do they begin with the same letter? */
function startsLike(text: string, prefix: string): boolean {
  return text.length >= prefix.length && fold(text.slice(0, 1)) === prefix.slice(0, 1);
}

function listWords(lexicon: Lexicon, text: string): number[] {
  const ids: number[] = [];
  for (const word of nameWords(fold(text))) addWord(lexicon, word, ids);
  return ids.slice(0, MAX_WORDS).sort((a, b) => a - b);
}

function addWord(lexicon: Lexicon, word: string, into: number[]): void {
  if (word.length > 1 && SPACELESS.test(word)) {
    for (let i = 0; i + 2 <= word.length; i++)
      into.push(numberWord(lexicon, word.slice(i, i + 2), BIGRAM));
    return;
  }
  let id = lexicon.spellings.get(word);
  if (id === undefined) {
    const entry = entryOf(word);
    id = entry ? numberWord(lexicon, entry.word, entry.kind) : 0;
    lexicon.spellings.set(word, id);
  }
  if (id !== 0) into.push(id);
}

function numberWord(lexicon: Lexicon, text: string, kind: WordKind): number {
  const entry = lexicon.ids[kind]!.get(text);
  if (entry !== undefined) return entry;
  const id = lexicon.texts.length;
  lexicon.ids[kind]!.set(text, id);
  lexicon.texts.push(text);
  lexicon.kinds.push(kind);
  return id;
}

function scriptsOf(text: string): number {
  if (isAscii(text)) return /[a-z]/i.test(text) ? LATIN : 0;
  let mask = 0;
  for (let i = 0; i < SCRIPT_TESTS.length; i++) if (SCRIPT_TESTS[i]!.test(text)) mask |= 1 << i;
  return mask;
}
