/** Judges a suite of tests by what its files reported (scripts/test.ts). */
import type { Counts } from "./test-reporter.ts";

export type Ended = {
  /** null: the suite did not come to its end. */
  counts: Counts | null;
  /** What it ended with; null: well. */
  exit: string | null;
};
export type Judged = { name: string; floor: number; files: readonly string[] };

/**
 * Everything that makes a suite red. Tests that vanish are among it: a file without tests, a group
 * that is skipped without a reason, fewer tests than the suite is known to have.
 */
export function findProblems({ name, floor, files }: Judged, { counts, exit }: Ended): string[] {
  const problems: string[] = [];
  if (counts !== null && counts.failed > 0) problems.push(`${name}: ${counts.failed} failed`);
  else if (exit !== null) problems.push(`${name}: ended with ${exit}`);
  if (counts === null || counts.tests === 0) return [...problems, `${name}: not one test ran`];
  for (const { where, reason } of counts.skipped)
    if (reason === null) problems.push(`${where}: skipped without a reason`);
  const tests = new Map(counts.files.map((each) => [each.file, each.tests]));
  for (const file of files) if (!tests.get(file)) problems.push(`${file}: has no test`);
  if (counts.tests < floor)
    problems.push(`${name}: ${counts.tests} tests, and it has at least ${floor}`);
  return problems;
}

/** Lines for people, of what was not proved. */
export function listSkipped(skipped: Counts["skipped"]): string[] {
  if (skipped.length === 0) return [];
  return [
    `!!! SKIPPED, so not proved here (${sumSkipped(skipped)}):`,
    ...skipped.map(({ where, name, reason, tests }) => {
      const many = tests === 1 ? "" : `, ${tests} tests`;
      return `!!!   ${name} (${where}${many}): ${reason ?? "NO REASON GIVEN"}`;
    }),
  ];
}

export function sumSkipped(skipped: Counts["skipped"]): number {
  return skipped.reduce((sum, { tests }) => sum + tests, 0);
}
