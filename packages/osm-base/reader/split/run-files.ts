/** The files that runs lie in: one a kind of feature, each with a stream a page. */
import { writeFileSync } from "node:fs";
import { problem } from "#kit/problem.ts";
import { WHOLE } from "../../pages/page-cell.ts";
import type { MapFacts } from "../../tiles/map-facts.ts";
import { hasSea } from "../../tiles/map-scopes.ts";
import { setSections } from "./entry-writer.ts";
import type { Layout } from "./router.ts";
import { Spill, type SpillParts } from "./spill.ts";
import type { SplitState } from "./split-state.ts";
import type { PageRun, Split } from "./split-types.ts";
import type { Targets } from "./targets.ts";

/** Names of the files, in the order in which a page reads them. */
export const RUN_FILES = ["nodes", "relations", "ways"] as const;
export type RunKind = (typeof RUN_FILES)[number];
/** Texts by number, as JSON. */
export const TEXTS_FILE = "texts";

/** Of the memory, for the buffers of each file. */
const SHARE = 1 / 10;
/** Bytes of runs that a file of any size may have, and beyond that for each byte of it. */
const FREE_RUN_BYTES = 2 * 1024 ** 3;
const MOST_BYTES_PER_BYTE = 40;
/** Numbers of a part: file, first byte, length. */
const PART = 3;

export class RunFiles {
  readonly layout: Layout;
  readonly #state: SplitState;
  readonly #spills: Record<RunKind, Spill>;
  readonly #features: Uint32Array;
  readonly #most_bytes: number;

  constructor(layout: Layout, state: SplitState) {
    const { folder, memory_bytes } = state.options;
    const streams = layout.head + 1;
    const open = (kind: RunKind): Spill =>
      new Spill(`${folder}/${kind}`, streams, memory_bytes * SHARE);
    this.layout = layout;
    this.#state = state;
    this.#spills = { nodes: open("nodes"), relations: open("relations"), ways: open("ways") };
    this.#features = new Uint32Array(streams);
    this.#most_bytes = FREE_RUN_BYTES + MOST_BYTES_PER_BYTE * state.file.size;
  }

  /** Adds an entry to the pages that it goes to. */
  add(kind: RunKind, entry: Uint8Array, targets: Targets): void {
    const spill = this.#spills[kind];
    for (let i = 0; i < targets.count; i++) {
      const page = targets.pages[i]!;
      setSections(entry, targets.bitsOf(page));
      spill.append(page, entry);
      this.#features[page]! += 1;
      // Of one object alone, too.
      if (spill.bytes > this.#most_bytes)
        throw problem("extract: objects that reach across more pages than those of any map");
    }
  }

  /** Runs of all pages that have something, be it the sea. */
  finish(facts: MapFacts | null): Pick<Split, "runs" | "head"> {
    const { folder } = this.#state.options;
    const lists = RUN_FILES.map((kind) => {
      this.#spills[kind].finish();
      return this.#spills[kind].listParts();
    });
    writeFileSync(`${folder}/${TEXTS_FILE}`, JSON.stringify(this.#state.texts.list()));
    const { ground, far, head } = this.layout;
    const runs: PageRun[] = [];
    const runOf = (level: PageRun["level"], cell: PageRun["cell"], page: number): PageRun => ({
      level,
      cell,
      features: this.#features[page]!,
      folder,
      ...joinParts(lists.map((list) => list[page]!)),
    });
    for (const { level, cells, first } of [ground, ...far])
      for (const [i, cell] of cells.entries())
        if (this.#features[first + i]! > 0 || (facts !== null && hasSea({ level, cell, facts })))
          runs.push(runOf(level, cell, first + i));
    return { runs, head: runOf("ground", WHOLE, head) };
  }

  close(): void {
    for (const kind of RUN_FILES) this.#spills[kind].close();
  }
}

function joinParts(lists: readonly SpillParts[]): Pick<PageRun, "bytes" | "parts"> {
  const count = lists.reduce((sum, { length }) => sum + length / 2, 0);
  const parts = new Float64Array(PART * count);
  let at = 0;
  let bytes = 0;
  for (const [file, list] of lists.entries())
    for (let i = 0; i < list.length; i += 2) {
      parts[at++] = file;
      parts[at++] = list[i]!;
      parts[at++] = list[i + 1]!;
      bytes += list[i + 1]!;
    }
  return { bytes, parts };
}
