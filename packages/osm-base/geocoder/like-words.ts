/**
 * Finds the words of a base that are written like another one: with one letter too many, too few,
 * replaced or exchanged with its neighbour, long words with two such errors. Of words within two errors
 * either the beginnings have at most one, or both errors are in the beginning and what follows it is
 * the same. So each beginning is filed under what is left of it without one of its letters, and each
 * word that is long enough for two errors under what follows its beginning. Columns, all `terms.*`:
 *
 *   firsts: by beginning, in the order of words, the first word that has it
 *   letters: by beginning, four numbers: the last five bits of its letters
 *   begins.starts, begins.rows: beginnings by hash (hash-rows.ts)
 *   rests.starts, rests.rows: beginnings of words by hash of what follows it
 *   signs: by word, which letters follow its beginning
 */
import type { Budget } from "#kit/budget.ts";
import { columnOf, type Columns } from "#kit/pack.ts";
import { lowerBound } from "#kit/sorted.ts";
import { Growing } from "#kit/growing.ts";
import { ErrorCounter } from "#kit/text/typing-errors.ts";
import { hashRows, type HashRows, hashUnits, placeOfHash } from "./hash-rows.ts";
import { BEGIN, Beginning, NO_LETTER, signOf } from "./like-beginnings.ts";
import { LikePattern } from "./like-pattern.ts";

const MIN_FUZZY = 3;
/** Words of this length may have two errors. */
const MIN_TWO = 9;
/** Words that are compared with one word. */
const MAX_COMPARED = 1_000;
/** What takes as long as this number of entries of a list: a hash that is looked up, a word that is compared. */
const HASH_LOOKS = 32;
const COMPARED_LOOKS = 8;
/** This number of words of which only a few bits are looked at takes as long as an entry. */
const GLANCES = 8;
/** Words between two turns of the caller. */
const STEP = 1_024;
const FIRST_PAIRED = 0x0e00;
const PAIRED = /[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/;

type LikeWord = { term: number; errors: number };
/** Words in the order of their units, none twice. */
type TermUnits = { starts: Uint32Array; units: Uint16Array };

type Index = TermUnits & {
  firsts: Uint32Array;
  letters: Uint8Array;
  signs: Uint32Array;
  begins: HashRows;
  rests: HashRows;
  /** Memory of one search. */
  pattern: LikePattern;
  hashes: Uint32Array;
};

export function* packLike({ starts, units }: TermUnits): Generator<void, Columns> {
  const count = starts.length - 1;
  const all_firsts = new Growing(Uint32Array);
  const signs = new Uint32Array(count);
  for (let term = 0; term < count; term++) {
    if (term % STEP === STEP - 1) yield;
    const [from, to] = [starts[term]!, starts[term + 1]!];
    signs[term] = signOf(units, from + BEGIN, to);
    if (term === 0 || !beginsLikeLast(units, starts, term)) all_firsts.push(term);
  }
  const firsts = all_firsts.view();
  const letters = new Uint8Array(firsts.length * BEGIN).fill(NO_LETTER);
  firsts.forEach((term, row) => {
    const end = Math.min(BEGIN, starts[term + 1]! - starts[term]!);
    for (let at = 0; at < end; at++) letters[row * BEGIN + at] = units[starts[term]! + at]! & 31;
  });
  const begins = yield* hashRows(firsts.length, BEGIN + 1, (row, into) => {
    const from = starts[firsts[row]!]!;
    const to = Math.min(from + BEGIN, starts[firsts[row]! + 1]!);
    return isFuzzy(units, from, to) ? hashBeginning(units, from, to, into) : 0;
  });
  const rests = yield* hashRows(
    count,
    1,
    (term, into) => {
      const [from, to] = [starts[term]!, starts[term + 1]!];
      if (to - from < MIN_TWO - 2 || !isFuzzy(units, from, to)) return 0;
      into[0] = hashUnits(units, from + BEGIN, to);
      return 1;
    },
    (term) => lowerBound(firsts, term + 1) - 1,
  );
  return {
    ...{ "terms.firsts": firsts, "terms.letters": letters, "terms.signs": signs },
    ...{ "terms.begins.starts": begins.starts, "terms.begins.rows": begins.rows },
    ...{ "terms.rests.starts": rests.starts, "terms.rests.rows": rests.rows },
  };
}

/** Words within one or two errors, nearest first; not the word itself. As many as the budget admits. */
export type FindLike = (word: string, most: number, budget: Budget) => LikeWord[];

export function openLike(columns: Columns, words: TermUnits): FindLike {
  const u32 = (name: string): Uint32Array => columnOf(columns, `terms.${name}`, Uint32Array);
  const index: Index = {
    ...words,
    ...{ firsts: u32("firsts"), signs: u32("signs") },
    letters: columnOf(columns, "terms.letters", Uint8Array),
    begins: { starts: u32("begins.starts"), rows: u32("begins.rows") },
    rests: { starts: u32("rests.starts"), rows: u32("rests.rows") },
    ...{ pattern: new LikePattern(), hashes: new Uint32Array(BEGIN + 1) },
  };
  return (word, most, budget) => {
    const units = unitsOf(word);
    if (!isFuzzy(units, 0, units.length)) return [];
    return new LikeSearch(index, word, { units, budget })
      .run()
      .sort((a, b) => a.errors - b.errors || a.term - b.term)
      .slice(0, most);
  };
}

/** Of one word. */
class LikeSearch {
  readonly #index: Index;
  readonly #word: string;
  readonly #units: Uint16Array;
  readonly #allowed: number;
  readonly #budget: Budget;
  readonly #seen = new Set<number>();
  readonly #errors = new ErrorCounter();
  readonly #matches: LikeWord[] = [];

  constructor(
    index: Index,
    word: string,
    { units, budget }: { units: Uint16Array; budget: Budget },
  ) {
    this.#index = index;
    this.#word = word;
    this.#units = units;
    this.#allowed = units.length >= MIN_TWO ? 2 : 1;
    this.#budget = budget;
  }

  run(): LikeWord[] {
    // The nearest are among those that begin alike.
    this.#compareBeginnings();
    if (this.#allowed === 2) this.#compareRests();
    return this.#matches;
  }

  #compareRests(): void {
    const units = this.#units;
    for (let from = BEGIN - 2; from <= BEGIN + 2; from++) this.#compareRest(units, from);
    // The last letter of the beginning and the next one are exchanged, and one before is wrong.
    for (let at = BEGIN - 1; at <= BEGIN + 1; at++) {
      exchange(units, at);
      this.#compareRest(units, at);
      exchange(units, at);
    }
  }

  /** Words of other beginnings, after which comes what is in these units from one on. */
  #compareRest(own: Uint16Array, from: number): void {
    const { rests, letters } = this.#index;
    const [first, end] = placeOfHash(rests, hashUnits(own, from, own.length));
    if (!this.#budget.look(HASH_LOOKS + Math.ceil((end - first) / GLANCES))) return;
    if (first === end) return;
    const pattern = this.#index.pattern.set(own, 0, from);
    for (let i = first; i < end; i++) {
      const row = rests.rows[i]!;
      const at = row * BEGIN;
      if (!pattern.admits(letters, at, at + BEGIN, this.#allowed)) continue;
      const term = this.#findRest(row, own, from);
      if (term >= 0 && !this.#compare(term)) return;
    }
  }

  /** The word of a beginning after which comes exactly that; -1: there is none. */
  #findRest(row: number, own: Uint16Array, from: number): number {
    const { starts, firsts, units } = this.#index;
    let low = firsts[row]!;
    let high = firsts[row + 1] ?? starts.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareRest(units, starts[middle]! + BEGIN, starts[middle + 1]!, own, from);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  #compareBeginnings(): void {
    const { begins, hashes } = this.#index;
    const beginning = new Beginning(this.#units, this.#allowed);
    const done = new Set<number>();
    const length = Math.min(BEGIN, this.#units.length);
    const count = hashBeginning(this.#units, 0, length, hashes);
    for (let own = 0; own < count; own++) {
      const [first, end] = placeOfHash(begins, hashes[own]!);
      if (!this.#budget.look(HASH_LOOKS + Math.ceil((end - first) / GLANCES))) return;
      for (let i = first; i < end; i++) {
        const row = begins.rows[i]!;
        if (done.has(row)) continue;
        done.add(row);
        if (!this.#compareBeginning(row, beginning)) return;
      }
    }
  }

  /** Words of a beginning, if it is like this one; those are compared whose other letters are nearly the same. */
  #compareBeginning(row: number, beginning: Beginning): boolean {
    const { starts, firsts, letters, signs, units } = this.#index;
    const at = row * BEGIN;
    const length = letters[at + BEGIN - 1] === NO_LETTER ? BEGIN - 1 : BEGIN;
    if (!beginning.look(letters, at, length)) return true;
    const [from, to] = [firsts[row]!, firsts[row + 1] ?? starts.length - 1];
    if (!this.#budget.look(Math.ceil((to - from) / GLANCES))) return false;
    for (let term = from; term < to; term++) {
      const end = starts[term + 1]!;
      const rest = Math.min(starts[term]! + BEGIN, end);
      if (beginning.admits(signs[term]!, units, rest, end) && !this.#compare(term)) return false;
    }
    return true;
  }

  /** false: no more are compared. */
  #compare(term: number): boolean {
    const { starts, units } = this.#index;
    const [from, to] = [starts[term]!, starts[term + 1]!];
    if (this.#seen.has(term) || !isFuzzy(units, from, to)) return true;
    if (this.#seen.size >= MAX_COMPARED || !this.#budget.look(COMPARED_LOOKS)) return false;
    this.#seen.add(term);
    const errors = this.#errors.between(this.#word, units.subarray(from, to), this.#allowed);
    if (errors > 0 && errors <= this.#allowed) this.#matches.push({ term, errors });
    return true;
  }
}

/** A unit with the one before it. */
function exchange(units: Uint16Array, at: number): void {
  const unit = units[at]!;
  units[at] = units[at - 1]!;
  units[at - 1] = unit;
}

/** Below 0: units of a word from one to before another come before what `own` has from one on. */
function compareRest(
  units: Uint16Array,
  at: number,
  to: number,
  own: Uint16Array,
  from: number,
): number {
  const length = Math.min(to - at, own.length - from);
  for (let i = 0; i < length; i++)
    if (units[at + i] !== own[from + i]) return units[at + i]! - own[from + i]!;
  return to - at - (own.length - from);
}

/** Whether a word has the same beginning as the one before. */
function beginsLikeLast(units: Uint16Array, starts: Uint32Array, term: number): boolean {
  const [last, from, to] = [starts[term - 1]!, starts[term]!, starts[term + 1]!];
  if (Math.min(BEGIN, from - last) !== Math.min(BEGIN, to - from)) return false;
  for (let i = 0; i < BEGIN && from + i < to; i++)
    if (units[last + i] !== units[from + i]) return false;
  return true;
}

/** Of a beginning, and of what is left of it without each of its letters; how many there are. */
function hashBeginning(units: Uint16Array, from: number, to: number, into: Uint32Array): number {
  into[0] = hashUnits(units, from, to);
  for (let at = from; at < to; at++) into[at - from + 1] = hashUnits(units, from, to, at);
  return to - from + 1;
}

function unitsOf(word: string): Uint16Array {
  const units = new Uint16Array(word.length);
  for (let at = 0; at < word.length; at++) units[at] = word.charCodeAt(at);
  return units;
}

/** Numbers have no typing errors: another number is another thing. */
function isFuzzy(units: Uint16Array, from: number, to: number): boolean {
  if (to - from < MIN_FUZZY || isDigit(units[from]!)) return false;
  for (let at = from; at < to; at++)
    if (units[at]! >= FIRST_PAIRED && PAIRED.test(String.fromCharCode(units[at]!))) return false;
  return true;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
