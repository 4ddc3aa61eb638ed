/** What the threads of an import do, and their results: values that can be handed over. */
import type { BaseMeta, OptionalSection } from "../base/base-layout.ts";
import type { Capacity } from "../base/needs.ts";
import type { PartFacts } from "../pages/head-facts.ts";
import type { Columns } from "#kit/pack.ts";
import type { ImportProblem } from "#kit/run/run-problem.ts";
import type { SummaryFacts } from "./import-extract.ts";
import type { BaseProgress } from "./import-progress.ts";
import type { MapFacts } from "../tiles/map-facts.ts";
import type { PageRun, Split } from "./split/split-types.ts";

export type JobSettings = {
  id: string;
  region: string | null;
  now_ms: number;
  /** Names of the sections that are not made. */
  without: readonly OptionalSection[];
};

/** An extract that fits one page: read and packed at once. */
export type WholeJob = { kind: "whole"; path: string; settings: JobSettings; capacity: Capacity };
export type WholeDone = HeadDone & {
  pack: Uint8Array<ArrayBuffer>;
  facts: PartFacts;
  summary: SummaryFacts;
};

/** An extract that does not: what each page needs is written into a folder. */
export type SplitJob = {
  kind: "split";
  path: string;
  folder: string;
  page_bytes: number;
  memory_bytes: number;
  settings: JobSettings;
};
export type SplitDone = Pick<Split, "runs" | "head"> & {
  summary: SummaryFacts;
  /** Names of the sections, in the order of the bits of their features. */
  order: readonly string[];
  map: MapFacts | null;
};

export type PageJob = {
  kind: "page";
  run: PageRun;
  order: readonly string[];
  settings: JobSettings;
  data_at_s: number | null;
  map: MapFacts | null;
  /** Where its words are written. */
  names: string;
  /** File of what its addresses share with those of other pages; null: nothing. */
  shared: string | null;
};
export type PageDone = {
  pack: Uint8Array<ArrayBuffer>;
  facts: PartFacts;
  /** Whether its words were written. */
  hasNames: boolean;
};

/** What the addresses of a page say is written into a file. */
export type FactsJob = Pick<PageJob, "run" | "order" | "settings"> & {
  kind: "facts";
  path: string;
};
export type FactsDone = { hasFacts: boolean };

/** Files of all pages, by their numbers, become those of what several pages share. */
export type ShareJob = { kind: "share"; folder: string; facts: readonly (string | null)[] };
export type ShareDone = { shared: (string | null)[] };

/** What the head has of pages whose words lie in these files, by their numbers; null: the page has none. */
export type HeadJob = { kind: "head"; run: PageRun; names: readonly (string | null)[] };
export type HeadDone = { columns: Columns; sections: BaseMeta["sections"] };

export type ImportJob = WholeJob | SplitJob | FactsJob | ShareJob | PageJob | HeadJob;

/** `unwritten`: the disk did not take what was written. */
export type JobProblem = ImportProblem & { unwritten?: { code: string; message: string } };
export type JobDone<Done> = ({ ok: true } & Done) | JobProblem;

export type JobNote = { progress: BaseProgress } | { done: number; counts?: BaseMeta["counts"] };
