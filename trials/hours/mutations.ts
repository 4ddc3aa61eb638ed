/** Generated texts near to real ones: reading and evaluating any of them takes less than a bound. */
import { attempt } from "#hours/test/mutations.ts";
import { PLACES } from "./places.ts";

/** Reports what throws or is slow; returns their number. */
export function runMutations(
  texts: readonly string[],
  { count, seed }: { count: number; seed: number },
): number {
  const { read, most_us, findings } = attempt(texts, { count, seed, places: PLACES });
  for (const finding of findings) console.log(`  ${finding}`);
  console.log(
    `${count} generated texts: ${read} read, the slowest ${most_us.toFixed(0)} us, ` +
      `${findings.length} findings`,
  );
  return findings.length;
}
