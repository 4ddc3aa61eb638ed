/** `npm run read-datasets -- [--reads 10000]`: stored datasets of a program that was killed. */
import { parseArgs } from "node:util";
import { readOverAndOver } from "./read-datasets/run.ts";

const { values } = parseArgs({ options: { reads: { type: "string", default: "10000" } } });
const reads = Number(values.reads);
if (!Number.isSafeInteger(reads) || reads < 1) {
  console.error("usage: npm run read-datasets -- [--reads N]");
  process.exit(2);
}
const { datasets, at_once, upstream, reads_per_s, ...done } = await readOverAndOver({
  ...{ reads, datasets: 60 },
});
console.log(
  `${datasets} datasets, all as told before at once after SIGKILL (${at_once.killed}) and after ` +
    `SIGINT (${at_once.ended}); then ${done.reads.observation} observations under three policies and ` +
    `${done.reads.body} records, ${reads_per_s}/s: all byte for byte, ${upstream} upstream requests`,
);
if (upstream > 0) process.exitCode = 1;
