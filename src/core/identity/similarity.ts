/** How alike two prepared names are: a share of common words, and what speaks against. */
import type { Lexicon, Name } from "./name.ts";
import { NUMBER, SIDE, WORD, WORD_VALUES } from "./words.ts";

/** Reused from pair to pair, since millions are compared. */
export type NameFinding = {
  /** 0..1; 1 for equal bags of words; -1 when nothing can be said. */
  similarity: number;
  /** Each side has a number the other lacks. */
  number_conflict: boolean;
  /** Each side has a compass point the other lacks. */
  side_conflict: boolean;
};

export function createFinding(): NameFinding {
  return { similarity: -1, number_conflict: false, side_conflict: false };
}

const onlyA: number[] = [];
const onlyB: number[] = [];

/** Symmetrical: (a, b) finds what (b, a) finds. */
export function compareNames(lexicon: Lexicon, a: Name, b: Name, into: NameFinding): void {
  into.number_conflict = false;
  into.side_conflict = false;
  into.similarity = -1;
  if (!isComparable(a, b)) return;
  const common = splitWords(lexicon, a.words, b.words) + pairAlike(lexicon);
  into.number_conflict = lacksBoth(lexicon, NUMBER);
  into.side_conflict = lacksBoth(lexicon, SIDE);
  const restA = valueOf(lexicon, onlyA);
  const restB = valueOf(lexicon, onlyB);
  if (common === 0) {
    into.similarity = 0;
    return;
  }
  // A name may be a part of the other ("Powell St BART" of "Powell St BART (Market & 4th)"), which
  // Dice alone would punish and containment alone would take for equality.
  const dice = (2 * common) / (2 * common + restA + restB);
  const contained = common / (common + Math.min(restA, restB));
  into.similarity = (dice + contained) / 2;
}

/** Another script says nothing, and neither does a bare code beside words. */
function isComparable(a: Name, b: Name): boolean {
  if (a.words.length === 0 || b.words.length === 0) return false;
  return (a.scripts & b.scripts) !== 0 || a.scripts === b.scripts;
}

/** Value of the common words; what is left over stands in onlyA and onlyB. */
function splitWords(lexicon: Lexicon, a: readonly number[], b: readonly number[]): number {
  onlyA.length = 0;
  onlyB.length = 0;
  let common = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) common += WORD_VALUES[lexicon.kinds[a[i]!]!]!;
    else if (difference < 0) onlyA.push(a[i]!);
    else onlyB.push(b[j]!);
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  while (i < a.length) onlyA.push(a[i++]!);
  while (j < b.length) onlyB.push(b[j++]!);
  return common;
}

/** Removes pairs of left-over words that are spellings of one another; their value. */
function pairAlike(lexicon: Lexicon): number {
  if (onlyA.length === 0 || onlyB.length === 0) return 0;
  let common = 0;
  for (let i = onlyA.length - 1; i >= 0; i--) {
    const j = onlyB.findIndex((other) => areAlike(lexicon, onlyA[i]!, other));
    if (j < 0) continue;
    common += WORD_VALUES[WORD]!;
    onlyA.splice(i, 1);
    onlyB.splice(j, 1);
  }
  return common;
}

const ABBREVIATION = 3;
const TYPO_LENGTH = 5;

/** An abbreviation by its beginning, or one typing error in a long word. */
function areAlike(lexicon: Lexicon, a: number, b: number): boolean {
  if (lexicon.kinds[a] !== WORD || lexicon.kinds[b] !== WORD) return false;
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

function lacksBoth(lexicon: Lexicon, kind: number): boolean {
  return (
    onlyA.some((word) => lexicon.kinds[word] === kind) &&
    onlyB.some((word) => lexicon.kinds[word] === kind)
  );
}

function valueOf(lexicon: Lexicon, words: readonly number[]): number {
  let value = 0;
  for (const word of words) value += WORD_VALUES[lexicon.kinds[word]!]!;
  return value;
}
