/**
 * What addresses say, added up over pages: each page writes a sorted list of lines, lists are merged line
 * by line, and of what several pages know each gets the sum. One line of each list is in memory.
 */
import {
  type AddressFacts,
  addPostcode,
  addCounts,
  addSpot,
  nothingOf,
  type PostcodeFact,
  type TextCounts,
} from "./address-facts.ts";
import { MergeHeap } from "./merge-heap.ts";
import type { AddressFact } from "./postcode-docs.ts";
import { completeStreets, type StreetPart } from "./rim-streets.ts";

/** Lines of one page, in the order of their keys. */
export type PageFacts = { page: number; lines: Iterable<string> };
/** A line that these pages are to know. */
export type SharedLine = { pages: readonly number[]; line: string };

/** In turn: country, addresses, sums of their coordinates, cities, regions, and object, latitude and longitude of each spot. */
type PostcodeValue = [string, number, number, number, CountList, CountList, number[]];
type CountList = [text: string, times: number][];
type Entry =
  | { municipality: number; postcodes: CountList }
  | { postcode: string; facts: readonly PostcodeValue[] }
  | { street: string; part: StreetPart };

/** Longer than any street has: of each page one line is in memory. */
const MOST_OF_LINE = 256 * 1024;
/** Of all parts of streets of one name. */
const MOST_OF_NAME = 64 * 1024 ** 2;

/** Lines of a page, without their ends. */
export function toLines(facts: Iterable<AddressFact>): string[] {
  const entries: { key: string; line: string }[] = [];
  for (const fact of facts) {
    const entry: Entry =
      "municipality" in fact
        ? { ...fact, postcodes: [...fact.postcodes] }
        : "postcode" in fact
          ? { ...fact, facts: fact.facts.map(toValue) }
          : fact;
    const line = JSON.stringify(entry);
    if (!("street" in entry) || line.length <= MOST_OF_LINE)
      entries.push({ key: keyOf(entry), line });
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ line }) => line);
}

/** What shared lines say, for `GeocoderSection.share`. */
export function fromLines(lines: Iterable<string>): AddressFacts {
  const municipalities = new Map<number, TextCounts>();
  const postcodes = new Map<string, PostcodeFact[]>();
  const streets: StreetPart[] = [];
  for (const line of lines) {
    const entry = read(line);
    if ("municipality" in entry) municipalities.set(entry.municipality, new Map(entry.postcodes));
    else if ("postcode" in entry) postcodes.set(entry.postcode, entry.facts.map(toFact));
    else streets.push(entry.part);
  }
  return { municipalities, postcodes, streets };
}

type Head = { page: number; iterator: Iterator<string>; line: string; key: string };

/** Of what more than one page knows: sums, and of streets what each page lacks. */
export function* shareFacts(lists: Iterable<PageFacts>): Generator<SharedLine, void> {
  const heap = new MergeHeap<Head>((a, b) => a.key < b.key || (a.key === b.key && a.page < b.page));
  for (const { page, lines } of lists) {
    const head = next(page, lines[Symbol.iterator]());
    if (head) heap.push(head);
  }
  for (let top = heap.top; top !== undefined; top = heap.top) {
    const { key } = top;
    const own: { page: number; line: string }[] = [];
    let characters = 0;
    for (; top?.key === key; top = heap.top) {
      characters += top.line.length;
      if (characters <= MOST_OF_NAME) own.push({ page: top.page, line: top.line });
      const following = next(top.page, top.iterator);
      if (following) heap.replace(following);
      else heap.pop();
    }
    if (own.length > 1 && characters <= MOST_OF_NAME) yield* joinLines(own);
  }
}

function next(page: number, iterator: Iterator<string>): Head | null {
  const { done, value } = iterator.next();
  return done === true ? null : { page, iterator, line: value, key: keyOf(read(value)) };
}

function* joinLines(own: readonly { page: number; line: string }[]): Generator<SharedLine, void> {
  const counts: TextCounts = new Map();
  const facts: PostcodeFact[] = [];
  const parts: { page: number; part: StreetPart }[] = [];
  const pages = own.map(({ page }) => page);
  const first = read(own[0]!.line);
  for (const { page, line } of own) {
    const entry = read(line);
    if ("municipality" in entry) addCounts(counts, entry.postcodes);
    else if ("postcode" in entry)
      for (const value of entry.facts) addPostcode(facts, toFact(value));
    else parts.push({ page, part: entry.part });
  }
  if ("street" in first)
    for (const { page, part } of completeStreets(parts))
      yield { pages: [page], line: write({ street: first.street, part }) };
  else if ("postcode" in first)
    yield { pages, line: write({ postcode: first.postcode, facts: facts.map(toValue) }) };
  else if (counts.size > 0)
    yield { pages, line: write({ municipality: first.municipality, postcodes: [...counts] }) };
}

function keyOf(entry: Entry): string {
  if ("municipality" in entry) return `m${entry.municipality}`;
  return "postcode" in entry ? `p${entry.postcode}` : `s${entry.street}`;
}

function read(line: string): Entry {
  return JSON.parse(line) as Entry;
}

function write(entry: Entry): string {
  return JSON.stringify(entry);
}

function toValue({ country, count, lat7, lon7, ...fact }: PostcodeFact): PostcodeValue {
  const spots = [...fact.spots.values()].flatMap((spot) => [spot.osm, spot.lat7, spot.lon7]);
  return [country, count, lat7, lon7, [...fact.cities], [...fact.regions], spots];
}

function toFact([country, count, lat7, lon7, cities, regions, list]: PostcodeValue): PostcodeFact {
  const fact = nothingOf(country);
  Object.assign(fact, { count, lat7, lon7 });
  addCounts(fact.cities, cities);
  addCounts(fact.regions, regions);
  for (let i = 0; i < list.length; i += 3)
    addSpot(fact.spots, { osm: list[i]!, lat7: list[i + 1]!, lon7: list[i + 2]! });
  return fact;
}
