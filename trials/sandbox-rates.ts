/**
 * How much the simulated sources disagree about the same docks, compared with what labelled pairs of
 * real sources show: no rate of the simulator may be the smaller one. `[DIR] [--seed N]`.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { formatRates } from "./sandbox-rates/print.ts";
import { compareRates, realRates, simulatedRates } from "./sandbox-rates/rates.ts";

export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seed: { type: "string", default: "1" } },
  });
  const dir = positionals[0] ?? "../shared/data/pairs";
  const simulated = await simulatedRates(Number(values.seed));
  const real = existsSync(dir) ? realRates(dir) : null;
  if (!real) console.error(`!!! NO REAL PAIRS in ${dir}: only the simulated rates follow`);
  const rows = compareRates(simulated, real);
  process.stdout.write(formatRates(rows));
  return rows.filter(({ enough }) => enough === false).length;
}
