/** What the passes over an extract share. */
import type { CellCoverage } from "../base/cover-cells.ts";
import type { BaseSection } from "../base/base-features.ts";
import type { KeyMatcher } from "../base/base-keys.ts";
import type { BaseCounts } from "../base/base-layout.ts";
import type { NodePositions } from "../base/positions.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { BlockReader } from "../pbf/block.ts";
import type { BlobFile } from "./extract-file.ts";
import type { MemberWays } from "./member-ways.ts";

export type Pass = "relations" | "member_ways" | "nodes" | "features";

export type AssembleJob = {
  /** Called after each blob with its bytes in the file. */
  onBlob: (pass: Pass, bytes: number, counts: BaseCounts) => void;
  /** Gives way to others, and throws when stopped. */
  turn: () => Promise<void> | undefined;
};

export type BuildSections = {
  file: BlobFile;
  sections: readonly BaseSection[];
  wanted: Record<"node" | "way" | "relation", KeyMatcher>;
  reader: BlockReader;
  /** By blob; 0: not known yet. */
  kinds: Uint8Array;
  counts: BaseCounts;
  coverage: CellCoverage;
  positions: NodePositions;
  ways: MemberWays;
  trail: TrailRecorder;
  /** Takes from what relations may cost in all. */
  spend: (work: number) => void;
  job: AssembleJob;
};
