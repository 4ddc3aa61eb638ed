/** Which words of a question a name explains, and which the whereabouts of a thing. */
import type { GeocodeWords } from "./geocode-query.ts";
import { spellingsOf } from "./spellings.ts";
import type { View } from "./geocoder-view.ts";

/** What unexplained words of a name cost, as part of their weight; many do not cost much more than some. */
const UNEXPLAINED = 0.3;
const OLD_NAME = 0.95;

/** Coverage of each word of the question by a name, and the weight of what the name has besides. */
export type Covered = {
  cover: Float64Array;
  besides: number;
  /** Words of the name by number: those that the question has, and those that it lacks. */
  met: readonly number[];
  missing: readonly number[];
};

/** Finds the name of a document that explains most of the question. */
export function createNames(
  view: View,
  query: GeocodeWords,
  { weights, weightOf }: { weights: Float64Array; weightOf(term: number): number },
): (doc: number) => Covered {
  const old = view.meta.name_kinds.indexOf("old");

  function coverName(text: number): Covered {
    const cover = new Float64Array(query.words.length);
    const [met, missing]: [number[], number[]] = [[], []];
    let besides = 0;
    const { starts, terms } = view.words;
    for (let at = starts[text]!; at < starts[text + 1]!; at++) {
      const term = terms[at]!;
      const isMet = explainWord(query, term, cover);
      (isMet ? met : missing).push(term);
      if (!isMet) besides += weightOf(term);
    }
    return { cover, besides, met, missing };
  }

  return (doc) => {
    const { starts, texts } = view.sets;
    const set = view.docs.set[doc]!;
    const none = new Float64Array(query.words.length);
    let best: Covered = { cover: none, besides: 0, met: [], missing: [] };
    let best_value = -Infinity;
    for (let at = starts[set]!; at < starts[set + 1]!; at++) {
      const name = coverName(texts[at]!);
      if (view.sets.kinds[at] === old)
        for (let i = 0; i < name.cover.length; i++) name.cover[i]! *= OLD_NAME;
      const value = dot(name.cover, weights) - costOf(name.besides);
      if (value > best_value) [best, best_value] = [name, value];
    }
    return best;
  };
}

/** Reports whether all of a name that distinguishes it is in the question: `avenue` and `de` are often left out. */
export function createWholeness({ terms }: View): (name: Covered) => boolean {
  const cache = new Map<number, boolean>();
  const isDistinctive = (term: number): boolean => {
    let is = cache.get(term);
    if (is === undefined) cache.set(term, (is = isDistinctiveWord(terms.text(term))));
    return is;
  };
  return ({ met, missing }) =>
    met.length > 0 &&
    (missing.length === 0 || (!missing.some(isDistinctive) && met.some(isDistinctive)));
}

/** Letters of the longest words that join others, such as `von`. */
const JOINING_LETTERS = 3;

/** A word that is often abbreviated is often left out. */
function isDistinctiveWord(text: string): boolean {
  return /\d/.test(text) || (text.length > JOINING_LETTERS && spellingsOf(text).length === 0);
}

/** Sureties of all words by a context, and by the region and country that it shares with others. */
export type CoverAround = { own: Float64Array; far: Float64Array; of(at: number): number };

/** What contexts say, looked at once for each; `wideOf`: regions and countries by their number. */
export function createAround(
  view: View,
  query: GeocodeWords,
): { of(context: number): CoverAround; wideOf(id: number): Float64Array } {
  const contexts = new Map<number, Float64Array>();
  const arounds = new Map<number, CoverAround>();
  const wide = new Map<number, Float64Array>();

  function coverOf(
    cache: Map<number, Float64Array>,
    id: number,
    { starts, terms, weights: sure }: View["wide"],
  ): Float64Array {
    let cover = cache.get(id);
    if (cover) return cover;
    cover = new Float64Array(query.words.length);
    for (let at = starts[id]!; at < starts[id + 1]!; at++)
      mention(query, terms[at]!, { cover, weight: sure[at]! / 255 });
    cache.set(id, cover);
    return cover;
  }

  const wideOf = (id: number): Float64Array => coverOf(wide, id, view.wide);
  return {
    wideOf,
    of(context) {
      let around = arounds.get(context);
      if (around) return around;
      const own = coverOf(contexts, context, view.contexts);
      const far = wideOf(view.contexts.wide[context]!);
      around = { own, far, of: (at) => Math.max(own[at]!, far[at]!) };
      arounds.set(context, around);
      return around;
    },
  };
}

/** Gives a word of a name to the word of the question that it explains best; false: to none. */
function explainWord({ hits, units }: GeocodeWords, term: number, cover: Float64Array): boolean {
  let best = -1;
  let [best_surety, most] = [0, 0];
  for (const { unit, surety } of hits.get(term) ?? []) {
    const { at, span, share } = units[unit]!;
    // A word is explained once, but its parts by a word each.
    const open = share < 1 ? cover[at]! <= 1 - share + 1e-9 : cover[at] === 0;
    // `rroses` is a misspelt `roses` rather than an `r` and the end of a compound.
    if (!open || (span === 2 && cover[at + 1]! > 0) || surety * share <= most) continue;
    [best, best_surety, most] = [unit, surety, surety * share];
  }
  if (best < 0) return false;
  const { at, span, share } = units[best]!;
  cover[at]! += best_surety * share;
  if (span === 2) cover[at + 1] = best_surety;
  return true;
}

/** A context mentions a word or does not: it may do so for several. */
function mention(
  { hits, units }: GeocodeWords,
  term: number,
  { cover, weight }: { cover: Float64Array; weight: number },
): void {
  for (const { unit, surety } of hits.get(term) ?? []) {
    const { at, span, share } = units[unit]!;
    if (share < 1) continue;
    cover[at] = Math.max(cover[at]!, surety * weight);
    if (span === 2) cover[at + 1] = Math.max(cover[at + 1]!, surety * weight);
  }
}

export function costOf(besides: number): number {
  return (UNEXPLAINED * besides) / (1 + 0.5 * besides);
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
