/**
 * Requests per second of processor time of one replica and of two, and what shared engines cost
 * compared with the embedded ones (docs/lab/chaos.md).
 */
import { conclude } from "./chaos/report.ts";
import { runCost } from "./chaos/trials/cost.ts";
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { rounds, seconds, rate, seed, json } = readOptions(
    args,
    "npm run trials -- fleet-cost [options]",
    {
      rounds: { default: 6, min: 1, max: 100, help: "of all settings in turn" },
      seconds: { default: 8, min: 1, max: 120, help: "of each measurement" },
      rate: {
        default: 0,
        min: 0,
        max: 20_000,
        help: "requests a second; 0: 80 % of the capacity of one",
      },
      seed: SEED,
    },
  );
  endOnSignal();
  const verdict = await runCost({
    rounds,
    seconds,
    per_s: rate || null,
    seed,
    onRound: (done) => console.log(done === 0 ? "  warm" : `  ${done} of ${rounds}`),
  });
  return conclude({ seed, verdicts: [verdict] }, json);
}
