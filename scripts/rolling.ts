/**
 * `npm run rolling -- [--restarts 20] [--rate 500]`: rolling restarts of two replicas behind the
 * shipped balancer (docs/chaos.md).
 */
import { readOptions, SEED, endOnSignal } from "./chaos/trials/options.ts";
import { conclude } from "./chaos/report.ts";
import { runRolling } from "./chaos/trials/rolling.ts";

const { restarts, rate, seed, flags, json } = readOptions(
  "npm run rolling -- [options] [--embedded: no engines, each replica by itself]",
  {
    restarts: { default: 20, min: 1, max: 200, help: "of the two in turn" },
    rate: { default: 500, min: 1, max: 5_000, help: "questions a second" },
    seed: SEED,
  },
  ["embedded"],
);
endOnSignal();
const verdicts = await runRolling({
  ...{ restarts, per_s: rate, seed, engines: !flags.has("embedded") },
  onRestart: (done) => console.log(`  ${done} of ${restarts}`),
});
conclude({ seed, verdicts }, json);
