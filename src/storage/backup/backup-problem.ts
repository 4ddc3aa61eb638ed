import { isDefect } from "#kit/guard.ts";
import {
  isOfWriting,
  pathOf,
  pathProblem,
  type PathUse,
  type PathPlace,
  systemWords,
} from "#kit/path-problem.ts";
import { toLine } from "#storage/error-line.ts";

export type BackupProblem = { problem: string };

/** What disks and servers throw, and what is damaged, in one line. A defect of ours is thrown on. */
export function toBackupProblem(error: unknown): BackupProblem {
  if (isDefect(error)) throw error;
  const words = systemWords(error, "write");
  return { problem: words === null ? toLine(error) : `it ${words}` };
}

/** Where a copy is read from and written to, as both are typed. */
export type Copying = { from: readonly PathPlace[]; to: PathPlace };

/**
 * The same of a copy, where what the system refuses names the option or variable whose path it is about:
 * the one that the path of the error is in, and for an open file, of which the system names none, the
 * target where the error is one of writing.
 */
export function toProblemOf({ from, to }: Copying): (error: unknown) => BackupProblem {
  return (error) => {
    const path = pathOf(error);
    const source = from.find((place) => path !== null && isIn(path, place.path));
    const [first = to] = from;
    const place =
      source ?? (path === null && !isOfWriting(error) && syscallOf(error) === "read" ? first : to);
    const use: PathUse = source === undefined ? "create" : "read";
    const problem = pathProblem(error, source && path !== null ? { ...place, path } : place, use);
    return problem === null ? toBackupProblem(error) : { problem };
  };
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function syscallOf(error: unknown): unknown {
  return ((error ?? {}) as { syscall?: unknown }).syscall;
}
