/** A claim, how often it was put to the test, and what contradicted it. */
export type Claim = {
  claim: string;
  /** What was counted, in words. */
  figures: string;
  checks: number;
  differences: string[];
};

/** Enough to see what is wrong; the count shows how wrong. */
const MAX_SHOWN = 20;

export type ClaimRecorder = {
  check(equal: boolean, describe: () => string): void;
  finish(claim: string, figures: string): Claim;
};

export function createClaim(): ClaimRecorder {
  const differences: string[] = [];
  let checks = 0;
  let failed = 0;
  return {
    check(equal, describe) {
      checks++;
      if (equal) return;
      failed++;
      if (differences.length < MAX_SHOWN) differences.push(describe());
    },
    finish(claim, figures) {
      if (failed > differences.length) differences.push(`… ${failed} differences in all`);
      return { claim, figures, checks, differences };
    },
  };
}

export function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}

/** The first place where two lists part. */
export function whereApart(got: readonly string[], wanted: readonly string[]): string {
  const at = Math.max(
    0,
    [...wanted, "end"].findIndex((each, i) => each !== got[i]),
  );
  const shown = (list: readonly string[]): string => list[at] ?? "nothing more";
  return `${got.length} of ${wanted.length}; at ${at}: got ${shown(got)}, wanted ${shown(wanted)}`;
}
