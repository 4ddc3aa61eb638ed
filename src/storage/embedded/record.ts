/**
 * Records of a journal: texts one after the other, in a file that is written over again and again.
 * The checksum of each goes on from that of the one before it, so that neither half a record nor one
 * that an earlier turn has left there is taken for the next.
 */
import { crc32 } from "node:zlib";

/** Between two records: its offset, and the checksum so far. */
export type Place = { at: number; sum: number };
/** Where a file begins. */
export const START: Place = { at: 0, sum: 0 };

/** `end`: where the next one begins. */
export type Entry = { seq: number; text: string; end: Place };

/** Checksum of what follows it, length of the text in bytes, number (48 bits), two bytes of nothing. */
const LAYOUT = { sum: 0, length: 4, seq: 8, text: 16 } as const;
const SEQ_BYTES = 6;
/** In the place of a record: here is none. */
export const NOTHING = Buffer.alloc(LAYOUT.text);

/** `text` is not empty. */
export function writeRecord(
  after: Place,
  { seq, text }: Omit<Entry, "end">,
): { bytes: Buffer; end: Place } {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(LAYOUT.text + length);
  bytes.writeUInt32LE(length, LAYOUT.length);
  bytes.writeUIntLE(seq, LAYOUT.seq, SEQ_BYTES);
  bytes.fill(0, LAYOUT.seq + SEQ_BYTES, LAYOUT.text);
  bytes.write(text, LAYOUT.text);
  const sum = crc32(bytes.subarray(LAYOUT.length), after.sum);
  bytes.writeUInt32LE(sum, LAYOUT.sum);
  return { bytes, end: { at: after.at + bytes.length, sum } };
}

/** The records of which all is there, from this place on, at which `bytes` begin. */
export function* readRecords(bytes: Buffer, from: Place): Generator<Entry> {
  let place = from;
  for (;;) {
    const entry = readRecord(bytes.subarray(place.at - from.at), place);
    if (!entry) return;
    yield entry;
    place = entry.end;
  }
}

function readRecord(bytes: Buffer, after: Place): Entry | null {
  if (bytes.length <= LAYOUT.text) return null;
  const length = bytes.readUInt32LE(LAYOUT.length);
  const whole = LAYOUT.text + length;
  if (length === 0 || whole > bytes.length) return null;
  const sum = crc32(bytes.subarray(LAYOUT.length, whole), after.sum);
  if (sum !== bytes.readUInt32LE(LAYOUT.sum)) return null;
  const seq = bytes.readUIntLE(LAYOUT.seq, SEQ_BYTES);
  const text = bytes.toString("utf8", LAYOUT.text, whole);
  return { seq, text, end: { at: after.at + whole, sum } };
}
