/** Rolling restarts of two replicas behind the shipped balancer (docs/lab/chaos.md). */
import { conclude } from "./chaos/report.ts";
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";
import { runRolling } from "./chaos/trials/rolling.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { restarts, rate, seed, flags, json } = readOptions(
    args,
    "npm run trials -- rolling [options] [--embedded: no engines, each replica by itself]",
    {
      restarts: { default: 20, min: 1, max: 200, help: "of the two in turn" },
      rate: { default: 500, min: 1, max: 5_000, help: "requests a second" },
      seed: SEED,
    },
    ["embedded"],
  );
  endOnSignal();
  const verdicts = await runRolling({
    restarts,
    per_s: rate,
    seed,
    engines: !flags.has("embedded"),
    onRestart: (done) => console.log(`  ${done} of ${restarts}`),
  });
  return conclude({ seed, verdicts }, json);
}
