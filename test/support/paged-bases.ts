/** Paged bases for tests: of a few nodes, cut by cells, and their bytes as something that may fail. */
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { problem } from "#kit/problem.ts";
import { isInCell, openBasePack, type PageCell, PagedWriter } from "#osm/index.ts";
import type { PbfNode } from "../../sandbox/pbf/encode.ts";
import { aBasePack } from "./bases.ts";

/** Bytes that are read in ranges. */
export type FakeRanges = ByteRanges & {
  /** Places of the reads so far. */
  reads: number[];
  /** Waits before each read; throws where one fails. */
  before: (at: number) => void | Promise<void>;
  isClosed: boolean;
};

/** In shared memory, as a file's are. */
export function fakeRanges(all: Uint8Array, version = "1"): FakeRanges {
  const ranges: FakeRanges = {
    bytes: all.length,
    version,
    reads: [],
    before: () => undefined,
    isClosed: false,
    async read(at, length, signal) {
      if (ranges.isClosed) throw problem("the file is closed");
      ranges.reads.push(at);
      await ranges.before(at);
      signal?.throwIfAborted();
      const bytes = new Uint8Array(new SharedArrayBuffer(length));
      bytes.set(all.subarray(at, at + length));
      return bytes;
    },
    close() {
      ranges.isClosed = true;
      return Promise.resolve();
    },
  };
  return ranges;
}

/** The file of a base of nodes, with a page for each cell that holds some. */
export async function pageNodes(
  id: string,
  nodes: readonly PbfNode[],
  cells: readonly PageCell[],
): Promise<Uint8Array> {
  let bytes = new Uint8Array(0);
  const writer = new PagedWriter({
    write(at, piece) {
      const longer = new Uint8Array(Math.max(bytes.length, at + piece.length));
      longer.set(bytes);
      longer.set(piece, at);
      bytes = longer;
      return Promise.resolve();
    },
  });
  let number = 0;
  for (const cell of cells) {
    const own = nodes.filter(({ lat7, lon7 }) => isInCell(cell, lat7, lon7));
    if (own.length === 0) continue;
    await writer.add(number++, { level: "ground", cell, pack: await aBasePack(id, own) });
  }
  const { meta, columns } = openBasePack(await aBasePack(id, nodes))!;
  await writer.finish(meta, { cells: columns["cells"]! });
  return bytes;
}

/** A node of the map. */
export function nodeAt(id: number, lat: number, lon: number, tags = {}): PbfNode {
  const where = { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
  return { type: "node", id, ...where, tags };
}
