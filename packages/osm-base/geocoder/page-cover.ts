/** What the words of pages explain of one question, and how much each page is worth asking. */
import type { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import { gapOf, pointBox } from "./clusters.ts";
import type { Word } from "./fold-words.ts";
import type { GeocodeWords } from "./geocode-query.ts";
import { toPoint7 } from "./metres.ts";
import type { Names } from "./open-names.ts";

/** Where a word only says where things are it explains a little less than where they are called so. */
const AROUND = 0.96;
const BY_IMPORTANCE = 0.12;
const BY_NEARNESS = 0.2;
const NEAR_M = 5_000;
/** A word that more pages have is looked for in those that have a rarer one. */
const COMMON = 32;

/** A page that has a word of the question. */
type Row = {
  page: number;
  /** By word: how surely the page has it by itself, and by its parts. */
  whole: number[];
  parts: number[];
  /** Of the unit at hand. */
  surety: number;
  /** Weight of the heaviest word that things are called by, and their importance. */
  called: number;
  importance: number;
  /** Words that things are called by, a bit each. */
  words: number;
  entries: number;
  text: number;
  value: number;
};

export class PageCover {
  readonly #names: Names;
  readonly #words: readonly Word[];
  readonly #weights: Float64Array;
  readonly #rows: Row[] = [];
  /** Weight by word, of those that pages have which are not looked at. */
  readonly #left_out: number[];

  constructor(names: Names, words: readonly Word[], weights: Float64Array) {
    this.#names = names;
    this.#words = words;
    this.#weights = weights;
    this.#left_out = words.map(() => 0);
  }

  /** What pages that were not looked at can explain at most, 0 to 1; 0: all were looked at. */
  get leftOut(): number {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const own = this.#left_out.reduce((sum, weight) => sum + weight, 0);
    if (own === 0 || total === 0) return 0;
    const numbers = this.#words.reduce(
      (sum, { text }, at) => sum + (isHouseNumber(text) ? this.#weights[at]! : 0),
      0,
    );
    return Math.min(1, (own + numbers) / total);
  }

  /** Adds what a question's words mean; false: not all of it. */
  add({ units, hits }: GeocodeWords, budget: Budget): boolean {
    const { slots } = this.#names;
    try {
      const of_unit: { term: number; surety: number }[][] = units.map(() => []);
      for (const [term, list] of hits)
        for (const { unit, surety } of list) of_unit[unit]!.push({ term, surety });
      const pagesOf = (i: number): number =>
        of_unit[i]!.reduce((sum, { term }) => sum + this.#names.pagesOf(term), 0);
      const rarest = units
        .map((unit, i) => ({ i, unit, pages: pagesOf(i) }))
        .sort((a, b) => a.pages - b.pages || a.i - b.i);
      for (const { i, unit, pages } of rarest) {
        const isKnown = this.#rows.length > 0 && pages > COMMON;
        if (isKnown) this.#leaveOut(unit);
        const weight =
          this.#weights[unit.at]! * unit.share +
          (unit.span === 2 ? this.#weights[unit.at + 1]! : 0);
        const touched: Row[] = [];
        for (const { term, surety } of of_unit[i]!.sort((a, b) => b.surety - a.surety)) {
          if (!budget.look(this.#names.pagesOf(term))) return false;
          this.#names.eachPage(term, (page, documents, importance, around) => {
            const row = isKnown ? this.#rows[slots[page]! - 1] : this.#rowOf(page);
            if (row === undefined) return;
            row.entries += documents;
            const own = importance > 0 ? surety : (surety * AROUND * around) / 255;
            if (row.surety === 0) touched.push(row);
            if (own > row.surety) row.surety = own;
            if (importance > 0) callBy(row, 1 << unit.at, { weight: weight * surety, importance });
          });
        }
        for (const row of touched) explain(row, unit);
      }
      return true;
    } finally {
      // The next question finds the memory empty.
      for (const { page } of this.#rows) slots[page] = 0;
    }
  }

  #leaveOut({ at, span, share }: GeocodeWords["units"][number]): void {
    for (let word = at; word < at + span; word++)
      if (share === 1 && !isHouseNumber(this.#words[word]!.text))
        this.#left_out[word] = this.#weights[word]!;
  }

  #rowOf(page: number): Row {
    const { slots } = this.#names;
    if (slots[page] !== 0) return this.#rows[slots[page]! - 1]!;
    const count = this.#words.length;
    const row: Row = {
      ...{ page, surety: 0, called: 0, importance: 0, words: 0, entries: 0, text: 0, value: 0 },
      whole: Array.from({ length: count }, () => 0),
      parts: Array.from({ length: count }, () => 0),
    };
    slots[page] = this.#rows.push(row);
    return row;
  }

  /** Weighs pages in which something is called by a word of the question. */
  finish(near: Location | null, isAsked: (page: number) => boolean): void {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const at = near && pointBox(toPoint7(near));
    const isNumber = this.#words.map(({ text }) => isHouseNumber(text));
    for (const row of this.#rows) {
      if (row.called === 0 || total === 0 || !isAsked(row.page)) continue;
      let sum = 0;
      // Any page may have a house of the number.
      for (const [i, weight] of this.#weights.entries())
        sum += weight * (isNumber[i] ? 1 : Math.min(1, Math.max(row.whole[i]!, row.parts[i]!)));
      const nearness = at ? NEAR_M / (NEAR_M + gapOf(at, this.#names.boxes[row.page]!)) : 0;
      row.text = sum / total;
      row.value = row.text + (BY_IMPORTANCE * row.importance) / 255 + BY_NEARNESS * nearness;
    }
  }

  /** What pages explain at most, 0 to 1; 0: none is left. */
  most(isPicked: (page: number) => boolean): number {
    return this.#rows.reduce(
      (most, { page, text }) => (text > most && !isPicked(page) ? text : most),
      0,
    );
  }

  /** The page with the greatest value that is called by one of these words; null: there is none. */
  likeliest(words: number, isPicked: (page: number) => boolean): Readonly<Row> | null {
    let best: Row | null = null;
    for (const row of this.#rows) {
      if (row.value === 0 || (row.words & words) === 0) continue;
      const isBetter =
        best === null ||
        row.value > best.value ||
        (row.value === best.value && row.page < best.page);
      if (isBetter && !isPicked(row.page)) best = row;
    }
    return best;
  }
}

/** Things of a page are called by a word. */
function callBy(row: Row, word: number, by: { weight: number; importance: number }): void {
  row.words |= word;
  if (by.weight < row.called || by.weight === 0) return;
  if (by.weight > row.called) row.importance = 0;
  row.called = by.weight;
  row.importance = Math.max(row.importance, by.importance);
}

/** Gives what a unit means to the words that it is made of. */
function explain(row: Row, { at, span, share }: GeocodeWords["units"][number]): void {
  for (let word = at; word < at + span; word++)
    if (share < 1) row.parts[word]! += row.surety * share;
    else row.whole[word] = Math.max(row.whole[word]!, row.surety);
  row.surety = 0;
}

/** Fewer digits than postcodes have. */
function isHouseNumber(text: string): boolean {
  return /^\d{1,3}[a-z]{0,2}$/.test(text);
}
