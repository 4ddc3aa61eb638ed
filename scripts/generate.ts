/** Writes what is derived from the sources; `--check` only compares and fails on drift. */
import { readFileSync, writeFileSync } from "node:fs";
import { toOpenApiText } from "#http/openapi.ts";

const GENERATED = [{ path: "openapi.json", text: toOpenApiText() }];

const check = process.argv.includes("--check");
for (const { path, text } of GENERATED) {
  const file = new URL(`../${path}`, import.meta.url);
  if (!check) {
    writeFileSync(file, text);
    continue;
  }
  if (readFileSync(file, "utf8") === text) continue;
  console.error(`${path} is not up to date: run node scripts/generate.ts`);
  process.exitCode = 1;
}
