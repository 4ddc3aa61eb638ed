/** Writes what is derived from the sources; `--check` only compares and fails on drift. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { GENERATED } from "./pages/generated.ts";

const check = process.argv.includes("--check");
for (const [path, toText] of Object.entries(GENERATED)) {
  const file = new URL(`../${path}`, import.meta.url);
  const text = toText();
  if (!check) {
    writeFileSync(file, text);
    continue;
  }
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  console.error(`${path} is not up to date: run npm run generate`);
  process.exitCode = 1;
}
