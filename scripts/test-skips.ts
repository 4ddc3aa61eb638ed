/** How many tests a suite has that was skipped as a whole: the runner never looks into it. */
import { readFileSync } from "node:fs";

const TEST = /^\s+(?:await |void )?(?:test|it)(?:\.\w+)?\(/;

/**
 * Tests that are written in the group that begins in this line, by its source: at least one, and one for
 * each that a loop makes.
 */
export function countTests(path: string, line: number): number {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .slice(line - 1);
  const indent = /^\s*/.exec(lines[0] ?? "")![0];
  // The formatter puts the end of a group below its beginning.
  const end = lines.findIndex((text, i) => i > 0 && text.startsWith(`${indent}}`));
  const inside = end === -1 ? lines : lines.slice(0, end);
  return Math.max(1, inside.filter((text) => TEST.test(text)).length);
}
