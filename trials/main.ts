/**
 * `npm run trials -- NAME [options]`: runs one trial, a check that takes minutes or needs a quiet
 * machine and is therefore no part of `npm test`. Each trial is a module `trials/NAME.ts` whose
 * `run` takes the remaining arguments and resolves to the number of findings; any finding makes the
 * exit code 1.
 */
import { pathToFileURL } from "node:url";

export type Trial = {
  /** One line for the list that `npm run trials` prints. */
  summary: string;
  run: (args: readonly string[]) => Promise<number>;
};

/** By name; loaded on demand. */
const TRIALS: Readonly<Record<string, () => Promise<Trial>>> = {
  busy: () => import("./busy.ts"),
  connections: () => import("./connections.ts"),
  crowds: () => import("./crowds.ts"),
  hostile: () => import("./hostile.ts"),
  isolation: () => import("./isolation.ts"),
  mutants: () => import("./mutants.ts"),
  restarts: () => import("./restarts.ts"),
  "same-answers": () => import("./same-answers.ts"),
  whole: () => import("./whole.ts"),
};

const isEntry = import.meta.url === pathToFileURL(process.argv[1] ?? "").href;
if (isEntry) process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  const load = name === undefined ? undefined : TRIALS[name];
  if (!load) return explain(name);
  const findings = await (await load()).run(args);
  console.log(
    findings === 0 ? `✔ ${name}: no findings` : `✖ ${name}: ${findings} finding(s), listed above`,
  );
  return findings === 0 ? 0 : 1;
}

async function explain(name: string | undefined): Promise<number> {
  const asksForHelp = name === undefined || name === "--help";
  if (!asksForHelp) console.error(`unknown trial ${name}`);
  console.log("usage: npm run trials -- NAME [options]\n");
  for (const [each, load] of Object.entries(TRIALS)) {
    console.log(`  ${each.padEnd(14)} ${(await load()).summary}`);
  }
  return asksForHelp ? 0 : 2;
}
