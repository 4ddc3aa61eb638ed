/** A large extract, made of copies of others at other places, with ids and names of their own. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { Bytes } from "../../sandbox/pbf/bytes.ts";
import { encodePbf, frameBlob } from "../../sandbox/pbf/encode.ts";
import { type Kind, KINDS, type Shift, shiftBlock } from "./shift-block.ts";
import { renameBlock } from "./shift-words.ts";
import type { Source } from "./sources.ts";

/** `names`: as those of the n-th copy. */
export type Copy = { source: Source; names: number; shift: Shift };

const NANO = 1e9;
/** Compressed side by side. */
const WINDOW = 8;

/** Writes them sorted by type, then id, piece by piece. Copies have ids in their order. */
export async function writePlanet(path: string, copies: readonly Copy[]): Promise<void> {
  const data_at_s = Math.max(...copies.map(({ source }) => source.data_at_s));
  await pipeline(
    Readable.from(pieces(copies, data_at_s), { objectMode: true, highWaterMark: 2 }),
    createWriteStream(path, { highWaterMark: 8 * 1024 ** 2 }),
  );
}

async function* pieces(copies: readonly Copy[], data_at_s: number): AsyncGenerator<Buffer> {
  yield* encodePbf([], { data_at_s, program: "vicinity trials" });
  const waiting: Promise<Buffer>[] = [];
  for (const [copy, bytes, kind] of listBlocks(copies)) {
    waiting.push(pack(copy, bytes, kind));
    if (waiting.length >= WINDOW) yield await waiting.shift()!;
  }
  for (const piece of waiting) yield await piece;
}

function* listBlocks(copies: readonly Copy[]): Generator<[Copy, Uint8Array, Kind]> {
  for (const kind of KINDS)
    for (const copy of copies)
      for (const { bytes, kinds } of copy.source.blocks)
        if (kinds.has(kind)) yield [copy, bytes, kind];
}

async function pack({ source, names, shift }: Copy, bytes: Uint8Array, kind: Kind) {
  const moved = shiftBlock(bytes, kind, shift);
  const block = names === 0 ? moved : renameBlock(moved, source.common, names);
  const blob = new Bytes();
  blob.number(2, block.length);
  blob.bytes(3, await promisify(deflate)(block));
  return Buffer.concat([...frameBlob("OSMData", blob.done())]);
}

/** Ids of the copies follow one another. */
export function withIds(
  copies: readonly (Omit<Copy, "shift"> & { to: { lat: number; lon: number } })[],
): Copy[] {
  let ids = 0;
  return copies.map(({ source, names, to }) => {
    const lat = Math.round((to.lat - source.focus.lat) * NANO);
    const lon = Math.round((to.lon - source.focus.lon) * NANO);
    const shift = { ids, lat: round100(lat), lon: round100(lon) };
    ids += source.greatest_id + 1;
    return { source, names, shift };
  });
}

/** To what coordinates can say. */
function round100(nano: number): number {
  return Math.round(nano / 100) * 100;
}
