/**
 * `npm run trials -- NAME [options]`: runs one trial, a check that takes minutes or needs a quiet
 * machine and is therefore no part of `npm test`; trials/README.md lists them. `npm run trials -- all
 * [--busy]` runs the short form of each, one after the other, `--busy` without those that need a quiet
 * machine. Exit code 1 on any finding, 2 where the trial cannot run.
 */
import { spawn } from "node:child_process";
import { listMissing } from "./needs.ts";
import { TRIALS } from "./table.ts";

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === "all") return runAll({ busy: args.includes("--busy") });
  const entry = name === undefined ? undefined : TRIALS[name];
  if (!entry) return explain(name);
  const missing = listMissing(entry, args);
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

/** Each in a process of its own, so that none sees what another has left. */
async function runAll({ busy }: { busy: boolean }): Promise<number> {
  const outcomes: string[] = [];
  let failed = 0;
  for (const [name, entry] of Object.entries(TRIALS)) {
    const missing = listMissing(entry);
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

function explain(name: string | undefined): number {
  const asksForHelp = name === undefined || name === "--help";
  if (!asksForHelp) console.error(`unknown trial ${name}`);
  console.log("usage: npm run trials -- NAME [options], or all [--busy]\n");
  for (const [each, { shows, options }] of Object.entries(TRIALS))
    console.log(`  ${each.padEnd(14)} ${shows}\n${" ".repeat(17)}${options}`);
  return asksForHelp ? 0 : 2;
}
