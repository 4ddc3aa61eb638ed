/** What every import shows while it reads, and how it says why it failed. */
import type { CommandContext } from "#cli/command.ts";
import { printMessage } from "#cli/print/print-message.ts";
import { type Progress, startProgress } from "#cli/print/print-progress.ts";

/** Steps of the bar: a share of the file's bytes, since rows are only known at its end. */
export const STEPS = 100;

const SILENT: Progress = {
  update: () => undefined,
  finish: () => undefined,
  stop: () => undefined,
};

/** A bar on a terminal; elsewhere one line a file. */
export function startReading({ io }: CommandContext, paths: readonly string[]): Progress {
  if (io.err.isTTY) return startProgress(io.err, "reading", STEPS);
  for (const path of paths) io.err.write(`reading ${path}\n`);
  return SILENT;
}

export function sayFailed({ io }: CommandContext, path: string, problem: string): void {
  // A sentence about a path names it already (packages/kit/path-problem.ts).
  const line = /^(FILE|VICINITY_DATA_DIR): /.test(problem) ? problem : `${path}: ${problem}`;
  printMessage(io.err, line);
}
