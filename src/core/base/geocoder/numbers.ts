/** House numbers of streets and places as rows: value, key, point, postcode, those of one owner together. */
import { type HouseNumber, isBlockNumber, readTag } from "./house-numbers.ts";
import type { Owner } from "./addresses.ts";
import type { Doc, Docs } from "./docs.ts";
import type { Intake } from "./intake.ts";
import { lengthsOf } from "./streets.ts";

export type NumberRow = HouseNumber & {
  owner: number;
  label: string;
  osm: number;
  lat7: number;
  lon7: number;
  postcode: number;
  /** Name of the street as the address has it; empty: one of the street's. */
  street: string;
  /** A point of its own; the others are further values of one, or were reckoned from a line. */
  own: boolean;
  interpolated: boolean;
};

/** Rows are in the order of owner and value. */
export function* makeNumbers(
  intake: Intake,
  owners: readonly Owner[],
  { docOf, list }: Pick<Docs, "docOf" | "list">,
): Generator<void, { rows: NumberRow[]; blocks: Set<number> }> {
  const { addresses, texts } = intake;
  const docs = Int32Array.from(owners, (owner) => (owner === null ? -1 : docOf(owner)));
  const blocks = blockStreets(intake, docs);
  const rows: NumberRow[] = [];
  for (let row = 0; row < docs.length; row++) {
    const owner = docs[row]!;
    const text = texts.get(addresses.number.at(row));
    const tagged = owner < 0 || text === "" ? null : readTag(text, blocks.has(owner));
    for (const [n, number] of (tagged?.numbers ?? []).entries())
      rows.push({
        ...number,
        owner,
        label: tagged!.label,
        osm: addresses.osm.at(row),
        lat7: addresses.lat7.at(row),
        lon7: addresses.lon7.at(row),
        postcode: addresses.postcode.at(row),
        street: ownStreet(list[owner]!, texts.get(addresses.street.at(row))),
        own: n === 0,
        interpolated: false,
      });
    if (row % 4096 === 4095) yield;
  }
  rows.push(...interpolatedRows(intake, rows));
  yield;
  rows.sort(
    (a, b) =>
      a.owner - b.owner ||
      a.value - b.value ||
      Number(a.interpolated) - Number(b.interpolated) ||
      (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) ||
      a.osm - b.osm,
  );
  return { rows, blocks };
}

function ownStreet({ names }: Doc, street: string): string {
  return names.some(({ text }) => text === street) ? "" : street;
}

/** Owners of which most hyphens join block and house. */
function blockStreets({ addresses, texts }: Intake, docs: Int32Array): Set<number> {
  const votes = new Map<number, number>();
  for (let row = 0; row < docs.length; row++) {
    const block = isBlockNumber(texts.get(addresses.number.at(row)));
    const owner = docs[row]!;
    if (owner >= 0 && block !== null) votes.set(owner, (votes.get(owner) ?? 0) + (block ? 1 : -1));
  }
  return new Set([...votes].filter(([, sum]) => sum > 0).map(([owner]) => owner));
}

const STEPS: Readonly<Record<string, number>> = { odd: 2, even: 2, all: 1, "1": 1, "2": 2 };
const MAX_NUMBERS = 500;

/** Numbers along lines between two numbered points, at their part of the length. */
function interpolatedRows(intake: Intake, rows: readonly NumberRow[]): NumberRow[] {
  if (intake.interpolations.length === 0) return [];
  const at = new Map<string, NumberRow>();
  const ends = new Set<number>();
  for (const { points } of intake.interpolations)
    for (let i = 0; i < points.length; i += 2) ends.add(points[i]!);
  for (const row of rows) if (row.own && ends.has(row.lat7)) at.set(`${row.lat7} ${row.lon7}`, row);
  const made: NumberRow[] = [];
  for (const { osm, kind, points } of intake.interpolations.toSorted((a, b) => a.osm - b.osm)) {
    const step = STEPS[kind];
    if (step === undefined) continue;
    const lengths = lengthsOf(points);
    let from: { row: NumberRow; at: number } | null = null;
    for (let i = 0; i < lengths.length; i++) {
      const row = at.get(`${points[i * 2]} ${points[i * 2 + 1]}`);
      if (!row) continue;
      if (from && from.row.owner === row.owner)
        made.push(...between(from, { row, at: i }, { osm, step, points, lengths }));
      from = { row, at: i };
    }
  }
  return made;
}

type Line = { osm: number; step: number; points: Int32Array; lengths: Float64Array };
type End = { row: NumberRow; at: number };

function between(a: End, b: End, { osm, step, points, lengths }: Line): NumberRow[] {
  const [low, high] = a.row.value <= b.row.value ? [a, b] : [b, a];
  const count = (high.row.value - low.row.value) / step - 1;
  if (!(count >= 1 && count <= MAX_NUMBERS)) return [];
  const rows: NumberRow[] = [];
  for (let value = low.row.value + step; value < high.row.value; value += step) {
    const part = (value - low.row.value) / (high.row.value - low.row.value);
    const length = lengths[low.at]! + (lengths[high.at]! - lengths[low.at]!) * part;
    const key = String(value);
    rows.push({
      ...low.row,
      ...pointAt(points, lengths, length),
      value,
      key,
      label: key,
      osm,
      own: false,
      interpolated: true,
    });
  }
  return rows;
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
