/**
 * Places and postcodes of a base that a question names apart from all else, by their whole names: what
 * another base or the gazetteer does not know binds all the same (decisions, Named places bind).
 */
import type { Budget } from "#kit/budget.ts";
import { readQuestion } from "./fold-words.ts";
import { isBehind, placeRuns, postcodeRuns } from "./named-runs.ts";
import { exactMeanings, MAX_WORDS, type GeocodeWords } from "./geocode-query.ts";
import { isOfStreet, segmentsOf } from "./segments.ts";
import { isTown } from "./settlements.ts";
import type { View } from "./geocoder-view.ts";

/** A word that more documents have is in too many names to name a place. */
const MAX_NAMES = 8_192;

/** Words, in comparable form, of each place that is named, as far as the budget goes. */
export function namedWordsOf(view: View, q: string, budget: Budget): string[][] {
  const words = readQuestion(q, MAX_WORDS);
  const query: GeocodeWords = {
    ...{ words, units: [], hits: new Map(), numbers: [] },
    meanings: exactMeanings(words, view.terms),
    segments: segmentsOf(words),
    of_street: (at, length) => isOfStreet(words, at, length),
  };
  const matches = new Map<string, readonly number[]>();
  const add = (own: readonly number[]): void => {
    matches.set(own.join(), own);
  };
  const leading: (readonly number[])[] = [];
  for (const doc of placesWith(view, query, budget))
    for (const run of placeRuns(view, query, doc) ?? [])
      if (run.apart) add(run.words);
      else if (run.leads === true && isTownOf(view, doc)) leading.push(run.words);
  // `Dorf 49, Oberau` is in Oberau, and `Dorf, Bahnhofstrasse 49` in Dorf.
  if (matches.size === 0) for (const own of leading) add(own);
  const places = new Set([...matches.values()].flat());
  for (const run of postcodeRuns(view, query, places)) if (run.docs.length > 0) add(run.words);
  const all = [...matches.values()];
  return all
    .filter((own) => !all.some((other) => other.length > own.length && isPart(own, other)))
    .map((own) => own.map((at) => words[at]!.text));
}

function isTownOf({ text, docs }: View, doc: number): boolean {
  return isTown(text(docs.kind[doc]!).slice("place=".length));
}

/** Places that have the first word of a part of the question: the name begins with it. */
function placesWith({ meta, postings }: View, query: GeocodeWords, budget: Budget): Set<number> {
  const docs = new Set<number>();
  for (const segment of query.segments) {
    if (query.segments.length === 1 && !isBehind(query, segment)) continue;
    for (const { term } of query.meanings[segment[0]!]!)
      if (postings.count(term) <= MAX_NAMES && budget.look(postings.count(term)))
        postings.each(term, MAX_NAMES, (doc) => {
          if (doc < meta.places && !docs.has(doc) && budget.keep()) docs.add(doc);
        });
  }
  return docs;
}

function isPart(words: readonly number[], of: readonly number[]): boolean {
  return words.every((word) => of.includes(word));
}
