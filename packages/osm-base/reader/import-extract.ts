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
    (error) => {
      const failed = toProblem(error, "extract");
      const place = at.byte === null ? "" : ` (block at byte ${at.byte})`;
      return { ...failed, problem: `${failed.problem}${place}` };
    },
  );
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
  const hasWays = options.sections.some(({ name }) => name === WALK);
  const kind = hasWays ? "extract" : "extract without ways";
  const file = await openBlobs(path, at, (size) =>
    checkNeeds("extract", kind, size, options.capacity ?? UNKNOWN_CAPACITY),
  );
  const progress = createProgress(file, options.onProgress);
  const job = { turn, onBlob: progress.onBlob };
  const summary = await guard<Summary, { error: unknown }>(
    () => assemble(file, options.sections, job),
    (error) => ({ error }),
  );
  await file.close();
  if ("error" in summary) throw summary.error;
  progress.onPacking();
  const { pack, facts } = await packBase(summary, { ...options, terms: OPEN_MAP_TERMS }, turn);
  progress.onEnd();
  const elapsed_ms = performance.now() - begun_ms;
  return { ok: true, pack, report: { ...facts, file_bytes: file.size, elapsed_ms } };
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
  const { meta, columns } = await finishSections(summary, options, turn);
  const pack = await runSteps(writePack(BASE_FORMAT, meta, columns, letGo), turn);
  const { sections: _, ...facts } = meta;
  return { pack, facts: { ...facts, pack_bytes: pack.byteLength } };
}

/** Frees a column as soon as the pack has it, so that both are never there as a whole. */
function letGo({ buffer }: PackColumn): void {
  (buffer as ArrayBuffer).transfer(0);
}

async function finishSections(
  summary: Summary,
  { id, region, now_ms, sections, terms }: BaseImportOptions & Pick<BaseMeta, "terms">,
  turn: Turn,
): Promise<{ meta: BaseMeta; columns: Columns }> {
  const columns: Record<string, PackColumn> = { [CELLS_COLUMN]: summary.cells };
  const metas: Record<string, unknown> = {};
  const counts: Record<string, BaseCounts | Readonly<Record<string, number>>> = {};
  for (const section of sections) {
    const done = await runSteps(section.finish(), turn);
    metas[section.name] = done.meta;
    counts[section.name] = done.counts;
    for (const [name, column] of Object.entries(done.columns))
      columns[columnName(section.name, name)] = column;
  }
  const { dropped, repaired } = summary.trail.toTrail();
  const [south, west, north, east] = summary.box ?? [0, 0, 0, 0];
  const meta: BaseMeta = {
    id,
    region,
    data_at_s: summary.data_at_s,
    imported_at_ms: now_ms,
    box: summary.box && [south / DEGREE, west / DEGREE, north / DEGREE, east / DEGREE],
    counts: summary.counts,
    terms: terms && { licence: terms.licence, attribution: terms.attribution },
    sections: metas,
    section_counts: counts,
    dropped,
    repaired,
  };
  return { meta, columns };
}
