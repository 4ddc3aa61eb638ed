/** Real extracts, whole in memory, of which a larger one is made. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BlockReader, openBlobs } from "#osm/imports.ts";
import { listIds, renumberBlock } from "./renumber-block.ts";
import { type Kind, kindsOf } from "./shift-block.ts";
import { commonWords } from "./shift-words.ts";

/** Where extracts are kept next to the repository. */
const FOLDERS = ["osm", "walking"].map((name) =>
  fileURLToPath(new URL(`../../../shared/data/${name}/`, import.meta.url)),
);

export type Source = {
  path: string;
  file_bytes: number;
  /** Their ids have no gaps. */
  blocks: readonly { bytes: Uint8Array; kinds: ReadonlySet<Kind> }[];
  common: ReadonlySet<string>;
  greatest_id: number;
  /** In the middle of where most nodes are, in degrees. */
  focus: { lat: number; lon: number };
  data_at_s: number;
};

/** Paths of the extracts that are kept next to the repository. */
export function listSources(): string[] {
  return FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .map((name) => join(folder, name, `${name}.osm.pbf`))
      .filter((path) => existsSync(path)),
  );
}

export async function readSource(path: string): Promise<Source> {
  const file = await openBlobs(path);
  const reader = new BlockReader();
  const seen = new Seen();
  const blocks: Uint8Array[] = [];
  const all = Array.from({ length: file.count }, (_, i) => i);
  for await (const { bytes } of file.contents(all)) {
    const block = Uint8Array.from(bytes);
    blocks.push(block);
    reader.read(block, {
      nodeKeys: () => 0,
      times: true,
      nodes: ({ count, lat7, lon7 }) => seen.nodes(count, { lat7, lon7 }),
      // Decoded for their times.
      way: () => undefined,
      relation: () => undefined,
    });
  }
  await file.close();
  const ids = listIds(blocks);
  return {
    path,
    file_bytes: file.size,
    blocks: blocks.map((bytes) => ({ bytes: renumberBlock(bytes, ids), kinds: kindsOf(bytes) })),
    common: commonWords(blocks),
    greatest_id: Math.max(ids.node.length, ids.way.length, ids.relation.length),
    focus: seen.focus(),
    data_at_s: Math.floor(reader.newest_ms / 1000),
  };
}

/** Hundredths of a degree. */
const SQUARE7 = 100_000;
const ROW = 100_000;

class Seen {
  readonly #counts = new Map<number, number>();

  nodes(count: number, { lat7, lon7 }: { lat7: Int32Array; lon7: Int32Array }): void {
    for (let i = 0; i < count; i++) {
      const square =
        Math.floor(lat7[i]! / SQUARE7) * ROW + Math.floor(lon7[i]! / SQUARE7) + ROW / 2;
      this.#counts.set(square, (this.#counts.get(square) ?? 0) + 1);
    }
  }

  focus(): { lat: number; lon: number } {
    let best = { square: 0, count: 0 };
    for (const [square, count] of this.#counts) if (count > best.count) best = { square, count };
    const row = Math.floor(best.square / ROW);
    const column = best.square - row * ROW - ROW / 2;
    return { lat: ((row + 0.5) * SQUARE7) / 1e7, lon: ((column + 0.5) * SQUARE7) / 1e7 };
  }
}
