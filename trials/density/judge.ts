/** Verdict on a cell, and which operations and tools have none. */
import { AGENT_TOOLS } from "#contract/agent-tools.ts";
import { listOperations } from "#contract/operations.ts";
import { type Cell, OTHERS } from "./cell.ts";
import type { Measured } from "./measure.ts";

/** The serving thread in one stretch, all threads, memory; times as much as the plain search. */
const MOST = { stretch_ms: 5, all_ms: 25, rise_mb: 64, ratio: 60 } as const;

export type Judged = {
  cell: Pick<Cell, "of" | "what" | "stage" | "paid">;
  measured: Measured | null;
  /** Of the plain empty search. */
  ratio: number | null;
  factor: number;
  problems: string[];
};

export function judge(
  cell: Cell,
  measured: Measured | null,
  { baseline, factor, ended }: { baseline: Measured; factor: number; ended: string | null },
): Judged {
  const { of, what, stage, paid } = cell;
  const row = { cell: { of, what, stage, ...(paid !== undefined && { paid }) }, measured, factor };
  if (measured === null)
    return { ...row, ratio: null, problems: [`the process ended (${ended ?? "unknown"})`] };
  const ratio = measured.all_ms / baseline.all_ms;
  return { ...row, ratio, problems: listProblems(cell, measured, ratio, factor) };
}

function listProblems(
  { paid }: Cell,
  { status, longest_ms, all_ms, rise_mb }: Measured,
  ratio: number,
  factor: number,
): string[] {
  const problems: string[] = [];
  if (status !== 200) problems.push(`status ${status}`);
  if (longest_ms > MOST.stretch_ms * factor)
    problems.push(`${longest_ms.toFixed(1)} ms of the serving thread at a time`);
  if (all_ms > MOST.all_ms * factor) problems.push(`${all_ms.toFixed(1)} ms of all threads`);
  if (rise_mb > MOST.rise_mb) problems.push(`${rise_mb.toFixed(0)} MB`);
  if (ratio > MOST.ratio && paid === undefined)
    problems.push(`${ratio.toFixed(0)} times a plain empty search`);
  return problems;
}

/** Operations and tools without a cell: a new one needs a row of its own. */
export function listUncovered(cells: readonly Pick<Cell, "of">[]): string[] {
  const covered = new Set<string>(cells.map(({ of }) => of));
  const tools = Object.keys(AGENT_TOOLS).map((name) => `tool ${name}`);
  const owners = [...listOperations().map(({ id }) => id), ...tools, ...OTHERS];
  return owners.filter((owner) => !covered.has(owner));
}
