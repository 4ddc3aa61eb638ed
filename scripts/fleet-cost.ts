/**
 * `npm run fleet-cost -- [--rounds 6] [--seconds 8] [--rate N]`: requests per second of processor
 * time of one replica and of two, and what shared engines cost beside the embedded ones (docs/chaos.md).
 */
import { endOnSignal, readOptions, SEED } from "./chaos/trials/options.ts";
import { conclude } from "./chaos/report.ts";
import { runCost } from "./chaos/trials/cost.ts";

const { rounds, seconds, rate, seed, json } = readOptions("npm run fleet-cost -- [options]", {
  rounds: { default: 6, min: 1, max: 100, help: "of all settings in turn" },
  seconds: { default: 8, min: 1, max: 120, help: "of each measurement" },
  rate: { default: 0, min: 0, max: 20_000, help: "questions a second; 0: 80 % of what one can do" },
  seed: SEED,
});
endOnSignal();
const verdict = await runCost({
  ...{ rounds, seconds, per_s: rate || null, seed },
  onRound: (done) => console.log(done === 0 ? "  warm" : `  ${done} of ${rounds}`),
});
conclude({ seed, verdicts: [verdict] }, json);
