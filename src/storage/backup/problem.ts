import { isDefect } from "#core/guard.ts";
import { toLine } from "#storage/error-line.ts";

export type Problem = { problem: string };

/** What disks and servers throw, and what is damaged, in one line. A defect of ours is thrown on. */
export function toProblem(error: unknown): Problem {
  if (isDefect(error)) throw error;
  return { problem: toLine(error) };
}
