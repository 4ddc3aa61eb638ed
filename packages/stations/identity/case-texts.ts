/** The texts of the cases of a group as flat bytes: pieces of a blob, with the places in each. */
import { type Blob, readBytes } from "#kit/bytes.ts";
import type { FlatColumn } from "../shard/flat.ts";
import type { CaseText, MemberPlaces } from "./case-text.ts";

/** A longer text is not kept: it is rendered again when it is asked for. A usual one has 800 bytes. */
const MAX_TEXT_BYTES = 4_096;

/** Numbers of a case, and of each of its members behind them. */
const OF_CASE = 3;
const OF_MEMBER = 4;

export type CaseTexts = {
  /** Piece by case; empty: it was too long. */
  texts: Blob;
  places: Uint16Array;
  /** By case: its first number among `places`. */
  places_at: Uint32Array;
};

type CaseTextWriter = {
  /** Appends the text of the next case. */
  add(text: CaseText): void;
  /** Returns the columns of all of them. */
  finish(): Record<string, FlatColumn | Uint8Array<ArrayBuffer>[]>;
};

export function createCaseTextWriter(): CaseTextWriter {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const offsets = [0];
  const places: number[] = [];
  const places_at: number[] = [];
  let chunk = new Uint8Array(FIRST_CHUNK_BYTES);
  let used = 0;
  return {
    add(text) {
      const isKept = text.bytes.length <= MAX_TEXT_BYTES;
      const length = isKept ? text.bytes.length : 0;
      offsets.push(offsets.at(-1)! + length);
      places_at.push(places.length);
      if (!isKept) return;
      places.push(...numbersOf(text));
      if (chunk.length - used < length) {
        chunks.push(chunk.subarray(0, used));
        chunk = new Uint8Array(CHUNK_BYTES);
        used = 0;
      }
      chunk.set(text.bytes, used);
      used += length;
    },
    finish: () => ({
      texts: [...chunks, chunk.subarray(0, used)],
      texts_at: Uint32Array.from(offsets),
      places: Uint16Array.from(places),
      places_at: Uint32Array.from(places_at),
    }),
  };
}

const FIRST_CHUNK_BYTES = 16 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export function openCaseTexts(columns: Record<string, FlatColumn>): CaseTexts {
  const column = <T>(name: string): T => columns[name] as T;
  return {
    texts: { bytes: column("texts"), offsets: column("texts_at") },
    places: column("places"),
    places_at: column("places_at"),
  };
}

/** The text of a case; `members`: how many it has. null: it was too long to be kept. */
export function findCaseText(texts: CaseTexts, place: number, members: number): CaseText | null {
  const bytes = readBytes(texts.texts, place);
  if (bytes.length === 0) return null;
  const { places } = texts;
  const at = texts.places_at[place]!;
  return {
    bytes,
    head_bytes: places[at]!,
    conflict_at: places[at + 1]!,
    follows: places[at + 2] === 1,
    members: Array.from({ length: members }, (_, i) =>
      memberPlaces(places, at + OF_CASE + i * OF_MEMBER),
    ),
  };
}

/** What comes before the distance of a case; null: its text was too long to be kept. */
export function findCaseHead(
  { texts, places, places_at }: CaseTexts,
  place: number,
): string | null {
  const { bytes, offsets } = texts;
  const start = offsets[place]!;
  if (start === offsets[place + 1]!) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, places[places_at[place]!]).toString();
}

function numbersOf({ head_bytes, conflict_at, follows, members }: CaseText): number[] {
  const numbers = [head_bytes, conflict_at, follows ? 1 : 0];
  for (const { item_at, source_at, source_end, available_at } of members)
    numbers.push(item_at, source_at, source_end, available_at);
  return numbers;
}

function memberPlaces(places: Uint16Array, at: number): MemberPlaces {
  return {
    item_at: places[at]!,
    source_at: places[at + 1]!,
    source_end: places[at + 2]!,
    available_at: places[at + 3]!,
  };
}
