/** House numbers of streets and places as rows: value, key, point, postcode, those of one owner together. */
import { bucketsOf, rowsOf } from "./buckets.ts";
import { isBlockNumber, keyOf, readTag } from "./house-numbers.ts";
import { localityOfAddress } from "./address-locality.ts";
import type { Docs } from "./docs.ts";
import { createTable, type GrowingTable } from "#kit/growing.ts";
import type { Intake } from "./intake.ts";
import { Lists } from "./number-lists.ts";
import type { Texts } from "./name-texts.ts";
import type { Places } from "./place-table.ts";
import { lengthsOf } from "./streets.ts";

/** House numbers by column; texts are by number. */
const COLUMNS = {
  /** Document of the street or place. */
  owner: Uint32Array,
  value: Uint32Array,
  key: Uint32Array,
  label: Uint32Array,
  osm: Float64Array,
  lat7: Int32Array,
  lon7: Int32Array,
  postcode: Uint32Array,
  /** Name of the street as the address has it; 0: one of the street's. */
  street: Uint32Array,
  /** City as the address has it, where it is another than the municipality there; 0: it is not. */
  city: Uint32Array,
  origin: Uint8Array,
};
type NumberTable = GrowingTable<typeof COLUMNS>;

/** A point of its own, a further value of one, or reckoned from a line. */
export const ORIGIN = { own: 0, further: 1, reckoned: 2 } as const;

export type Numbers = {
  table: NumberTable;
  /** Rows by owner and value. */
  order: Uint32Array;
  /** Documents on which a hyphen joins block and house. */
  blocks: ReadonlySet<number>;
};

export function* makeNumbers(
  intake: Intake,
  { table: docs, of_address, named }: Pick<Docs, "table" | "of_address" | "named">,
  places: Places,
): Generator<void, Numbers> {
  const { addresses, sets, texts } = intake;
  const blocks = blockStreets(intake, of_address);
  const read = createTagReader(texts);
  const table = createTable(COLUMNS);
  const cityOf = (row: number): number => {
    const city = addresses.city.at(row);
    const point = { lat7: addresses.lat7.at(row), lon7: addresses.lon7.at(row) };
    const around = places.localityAt(point.lat7, point.lon7);
    const own = localityOfAddress({ places, named }, around, { ...point, city });
    return own.city >= 0 || named.isPart(city, point) ? 0 : city;
  };
  for (let row = 0; row < of_address.length; row++) {
    const owner = of_address[row]!;
    const text = addresses.number.at(row);
    if (owner >= 0 && text !== 0) {
      const { label, numbers } = read(text, blocks.has(owner));
      const street = addresses.street.at(row);
      const place = {
        owner,
        label,
        osm: addresses.osm.at(row),
        lat7: addresses.lat7.at(row),
        lon7: addresses.lon7.at(row),
        postcode: addresses.postcode.at(row),
        street: sets.hasText(docs.names.at(owner), street) ? 0 : street,
        city: cityOf(row),
      };
      for (const number of numbers)
        pushNumber(table, place, number, number === numbers[0] ? ORIGIN.own : ORIGIN.further);
      const house = addresses.house.at(row);
      if (house !== 0 && house !== text) {
        const key = texts.add(keyOf(texts.get(house)));
        pushNumber(table, place, { value: 0, key }, ORIGIN.further);
      }
    }
    if (row % 4096 === 4095) yield;
  }
  addReckoned(intake, table);
  yield;
  return { table, order: orderOf(table, texts, docs.osm.length), blocks };
}

type NumberPlace = { [Column in Exclude<keyof NumberTable, "value" | "key" | "origin">]: number };

/** Column by column, since there are millions. */
function pushNumber(
  table: NumberTable,
  row: NumberPlace,
  { value, key }: { value: number; key: number },
  origin: number,
): void {
  table.owner.push(row.owner);
  table.value.push(value);
  table.key.push(key);
  table.label.push(row.label);
  table.osm.push(row.osm);
  table.lat7.push(row.lat7);
  table.lon7.push(row.lon7);
  table.postcode.push(row.postcode);
  table.street.push(row.street);
  table.city.push(row.city);
  table.origin.push(origin);
}

/** `owners`: how many documents there are. */
function orderOf(table: NumberTable, texts: Texts, owners: number): Uint32Array {
  const [owner, value, key] = [table.owner.view(), table.value.view(), table.key.view()];
  const [osm, origin] = [table.osm.view(), table.origin.view()];
  const reckoned = (row: number): number => (origin[row] === ORIGIN.reckoned ? 1 : 0);
  const of_owner = bucketsOf(owner, owners);
  for (let doc = 0; doc < owners; doc++)
    rowsOf(of_owner, doc).sort(
      (a, b) =>
        value[a]! - value[b]! ||
        reckoned(a) - reckoned(b) ||
        texts.compare(key[a]!, key[b]!) ||
        osm[a]! - osm[b]! ||
        a - b,
    );
  return of_owner.rows;
}

type ReadTag = { label: number; numbers: readonly { value: number; key: number }[] };

/** Reads tags by the numbers of their texts, each once: thousands of streets have a number 12. */
function createTagReader(texts: Texts): (text: number, blocks: boolean) => ReadTag {
  const entries = [new Map<number, ReadTag>(), new Map<number, ReadTag>()] as const;
  return (text, blocks) => {
    const tags = entries[blocks ? 1 : 0];
    let tag = tags.get(text);
    if (!tag) {
      const { label, numbers } = readTag(texts.get(text), blocks) ?? { label: "", numbers: [] };
      const keyed = numbers.map(({ value, key }) => ({ value, key: texts.add(key) }));
      tags.set(text, (tag = { label: texts.add(label), numbers: keyed }));
    }
    return tag;
  };
}

/** Owners of which most hyphens join block and house. */
function blockStreets({ addresses, texts }: Intake, of_address: Int32Array): Set<number> {
  const votes = new Map<number, number>();
  for (let row = 0; row < of_address.length; row++) {
    const owner = of_address[row]!;
    const block = owner < 0 ? null : isBlockNumber(texts.get(addresses.number.at(row)));
    if (block !== null) votes.set(owner, (votes.get(owner) ?? 0) + (block ? 1 : -1));
  }
  return new Set([...votes].filter(([, sum]) => sum > 0).map(([owner]) => owner));
}

const STEPS: Readonly<Record<string, number>> = { odd: 2, even: 2, all: 1, "1": 1, "2": 2 };
const MAX_NUMBERS = 500;

/** Adds numbers along lines between two numbered points, at their part of the length. */
function addReckoned({ interpolations, texts }: Intake, table: NumberTable): void {
  const at = createPointFinder(table, interpolations);
  for (const { osm, kind, points } of interpolations.toSorted((a, b) => a.osm - b.osm)) {
    const step = STEPS[kind];
    if (step === undefined && kind !== "alphabetic") continue;
    const lengths = lengthsOf(points);
    let from: End | null = null;
    for (let i = 0; i < lengths.length; i++) {
      const row = at(points[i * 2]!, points[i * 2 + 1]!);
      if (row < 0) continue;
      const to = { row, at: i };
      if (from && table.owner.at(from.row) === table.owner.at(row))
        addBetween(table, texts, [from, to], { osm, step: step ?? null, points, lengths });
      from = to;
    }
  }
}

/** The last row whose own point is at a point of the lines; -1: none is. */
function createPointFinder(
  { lat7, lon7, origin }: NumberTable,
  lines: readonly { points: Int32Array }[],
): (lat7: number, lon7: number) => number {
  const lists = new Lists();
  for (const { points } of lines)
    for (let i = 0; i < points.length; i += 2) lists.add(points.subarray(i, i + 2));
  const rows = new Int32Array(lists.count).fill(-1);
  if (lines.length > 0)
    for (let row = 0; row < lat7.length; row++)
      if (origin.at(row) === ORIGIN.own) rows[lists.find([lat7.at(row), lon7.at(row)])] = row;
  rows[0] = -1;
  return (lat, lon) => rows[lists.find([lat, lon])]!;
}

/** `step`: of the numbers; null: of the letters of one number. */
type Line = { osm: number; step: number | null; points: Int32Array; lengths: Float64Array };
type End = { row: number; at: number };

function addBetween(
  table: NumberTable,
  texts: Texts,
  [a, b]: readonly [End, End],
  { osm, step, points, lengths }: Line,
): void {
  const pairs = [a, b].map(({ row }) =>
    step === null ? letterOf(texts.get(table.key.at(row))) : table.value.at(row),
  );
  const [low, high] = pairs[0]! <= pairs[1]! ? [a, b] : [b, a];
  const [first, last] = [Math.min(...pairs), Math.max(...pairs)];
  if (step === null && (first === 0 || table.value.at(a.row) !== table.value.at(b.row))) return;
  const by = step ?? 1;
  const count = (last - first) / by - 1;
  if (!(count >= 1 && count <= MAX_NUMBERS)) return;
  for (let at = first + by; at < last; at += by) {
    const part = (at - first) / (last - first);
    const length = lengths[low.at]! + (lengths[high.at]! - lengths[low.at]!) * part;
    const value = step === null ? table.value.at(low.row) : at;
    const text = texts.add(step === null ? `${value}${String.fromCharCode(96 + at)}` : String(at));
    const place = {
      ...{ label: text, osm, ...pointAt(points, lengths, length) },
      owner: table.owner.at(low.row),
      postcode: table.postcode.at(low.row),
      street: table.street.at(low.row),
      city: table.city.at(low.row),
    };
    pushNumber(table, place, { value, key: text }, ORIGIN.reckoned);
  }
}

/** Place of a number's letter in the alphabet, from 1; 0: it has none, or more than one. */
function letterOf(key: string): number {
  const letter = /^\d+([a-z])$/.exec(key)?.[1];
  return letter === undefined ? 0 : letter.charCodeAt(0) - 96;
}

/** The point of a line at a number of metres from its beginning. */
function pointAt(
  points: Int32Array,
  lengths: Float64Array,
  metres: number,
): { lat7: number; lon7: number } {
  let i = 1;
  while (i < lengths.length - 1 && lengths[i]! < metres) i++;
  const [from, to] = [lengths[i - 1]!, lengths[i]!];
  const t = to > from ? Math.min(1, Math.max(0, (metres - from) / (to - from))) : 0;
  const mix = (a: number, b: number): number => Math.round(a + (b - a) * t);
  return {
    lat7: mix(points[i * 2 - 2]!, points[i * 2]!),
    lon7: mix(points[i * 2 - 1]!, points[i * 2 + 1]!),
  };
}
