/**
 * Bytes of an answer, decoded under caps (reliability 4.5 rule 5): the size counted is that after
 * decompression, while it streams, so that a bomb costs what it has delivered so far and no more.
 */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Transform, Writable, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from "node:zlib";
import { findExcess } from "#kit/inflation.ts";
import { fault, type Fault } from "#upstream/fault.ts";

export const ACCEPT_ENCODING = "gzip, br, deflate";

const MAX_CODINGS = 2;
/** Small repetitive JSON does reach a high ratio. */
const RATIO = { ratio: 100, ratio_from_bytes: 1024 * 1024 } as const;
const CHUNK = { chunkSize: 64 * 1024 };

/** `deflate` is the zlib format (RFC 9110 8.4.1.2); a raw stream is a bad encoding. */
const DECODERS: Record<string, () => Transform & Zlib> = {
  gzip: () => createGunzip(CHUNK),
  "x-gzip": () => createGunzip(CHUNK),
  deflate: () => createInflate(CHUNK),
  br: () => createBrotliDecompress(CHUNK),
};

/** Reads `source` to its end. The result owns its memory, so it may be transferred to a thread. */
export async function readDecoded(
  source: Readable,
  { content_encoding, max_bytes }: { content_encoding: string | null; max_bytes: number },
): Promise<Uint8Array> {
  const decoders = toDecoders(content_encoding);
  if (decoders.length === 0) return await readPlain(source, max_bytes);
  const sink = createSink(max_bytes, () => decoders[0]?.bytesWritten ?? Infinity);
  await pipeline([source, ...decoders, sink.stream]);
  return sink.join();
}

/** Without a pipeline, whose end costs as much as a small answer. */
async function readPlain(source: Readable, max_bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > max_bytes) throw fault("BODY_TOO_LARGE");
    chunks.push(chunk);
  }
  return join(chunks, size);
}

/** Codings are listed in the order they were applied, so they come off from the last. */
function toDecoders(content_encoding: string | null): (Transform & Zlib)[] {
  const names = (content_encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_CODINGS) throw fault("BAD_ENCODING");
  return names.toReversed().map((name) => {
    const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!create) throw fault("BAD_ENCODING");
    return create();
  });
}

/** Writes `source` to a file of its own, in a folder that is made; part of it may be there where this rejects. */
export async function saveDecoded(
  source: Readable,
  {
    content_encoding,
    max_bytes,
    path,
  }: { content_encoding: string | null; max_bytes: number; path: string },
): Promise<void> {
  const decoders = toDecoders(content_encoding);
  const judge = createJudge(max_bytes, () => decoders[0]?.bytesWritten ?? Infinity);
  const judged = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      done(judge(chunk.length), chunk);
    },
  });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  await pipeline([source, ...decoders, judged, file]);
}

/** Counts what comes out, and says what of it is too much. */
function createJudge(
  max_bytes: number,
  readWireBytes: () => number,
): (bytes: number) => Fault | null {
  let size = 0;
  return (bytes) => {
    size += bytes;
    const sizes = { packed: readWireBytes(), unpacked: size };
    const excess = findExcess({ ...RATIO, bytes: max_bytes }, sizes);
    return excess && fault(excess === "bytes" ? "BODY_TOO_LARGE" : "RATIO_TOO_HIGH");
  };
}

type Sink = { stream: Writable; join(): Uint8Array };

function createSink(max_bytes: number, readWireBytes: () => number): Sink {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const judge = createJudge(max_bytes, readWireBytes);
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      size += chunk.length;
      chunks.push(chunk);
      done(judge(chunk.length));
    },
  });
  return { stream, join: () => join(chunks, size) };
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  // Not Buffer.concat: small buffers share a pool, and its memory must not be transferred.
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
