/**
 * Runs the test files of `VICINITY_TEST_FILES`, a JSON list of paths from the working folder, one
 * after the other in this process: modules are loaded once, and code that was compiled stays so.
 * Each file is a group of its own, so that its hooks run before and after its own tests only.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe } from "node:test";

const files = JSON.parse(process.env["VICINITY_TEST_FILES"] ?? "[]") as string[];

let loaded: Promise<unknown> = Promise.resolve();

/** Loads one file after the other, whether or not the one before could be loaded. */
function load(file: string): Promise<unknown> {
  loaded = loaded.catch(() => null).then(() => import(pathToFileURL(resolve(file)).href));
  return loaded;
}

for (const file of files)
  void describe(file, async () => {
    await load(file);
  });
