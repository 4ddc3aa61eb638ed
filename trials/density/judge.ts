/** Verdict on a cell, and which operations and tools have none. */
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { listOperations } from "#api/operations.ts";
import { toTokens } from "#core/limits/cost-tokens.ts";
import { type Cell, OTHERS } from "./cell.ts";
import type { Measured } from "./measure.ts";

/**
 * The serving thread in one stretch, all threads, memory; times as much as the plain search, for each
 * request that the answer counts as in the caller's burst (docs/decisions/0032-a-burst-counts-time.md).
 */
const MOST = { stretch_ms: 5, all_ms: 25, rise_mb: 64, ratio: 60 } as const;

export type Judged = {
  cell: Pick<Cell, "of" | "what" | "stage">;
  measured: Measured | null;
  /** Of the plain empty search. */
  ratio: number | null;
  /** Requests that it counts as. */
  tokens: number | null;
  factor: number;
  problems: string[];
};

export function judge(
  cell: Cell,
  measured: Measured | null,
  { baseline, factor, ended }: { baseline: Measured; factor: number; ended: string | null },
): Judged {
  const { of, what, stage } = cell;
  const row = { cell: { of, what, stage }, measured, factor };
  if (measured === null)
    return {
      ...row,
      ratio: null,
      tokens: null,
      problems: [`the process ended (${ended ?? "unknown"})`],
    };
  const ratio = measured.all_ms / baseline.all_ms;
  const tokens = 1 + toTokens(measured.main_ms);
  return { ...row, ratio, tokens, problems: listProblems(measured, ratio / tokens, factor) };
}

function listProblems(
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
  if (ratio > MOST.ratio) problems.push(`${ratio.toFixed(0)} times a plain empty search a token`);
  return problems;
}

/** Operations and tools without a cell: a new one needs a row of its own. */
export function listUncovered(cells: readonly Pick<Cell, "of">[]): string[] {
  const covered = new Set<string>(cells.map(({ of }) => of));
  const tools = Object.keys(AGENT_TOOLS).map((name) => `tool ${name}`);
  const owners = [...listOperations().map(({ id }) => id), ...tools, ...OTHERS];
  return owners.filter((owner) => !covered.has(owner));
}
