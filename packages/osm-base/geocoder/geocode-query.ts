/**
 * A question before anything is looked up with it: its words, each with the words of the base that it
 * may mean and how sure that is; two words that may be one, one that may be two; house numbers.
 */
import type { Budget } from "#kit/budget.ts";
import { collapseUmlauts, type Word } from "./fold-words.ts";
import { isOfStreet, segmentsOf } from "./segments.ts";
import { findCompound, spellingsOf } from "./spellings.ts";
import type { TermIndex } from "./term-index.ts";

/** Further words of a question are not read. */
export const MAX_WORDS = 16;
/** Words of the base that one word may mean. */
const MAX_LIKE = 16;
const MAX_RANGE = 512;
const MAX_DOTTED = 64;

/** How sure it is that a word is meant: as written, as an abbreviation, as the beginning of one. */
const SPELLED = 0.97;
const JOINED = 0.95;
const BEGUN = 0.9;
const SHORTENED = 0.85;
/** Part of a compound's weight that its beginning has. */
const STEM = 0.8;
/** Letters from which a part of a word may have a typing error (decisions, Unknown names). */
const MIN_LIKE_PART = 5;

/** One or two words of the question, or a part of one, that a word of a name explains. */
export type Unit = {
  /** Words of the question that it is made of: from, and how many. */
  at: number;
  span: 1 | 2;
  /** Part of these words' weight that it explains. */
  share: number;
};
export type Hit = { unit: number; surety: number };

/** A house number that the question may have, and the words that it is made of. */
type AskedNumber = { key: string; at: number; span: number };

export type GeocodeWords = {
  words: readonly Word[];
  units: readonly Unit[];
  /** By word of the base: the units that may mean it, the surest first. */
  hits: ReadonlyMap<number, readonly Hit[]>;
  /** By word of the question: the words of the base that it may mean by itself, the surest first. */
  meanings: readonly (readonly { term: number; surety: number }[])[];
  numbers: readonly AskedNumber[];
  /** Words by number between commas and numbers. */
  segments: readonly (readonly number[])[];
  /** Whether some words, from one on, are within the name of a street. */
  of_street(at: number, length: number): boolean;
};

/**
 * `budget`: of the question, whatever base it is asked of. `documentsOf`: documents of a word of names:
 * of many that begin as the question does, those of the most documents are meant, of equal ones the first; absent: the first of all.
 */
export function makeQuery(
  words: readonly Word[],
  terms: TermIndex,
  {
    prefix,
    budget,
    documentsOf,
  }: { prefix: boolean; budget: Budget; documentsOf?: (term: number) => number },
): GeocodeWords {
  const units: Unit[] = [];
  const hits = new Map<number, Hit[]>();
  const addUnit = (unit: Unit, intended: ReadonlyMap<number, number>): void => {
    if (intended.size === 0) return;
    for (const [term, surety] of intended) {
      const hit = { unit: units.length, surety };
      const known_hit = hits.get(term);
      if (known_hit) known_hit.push(hit);
      else hits.set(term, [hit]);
    }
    units.push(unit);
  };
  const meanings = words.map((word, at) => {
    const open = prefix && at === words.length - 1;
    const intended = meaningsOf(word, terms, { open, budget, ...(documentsOf && { documentsOf }) });
    addUnit({ at, span: 1, share: 1 }, intended);
    return intended;
  });
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (next) addUnit({ at, span: 2, share: 1 }, joinedMeanings(word, next, { terms, budget }));
    for (const [n, part] of partsOf(word.text, meanings[at]!, { terms, budget }).entries())
      addUnit({ at, span: 1, share: n === 0 ? STEM : 1 - STEM }, part);
  }
  // An ordinal is part of a name rather than the same number without its ending.
  const rank = ({ unit }: Hit): number => (words[units[unit]!.at]!.ordinal ? 0 : 1);
  for (const list of hits.values())
    list.sort((a, b) => b.surety - a.surety || rank(a) - rank(b) || a.unit - b.unit);
  return {
    words,
    units,
    hits,
    meanings: meanings.map((meaning) =>
      [...meaning]
        .map(([term, surety]) => ({ term, surety }))
        .sort((a, b) => b.surety - a.surety || a.term - b.term),
    ),
    ...frameOf(words),
  };
}

/** What a question says whatever words a base has. */
export function frameOf(
  words: readonly Word[],
): Pick<GeocodeWords, "numbers" | "segments" | "of_street"> {
  return {
    numbers: numbersOf(words),
    segments: segmentsOf(words),
    of_street: (at, length) => isOfStreet(words, at, length),
  };
}

/** Words of a question as words of the base that are written or spelled so, without any error. */
export function exactMeanings(words: readonly Word[], terms: TermIndex): GeocodeWords["meanings"] {
  return words.map(({ text, expanded }) => {
    const forms = formsOf(text, expanded);
    const intended = new Map(
      [...forms, ...forms.flatMap(spellingsOf)].map((form) => [terms.find(form), SPELLED]),
    );
    intended.set(terms.find(text), 1);
    intended.delete(-1);
    return [...intended]
      .map(([term, surety]) => ({ term, surety }))
      .sort((a, b) => b.surety - a.surety || a.term - b.term);
  });
}

type Meant = { budget: Budget; documentsOf?: (term: number) => number };

/** Words of the base that a word of the question may mean, with how sure that is. */
function meaningsOf(
  { text, expanded, dotted }: Word,
  terms: TermIndex,
  { open, budget, documentsOf }: Meant & { open: boolean },
): Map<number, number> {
  const intended = new Map<number, number>();
  const add = (term: number, surety: number): void => {
    if (term >= 0 && surety > (intended.get(term) ?? 0)) intended.set(term, surety);
  };
  add(terms.find(text), 1);
  const forms = formsOf(text, expanded);
  const others = new Set(forms.flatMap(spellingsOf));
  for (const other of [...forms, ...others]) add(terms.find(other), SPELLED);
  for (const form of forms)
    for (const { term, errors } of terms.findLike(form, MAX_LIKE, budget))
      add(term, likeness(form, errors));
  for (const other of others)
    if (other.length > text.length && findCompound(other) !== null)
      for (const { term, errors } of terms.findLike(other, MAX_LIKE, budget))
        add(term, SPELLED * likeness(other, errors));
  const range = open
    ? { most: MAX_RANGE, surety: BEGUN }
    : dotted && text.length > 1
      ? { most: MAX_DOTTED, surety: SHORTENED }
      : null;
  if (range) addRange(add, terms, text, { ...range, ...(documentsOf && { documentsOf }) });
  return intended;
}

/** A word with its umlauts as one letter and as two. */
function formsOf(text: string, expanded: string | null): string[] {
  return [...new Set([text, collapseUmlauts(text), expanded ?? text])];
}

function likeness(text: string, errors: number): number {
  return 1 - (0.9 * errors) / Math.max(4, text.length);
}

function addRange(
  add: (term: number, surety: number) => void,
  terms: TermIndex,
  text: string,
  {
    most,
    surety,
    documentsOf,
  }: { most: number; surety: number; documentsOf?: (term: number) => number },
): void {
  const [from, to] = terms.range(text);
  if (documentsOf === undefined || to - from <= most) {
    for (let term = from; term < Math.min(to, from + most); term++) add(term, surety);
    return;
  }
  const least = leastOfMost(from, to, { most, documentsOf });
  let left = most;
  for (let term = from; term < to; term++) {
    if (documentsOf(term) <= least) continue;
    add(term, surety);
    left--;
  }
  for (let term = from; term < to && left > 0; term++) {
    if (documentsOf(term) !== least) continue;
    add(term, surety);
    left--;
  }
}

/** Documents of the last of the words of a range that are taken, those of most documents first. */
function leastOfMost(
  from: number,
  to: number,
  { most, documentsOf }: { most: number; documentsOf: (term: number) => number },
): number {
  /** Ascending. */
  const top = new Uint32Array(most);
  for (let term = from; term < to; term++) {
    const count = documentsOf(term);
    if (count <= top[0]!) continue;
    let at = 0;
    for (; at + 1 < most && top[at + 1]! < count; at++) top[at] = top[at + 1]!;
    top[at] = count;
  }
  return top[0]!;
}

type Look = { terms: TermIndex; budget: Budget };

/** `bahnhof str` is `bahnhofstrasse`, too. */
function joinedMeanings(a: Word, b: Word, { terms, budget }: Look): Map<number, number> {
  const intended = new Map<number, number>();
  if (/^\d/.test(a.text) || /^\d/.test(b.text)) return intended;
  const text = a.text + b.text;
  for (const joined of [text, ...spellingsOf(text)]) {
    const term = terms.find(joined);
    if (term >= 0) intended.set(term, JOINED);
    else if (joined.length > 7)
      for (const { term: like, errors } of terms.findLike(joined, 4, budget))
        if (!intended.has(like)) intended.set(like, JOINED * likeness(joined, errors));
  }
  return intended;
}

/** `wienerstrasse` is `wiener strasse`, and `mainstreet` is `main street` where it is nothing else. */
function partsOf(
  text: string,
  intended: ReadonlyMap<number, number>,
  { terms, budget }: Look,
): Map<number, number>[] {
  if (/\d/.test(text)) return [];
  const compound = findCompound(text);
  const split = compound
    ? ([compound.stem, compound.ending] as const)
    : [...intended.values()].every((surety) => surety < SPELLED)
      ? splitByCover(text, terms)
      : null;
  if (!split) return [];
  const parts = split.map((part) => {
    const own = new Map<number, number>();
    for (const spelling of [part, ...spellingsOf(part)]) {
      const term = terms.find(spelling);
      if (term >= 0) own.set(term, JOINED);
    }
    // `land` of `landstrasse` is no `lane`.
    if (part.length >= MIN_LIKE_PART)
      for (const { term, errors } of terms.findLike(part, 4, budget))
        if (!own.has(term)) own.set(term, JOINED * likeness(part, errors));
    return own;
  });
  return parts.every((part) => part.size > 0) ? parts : [];
}

/** Two words of the base that make one of the question, as long as possible each. */
function splitByCover(text: string, terms: TermIndex): readonly [string, string] | null {
  let best: readonly [string, string] | null = null;
  for (let at = 1; at < text.length; at++) {
    const [a, b] = [text.slice(0, at), text.slice(at)];
    const shorter = Math.min(a.length, b.length);
    if (best !== null && shorter <= Math.min(best[0].length, best[1].length)) continue;
    if (a.length + b.length > 4 && terms.find(a) >= 0 && terms.find(b) >= 0) best = [a, b];
  }
  return best;
}

const SUFFIX = /^(?:[a-z]|bis|ter|quater|quinquies|tris)$/;

/** Digits with what is written to them: `12`, `12 a`, `215-12`, `12/3`; the longest first. */
function numbersOf(words: readonly Word[]): AskedNumber[] {
  const numbers: AskedNumber[] = [];
  for (const [at, { text, ordinal }] of words.entries()) {
    if (ordinal || !/^\d{1,6}[a-z]{0,3}$/.test(text)) continue;
    const next = words[at + 1];
    const tied = next !== undefined && /^\s*[-/]\s*$/.test(next.between);
    if (tied && /^\d{1,6}[a-z]?$/.test(next.text))
      numbers.push({ key: `${text}${next.between.trim()}${next.text}`, at, span: 2 });
    else if (next !== undefined && SUFFIX.test(next.text) && /^[\s-]*$/.test(next.between))
      numbers.push({ key: text + next.text, at, span: 2 });
    numbers.push({ key: text, at, span: 1 });
  }
  return numbers;
}
