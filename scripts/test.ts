/**
 * `npm test` after the static checks: every suite, failures in full, and at the end LOUDLY what was
 * skipped and why. `node scripts/test.ts unit` runs the suites named.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MARK } from "./test-reporter.ts";
import type { Counts } from "./test-reporter.ts";

type Suite = {
  name: string;
  files: string[];
  isolation: "none" | "process";
  /** Files at once; two where it is not said. */
  at_once?: number;
};
type Result = Counts & { suite: string; problems: string[] };

const FAULT_FILES = [
  "test/integration/service/*faults*.test.ts",
  "test/integration/service/balancer.test.ts",
  "test/integration/chaos.test.ts",
];

/** Pure suites share one process, which is thirty times faster; the others get one per file. */
const SUITES: readonly Suite[] = [
  { name: "unit", files: ["test/unit/**/*.test.ts", "test/*.test.ts"], isolation: "none" },
  // They wait for servers more than they work.
  {
    ...{ name: "conformance", files: ["test/conformance/**/*.test.ts"], isolation: "process" },
    at_once: 4,
  },
  { name: "integration", files: ["test/integration/**/*.test.ts"], isolation: "process" },
  // They count milliseconds: another file at work would eat their deadlines.
  { name: "faults", files: FAULT_FILES, isolation: "process", at_once: 1 },
  { name: "browser", files: ["test/browser/**/*.test.ts"], isolation: "process" },
  { name: "incidents", files: ["test/incidents/**/*.test.ts"], isolation: "process" },
];

/** `npm test` stays under ten minutes; a suite that hangs must not take them all. */
const SUITE_TIMEOUT_MS = 360_000;

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const started = performance.now();
const results: Result[] = [];
for (const suite of chooseSuites(process.argv.slice(2))) results.push(await runSuite(suite));
process.exitCode = summarise(results, performance.now() - started);

function chooseSuites(names: readonly string[]): readonly Suite[] {
  const unknown = names.find((name) => SUITES.every((suite) => suite.name !== name));
  if (unknown !== undefined) {
    console.error(
      `unknown suite ${unknown}; known are ${SUITES.map(({ name }) => name).join(", ")}`,
    );
    process.exit(2);
  }
  return names.length === 0 ? SUITES : SUITES.filter((suite) => names.includes(suite.name));
}

async function runSuite(suite: Suite): Promise<Result> {
  const found = suite.files.flatMap((pattern) => globSync(pattern)).sort();
  const elsewhere =
    suite.files === FAULT_FILES ? [] : FAULT_FILES.flatMap((each) => globSync(each));
  const files = found.filter((file) => !elsewhere.includes(file));
  const begun = performance.now();
  const ended =
    files.length > 0 ? await runFiles(files, suite) : { counts: null, exit: "no files" };
  const counts = ended.counts ?? { tests: 0, passed: 0, failed: 0, todo: 0, skipped: [], files: 0 };
  const problems = findProblems(suite, counts, ended);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const mark = problems.length === 0 ? "✔" : "✖";
  console.log(
    `${mark} ${suite.name}: ${counts.tests} tests in ${files.length} files, ${seconds} s`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  return { ...counts, suite: suite.name, problems };
}

/** Everything that makes a suite red; a suite in which nothing ran is one of them. */
function findProblems(
  suite: Suite,
  counts: Counts,
  ended: { counts: Counts | null; exit: string | null },
): string[] {
  const problems: string[] = [];
  if (counts.failed > 0) problems.push(`${suite.name}: ${counts.failed} failed`);
  else if (ended.exit !== null) problems.push(`${suite.name}: ended with ${ended.exit}`);
  if (counts.tests === 0) problems.push(`${suite.name}: not one test ran`);
  for (const skip of counts.skipped) {
    if (skip.reason === null) problems.push(`${skip.where}: skipped without a reason`);
  }
  return problems;
}

function runFiles(
  files: readonly string[],
  suite: Suite,
): Promise<{ counts: Counts | null; exit: string | null }> {
  const options = [
    `--test-isolation=${suite.isolation}`,
    ...(suite.isolation === "process" ? [`--test-concurrency=${suite.at_once ?? 2}`] : []),
    "--test-timeout=120000",
    "--test-reporter=./scripts/test-reporter.ts",
  ];
  const child = spawn(process.execPath, ["--test", ...options, ...files], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: SUITE_TIMEOUT_MS,
    env: { NODE_COMPILE_CACHE: "node_modules/.cache/node", ...process.env },
  });
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    const shown = lines.filter((line) => !line.startsWith(MARK));
    if (shown.length > 0) console.log(shown.join("\n"));
    rest = lines.find((line) => line.startsWith(MARK)) ?? rest;
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      const text = rest.startsWith(MARK) ? rest.slice(MARK.length) : null;
      const counts = text === null ? null : (JSON.parse(text) as Counts);
      resolve({ counts, exit: code === 0 ? null : (signal ?? `exit code ${code}`) });
    });
  });
}

function summarise(all: readonly Result[], duration_ms: number): number {
  const sum = (pick: (result: Result) => number): number =>
    all.reduce((total, result) => total + pick(result), 0);
  const skipped = all.flatMap((result) => result.skipped);
  const problems = all.flatMap((result) => result.problems);
  const failed = sum((result) => result.failed);
  console.log(`
# tests ${sum((result) => result.tests)}
# suites ${all.length}
# pass ${sum((result) => result.passed)}
# fail ${failed}
# skipped ${skipped.length}
# todo ${sum((result) => result.todo)}
# duration_ms ${Math.round(duration_ms)}`);
  if (skipped.length > 0) {
    console.log(`\n!!! SKIPPED, so not proved here (${skipped.length}):`);
    for (const { where, name, reason } of skipped) {
      console.log(`!!!   ${name} (${where}): ${reason ?? "NO REASON GIVEN"}`);
    }
  }
  if (problems.length > 0) console.log(`\n${problems.map((problem) => `✖ ${problem}`).join("\n")}`);
  console.log(
    `\n${sum((result) => result.passed)} passed, ${failed} failed, ${skipped.length} skipped`,
  );
  return problems.length === 0 ? 0 : 1;
}
