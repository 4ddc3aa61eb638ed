/**
 * A list of words as bytes, for the disk between the pages of an import and their names: what a word
 * shares with the one before it is not written again.
 */
import { putNumber, takeNumber } from "./byte-numbers.ts";
import type { NameEntry } from "./page-names.ts";

const CHUNK_BYTES = 16 * 1024;
/** A word has at most 40 units, or those of a main tag. */
const MOST_ENTRY_BYTES = 2_048;

/** Pieces of some kilobytes, one after the other. */
export function* encodeNames(entries: Iterable<NameEntry>): Generator<Uint8Array<ArrayBuffer>> {
  let chunk = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  let last = "";
  const push = (byte: number): void => void (chunk[length++] = byte);
  const put = (value: number): void => putNumber(value, push);
  for (const { word, documents, importance, around } of entries) {
    const shared = sharedUnits(last, word);
    put(shared);
    put(word.length - shared);
    for (let at = shared; at < word.length; at++) put(word.charCodeAt(at));
    put(documents);
    put(importance);
    put(around);
    last = word;
    if (length < CHUNK_BYTES - MOST_ENTRY_BYTES) continue;
    yield chunk.subarray(0, length);
    chunk = new Uint8Array(CHUNK_BYTES);
    length = 0;
  }
  if (length > 0) yield chunk.subarray(0, length);
}

/** The entries again; pieces may be cut anywhere. */
export function* decodeNames(chunks: Iterable<Uint8Array>): Generator<NameEntry, void> {
  const pieces = chunks[Symbol.iterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  let at = 0;
  /** Whether there is a further byte. */
  const fill = (): boolean => {
    while (at >= chunk.length) {
      const next = pieces.next();
      if (next.done === true) return false;
      chunk = next.value;
      at = 0;
    }
    return true;
  };
  const takeByte = (): number => {
    if (!fill()) throw new RangeError("A list of words ends within an entry");
    return chunk[at++]!;
  };
  const take = (): number => takeNumber(takeByte);
  let last = "";
  while (fill()) {
    let word = last.slice(0, take());
    for (let left = take(); left > 0; left--) word += String.fromCharCode(take());
    yield { word, documents: take(), importance: take(), around: take() };
    last = word;
  }
}

function sharedUnits(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
