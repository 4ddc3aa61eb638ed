/** What the runner of the suites counts: groups that are skipped as a whole, and files without a test. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Counts, MARK, TOGETHER } from "../scripts/test-reporter.ts";
import { findProblems, listSkipped } from "../scripts/test-problems.ts";
import { SUITES } from "../scripts/test-suites.ts";

const folder = mkdtempSync(join(tmpdir(), "planted-suite-"));
after(() => rmSync(folder, { recursive: true }));

const HEAD = 'import { describe, test } from "node:test";';
const PLANTED = {
  "whole.test.mjs": `${HEAD}
describe("the far side", { skip: "there is no moon" }, () => {
  test("rocks", () => undefined);
  describe("within", () => {
    test("dust", () => undefined);
  });
});
test("runs", () => undefined);
`,
  "silent.test.mjs": `${HEAD}
describe("no reason", { skip: true }, () => {
  test("a", () => undefined);
  test("b", () => undefined);
  test("c", () => undefined);
});
`,
  "empty.test.mjs": "export {};\n",
  "fails.test.mjs": `${HEAD}
test("fails", () => { throw new Error("planted"); });
test("is skipped", { skip: "it rains" }, () => undefined);
`,
};
const FILES = Object.entries(PLANTED).map(([name, text]) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
});
const [WHOLE, SILENT, EMPTY, FAILS] = FILES as [string, string, string, string];

/** Runs files with the reporter of the suites, in processes of their own or in one. */
function count(
  isolation: "none" | "process",
  files: readonly string[],
  others: NodeJS.ProcessEnv = {},
): Counts {
  const options = ["--test", `--test-isolation=${isolation}`];
  const reporter = "--test-reporter=./scripts/test-reporter.ts";
  const input = isolation === "none" ? [TOGETHER] : files;
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const env = { ...rest, ...others, VICINITY_TEST_FILES: JSON.stringify(files) };
  let output = "";
  try {
    output = execFileSync(process.execPath, [...options, reporter, ...input], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const line = output.split("\n").find((text) => text.startsWith(MARK));
  return JSON.parse(line!.slice(MARK.length)) as Counts;
}

for (const isolation of ["process", "none"] as const)
  test(`a planted group that is skipped counts with its tests (${isolation})`, () => {
    const counts = count(isolation, FILES);
    assert.deepEqual(
      [
        counts.tests,
        counts.passed,
        counts.failed,
        counts.skipped.map(({ tests }) => tests).toSorted((a, b) => a - b),
      ],
      [8, 1, 1, [1, 2, 3]],
    );
    assert.deepEqual(
      new Map(counts.files.map(({ file, tests }) => [file, tests])),
      new Map([
        [WHOLE, 3],
        [SILENT, 3],
        [FAILS, 2],
      ]),
    );
    const problems = findProblems(
      { name: "planted", floor: 9, files: FILES },
      { counts, exit: "exit code 1" },
    );
    assert.deepEqual(problems, [
      "planted: 1 failed",
      `${SILENT}:2: skipped without a reason`,
      `${EMPTY}: has no test`,
      "planted: 8 tests, and it has at least 9",
    ]);
    const listed = listSkipped(counts.skipped);
    assert.equal(listed[0], "!!! SKIPPED, so not proved here (6):");
    assert.ok(listed.includes(`!!!   the far side (${WHOLE}:2, 2 tests): there is no moon`));
    assert.ok(listed.includes(`!!!   no reason (${SILENT}:2, 3 tests): NO REASON GIVEN`));
  });

test("a group that is skipped for a reason is no problem, and no test is lost", () => {
  const counts = count("process", [WHOLE]);
  const suite = { name: "planted", floor: 3, files: [WHOLE] };
  assert.deepEqual(findProblems(suite, { counts, exit: null }), []);
  const lost = { ...counts, tests: 2 };
  assert.equal(findProblems(suite, { counts: lost, exit: null }).length, 1);
  assert.deepEqual(findProblems(suite, { counts: null, exit: "SIGTERM" }), [
    "planted: ended with SIGTERM",
    "planted: not one test ran",
  ]);
});

test("every suite has a floor, and tests of pages count where there is no browser", () => {
  for (const { name, floor } of SUITES) assert.ok(floor >= 3, name);
  const file = "test/browser/pages.test.ts";
  const counts = count("process", [file], { PATH: folder, CHROMIUM_PATH: "" });
  assert.ok(counts.tests >= 2 && counts.passed === 0, JSON.stringify(counts));
  assert.match(listSkipped(counts.skipped).join(), /the pages .* tests\): NOT SEEN IN A BROWSER/);
  assert.deepEqual(
    findProblems({ name: "browser", floor: 2, files: [file] }, { counts, exit: null }),
    [],
  );
});
