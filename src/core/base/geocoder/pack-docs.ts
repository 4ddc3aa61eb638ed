/**
 * Documents, contexts and house numbers as columns: texts once each, words by number, and for every
 * word the documents and the contexts that have it.
 */
import type { Columns } from "../../pack.ts";
import { toBlob } from "../../shard/bytes.ts";
import { type Context, countryNames, MENTION } from "./contexts.ts";
import type { Doc, Docs } from "./docs.ts";
import { wordsOf } from "./fold.ts";
import { Growing } from "./growing.ts";
import { createNameSets, createTexts, type Texts } from "./names.ts";
import type { NumberRow } from "./numbers.ts";
import { packPoints } from "./points.ts";
import { packPostings, pairOf } from "./postings.ts";
import { packTerms } from "./terms.ts";

/** Kinds of names by number, as sets of names have them. */
type NameKinds = string[];

export function* packDocs(
  { list, contexts, places, streets }: Docs,
  numbers: { rows: readonly NumberRow[]; blocks: ReadonlySet<number>; textOf(id: number): string },
): Generator<void, { columns: Columns; meta: PackedMeta }> {
  const texts = createTexts();
  const sets = packSets(list, texts);
  yield;
  const packed = packContexts(contexts, list, texts);
  const docs = docColumns(list, { texts, sets, blocks: numbers.blocks });
  const houses = numberColumns(list.length, numbers, texts);
  const kinds = packKinds(list);
  yield;
  const {
    columns: words,
    starts,
    terms,
    vocabulary,
  } = packWords(texts, packed.searched, sets.searched);
  yield;
  const wordsOfText = (text: number): Uint32Array => terms.subarray(starts[text], starts[text + 1]);
  const columns: Columns = {
    ...docs,
    "docs.words": fewestWords(sets, wordsOfText),
    ...houses,
    ...kinds.columns,
    ...sets.columns,
    ...words,
    ...packPostings("postings", vocabulary.length, docPairs(list, sets, wordsOfText)),
    ...contextColumns(packed, wordsOfText, vocabulary.length),
  };
  yield;
  const { bytes, offsets } = toBlob(Array.from({ length: texts.count }, (_, i) => texts.get(i)));
  yield;
  return {
    columns: {
      ...columns,
      ...packTerms(vocabulary),
      "texts.bytes": bytes,
      "texts.offsets": offsets,
    },
    meta: { places, streets, name_kinds: sets.kinds, kinds: kinds.list },
  };
}

export type PackedMeta = {
  /** How many documents are places, and how many after those are streets. */
  places: number;
  streets: number;
  name_kinds: readonly string[];
  /** Main tags; the documents of kind i are kinds.docs[starts[i]] .. [starts[i + 1]]. */
  kinds: readonly string[];
};

type Sets = {
  columns: Columns;
  kinds: NameKinds;
  of: Uint32Array;
  textsOf: number[][];
  searched: Set<number>;
};

function packSets(list: readonly Doc[], texts: Texts): Sets {
  const sets = createNameSets();
  const of = Uint32Array.from(list, ({ names }) => sets.add(names));
  const kinds: NameKinds = [""];
  const numbers = new Map([["", 0]]);
  const starts = new Growing(Uint32Array);
  const set_texts = new Growing(Uint32Array);
  const set_kinds = new Growing(Uint8Array);
  const searched = new Set<number>();
  const textsOf: number[][] = [];
  const count = of.reduce((most, set) => Math.max(most, set), 0) + 1;
  starts.push(0);
  for (let set = 0; set < count; set++) {
    const own: number[] = [];
    for (const { kind, text } of sets.get(set)) {
      let number = numbers.get(kind);
      if (number === undefined) {
        // More languages than a byte holds are other names.
        number = kinds.length > 254 ? 0 : kinds.length;
        if (number > 0) kinds.push(kind);
        numbers.set(kind, number);
      }
      const id = texts.add(text);
      set_texts.push(id);
      set_kinds.push(number);
      searched.add(id);
      own.push(id);
    }
    textsOf.push(own);
    starts.push(set_texts.length);
  }
  const columns = {
    "sets.starts": starts.view().slice(),
    "sets.texts": set_texts.view().slice(),
    "sets.kinds": set_kinds.view().slice(),
  };
  return { columns, kinds, of, textsOf, searched };
}

type Weighed = readonly [text: number, weight: number];

type PackedContexts = {
  columns: Columns;
  /** Texts of each context with their weights, and of each whole of a region and a country. */
  texts: Weighed[][];
  wide: Weighed[][];
  searched: Set<number>;
};

function packContexts(
  contexts: readonly Context[],
  list: readonly Doc[],
  texts: Texts,
): PackedContexts {
  const namesOf = (doc: number, weight: number): Weighed[] =>
    doc < 0 ? [] : list[doc]!.names.map(({ text }) => [texts.add(text), weight]);
  const wide_ids = new Map<string, number>();
  const wide: Weighed[][] = [];
  const own: Weighed[][] = [];
  const of_wide = new Uint32Array(contexts.length);
  const countries = new Map<string, Weighed[]>();
  for (const [i, context] of contexts.entries()) {
    const { city, city_name, region, region_name, country, country_doc, around } = context;
    own.push([
      ...namesOf(city, MENTION.full),
      ...around.flatMap(([doc, weight]) => namesOf(doc, weight)),
      ...[[city_name, MENTION.full] as const, ...context.texts].map(([text, weight]): Weighed => [
        texts.add(text),
        weight,
      ]),
    ]);
    const key = JSON.stringify([region, region_name, country, country_doc]);
    if (!wide_ids.has(key)) {
      wide_ids.set(key, wide.length);
      const code = country ?? "";
      if (code !== "" && !countries.has(code))
        countries.set(
          code,
          countryNames(code).map((name) => [texts.add(name), MENTION.full]),
        );
      wide.push([
        ...namesOf(region, MENTION.full),
        [texts.add(region_name), MENTION.full],
        ...namesOf(country_doc, MENTION.full),
        ...(countries.get(code) ?? []),
      ]);
    }
    of_wide[i] = wide_ids.get(key)!;
  }
  const columns = {
    "contexts.city": Int32Array.from(contexts, ({ city }) => city),
    "contexts.city_name": Uint32Array.from(contexts, (each) => texts.add(each.city_name)),
    "contexts.region": Int32Array.from(contexts, ({ region }) => region),
    "contexts.region_name": Uint32Array.from(contexts, (each) => texts.add(each.region_name)),
    "contexts.country": Uint32Array.from(contexts, (each) => texts.add(each.country ?? "")),
    "contexts.wide": of_wide,
  };
  return {
    columns,
    texts: own,
    wide,
    searched: new Set([...own, ...wide].flatMap((each) => each.map(([text]) => text))),
  };
}

function contextColumns(
  { columns, texts, wide }: PackedContexts,
  wordsOfText: (text: number) => Uint32Array,
  vocabulary: number,
): Columns {
  const own = joinWords(texts, wordsOfText);
  const far = joinWords(wide, wordsOfText);
  const pairs = new Growing(Float64Array);
  for (let context = 0; context < texts.length; context++)
    for (let at = own.starts[context]!; at < own.starts[context + 1]!; at++)
      pairs.push(pairOf(own.terms[at]!, context));
  return {
    ...columns,
    "contexts.starts": own.starts,
    "contexts.terms": own.terms,
    "contexts.weights": own.weights,
    "wide.starts": far.starts,
    "wide.terms": far.terms,
    "wide.weights": far.weights,
    ...packPostings("context_postings", vocabulary, pairs.view()),
  };
}

/** Words of several texts, each once, ascending, with the largest of its weights. */
function joinWords(
  all: readonly (readonly Weighed[])[],
  wordsOfText: (text: number) => Uint32Array,
): { starts: Uint32Array; terms: Uint32Array; weights: Uint8Array } {
  const starts = new Uint32Array(all.length + 1);
  const terms = new Growing(Uint32Array);
  const weights = new Growing(Uint8Array);
  for (const [i, texts] of all.entries()) {
    const own = new Map<number, number>();
    for (const [text, weight] of texts)
      for (const term of wordsOfText(text)) own.set(term, Math.max(weight, own.get(term) ?? 0));
    for (const [term, weight] of [...own].sort(([a], [b]) => a - b)) {
      terms.push(term);
      weights.push(weight);
    }
    starts[i + 1] = terms.length;
  }
  return { starts, terms: terms.view().slice(), weights: weights.view().slice() };
}

type Words = { columns: Columns; starts: Uint32Array; terms: Uint32Array; vocabulary: string[] };

/** Words of the texts that are searched, numbered in the order of their spelling. */
function packWords(texts: Texts, ...searched: readonly ReadonlySet<number>[]): Words {
  const ids = new Map<string, number>();
  const starts = new Uint32Array(texts.count + 1);
  const found = new Growing(Uint32Array);
  for (let text = 0; text < texts.count; text++) {
    if (searched.some((set) => set.has(text)))
      for (const word of wordsOf(texts.get(text))) {
        let id = ids.get(word);
        if (id === undefined) ids.set(word, (id = ids.size));
        found.push(id);
      }
    starts[text + 1] = found.length;
  }
  const vocabulary = [...ids.keys()].sort();
  const numbers = new Uint32Array(vocabulary.length);
  vocabulary.forEach((word, number) => (numbers[ids.get(word)!] = number));
  const terms = Uint32Array.from(found.view(), (id) => numbers[id]!);
  const columns = { "words.starts": starts, "words.terms": terms };
  return { columns, starts, terms, vocabulary };
}

function docPairs(
  list: readonly Doc[],
  { of, textsOf }: Sets,
  wordsOfText: (text: number) => Uint32Array,
): Float64Array {
  const pairs = new Growing(Float64Array);
  for (let doc = 0; doc < list.length; doc++)
    for (const text of textsOf[of[doc]!]!)
      for (const term of wordsOfText(text)) pairs.push(pairOf(term, doc));
  return pairs.view();
}

/** Words of each document's shortest name; 0: it has no name. */
function fewestWords(
  { of, textsOf }: Sets,
  wordsOfText: (text: number) => Uint32Array,
): Uint8Array {
  const fewest = textsOf.map((texts) =>
    texts.length === 0 ? 0 : Math.min(...texts.map((text) => wordsOfText(text).length)),
  );
  return Uint8Array.from(of, (set) => fewest[set]!);
}

function docColumns(
  list: readonly Doc[],
  { texts, sets, blocks }: { texts: Texts; sets: Sets; blocks: ReadonlySet<number> },
): Columns {
  return {
    "docs.osm": Float64Array.from(list, ({ osm }) => osm),
    "docs.lat7": Int32Array.from(list, ({ lat7 }) => lat7),
    "docs.lon7": Int32Array.from(list, ({ lon7 }) => lon7),
    "docs.boxes": Int32Array.from(list.flatMap(({ box }) => [...box])),
    "docs.set": sets.of,
    "docs.kind": Uint32Array.from(list, ({ kind }) => texts.add(kind)),
    "docs.context": Uint32Array.from(list, ({ context }) => context),
    "docs.street": Int32Array.from(list, ({ street }) => street),
    "docs.number": Uint32Array.from(list, ({ number }) => texts.add(number)),
    "docs.postcode": Uint32Array.from(list, ({ postcode }) => texts.add(postcode)),
    "docs.importance": Uint8Array.from(list, ({ importance }) => Math.round(importance * 255)),
    "docs.blocks": Uint8Array.from(list, (_, doc) => (blocks.has(doc) ? 1 : 0)),
  };
}

function numberColumns(
  docs: number,
  { rows, textOf }: { rows: readonly NumberRow[]; textOf(id: number): string },
  texts: Texts,
): Columns {
  const starts = new Uint32Array(docs + 1);
  for (const { owner } of rows) starts[owner + 1]!++;
  for (let doc = 0; doc < docs; doc++) starts[doc + 1]! += starts[doc]!;
  const owners = Uint32Array.from(rows, ({ owner }) => owner);
  const lat7 = Int32Array.from(rows, (row) => row.lat7);
  const lon7 = Int32Array.from(rows, (row) => row.lon7);
  const own: number[] = [];
  for (const [row, number] of rows.entries()) if (number.own) own.push(row);
  return {
    "numbers.starts": starts,
    "numbers.owners": owners,
    "numbers.value": Uint32Array.from(rows, ({ value }) => value),
    "numbers.key": Uint32Array.from(rows, ({ key }) => texts.add(key)),
    "numbers.label": Uint32Array.from(rows, ({ label }) => texts.add(label)),
    "numbers.osm": Float64Array.from(rows, ({ osm }) => osm),
    "numbers.lat7": lat7,
    "numbers.lon7": lon7,
    "numbers.postcode": Uint32Array.from(rows, (row) => texts.add(textOf(row.postcode))),
    // As its address has it, where that is none of the street's names.
    "numbers.street": Uint32Array.from(rows, ({ street }) => texts.add(street)),
    "numbers.reckoned": Uint8Array.from(rows, (row) => (row.interpolated ? 1 : 0)),
    ...packPoints("points", Uint32Array.from(own), { lat7, lon7 }),
  };
}

function packKinds(list: readonly Doc[]): { columns: Columns; list: string[] } {
  const docs = new Map<string, number[]>();
  for (const [doc, { kind }] of list.entries()) {
    if (kind.startsWith("highway=") && kind !== "highway=bus_stop") continue;
    const known = docs.get(kind);
    if (known) known.push(doc);
    else docs.set(kind, [doc]);
  }
  const kinds = [...docs.keys()].sort();
  const starts = new Uint32Array(kinds.length + 1);
  kinds.forEach((kind, i) => (starts[i + 1] = starts[i]! + docs.get(kind)!.length));
  const columns = {
    "kinds.starts": starts,
    "kinds.docs": Uint32Array.from(kinds.flatMap((kind) => docs.get(kind)!)),
  };
  return { columns, list: kinds };
}
