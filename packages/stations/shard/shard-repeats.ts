/**
 * Members of items that repeat within a system but for the publisher's id of the thing: name and type
 * of vehicles, deep links, opening hours. Equal texts are stored once, with a gap wherever the id
 * belongs; the commonest are known by an item's state (packages/stations/shard/bits) and rendered with its end
 * (world/tails).
 */
import { type Blob, createBlobWriter, internAll, readBytes } from "#kit/bytes.ts";
import type { FlatColumn } from "./flat.ts";

export type RepeatedTexts = {
  /** JSON of members, each with a comma before it; those of most rows first. */
  texts: Blob;
  /** Gaps of the texts, as bytes from the start of the text. */
  gaps: Uint32Array;
  /** By text: its first gap; one more at the end. */
  first: Uint32Array;
  /** By text: bytes of a gap. */
  id_bytes: Uint16Array;
  /** By row: its text. Empty: no row has any. */
  of: Uint32Array;
};

/** Replaces the id in interned texts; no JSON text holds a raw control character. */
const ID_MARK = "\u0001";
/** Printable ASCII that JSON does not escape: an id that is the same in all its forms. */
const PLAIN_ID = /^[ !#-[\]-~]{1,256}$/;
/** A text that names its id more often is kept as it is: each gap is filled per answer. */
const MAX_GAPS = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the columns of the members of rows: JSON, each with a comma before it; `of` as in Repeats. */
export function packRepeats(rows: readonly { id: string; members: string }[]): {
  columns: Record<string, FlatColumn | Uint8Array<ArrayBuffer>[]>;
  of: Uint32Array;
} {
  const { unique, index } = byCount(rows.map(({ id, members }) => toMarked(id, members)));
  const writer = createBlobWriter(unique.length, 256);
  const gaps: number[] = [];
  const first = new Uint32Array(unique.length + 1);
  const id_bytes = new Uint16Array(unique.length);
  unique.forEach((key, text) => {
    const [marked = "", length = "0"] = key.split(LENGTH_MARK);
    const pieces = marked.split(ID_MARK);
    const gap_bytes = Number(length);
    id_bytes[text] = gap_bytes;
    let at = 0;
    for (const piece of pieces.slice(0, -1)) {
      at += encoder.encode(piece).length;
      gaps.push(at);
      at += gap_bytes;
    }
    first[text + 1] = gaps.length;
    writer.add(pieces.join(" ".repeat(gap_bytes)));
  });
  const { chunks, offsets } = writer.finish();
  const columns = {
    repeats: chunks,
    repeats_at: offsets,
    repeats_gaps: Uint32Array.from(gaps),
    repeats_first: first,
    repeats_id_bytes: id_bytes,
    repeats_of: index,
  };
  return { columns, of: index };
}

export function openRepeats(columns: Record<string, FlatColumn>): RepeatedTexts {
  const column = <T>(name: string): T => columns[name] as T;
  return {
    texts: { bytes: column("repeats"), offsets: column("repeats_at") },
    gaps: column("repeats_gaps"),
    first: column("repeats_first"),
    id_bytes: column("repeats_id_bytes"),
    of: column("repeats_of"),
  };
}

/** Where in a text the publisher's id goes. */
export function gapsOf({ gaps, first }: RepeatedTexts, text: number): Uint32Array {
  return gaps.subarray(first[text], first[text + 1]);
}

/** Members as JSON, each with a comma before it; empty: there is none. */
export function membersJson(members: object): string {
  const inner = JSON.stringify(members).slice(1, -1);
  return inner === "" ? "" : `,${inner}`;
}

/** The members of one row as JSON, each with a comma before it; empty: it has none. */
export function repeatsText(repeats: RepeatedTexts, row: number, id: string): string {
  const { texts, of } = repeats;
  const text = of[row];
  if (text === undefined) return "";
  const bytes = readBytes(texts, text).slice();
  const own = encoder.encode(id);
  for (const gap of gapsOf(repeats, text)) bytes.set(own, gap);
  return decoder.decode(bytes);
}

/** Unique texts by the number of their rows; none where all are empty. */
function byCount(texts: readonly string[]): { unique: string[]; index: Uint32Array } {
  const { unique, index } = internAll(texts);
  if (unique.every((text) => text === "")) return { unique: [], index: new Uint32Array(0) };
  const counts = new Uint32Array(unique.length);
  for (const text of index) counts[text]!++;
  const order = Array.from(unique.keys()).sort((a, b) => counts[b]! - counts[a]!);
  const place = new Uint32Array(unique.length);
  order.forEach((text, at) => (place[text] = at));
  return {
    unique: order.map((text) => unique[text]!),
    index: index.map((text) => place[text]!),
  };
}

/** Separates a text from the length of its id. */
const LENGTH_MARK = "\u0002";

function toMarked(id: string, text: string): string {
  if (text === "" || !PLAIN_ID.test(id)) return text;
  const pieces = text.split(id);
  if (pieces.length === 1 || pieces.length > MAX_GAPS + 1) return text;
  return `${pieces.join(ID_MARK)}${LENGTH_MARK}${id.length}`;
}
