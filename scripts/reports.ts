/**
 * `npm run reports -- NAME [options]`: prints or draws what documents quote; without a name it lists
 * the reports.
 */
import { runModule, runNamed } from "./named.ts";
import { REPORTS } from "./reports-table.ts";

const code = await runNamed(
  { noun: "report", usage: "npm run reports -- NAME [options]", table: REPORTS },
  process.argv.slice(2),
  ({ module }, _, args) => runModule(new URL(`./${module}`, import.meta.url), args),
);
if (code !== null) process.exitCode = code;
