/** A growing byte buffer of text pieces with their offsets: the blobs of a flat snapshot. */

const encoder = new TextEncoder();
/** Keeps a byte order mark: what was written is what is read. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export type Blob = { bytes: Uint8Array; offsets: Uint32Array };
/** A blob whose bytes lie in several places: a hundred megabytes need not be moved to grow. */
export type Chunked = { chunks: Uint8Array<ArrayBuffer>[]; offsets: Uint32Array };
export type BlobWriter = { add(text: string): void; finish(): Chunked };

/** From this size on, freed memory leaves the process at once (glibc maps it on its own). */
const CHUNK_BYTES = 32 * 1024 * 1024;

/** Pieces are appended in row order; piece i lies at offsets[i] .. offsets[i + 1]. */
export function createBlobWriter(rows: number, bytesPerRow: number): BlobWriter {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const offsets = new Uint32Array(rows + 1);
  let chunk = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(64, rows * bytesPerRow)));
  let used = 0;
  let length = 0;
  let row = 0;
  return {
    add(text) {
      // UTF-8 needs at most three bytes for a UTF-16 unit.
      const most = text.length * 3;
      if (chunk.length - used < most) {
        chunks.push(chunk.subarray(0, used));
        chunk = new Uint8Array(Math.max(Math.min(CHUNK_BYTES, 2 * length), most));
        used = 0;
      }
      const { written } = encoder.encodeInto(text, chunk.subarray(used));
      used += written;
      length += written;
      offsets[++row] = length;
    },
    finish: () => ({ chunks: [...chunks, chunk.subarray(0, used)], offsets }),
  };
}

/** Joins the chunks into one blob. */
export function joinChunks({ chunks, offsets }: Chunked): Blob {
  const bytes = new Uint8Array(offsets.at(-1)!);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, offsets };
}

/** Equal texts are stored once; rows keep the number of their text. */
export function internAll(texts: readonly string[]): { unique: string[]; index: Uint32Array } {
  const numbers = new Map<string, number>();
  const index = Uint32Array.from(texts, (text) => {
    const known_number = numbers.get(text);
    if (known_number !== undefined) return known_number;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  });
  return { unique: [...numbers.keys()], index };
}

/** Returns for each text its place in the order of their UTF-8 bytes. */
export function rankAll(texts: readonly string[]): Uint32Array {
  const plain = texts.every((text) => !SURROGATE.test(text));
  // Without surrogates the order of UTF-16 units is that of the code points, and thus of the bytes.
  const compare = plain ? compareUnits : compareBytes;
  const order = Uint32Array.from(texts, (_, row) => row);
  order.sort((a, b) => compare(texts[a]!, texts[b]!));
  const ranks = new Uint32Array(texts.length);
  order.forEach((row, rank) => (ranks[row] = rank));
  return ranks;
}

const SURROGATE = /[\uD800-\uDFFF]/;

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function toBlob(texts: readonly string[]): Blob {
  const writer = createBlobWriter(texts.length, 32);
  for (const text of texts) writer.add(text);
  return joinChunks(writer.finish());
}

/** Reads all pieces in order: one copy of the bytes for all of them. */
export function readTexts({ bytes, offsets }: Blob): string[] {
  const copy = bytes.slice();
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    decoder.decode(copy.subarray(offsets[i], offsets[i + 1])),
  );
}

/** Bytes of piece i, where they lie. */
export function readBytes({ bytes, offsets }: Blob, i: number): Uint8Array {
  return bytes.subarray(offsets[i], offsets[i + 1]);
}

/** Bytes of the largest piece; 0: there is none. */
export function largestPiece({ offsets }: Blob): number {
  let largest = 0;
  for (let i = 1; i < offsets.length; i++)
    largest = Math.max(largest, offsets[i]! - offsets[i - 1]!);
  return largest;
}

/** Text of piece i. `slice()` first: decoders do not take shared memory everywhere. */
export function readText(blob: Blob, i: number): string {
  return decoder.decode(readBytes(blob, i).slice());
}

/** Order of the UTF-8 bytes, which for text is the order of the code points. */
export function compareBytes(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
