/**
 * What addresses say, added up over pages: each page writes a sorted list of lines, lists are merged line
 * by line, and of what several pages know each gets the sum. One line of each list is in memory.
 */
import {
  type AddressFacts,
  addPostcode,
  addSaid,
  addSpot,
  nothingOf,
  type PostcodeFact,
  type Said,
} from "./address-facts.ts";
import { MergeHeap } from "./merge-heap.ts";
import type { AddressFact } from "./postcode-docs.ts";

/** Lines of one page, in the order of their keys. */
export type PageFacts = { page: number; lines: Iterable<string> };
/** A line that these pages are to know. */
export type SharedLine = { pages: readonly number[]; line: string };

/** In turn: country, addresses, sums of their coordinates, cities, regions, and object, latitude and longitude of each spot. */
type PostcodeValue = [string, number, number, number, SaidValue, SaidValue, number[]];
type SaidValue = [text: string, times: number][];
type Entry =
  | [key: number, municipality: SaidValue]
  | [key: string, postcode: readonly PostcodeValue[]];

/** Lines of a page, without their ends. */
export function toLines(facts: Iterable<AddressFact>): string[] {
  const entries: { key: string; line: string }[] = [];
  for (const fact of facts) {
    const entry: Entry =
      "municipality" in fact
        ? [fact.municipality, [...fact.said]]
        : [fact.postcode, fact.facts.map(toValue)];
    entries.push({ key: keyOf(entry), line: JSON.stringify(entry) });
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ line }) => line);
}

/** What shared lines say, for `GeocoderSection.share`. */
export function fromLines(lines: Iterable<string>): AddressFacts {
  const municipalities = new Map<number, Said>();
  const postcodes = new Map<string, PostcodeFact[]>();
  for (const line of lines) {
    const entry = read(line);
    if (isOfMunicipality(entry)) municipalities.set(entry[0], new Map(entry[1]));
    else postcodes.set(entry[0], entry[1].map(toFact));
  }
  return { municipalities, postcodes };
}

type Head = { page: number; iterator: Iterator<string>; entry: Entry; key: string };

/** Sums of what more than one page knows. */
export function* shareFacts(lists: Iterable<PageFacts>): Generator<SharedLine, void> {
  const heap = new MergeHeap<Head>((a, b) => a.key < b.key || (a.key === b.key && a.page < b.page));
  for (const { page, lines } of lists) {
    const head = next(page, lines[Symbol.iterator]());
    if (head) heap.push(head);
  }
  for (let top = heap.top; top !== undefined; top = heap.top) {
    const { key } = top;
    const [entries, pages]: [Entry[], number[]] = [[], []];
    for (; top?.key === key; top = heap.top) {
      entries.push(top.entry);
      pages.push(top.page);
      const following = next(top.page, top.iterator);
      if (following) heap.replace(following);
      else heap.pop();
    }
    const sum = entries.length > 1 ? sumOf(entries) : null;
    if (sum) yield { pages, line: JSON.stringify(sum) };
  }
}

function next(page: number, iterator: Iterator<string>): Head | null {
  const { done, value } = iterator.next();
  if (done === true) return null;
  const entry = read(value);
  return { page, iterator, entry, key: keyOf(entry) };
}

/** null: nothing is said. */
function sumOf(entries: readonly Entry[]): Entry | null {
  const said: Said = new Map();
  const facts: PostcodeFact[] = [];
  for (const entry of entries)
    if (isOfMunicipality(entry)) addSaid(said, entry[1]);
    else for (const value of entry[1]) addPostcode(facts, toFact(value));
  const [first] = entries;
  if (isOfMunicipality(first!)) return said.size === 0 ? null : [first[0], [...said]];
  return [first![0], facts.map(toValue)];
}

function isOfMunicipality(entry: Entry): entry is Extract<Entry, [number, unknown]> {
  return typeof entry[0] === "number";
}

function keyOf([key]: Entry): string {
  return typeof key === "number" ? `m${key}` : `p${key}`;
}

function read(line: string): Entry {
  return JSON.parse(line) as Entry;
}

function toValue({ country, count, lat7, lon7, ...fact }: PostcodeFact): PostcodeValue {
  const spots = [...fact.spots.values()].flatMap((spot) => [spot.osm, spot.lat7, spot.lon7]);
  return [country, count, lat7, lon7, [...fact.cities], [...fact.regions], spots];
}

function toFact([country, count, lat7, lon7, cities, regions, list]: PostcodeValue): PostcodeFact {
  const fact = nothingOf(country);
  Object.assign(fact, { count, lat7, lon7 });
  addSaid(fact.cities, cities);
  addSaid(fact.regions, regions);
  for (let i = 0; i < list.length; i += 3)
    addSpot(fact.spots, { osm: list[i]!, lat7: list[i + 1]!, lon7: list[i + 2]! });
  return fact;
}
