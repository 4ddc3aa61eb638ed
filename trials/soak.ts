/**
 * One replica at half of its capacity, 100,000 different keys and positions, what it holds after
 * forced collections, and what it leaves in its log and its folder (docs/lab/chaos.md).
 */
import { conclude } from "./chaos/report.ts";
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";
import { runSoak } from "./chaos/trials/soak.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { seconds, every, distinct, seed, flags, json } = readOptions(
    args,
    "npm run trials -- soak [options] [--embedded: no engines]",
    {
      seconds: { default: 600, min: 10, max: 86_400, help: "of load" },
      every: { default: 10, min: 1, max: 3_600, help: "seconds between two samples" },
      distinct: { default: 100_000, min: 10, max: 1_000_000, help: "keys, and as many positions" },
      seed: SEED,
    },
    ["embedded"],
  );
  endOnSignal();
  const verdict = await runSoak({
    seconds,
    every_s: every,
    distinct,
    seed,
    engines: !flags.has("embedded"),
    onSample: ({ at_s, heap_bytes, rss_bytes, descriptors, timers }) =>
      console.log(
        `  ${at_s.toFixed(0)} s: heap ${(heap_bytes / 2 ** 20).toFixed(2)} MB, ` +
          `resident ${(rss_bytes / 2 ** 20).toFixed(0)} MB, ${descriptors} descriptors, ${timers} timers`,
      ),
  });
  return conclude({ seed, verdicts: [verdict] }, json);
}
