/** Writes what is derived from the sources; `--check` only compares and fails on drift. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { serviceSources } from "./pages/sources.ts";

const check = process.argv.includes("--check");

function produce(path: string, text: string): void {
  const file = new URL(`../${path}`, import.meta.url);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  if (!check) return writeFileSync(file, text);
  console.error(`${path} is not up to date: run npm run generate`);
  process.exitCode = 1;
}

produce("packages/api/service-sources.ts", serviceSources());
// Loaded after that, since the contract is made of it.
const { GENERATED } = await import("./pages/generated.ts");
for (const [path, toText] of Object.entries(GENERATED)) produce(path, toText());
