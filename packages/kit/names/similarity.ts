/** Similarity of two prepared names: a share of common words, and what speaks against. */
import type { Lexicon, Name, NameFinding } from "./name.ts";
import { NUMBER, SIDE, NAME_WORD, WORD_VALUES } from "./words.ts";

/**
 * Compares two names of one lexicon; symmetrical. The finding is the lexicon's, and holds until the next
 * comparison.
 */
export function compareNames(lexicon: Lexicon, a: Name, b: Name): NameFinding {
  const { finding } = lexicon;
  finding.number_conflict = false;
  finding.side_conflict = false;
  finding.similarity = -1;
  if (!isComparable(a, b)) return finding;
  const common = splitWords(lexicon, a.words, b.words) + pairAlike(lexicon);
  finding.number_conflict = lacksBoth(lexicon, NUMBER);
  finding.side_conflict = lacksBoth(lexicon, SIDE);
  const restA = valueOf(lexicon, lexicon.only_a);
  const restB = valueOf(lexicon, lexicon.only_b);
  // A name may be a part of the other ("Powell St BART" of "Powell St BART (Market & 4th)"), which
  // Dice alone would punish and containment alone would take for equality.
  const dice = (2 * common) / (2 * common + restA + restB);
  const contained = common / (common + Math.min(restA, restB));
  finding.similarity = common === 0 ? 0 : (dice + contained) / 2;
  return finding;
}

/** Another script says nothing, and neither does a bare code next to words. */
function isComparable(a: Name, b: Name): boolean {
  if (a.words.length === 0 || b.words.length === 0) return false;
  return (a.scripts & b.scripts) !== 0 || a.scripts === b.scripts;
}

/** Value of the common words; the others are left in `only_a` and `only_b`. */
function splitWords(lexicon: Lexicon, a: readonly number[], b: readonly number[]): number {
  const { only_a, only_b } = lexicon;
  only_a.length = 0;
  only_b.length = 0;
  let common = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) common += WORD_VALUES[lexicon.kinds[a[i]!]!]!;
    else if (difference < 0) only_a.push(a[i]!);
    else only_b.push(b[j]!);
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  while (i < a.length) only_a.push(a[i++]!);
  while (j < b.length) only_b.push(b[j++]!);
  return common;
}

/** Removes pairs of left-over words that are spellings of one another; their value. */
function pairAlike(lexicon: Lexicon): number {
  const { only_a, only_b } = lexicon;
  if (only_a.length === 0 || only_b.length === 0) return 0;
  let common = 0;
  for (let i = only_a.length - 1; i >= 0; i--) {
    const j = only_b.findIndex((other) => areAlike(lexicon, only_a[i]!, other));
    if (j < 0) continue;
    common += WORD_VALUES[NAME_WORD]!;
    only_a.splice(i, 1);
    only_b.splice(j, 1);
  }
  return common;
}

const ABBREVIATION = 3;
const TYPO_LENGTH = 5;

/** An abbreviation by its beginning, or one typing error in a long word. */
function areAlike(lexicon: Lexicon, a: number, b: number): boolean {
  if (lexicon.kinds[a] !== NAME_WORD || lexicon.kinds[b] !== NAME_WORD) return false;
  const x = lexicon.texts[a]!;
  const y = lexicon.texts[b]!;
  if (x.charCodeAt(0) !== y.charCodeAt(0)) return false;
  const [short, long] = x.length <= y.length ? [x, y] : [y, x];
  if (short.length >= ABBREVIATION && long.startsWith(short)) return true;
  return short.length >= TYPO_LENGTH && long.length - short.length <= 1 && isOneStep(short, long);
}

/** One letter replaced, left out or added, or two neighbours exchanged. */
function isOneStep(short: string, long: string): boolean {
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++;
  const restShort = short.length - start - end;
  const restLong = long.length - start - end;
  if (restLong <= 1) return true;
  return (
    restShort === 2 &&
    restLong === 2 &&
    short[start] === long[start + 1] &&
    short[start + 1] === long[start]
  );
}

function lacksBoth({ kinds, only_a, only_b }: Lexicon, kind: number): boolean {
  return only_a.some((word) => kinds[word] === kind) && only_b.some((word) => kinds[word] === kind);
}

function valueOf(lexicon: Lexicon, words: readonly number[]): number {
  let value = 0;
  for (const word of words) value += WORD_VALUES[lexicon.kinds[word]!]!;
  return value;
}
