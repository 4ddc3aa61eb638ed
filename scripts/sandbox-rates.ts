/**
 * npm run sandbox-rates -- [DIR] [--seed N]: how much the simulated sources disagree about the same
 * docks, beside what labelled pairs of real sources show; no rate of ours may be the smaller.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { compareRates, realRates, simulatedRates } from "./sandbox-rates/rates.ts";
import { formatRates } from "./sandbox-rates/print.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" } },
});
const dir = positionals[0] ?? "../shared/data/pairs";
const simulated = await simulatedRates(Number(values.seed));
const real = existsSync(dir) ? realRates(dir) : null;
if (!real) process.stderr.write(`!!! NO REAL PAIRS in ${dir}: only the simulated rates follow\n`);
const rows = compareRates(simulated, real);
process.stdout.write(formatRates(rows));
if (rows.some(({ enough }) => enough === false)) process.exitCode = 1;
