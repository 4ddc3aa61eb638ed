/**
 * `npm run bench -- NAME [options]`: runs one benchmark, which measures and does not judge; without a
 * name it lists them. Those with a verdict are trials (trials/README.md).
 */
import { runModule, runNamed } from "../scripts/named.ts";
import { BENCHMARKS } from "./table.ts";

const code = await runNamed(
  { noun: "benchmark", usage: "npm run bench -- NAME [options]", table: BENCHMARKS },
  process.argv.slice(2),
  (_, name, args) => runModule(new URL(`./${name}.ts`, import.meta.url), args),
);
if (code !== null) process.exitCode = code;
