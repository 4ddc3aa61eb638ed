/** What the passes of a split share. */
import { createCoverage, type CellCoverage } from "../../base/cover-cells.ts";
import { createKeyMatcher, type KeyMatcher, MAX_SECTIONS } from "../../base/base-keys.ts";
import { NodePositions } from "../../base/positions.ts";
import { BlockReader, type BlockSink } from "../../pbf/block.ts";
import { MapSurvey } from "../../tiles/map-survey.ts";
import { createTurn, type Turn } from "#kit/run/turn.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import {
  createBudget,
  FREE_WAY_BYTES,
  mostWaysOf,
  newestSeconds,
  type Summary,
} from "../assemble.ts";
import type { BlobFile } from "../extract-file.ts";
import { SquareSums } from "./cut-cells.ts";
import { EntryWriter } from "./entry-writer.ts";
import { MemberGroups } from "./member-groups.ts";
import { WayWeights } from "./page-weights.ts";
import { RefStreams } from "./ref-streams.ts";
import { Spill } from "./spill.ts";
import type { SplitOptions } from "./split-types.ts";
import { TextNumbers } from "./text-numbers.ts";

/** Bytes that the positions of all nodes may take for one of the file: most files need half of it. */
const TABLE_SHARE = 4;
/** Of the memory, for positions. */
const POSITIONS_SHARE = 1 / 2;
/** Bytes of located lines for one that a way takes in the file. */
const MOST_LINES_SHARE = 4;
/** Ways are read twice, and relations where positions come by ranges. */
const EXPECTED_SHARE = { whole: 1.4, ranges: 1.5 };

export type SplitState = {
  file: BlobFile;
  options: SplitOptions;
  wanted: Record<"node" | "way" | "relation", KeyMatcher>;
  reader: BlockReader;
  /** By blob; 0: not known yet. */
  kinds: Uint8Array;
  /** The first blob that has ways or relations; of an unsorted file the first of all. */
  tail: number;
  counts: Summary["counts"];
  coverage: CellCoverage;
  /** Bytes that pages have of what lies there, as it is estimated. */
  sums: SquareSums;
  weights: WayWeights;
  /** Of all nodes, where they fit in memory; else they come by `refs`. */
  table: NodePositions;
  refs: RefStreams | null;
  members: MemberGroups;
  survey: MapSurvey;
  texts: TextNumbers;
  writer: EntryWriter;
  /** Nodes that sections want, until all pages are known that need them. */
  waiting: Spill;
  trail: TrailRecorder;
  spend: (work: number) => void;
  turn: Turn;
  /** Called after each blob. */
  onBlob: (index: number) => void;
  /** To be closed at the end, whatever that is. */
  open: { close(): void }[];
};

export function createState(file: BlobFile, options: SplitOptions): SplitState {
  const { sections, memory_bytes, folder } = options;
  if (sections.length > MAX_SECTIONS) throw new RangeError("more sections than bits");
  const isWhole = TABLE_SHARE * file.size <= memory_bytes * POSITIONS_SHARE;
  const { sorted } = file.header;
  const sums = new SquareSums();
  const refs = isWhole ? null : new RefStreams({ folder, memory_bytes, sorted, sums });
  const waiting = new Spill(`${folder}/waiting`, 1, memory_bytes / 16);
  const members = new MemberGroups({
    ...{ folder, memory_bytes },
    most_ids: mostWaysOf(file.size),
    most_bytes: MOST_LINES_SHARE * (FREE_WAY_BYTES + file.size),
  });
  const texts = new TextNumbers();
  const counts = { nodes: 0, ways: 0, relations: 0 };
  return {
    file,
    options,
    wanted: {
      node: createKeyMatcher(sections, "node"),
      way: createKeyMatcher(sections, "way"),
      relation: createKeyMatcher(sections, "relation"),
    },
    reader: new BlockReader(),
    kinds: new Uint8Array(file.count),
    tail: 0,
    counts,
    coverage: createCoverage(),
    sums,
    weights: new WayWeights(sections),
    table: new NodePositions(),
    refs,
    members,
    survey: new MapSurvey(),
    texts,
    writer: new EntryWriter(texts),
    waiting,
    trail: createTrail(),
    spend: createBudget(file.size),
    turn: createTurn(options),
    onBlob: createProgress(file, options, counts, isWhole),
    open: refs === null ? [waiting, members] : [waiting, members, refs],
  };
}

export function summaryOf(state: SplitState): Summary {
  const { counts, coverage, file, reader, trail } = state;
  return {
    counts,
    box: coverage.box(),
    cells: coverage.cells(),
    data_at_s: file.header.data_at_s ?? newestSeconds(reader),
    trail,
  };
}

/**
 * Reads blobs in turn. `onKinds`: receives which kinds of objects a blob holds; false: no more blobs.
 */
export async function readBlobs(
  state: SplitState,
  indexes: Iterable<number>,
  sink: Partial<BlockSink>,
  onKinds: (index: number, kinds: number) => boolean = () => true,
): Promise<void> {
  const { file, reader, wanted, kinds } = state;
  const all = { nodeKeys: wanted.node, times: file.header.data_at_s === null, ...sink };
  for await (const { index, bytes } of file.contents(indexes)) {
    const match = reader.read(bytes, all);
    kinds[index] = match;
    file.at.byte = null;
    state.onBlob(index);
    await state.turn();
    if (!onKinds(index, match)) return;
  }
}

/** Blobs that have objects of a kind, or of which it is not known. */
export function listBlobs({ kinds }: SplitState, kind: number, from = 0): number[] {
  const indexes: number[] = [];
  for (let i = from; i < kinds.length; i++) if (kinds[i] === 0 || kinds[i]! & kind) indexes.push(i);
  return indexes;
}

function createProgress(
  file: BlobFile,
  { onProgress }: SplitOptions,
  counts: Summary["counts"],
  isWhole: boolean,
): SplitState["onBlob"] {
  const total = file.size * (isWhole ? EXPECTED_SHARE.whole : EXPECTED_SHARE.ranges);
  let read = 0;
  return (index) => {
    read += file.bytesOf(index);
    onProgress?.({ done: Math.min(1, read / total), counts: { ...counts } });
  };
}
