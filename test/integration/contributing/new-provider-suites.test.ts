/**
 * `npm run new:provider` leaves the fast suites green: they are run on a copy of the whole repository
 * in which it has written a source and nothing else was done.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LEFT_OUT = new Set(["node_modules", ".git", "data"]);
/** Those of `npm test` that read sources, descriptions and documents. */
const FAST = ["core", "unit", "conformance", "integration"];

type Ran = { code: number | null; out: string };

function run(cwd: string, args: readonly string[]): Promise<Ran> {
  // A process of its own, and no part of this run of tests.
  const { NODE_TEST_CONTEXT: _none, VICINITY_TEST_FOLDER: _folder, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out })));
}

test("the fast suites are green on a copy with a new source", async (t) => {
  const copy = mkdtempSync(join(tmpdir(), "vicinity-suites-"));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of readdirSync(ROOT)) {
    if (LEFT_OUT.has(name)) continue;
    const filter = (from: string): boolean => basename(from) !== "node_modules";
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  for (const args of [["scripts/new-provider.ts", "city_loos"], ["scripts/generate.ts"]]) {
    const { code, out } = await run(copy, args);
    assert.equal(code, 0, out);
  }
  const { code, out } = await run(copy, ["scripts/test.ts", ...FAST]);
  assert.equal(code, 0, out.slice(-20_000));
  assert.match(out, /\n0 failed|, 0 failed,/);
});
