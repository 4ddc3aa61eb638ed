/** No test is lost between the suites, and CI runs all of them. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { listFiles, SUITES } from "../scripts/test-suites.ts";

test("every test file is in exactly one suite", () => {
  const files = SUITES.flatMap(listFiles);
  assert.deepEqual(
    files.toSorted(),
    globSync([
      "{test,{packages,trials,bench}/*/test}/**/*.test.ts",
      "trials/*/*.test.ts",
    ]).toSorted(),
  );
});

test("every pattern of a suite has files", () => {
  const patterns = SUITES.flatMap(({ files, without = [] }) => [...files, ...without]);
  assert.deepEqual(
    patterns.filter((pattern) => globSync(pattern).length === 0),
    [],
  );
});

test("CI runs npm test and, after it, the suite that npm test leaves out", () => {
  const lines = readFileSync(".ci/run", "utf8").split("\n");
  const [quick, long] = ["npm test", "npm run trials -- long"].map((line) => lines.indexOf(line));
  assert.ok(quick! >= 0 && long! > quick!, lines.join("\n"));
});
