/**
 * Runs the test files of `VICINITY_TEST_FILES`, a JSON list of paths from the working folder, one
 * after the other in this process: modules are loaded once, and code that was compiled stays so.
 * A test that does nothing comes before those of each file, by which the reporter knows whose they are.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";
import { measureCpu } from "./test-cpu.ts";
import { CPU_MARK, FILE_MARK } from "./test-reporter.ts";

const files = JSON.parse(process.env["VICINITY_TEST_FILES"] ?? "[]") as string[];

const { fetch } = globalThis;

for (const file of files) {
  void test(`${FILE_MARK}${file}`, (t) => t.diagnostic(`${CPU_MARK}${measureCpu() ?? NaN}`));
  // The next one is loaded whether or not this one could be.
  await import(pathToFileURL(resolve(file)).href).catch((error: unknown) =>
    test(file, () => Promise.reject(error)),
  );
}

after(() => assert.equal(globalThis.fetch, fetch, "a file has left another fetch to the others"));
