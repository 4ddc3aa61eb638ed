/**
 * The import of an extract of the open map: a file in, one packed base out, or the reason why not in
 * one line. All or nothing, in bounded memory, and never long without giving way to the event loop.
 */
import type { BaseSection } from "../base/base-features.ts";
import {
  BASE_FORMAT,
  type BaseCounts,
  type BaseMeta,
  CELLS_COLUMN,
  columnName,
} from "../base/base-layout.ts";
import { type PackColumn, type Columns, readPack, writePack } from "#kit/pack.ts";
import { letGo } from "#kit/growing.ts";
import type { Trail } from "#kit/trail.ts";
import { checkNeeds, type Capacity, UNKNOWN_CAPACITY } from "../base/needs.ts";
import { guard } from "#kit/guard.ts";
import { OPEN_MAP_TERMS } from "../terms.ts";
import { assemble, type Summary } from "./assemble.ts";
import { SECTION as WALK } from "../walk/walk-layout.ts";
import { openBlobs, type FilePlace } from "./extract-file.ts";
import { type BaseProgress, createProgress } from "./import-progress.ts";
import { type ImportProblem, toProblem } from "#kit/run/run-problem.ts";
import { createTurn, runSteps, type Turn } from "#kit/run/turn.ts";

export type BaseImportOptions = {
  id: string;
  region: string | null;
  now_ms: number;
  sections: readonly BaseSection[];
  /** What the machine has; absent: not known. */
  capacity?: Capacity;
  onProgress?: (progress: BaseProgress) => void;
  signal?: AbortSignal;
  /** Lets others have the thread. */
  pause?: () => Promise<void>;
};

export type BaseReport = Omit<BaseMeta, "sections"> & {
  file_bytes: number;
  pack_bytes: number;
  elapsed_ms: number;
};

export type BaseImportResult =
  | { ok: true; pack: Uint8Array<ArrayBuffer>; report: BaseReport }
  | ImportProblem;

const DEGREE = 1e7;

/** Imports an extract; never throws for what a file may hold: that is a `problem`. */
export function importBase(path: string, options: BaseImportOptions): Promise<BaseImportResult> {
  const at: FilePlace = { byte: null };
  return guard<BaseImportResult, BaseImportResult>(
    () => run(path, options, at),
    (error) => toExtractProblem(error, at),
  );
}

/** One line, which names the block that was read. */
export function toExtractProblem(error: unknown, at: FilePlace): ImportProblem {
  const failed = toProblem(error, "extract");
  const place = at.byte === null ? "" : ` (block at byte ${at.byte})`;
  return { ...failed, problem: `${failed.problem}${place}` };
}

/** Header and columns of a packed base, where they lie; null for anything else. */
export function openPack(bytes: Uint8Array): { meta: BaseMeta; columns: Columns } | null {
  return readPack<BaseMeta>(BASE_FORMAT, bytes);
}

async function run(
  path: string,
  options: BaseImportOptions,
  at: FilePlace,
): Promise<BaseImportResult> {
  const begun_ms = performance.now();
  const turn = createTurn(options);
  const { summary, file_bytes, progress } = await readExtract(path, options, { at, turn });
  progress.onPacking();
  const { pack, facts } = await packBase(summary, { ...options, terms: OPEN_MAP_TERMS }, turn);
  progress.onEnd();
  const elapsed_ms = performance.now() - begun_ms;
  return { ok: true, pack, report: { ...facts, file_bytes, elapsed_ms } };
}

/** Hands what an extract holds to sections, which all fit in memory. */
export async function readExtract(
  path: string,
  options: Pick<BaseImportOptions, "sections" | "capacity" | "onProgress">,
  { at, turn }: { at: FilePlace; turn: Turn },
): Promise<{
  summary: Summary;
  file_bytes: number;
  progress: ReturnType<typeof createProgress>;
}> {
  const { sections, capacity = UNKNOWN_CAPACITY } = options;
  const hasWays = sections.some(({ name }) => name === WALK);
  const kind = hasWays ? "extract" : "extract without ways";
  const file = await openBlobs(path, at, (size) => checkNeeds("extract", kind, size, capacity));
  const progress = createProgress(file, options.onProgress);
  const job = { turn, onBlob: progress.onBlob };
  const summary = await guard<Summary, { error: unknown }>(
    () => assemble(file, sections, job),
    (error) => ({ error }),
  );
  await file.close();
  if ("error" in summary) throw summary.error;
  return { summary, file_bytes: file.size, progress };
}

/** The base of what the sections have taken. `terms`: of the data; null: unknown. */
export async function packBase(
  summary: Summary,
  options: BaseImportOptions & Pick<BaseMeta, "terms">,
  turn: Turn,
): Promise<{
  pack: Uint8Array<ArrayBuffer>;
  facts: Omit<BaseReport, "file_bytes" | "elapsed_ms">;
}> {
  const { columns, ...parts } = await finishSections(options.sections, turn);
  const meta = toMeta(toFacts(summary), options, parts);
  const pack = await packColumns(meta, { [CELLS_COLUMN]: summary.cells, ...columns }, turn);
  const { sections: _, ...facts } = meta;
  return { pack, facts: { ...facts, pack_bytes: pack.byteLength } };
}

/** One base of these columns, each of which is gone as soon as the pack has it. */
export function packColumns(
  meta: BaseMeta,
  columns: Columns,
  turn: Turn,
): Promise<Uint8Array<ArrayBuffer>> {
  return runSteps(
    writePack(BASE_FORMAT, meta, columns, (column) => letGo([column])),
    turn,
  );
}

/** What the passes say of an extract, as a value. */
export type SummaryFacts = Omit<Summary, "trail"> & Trail;

export function toFacts({ trail, ...facts }: Summary): SummaryFacts {
  return { ...facts, ...trail.toTrail() };
}

/** What sections became. `columns`: by their names in the pack. */
type Finished = { columns: Columns } & Pick<BaseMeta, "sections" | "section_counts">;

export async function finishSections(
  sections: readonly BaseSection[],
  turn: Turn,
): Promise<Finished> {
  const columns: Record<string, PackColumn> = {};
  const metas: Record<string, unknown> = {};
  const counts: Record<string, BaseCounts | Readonly<Record<string, number>>> = {};
  for (const section of sections) {
    const done = await runSteps(section.finish(), turn);
    metas[section.name] = done.meta;
    counts[section.name] = done.counts;
    for (const [name, column] of Object.entries(done.columns))
      columns[columnName(section.name, name)] = column;
  }
  return { columns, sections: metas, section_counts: counts };
}

/** What a base says of itself. */
export function toMeta(
  { counts, data_at_s, box, dropped, repaired }: Omit<SummaryFacts, "cells">,
  {
    id,
    region,
    now_ms,
    terms,
  }: Pick<BaseImportOptions, "id" | "region" | "now_ms"> & Pick<BaseMeta, "terms">,
  { sections, section_counts }: Pick<BaseMeta, "sections" | "section_counts">,
): BaseMeta {
  const [south, west, north, east] = box ?? [0, 0, 0, 0];
  return {
    id,
    region,
    data_at_s,
    imported_at_ms: now_ms,
    box: box && [south / DEGREE, west / DEGREE, north / DEGREE, east / DEGREE],
    counts,
    terms: terms && { licence: terms.licence, attribution: terms.attribution },
    sections,
    section_counts,
    dropped,
    repaired,
  };
}
