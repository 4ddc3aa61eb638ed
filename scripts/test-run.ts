/**
 * `npm test`: the static checks and every suite but `long`, failures in full, and at the end LOUDLY
 * what was skipped and why. `npm test -- unit` runs the suites named, without the checks, and
 * `npm test -- FILE` a file of tests; `--all` adds `long`; `--files` lists how long each file took.
 */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installJudges } from "../trials/judges/install.ts";
import { measureCpu } from "./test-cpu.ts";
import { type Ended, findProblems, listSkipped, sumSkipped } from "./test-problems.ts";
import { MARK, noCounts, TOGETHER } from "./test-reporter.ts";
import type { Counts, FileCount } from "./test-reporter.ts";
import { listFiles, type Suite, SUITES } from "./test-suites.ts";

type Result = Counts & { suite: string; problems: string[] };

/** Suites at once, and files of a suite at once: many tests wait for servers more than they work. */
const SUITES_AT_ONCE = 3;
const FILES_AT_ONCE = 2;

/** Of a suite and of a test. Only what hangs runs into them, however busy the machine is. */
const SUITE_TIMEOUT_MS = 3_600_000;
const TEST_TIMEOUT_MS = 900_000;

/** Of processes that run many files: fewer and cheaper collections of the garbage of young objects. */
const HEAP = ["--max-semi-space-size=64", "--single-threaded-gc"];

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const started = performance.now();
const { values, positionals } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    files: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const folder = createFolder();
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const chosen = chooseSuites(positionals);
const isJudged = (file: string): boolean => file.startsWith("test/judged/");
if (chosen.some(({ name, files }) => name === "long" || files.some(isJudged))) prepareJudges();
const checks = positionals.length === 0 ? runChecks() : null;
const results = await runSuites(chosen);
if (checks !== null) results.push(await checks);
if (values.files) printFiles(results);
process.exitCode = summarise(results, performance.now() - started);

/** For the temporary files of all tests: in memory where there is such a folder, so that none waits for a disk. */
function createFolder(): string {
  const root = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const created = mkdtempSync(join(root, "vicinity-test-"));
  // PostgreSQL runs as another user.
  chmodSync(created, 0o755);
  return created;
}

function chooseSuites(words: readonly string[]): readonly Suite[] {
  const files = words.filter((word) => word.endsWith(".test.ts") && existsSync(word));
  const names = words.filter((word) => !files.includes(word));
  const alone: Suite[] =
    files.length > 0 ? [{ name: "files", files, isolation: "process", floor: 1 }] : [];
  const unknown = names.find((name) => SUITES.every((suite) => suite.name !== name));
  if (unknown !== undefined) {
    console.error(
      `unknown suite ${unknown}; known are files of tests, and ${SUITES.map(({ name }) => name).join(", ")}`,
    );
    process.exit(2);
  }
  if (words.length > 0) return [...SUITES.filter((suite) => names.includes(suite.name)), ...alone];
  return values.all ? SUITES : SUITES.filter(({ name }) => name !== "long");
}

/** Once, and not by each of the files that need them. */
function prepareJudges(): void {
  const problem = installJudges();
  if (problem === null) return;
  console.error(`✖ ${problem}`);
  process.exit(1);
}

async function runSuites(suites: readonly Suite[]): Promise<Result[]> {
  const waiting = [...suites];
  const ended: Result[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) ended.push(await runSuite(next));
  };
  await Promise.all(Array.from({ length: SUITES_AT_ONCE }, work));
  return ended;
}

/** Runs the static checks next to the tests, and shows their output when they have ended. */
function runChecks(): Promise<Result> {
  const begun = performance.now();
  const child = spawn("npm", ["run", "--silent", "check"], {
    stdio: ["ignore", "pipe", "pipe"],
    // The type checker is written in Go: it collects garbage less often, and takes a fifth less time.
    env: { GOGC: "400", ...process.env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const problems = code === 0 ? [] : [`the checks ended with exit code ${code}`];
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`${output}${code === 0 ? "✔" : "✖"} checks: ${seconds} s`);
      resolve({ ...noCounts(), suite: "checks", problems });
    });
  });
}

async function runSuite(suite: Suite): Promise<Result> {
  const files = listFiles(suite);
  const begun = performance.now();
  const ended =
    files.length > 0 ? await runFiles(files, suite) : { counts: null, exit: "no files" };
  const counts = ended.counts ?? noCounts();
  const problems = findProblems({ ...suite, files }, ended);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const mark = problems.length === 0 ? "✔" : "✖";
  const cost = `${seconds} s, ${toSeconds(counts.cpu_ms)} of processor time (loading ${toSeconds(counts.loading_ms)})`;
  console.log(`${mark} ${suite.name}: ${counts.tests} tests in ${files.length} files, ${cost}`);
  for (const problem of problems) console.log(`  ${problem}`);
  return { ...counts, suite: suite.name, problems };
}

function runFiles(files: readonly string[], suite: Suite): Promise<Ended> {
  const options = [
    `--test-isolation=${suite.isolation}`,
    ...(suite.isolation === "process" ? [`--test-concurrency=${FILES_AT_ONCE}`] : []),
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    "--test-reporter=./scripts/test-reporter.ts",
    "--import=./test/support/seed.ts",
  ];
  const together = suite.isolation === "none";
  const args = together
    ? [...HEAP, "--test", ...options, TOGETHER]
    : ["--test", ...options, ...files];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: SUITE_TIMEOUT_MS,
    env: {
      // Absolute: children may have another working folder.
      NODE_COMPILE_CACHE: join(process.cwd(), "node_modules/.cache/node"),
      ...process.env,
      TMPDIR: folder,
      VICINITY_TEST_FOLDER: folder,
      ...(together && { VICINITY_TEST_FILES: JSON.stringify(files) }),
    },
  });
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    const listed = lines.filter((line) => !line.startsWith(MARK));
    if (listed.length > 0) console.log(listed.join("\n"));
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
# skipped ${sumSkipped(skipped)}
# todo ${sum((result) => result.todo)}
# duration_ms ${Math.round(duration_ms)}
# cpu_ms ${measureCpu() ?? "unknown"}`);
  if (skipped.length > 0) console.log(`\n${listSkipped(skipped).join("\n")}`);
  if (problems.length > 0) console.log(`\n${problems.map((problem) => `✖ ${problem}`).join("\n")}`);
  console.log(
    `\n${sum((result) => result.passed)} passed, ${failed} failed, ${sumSkipped(skipped)} skipped`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** The dearest first; those that had a process of their own by the time that passed. */
function printFiles(all: readonly Result[]): void {
  const cost = ({ cpu_ms, ms }: FileCount): number => cpu_ms ?? ms;
  const files = all.flatMap((result) => result.files).toSorted((a, b) => cost(b) - cost(a));
  console.log("\n processor   passed");
  for (const { file, ms, cpu_ms } of files)
    console.log(`${toSeconds(cpu_ms).padStart(10)} ${toSeconds(ms).padStart(8)}  ${file}`);
}

function toSeconds(ms: number | null): string {
  return ms === null ? "-" : `${(ms / 1000).toFixed(1)} s`;
}
