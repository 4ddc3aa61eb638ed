/** "Did you mean …?": the known name closest to a mistyped one. */

/**
 * Undefined when nothing is near: more than a third of the letters differ, and it is not the beginning of
 * just one.
 */
export function findNearest(name: string, entries: readonly string[]): string | undefined {
  const bound = Math.max(1, Math.floor(name.length / 3));
  let best: { name: string; steps: number } | undefined;
  for (const candidate of entries) {
    const steps = editSteps(name.toLowerCase(), candidate.toLowerCase());
    if (steps <= bound && (!best || steps < best.steps)) best = { name: candidate, steps };
  }
  return best?.name ?? findOnlyBeginning(name.toLowerCase(), entries);
}

/** Letters from which a beginning counts. */
const BEGINNING = 3;

function findOnlyBeginning(name: string, entries: readonly string[]): string | undefined {
  const longer = entries.filter((entry) => entry.toLowerCase().startsWith(name));
  return name.length >= BEGINNING && longer.length === 1 ? longer[0] : undefined;
}

/** Says of a name that is not known which was meant, or which there are; each after a prefix. */
export function didYouMean(
  name: string,
  entries: readonly string[],
  { prefix = "", listed = prefix }: { prefix?: string; listed?: string } = {},
): string {
  const nearest = findNearest(name, entries);
  if (nearest !== undefined) return `did you mean ${prefix}${nearest}?`;
  return `known are ${entries.map((each) => `${listed}${each}`).join(", ")}`;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editSteps(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let steps = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      if (swapped) steps = Math.min(steps, at(beforeLast, column - 2) + 1);
      current.push(steps);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
