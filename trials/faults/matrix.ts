/** What the fault matrices have in common: running cells, judging them, and saying a row in a word. */
import { availableParallelism } from "node:os";

/** The outcome of a matrix, apart from its tables. */
export type Ran = { cells: number; problems: string[]; slowest_ms: number };

/** A few at once: what one costs must not count against another's deadline. */
export async function runJobs<T>(jobs: readonly (() => Promise<T>)[], at_once = 3): Promise<T[]> {
  const left = [...jobs];
  const done: T[] = [];
  const worker = async (): Promise<void> => {
    for (let job = left.shift(); job; job = left.shift()) done.push(await job());
  };
  await Promise.all(Array.from({ length: Math.min(at_once, availableParallelism()) }, worker));
  return done;
}

/** The first lines of what is wrong; nothing when nothing is. */
export function problemOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [(error as Error).message.split("\n").slice(0, 5).join(" ")];
  }
}

/** The usual answer, and in brackets which faults have another. */
export function describeGroups<C extends { fault: string }>(
  cells: readonly C[],
  answerOf: (cell: C) => string,
): string {
  const groups = [...Map.groupBy(cells, answerOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const [usual, ...others] = groups.map(([answer, of]) => ({ answer, faults: of }));
  if (!usual) return "";
  const listed = others.map(
    ({ answer, faults }) => `${faults.map(({ fault }) => fault).join(", ")}: ${answer}`,
  );
  return listed.length === 0 ? usual.answer : `${usual.answer} (${listed.join("; ")})`;
}
