/**
 * `npm run trials -- busy [--runs N] [SUITE…]`: runs `npm test`, or the suites named, N times while three
 * processes spin, and reports how many runs passed. Nothing may depend on how busy the machine is.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { runSuites } from "./suites.ts";
import type { Trial } from "./table.ts";

const SPINNERS = 3;

export const run: Trial["run"] = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { runs: { type: "string", default: "10" } },
    allowPositionals: true,
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new RangeError("--runs: expected 1 or more");
  const spinners = Array.from({ length: SPINNERS }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  let failed = 0;
  try {
    for (let i = 1; i <= runs; i++) {
      const begun = performance.now();
      const passed = await runSuites(positionals);
      if (!passed) failed++;
      const seconds = Math.round((performance.now() - begun) / 1000);
      console.log(`run ${i} of ${runs}: ${passed ? "passed" : "FAILED"}, ${seconds} s`);
    }
  } finally {
    await Promise.all(spinners.map(end));
  }
  console.log(`${runs - failed} of ${runs} runs passed with ${SPINNERS} processes spinning`);
  return failed;
};

async function end(spinner: ChildProcess): Promise<void> {
  const ended = once(spinner, "close");
  spinner.kill("SIGKILL");
  await ended;
}
