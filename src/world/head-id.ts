/** The id of an item in its rendered start (packages/stations/shard/shard-statics, packages/stations/shard/shard-vehicles). */
import type { Blob } from "#kit/bytes.ts";

/** The id in the rendered start of a station or vehicle, as UTF-8. */
export function readId(head: Blob, row: number): Buffer {
  const start = startOfId(head, row);
  let end = start;
  while (head.bytes[end] !== QUOTE) end += head.bytes[end] === BACKSLASH ? 2 : 1;
  const { buffer, byteOffset } = head.bytes;
  const bytes = Buffer.from(buffer, byteOffset + start, end - start);
  if (!bytes.includes(BACKSLASH)) return bytes;
  return Buffer.from(JSON.parse(`"${bytes.toString()}"`) as string);
}

/** The first member of either head is the id, as a JSON string; returns where its text begins. */
export function startOfId({ bytes, offsets }: Blob, row: number): number {
  let at = offsets[row]!;
  while (bytes[at] !== COLON) at++;
  return at + 2;
}

const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
