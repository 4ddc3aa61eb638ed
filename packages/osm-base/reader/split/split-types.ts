/**
 * What becomes of an extract that is split: a run of features for each page, on disk in the folder of
 * the split. Runs are values, so that they can be handed to the threads that build pages.
 */
import type {
  BaseSection,
  NodeFeature,
  RelationFeature,
  WayFeature,
} from "../../base/base-features.ts";
import type { PageCell, PageLevel } from "../../pages/page-cell.ts";
import type { MapFacts } from "../../tiles/map-facts.ts";
import type { Summary } from "../assemble.ts";

/** What the split has to know of a section. The name decides which of its features a page needs. */
export type SplitSection = Pick<BaseSection, "name" | "keys">;

export type SplitOptions = {
  /** Is there, and is for this split alone; what it makes in there is the caller's to remove. */
  folder: string;
  /** Which a page may have when it is packed, by what is estimated beforehand. */
  page_bytes: number;
  /** For all tables and buffers together. */
  memory_bytes: number;
  sections: readonly SplitSection[];
  onProgress?: (progress: SplitProgress) => void;
  signal?: AbortSignal;
  /** Lets others have the thread. */
  pause?: () => Promise<void> | undefined;
};

type SplitProgress = {
  /** Of the whole split, 0 to 1. */
  done: number;
  counts: Summary["counts"];
};

/**
 * Features of one page in the order in which sections are to have them: nodes, relations, ways, each as
 * in the file. Where `cell` is `WHOLE` there is no other run, and its page has all zooms of the map.
 */
export type PageRun = {
  level: PageLevel;
  cell: PageCell;
  features: number;
  /** In the folder. */
  bytes: number;
  folder: string;
  /** Where they lie: number of the file, first byte and length in turn. */
  parts: Float64Array;
};

/** `sections`: bits of those that are to have it, by their place in the options. Valid until the next one is read. */
export type RunEntry = {
  sections: number;
  feature: NodeFeature | RelationFeature | WayFeature;
};

export type Split = {
  runs: readonly PageRun[];
  /** What maps of pages need to know of the whole extract; null: there is no map, or one page. */
  map: MapFacts | null;
  /** Areas of countries and regions, as the geocoder takes them; their level and cell say nothing. */
  head: PageRun;
  summary: Summary;
};
