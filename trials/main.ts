/**
 * `npm run trials -- NAME [options]`: runs one trial, a check that takes minutes or needs a quiet
 * machine and is therefore no part of `npm test`; trials/README.md lists them. `npm run trials -- all
 * [--busy]` runs the short form of each, one after the other, `--busy` without those that need a quiet
 * machine. Exit code 1 on any finding, 2 where the trial cannot run.
 */
import { spawn } from "node:child_process";
import { runNamed } from "../scripts/named.ts";
import { type TrialEntry, TRIALS } from "./table.ts";

const USAGE = "npm run trials -- NAME [options], or all [--busy]";

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number | null> {
  if (words[0] === "all") return runAll({ busy: words.includes("--busy") });
  return runNamed({ noun: "trial", usage: USAGE, table: TRIALS }, words, runOne);
}

async function runOne(entry: TrialEntry, name: string, args: readonly string[]): Promise<number> {
  const missing = await findMissing(entry, args);
  if (missing.length > 0) {
    console.error(`✖ ${name} cannot run: ${missing.join("; ")}`);
    return 2;
  }
  const findings = await (await entry.load()).run(args);
  console.log(
    findings === 0 ? `✔ ${name}: no findings` : `✖ ${name}: ${findings} finding(s), listed above`,
  );
  return findings === 0 ? 0 : 1;
}

/** Loaded here, since a list of trials and their options need none of it. */
async function findMissing(entry: TrialEntry, args?: readonly string[]): Promise<string[]> {
  const { listMissing } = await import("./needs.ts");
  return listMissing(entry, args);
}

/** Each in a process of its own, so that none sees what another has left. */
async function runAll({ busy }: { busy: boolean }): Promise<number> {
  const outcomes: string[] = [];
  let failed = 0;
  for (const [name, entry] of Object.entries(TRIALS)) {
    const missing = await findMissing(entry);
    if (busy && entry.quiet) missing.push("needs a quiet machine");
    if (missing.length > 0) {
      outcomes.push(`!!! SKIPPED ${name}, so not proved here: ${missing.join("; ")}`);
      continue;
    }
    console.log(`\n# ${name} ${entry.short.join(" ")}`);
    const begun_ms = performance.now();
    const code = await runApart([name, ...entry.short]);
    const elapsed_s = ((performance.now() - begun_ms) / 1000).toFixed(0);
    outcomes.push(`${code === 0 ? "✔" : "✖"} ${name}, ${elapsed_s} s`);
    if (code !== 0) failed++;
  }
  console.log(`\n${outcomes.join("\n")}\n\n${failed} of ${outcomes.length} trials failed`);
  return failed === 0 ? 0 : 1;
}

function runApart(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [import.meta.filename, ...args], { stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}
