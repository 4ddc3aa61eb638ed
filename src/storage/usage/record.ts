/**
 * Records of a journal file: texts one after the other, in a file that is written over again and
 * again. The checksum of each continues that of the record before it, so that neither half a record
 * nor one of an earlier round is taken for the next.
 */
import { crc32 } from "node:zlib";

/** Between two records: the offset, and the checksum so far. */
export type Position = { at: number; sum: number };
/** Where a file begins. */
export const START: Position = { at: 0, sum: 0 };

/** `end`: where the next one begins. */
export type JournalRecord = { seq: number; text: string; end: Position };

/** Checksum of what follows it, length of the text in bytes, number (48 bits), two unused bytes. */
const LAYOUT = { sum: 0, length: 4, seq: 8, text: 16 } as const;
const SEQ_BYTES = 6;
/** In the place of a record: there is none. */
export const NO_RECORD = Buffer.alloc(LAYOUT.text);
/** Longest that a character of a text becomes (UTF-8, of a UTF-16 code unit). */
const BYTES_PER_UNIT = 3;

/** Reused: a record is written to its file before the next one is made. */
let scratch = Buffer.alloc(4096);

/** `text` is not empty. `bytes` are valid until the next call. */
export function encodeRecord(
  after: Position,
  { seq, text }: Omit<JournalRecord, "end">,
): { bytes: Buffer; end: Position } {
  const most = LAYOUT.text + text.length * BYTES_PER_UNIT;
  if (scratch.length < most) scratch = Buffer.alloc(most);
  const length = scratch.write(text, LAYOUT.text);
  scratch.writeUInt32LE(length, LAYOUT.length);
  scratch.writeUIntLE(seq, LAYOUT.seq, SEQ_BYTES);
  scratch.fill(0, LAYOUT.seq + SEQ_BYTES, LAYOUT.text);
  const whole = LAYOUT.text + length;
  const sum = crc32(scratch.subarray(LAYOUT.length, whole), after.sum);
  scratch.writeUInt32LE(sum, LAYOUT.sum);
  return { bytes: scratch.subarray(0, whole), end: { at: after.at + whole, sum } };
}

/** The complete records from this position on, at which `bytes` begin. */
export function* decodeRecords(bytes: Buffer, from: Position): Generator<JournalRecord> {
  let position = from;
  for (;;) {
    const record = decodeRecord(bytes.subarray(position.at - from.at), position);
    if (!record) return;
    yield record;
    position = record.end;
  }
}

/** What a record says of itself; null: here none begins. */
export type RecordHead = { seq: number; sum: number; whole: number };

/** Reads the head of a record, without a look at whether its content fits it. */
export function readHead(bytes: Buffer, at = 0): RecordHead | null {
  if (bytes.length - at <= LAYOUT.text) return null;
  // The two unused bytes first: within a text none are zero.
  if (bytes.readUInt16LE(at + LAYOUT.seq + SEQ_BYTES) !== 0) return null;
  const length = bytes.readUInt32LE(at + LAYOUT.length);
  const seq = bytes.readUIntLE(at + LAYOUT.seq, SEQ_BYTES);
  if (length === 0 || seq === 0) return null;
  return { seq, sum: bytes.readUInt32LE(at + LAYOUT.sum), whole: LAYOUT.text + length };
}

function decodeRecord(bytes: Buffer, after: Position): JournalRecord | null {
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
