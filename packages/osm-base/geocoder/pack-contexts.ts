/** Contexts as columns: what each says itself, and what all of one region and country say. */
import type { Columns } from "#kit/pack.ts";
import { type Contexts, countryNames, MENTION } from "./contexts.ts";
import { Growing } from "#kit/growing.ts";
import type { Intake } from "./intake.ts";
import { Lists } from "./number-lists.ts";
import type { Words } from "./pack-words.ts";
import { packPostings, pairOf } from "./postings.ts";
import type { Selection } from "./selection.ts";

/** Texts of the pack with their weights, by list: those of list i are starts[i] .. starts[i + 1]. */
class Mentions {
  readonly starts = new Growing(Uint32Array);
  readonly texts = new Growing(Uint32Array);
  readonly weights = new Growing(Uint8Array);

  constructor() {
    this.starts.push(0);
  }

  add(text: number, weight: number): void {
    this.texts.push(text);
    this.weights.push(weight);
  }

  /** Ends the list. */
  end(): void {
    this.starts.push(this.texts.length);
  }
}

export type ContextTexts = { columns: Columns; own: Mentions; wide: Mentions };

/** Texts that contexts are found by. `names`: set of names of each document. */
export function textsOfContexts(
  { sets, texts: all }: Intake,
  { contexts, names }: { contexts: Contexts; names: { at(doc: number): number } },
  texts: Selection,
): ContextTexts {
  const [own, wide] = [new Mentions(), new Mentions()];
  const heads = createHeads(contexts.count);
  const wides = new Lists();
  const countries = new Map<number, number[]>();
  const addNames = (into: Mentions, doc: number, weight: number): void => {
    if (doc < 0) return;
    for (const text of sets.textsOf(names.at(doc))) into.add(texts.search(text), weight);
  };
  for (let i = 0; i < contexts.count; i++) {
    const { city, city_name, region, region_name, country, country_doc, ...reported } =
      contexts.get(i);
    addNames(own, city, MENTION.full);
    for (const [doc, weight] of reported.around) addNames(own, doc, weight);
    own.add(texts.search(city_name), MENTION.full);
    for (const [text, weight] of reported.texts) own.add(texts.search(text), weight);
    own.end();
    const number = wides.add([region, region_name, country, country_doc]) - 1;
    if (number + 1 === wide.starts.length) {
      let called = countries.get(country);
      if (!called) {
        const list = country === 0 ? [] : countryNames(all.get(country));
        called = list.map((name) => texts.search(all.add(name)));
        countries.set(country, called);
      }
      addNames(wide, region, MENTION.full);
      wide.add(texts.search(region_name), MENTION.full);
      addNames(wide, country_doc, MENTION.full);
      for (const text of called) wide.add(text, MENTION.full);
      wide.end();
    }
    heads["contexts.city"][i] = city;
    heads["contexts.city_name"][i] = texts.add(city_name);
    heads["contexts.region"][i] = region;
    heads["contexts.region_name"][i] = texts.add(region_name);
    heads["contexts.country"][i] = texts.add(country);
    heads["contexts.wide"][i] = number;
  }
  return { columns: heads, own, wide };
}

function createHeads(count: number) {
  return {
    "contexts.city": new Int32Array(count),
    "contexts.city_name": new Uint32Array(count),
    "contexts.region": new Int32Array(count),
    "contexts.region_name": new Uint32Array(count),
    "contexts.country": new Uint32Array(count),
    "contexts.wide": new Uint32Array(count),
  };
}

export function packContexts({ columns, own, wide }: ContextTexts, words: Words): Columns {
  const near = joinWords(own, words);
  const far = joinWords(wide, words);
  const pairs = new Float64Array(near.terms.length);
  for (let context = 0; context + 1 < near.starts.length; context++)
    for (let at = near.starts[context]!; at < near.starts[context + 1]!; at++)
      pairs[at] = pairOf(near.terms[at]!, context);
  return {
    ...columns,
    "contexts.starts": near.starts,
    "contexts.terms": near.terms,
    "contexts.weights": near.weights,
    "wide.starts": far.starts,
    "wide.terms": far.terms,
    "wide.weights": far.weights,
    ...packPostings("context_postings", words.vocabulary.length, pairs),
  };
}

/** Words of several texts, each once, ascending, with the largest of its weights. */
function joinWords(
  all: Mentions,
  words: Words,
): { starts: Uint32Array; terms: Uint32Array; weights: Uint8Array } {
  const starts = new Uint32Array(all.starts.length);
  const terms = new Growing(Uint32Array);
  const weights = new Growing(Uint8Array);
  /** Weight of each word in the list at hand; 0: it is not in it. */
  const largest = new Uint8Array(words.vocabulary.length);
  for (let i = 0; i + 1 < starts.length; i++) {
    const own: number[] = [];
    for (let at = all.starts.at(i); at < all.starts.at(i + 1); at++)
      for (const term of words.of(all.texts.at(at))) {
        if (largest[term] === 0) own.push(term);
        largest[term] = Math.max(largest[term]!, all.weights.at(at));
      }
    for (const term of own.sort((a, b) => a - b)) {
      terms.push(term);
      weights.push(largest[term]!);
      largest[term] = 0;
    }
    starts[i + 1] = terms.length;
  }
  return { starts, terms: terms.view(), weights: weights.view() };
}
