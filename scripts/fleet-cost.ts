/**
 * `npm run fleet-cost -- [--rounds 6] [--seconds 8] [--rate 1500]`: requests per second of processor
 * time of one replica and of two, and what shared engines cost beside the embedded ones (docs/chaos.md).
 */
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";
import { conclude } from "./chaos/report.ts";
import { runCost } from "./chaos/trials/cost.ts";

const { rounds, seconds, rate, seed, json } = readOptions("npm run fleet-cost -- [options]", {
  rounds: { default: 6, min: 1, max: 100, help: "of all three settings in turn" },
  seconds: { default: 8, min: 1, max: 120, help: "of each measurement" },
  rate: { default: 1_500, min: 1, max: 5_000, help: "questions a second, well below saturation" },
  seed: SEED,
});
endOnSignal();
const verdict = await runCost({
  ...{ rounds, seconds, per_s: rate, seed },
  onRound: (done) => console.log(done === 0 ? "  warm" : `  ${done} of ${rounds}`),
});
conclude({ seed, verdicts: [verdict] }, json);
