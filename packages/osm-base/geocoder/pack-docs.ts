/**
 * Documents, contexts and house numbers as columns: texts once each, words by number, and for every
 * word the documents and the contexts that have it.
 */
import type { Columns } from "#kit/pack.ts";
import { toBlob } from "#kit/bytes.ts";
import { packContexts, textsOfContexts } from "./pack-contexts.ts";
import { packWords, type Words } from "./pack-words.ts";
import { bucketsOf } from "./buckets.ts";
import type { DocTable } from "./doc-table.ts";
import type { Docs } from "./docs.ts";
import { filled, Growing } from "#kit/growing.ts";
import type { Intake } from "./intake.ts";
import { type Numbers, ORIGIN } from "./numbers.ts";
import { packPoints } from "./points.ts";
import { packPostings, pairOf } from "./postings.ts";
import { createSelection, type Selection } from "./selection.ts";
import { packTerms } from "./term-index.ts";

export function* packDocs(
  intake: Intake,
  { table, contexts, places, streets }: Docs,
  numbers: Numbers,
): Generator<void, { columns: Columns; meta: PackedMeta }> {
  const texts = createSelection(intake.texts);
  const sets = packSets(intake, table, texts);
  yield;
  const around = textsOfContexts(intake, { contexts, names: table.names }, texts);
  yield;
  const docs = docColumns(table, { texts, sets, blocks: numbers.blocks });
  const houses = numberColumns(table.osm.length, numbers, texts);
  const kinds = packKinds(intake, table);
  yield;
  const words = packWords(texts);
  yield;
  const columns: Columns = {
    ...docs,
    "docs.words": fewestWords(sets, words.of),
    ...houses,
    ...kinds.columns,
    ...sets.columns,
    ...words.columns,
    ...packPostings("postings", words.vocabulary.length, docPairs(sets, words.of)),
    ...packContexts(around, words),
  };
  yield;
  const { bytes, offsets } = toBlob(texts.list());
  yield;
  return {
    columns: {
      ...columns,
      ...packTerms(words.vocabulary),
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
  /** Kinds of names by number, as sets of names have them. */
  kinds: string[];
  /** Set of each document. */
  of: Uint32Array;
  /** Texts of set i are texts[starts[i]] .. texts[starts[i + 1]]. */
  starts: Uint32Array;
  texts: Uint32Array;
};

/** Sets that documents have, in the documents' order, behind the empty one. */
function packSets({ sets }: Intake, { names }: DocTable, texts: Selection): Sets {
  const numbers = new Uint32Array(sets.count);
  const used = new Growing(Uint32Array);
  used.push(0);
  const of = names.view().map((set) => {
    if (set !== 0 && numbers[set] === 0) {
      numbers[set] = used.length;
      used.push(set);
    }
    return numbers[set]!;
  });
  const kinds = createKinds(sets.kindOf);
  const starts = new Growing(Uint32Array);
  const set_texts = new Growing(Uint32Array);
  const set_kinds = new Growing(Uint8Array);
  starts.push(0);
  for (const set of used.view()) {
    const parts = sets.partsOf(set);
    for (let i = 0; i < parts.length; i += 2) {
      set_kinds.push(kinds.of(parts[i]!));
      set_texts.push(texts.search(parts[i + 1]!));
    }
    starts.push(set_texts.length);
  }
  const columns = {
    "sets.starts": starts.view(),
    "sets.texts": set_texts.view(),
    "sets.kinds": set_kinds.view(),
  };
  return { columns, kinds: kinds.list, of, starts: starts.view(), texts: set_texts.view() };
}

/** Numbers of kinds in the order they come in: more languages than a byte holds are other names. */
function createKinds(nameOf: (kind: number) => string): {
  list: string[];
  of(kind: number): number;
} {
  const list = [""];
  const numbers = new Map([[0, 0]]);
  return {
    list,
    of(kind) {
      let number = numbers.get(kind);
      if (number === undefined) {
        number = list.length > 254 ? 0 : list.length;
        if (number > 0) list.push(nameOf(kind));
        numbers.set(kind, number);
      }
      return number;
    },
  };
}

function docPairs({ of, starts, texts }: Sets, wordsOfText: Words["of"]): Float64Array {
  const pairs = new Growing(Float64Array);
  of.forEach((set, doc) => {
    for (let i = starts[set]!; i < starts[set + 1]!; i++)
      for (const term of wordsOfText(texts[i]!)) pairs.push(pairOf(term, doc));
  });
  return pairs.view();
}

/** Words of each document's shortest name; 0: it has no name. */
function fewestWords({ of, starts, texts }: Sets, wordsOfText: Words["of"]): Uint8Array {
  const fewest = new Uint8Array(starts.length - 1);
  for (let set = 1; set < fewest.length; set++) {
    let least = Infinity;
    for (let i = starts[set]!; i < starts[set + 1]!; i++)
      least = Math.min(least, wordsOfText(texts[i]!).length);
    fewest[set] = least;
  }
  return filled(new Uint8Array(of.length), (doc) => fewest[of[doc]!]!);
}

function docColumns(
  table: DocTable,
  { texts, sets, blocks }: { texts: Selection; sets: Sets; blocks: ReadonlySet<number> },
): Columns {
  const { kind, number, postcode } = table;
  const columns = {
    "docs.osm": table.osm.view(),
    "docs.lat7": table.lat7.view(),
    "docs.lon7": table.lon7.view(),
    "docs.boxes": table.boxes.view(),
    "docs.set": sets.of,
    "docs.kind": kind.view().map(texts.add),
    "docs.context": table.context.view(),
    "docs.street": table.street.view(),
    "docs.number": number.view().map(texts.add),
    "docs.postcode": postcode.view().map(texts.add),
    "docs.importance": table.importance.view(),
    "docs.blocks": new Uint8Array(table.osm.length),
  };
  for (const doc of blocks) columns["docs.blocks"][doc] = 1;
  return columns;
}

function numberColumns(
  docs: number,
  { table, order }: Pick<Numbers, "table" | "order">,
  texts: Selection,
): Columns {
  const u32 = (column: Growing<Uint32Array>): Uint32Array =>
    filled(new Uint32Array(order.length), (i) => column.at(order[i]!));
  const textsOf = (column: Growing<Uint32Array>): Uint32Array =>
    filled(new Uint32Array(order.length), (i) => texts.add(column.at(order[i]!)));
  const i32 = (column: Growing<Int32Array>): Int32Array =>
    filled(new Int32Array(order.length), (i) => column.at(order[i]!));
  const starts = new Uint32Array(docs + 1);
  for (const owner of table.owner.view()) starts[owner + 1]!++;
  for (let doc = 0; doc < docs; doc++) starts[doc + 1]! += starts[doc]!;
  const [lat7, lon7] = [i32(table.lat7), i32(table.lon7)];
  const origin = filled(new Uint8Array(order.length), (i) => table.origin.at(order[i]!));
  const own = new Growing(Uint32Array);
  for (let row = 0; row < order.length; row++) if (origin[row] === ORIGIN.own) own.push(row);
  return {
    "numbers.starts": starts,
    "numbers.owners": u32(table.owner),
    "numbers.value": u32(table.value),
    "numbers.key": textsOf(table.key),
    "numbers.label": textsOf(table.label),
    "numbers.osm": filled(new Float64Array(order.length), (i) => table.osm.at(order[i]!)),
    "numbers.lat7": lat7,
    "numbers.lon7": lon7,
    "numbers.postcode": textsOf(table.postcode),
    // As its address has it, where that is none of the street's names.
    "numbers.street": textsOf(table.street),
    "numbers.city": textsOf(table.city),
    "numbers.reckoned": filled(origin, (i) => (origin[i] === ORIGIN.reckoned ? 1 : 0)),
    ...packPoints("points", own.view(), { lat7, lon7 }),
  };
}

function packKinds({ texts }: Intake, { kind }: DocTable): { columns: Columns; list: string[] } {
  const listed = new Set(kind.view());
  const kinds = [...listed].filter((each) => isListed(texts.get(each))).sort(texts.compare);
  const numbers = new Map(kinds.map((each, i) => [each, i]));
  const docs = bucketsOf(
    Int32Array.from(kind.view(), (each) => numbers.get(each) ?? -1),
    kinds.length,
  );
  const columns = { "kinds.starts": docs.starts, "kinds.docs": docs.rows };
  return { columns, list: kinds.map(texts.get) };
}

/** Streets are found by their names only. */
function isListed(kind: string): boolean {
  return !kind.startsWith("highway=") || kind === "highway=bus_stop";
}
