/**
 * How close a place of the gazetteer is to what was asked for (decisions, Unknown names): each word of
 * the question is a word of one of its names or of its whereabouts, as written, folded, by an
 * alternative name, or with at most one typing error. What is further away is not offered.
 */
import { collapseUmlauts, type Word } from "#osm/geocoder/fold-words.ts";
import { spellingsOf } from "#osm/geocoder/spellings.ts";
import type { View } from "#osm/geocoder/geocoder-view.ts";
import { errorsBetween } from "#kit/text/typing-errors.ts";

export type Closeness = {
  /** Typing errors of all words together. */
  errors: number;
  /** What it costs that the name is not the one by which the place is known. */
  cost: number;
};

/** Letters from which a word may have one error, and two. */
const ONE_ERROR = 5;
const TWO_ERRORS = 10;
const NOT_CLOSE = -1;
/** Equal, if the name has an umlaut in it: `koeln`. */
const AS_TWO = 100;
const UMLAUT = /[äöüåøÄÖÜÅØ]|[aouAOU]\u0308/;
const COMMA = /[,;]/;
const PAIRED = /^[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2}$/;

type Options = {
  prefix: boolean;
  /** What a name costs, by the number of its kind and the document; 0: the usual one. */
  costOf(kind: number, doc: number): number;
};

/** Returns how close a document is; null: it is further away than one typing error a word. */
export function createCloseness(
  view: View,
  words: readonly Word[],
  { prefix, costOf }: Options,
): (doc: number) => Closeness | null {
  // `hot` is short for `hotel` within a name, and a town by itself.
  const spelled = words.length > 1;
  const requests = words.map((word, at) =>
    toQueryWord(word, { open: prefix && at === words.length - 1, spelled }),
  );
  const joined = requests.map(({ text }) => text).join("");
  const cache = new Map<number, Int8Array>();

  /** Errors between each word of the question and a word of the gazetteer. */
  function errorsOf(term: number): Int8Array {
    let errors = cache.get(term);
    if (errors) return errors;
    const [text, units] = [view.terms.text(term), view.terms.units(term)];
    errors = Int8Array.from(requests, (word) => errorsTo(word, text, units));
    cache.set(term, errors);
    return errors;
  }

  function byName(text: number, around: () => Int8Array): number {
    const { starts, terms } = view.words;
    const [from, to] = [starts[text]!, starts[text + 1]!];
    const matched = new Int8Array(requests.length).fill(NOT_CLOSE);
    let besides = 0;
    for (let at = from; at < to; at++) {
      const errors = errorsOf(terms[at]!);
      let best = -1;
      for (let i = 0; i < matched.length; i++)
        if (errors[i]! >= 0 && matched[i]! < 0 && (best < 0 || errors[i]! < errors[best]!))
          best = i;
      if (best < 0) besides++;
      else matched[best] = errors[best]!;
    }
    if (besides === to - from) return isJoined(from, to) ? 0 : NOT_CLOSE;
    const first = matched.findIndex((errors) => errors >= 0);
    const pairs = requests.some((word, i) => word.paired && matched[i] === 0);
    // Of the name, and of where it is.
    const sums = [0, 0];
    for (let i = 0; i < matched.length; i++) {
      const isNamed = matched[i]! >= 0;
      const errors = isNamed ? matched[i]! : isWhere(i, first) ? around()[i]! : NOT_CLOSE;
      // Umlauts are written as two letters where there are any.
      const isTwo = !isNamed || UMLAUT.test(view.text(text));
      if (errors >= 0) sums[isNamed ? 0 : 1]! += errors === AS_TWO ? (isTwo ? 0 : 1) : errors;
      else if (!(requests[i]!.paired && pairs && besides === 0))
        return isJoined(from, to) ? 0 : NOT_CLOSE;
    }
    const [match, where] = sums;
    // An error is no reason to think of the rest of a longer name, nor of another error in where it is.
    return match! > 0 && (besides > 0 || where! > 0) ? NOT_CLOSE : match! + where!;
  }

  /** Where a place is comes after its name; what comes before it is a part of the name, but for a comma. */
  function isWhere(at: number, first: number): boolean {
    return at > first || requests[at]!.paired || COMMA.test(words[first]!.between);
  }

  /** `newyork`, and `castrop rauxel` for `castroprauxel`. */
  function isJoined(from: number, to: number): boolean {
    let text = "";
    for (let at = from; at < to && text.length <= joined.length; at++)
      text += view.terms.text(view.words.terms[at]!);
    return text === joined && joined.length > 4;
  }

  return (doc) => {
    const { starts, texts, kinds } = view.sets;
    const set = view.docs.set[doc]!;
    let where: Int8Array | null = null;
    const around = (): Int8Array =>
      (where ??= errorsAround(view, doc, { count: requests.length, errorsOf }));
    let best: Closeness | null = null;
    for (let at = starts[set]!; at < starts[set + 1]!; at++) {
      const errors = byName(texts[at]!, around);
      if (errors < 0) continue;
      const cost = costOf(kinds[at]!, doc);
      if (best === null || errors < best.errors || (errors === best.errors && cost < best.cost))
        best = { errors, cost };
      if (errors === 0 && cost === 0) break;
    }
    return best;
  };
}

/** What the whereabouts say of each word, which may be said of several. */
function errorsAround(
  view: View,
  doc: number,
  { count, errorsOf }: { count: number; errorsOf(term: number): Int8Array },
): Int8Array {
  const least = new Int8Array(count).fill(NOT_CLOSE);
  const context = view.docs.context[doc]!;
  const wide = view.contexts.wide[context]!;
  for (const [{ starts, terms }, id] of [
    [view.contexts, context],
    [view.wide, wide],
  ] as const)
    for (let at = starts[id]!; at < starts[id + 1]!; at++) {
      const errors = errorsOf(terms[at]!);
      for (let i = 0; i < least.length; i++)
        if (errors[i]! >= 0 && (least[i]! < 0 || errors[i]! < least[i]!)) least[i] = errors[i]!;
    }
  return least;
}

type QueryWord = {
  text: string;
  forms: readonly string[];
  /** With umlauts that are written as two letters as one. */
  single: string;
  allowed: number;
  /** It may go on after what is written. */
  open: boolean;
  paired: boolean;
};

function toQueryWord(
  { text, expanded, dotted }: Word,
  { open, spelled }: { open: boolean; spelled: boolean },
): QueryWord {
  const plain = [...new Set([text, expanded ?? text])];
  const forms = spelled ? [...new Set([...plain, ...plain.flatMap(spellingsOf)])] : plain;
  const allowed = /\d/.test(text) || text.length < ONE_ERROR ? 0 : text.length < TWO_ERRORS ? 1 : 2;
  const isOpen = open || (dotted && text.length > 1);
  const single = collapseUmlauts(text);
  return { text, forms, single, allowed, open: isOpen, paired: PAIRED.test(text) };
}

function errorsTo(
  { text, forms, single, allowed, open }: QueryWord,
  term: string,
  units: Uint16Array,
): number {
  if (forms.includes(term) || (open && forms.some((form) => term.startsWith(form)))) return 0;
  if (single === term || (open && term.startsWith(single))) return AS_TWO;
  if (allowed === 0 || Math.abs(term.length - text.length) > allowed) return NOT_CLOSE;
  const errors = errorsBetween(text, units, allowed);
  return errors <= allowed ? errors : NOT_CLOSE;
}
