/** The commands of a contributor: each is explained, and what documents and comments name is there. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BENCHMARKS } from "../bench/table.ts";
import { REPORTS } from "../scripts/reports-table.ts";
import { TRIALS } from "../trials/table.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const read = (path: string): string => readFileSync(ROOT + path, "utf8");
const { scripts, dependencies } = JSON.parse(read("package.json")) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
};

/** Scripts that are followed by a name, and those that there are. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  trials: [...Object.keys(TRIALS), "all"],
  bench: Object.keys(BENCHMARKS),
  reports: Object.keys(REPORTS),
};

const files = globSync(
  ["*.md", "{bench,deploy,docs,explorer,scripts,src,test,trials}/**/*.{md,ts,js}"],
  {
    cwd: ROOT,
    exclude: ["**/node_modules/**", "explorer/vendor/**"],
  },
);

test("CONTRIBUTING explains every npm script", () => {
  const contributing = read("CONTRIBUTING.md");
  const entries = new Set(
    [...contributing.matchAll(/`npm (?:run )?([a-z:]+)/g)].map(([, a]) => a!),
  );
  // npm ci runs it.
  if (contributing.includes("the script `prepare`")) entries.add("prepare");
  for (const name of Object.keys(scripts)) assert.ok(entries.has(name), `npm run ${name}`);
});

test("every npm script, trial, benchmark and report that a file names is there", () => {
  let named_count = 0;
  for (const path of files) {
    const text = read(path);
    for (const [, name] of text.matchAll(/\bnpm run (?:--silent )?([a-z][a-z:-]*)/g)) {
      if (name === "on") continue;
      named_count += 1;
      assert.ok(Object.hasOwn(scripts, name!), `${path}: npm run ${name}`);
    }
    for (const [, script, name] of text.matchAll(
      /\bnpm run (trials|bench|reports) -- (?!NAME\b)([a-z][a-z-]*)/g,
    ))
      assert.ok(NAMED[script!]!.includes(name!), `${path}: npm run ${script} -- ${name}`);
  }
  assert.ok(named_count > 100, String(named_count));
});

test("every benchmark is in the list, and is there", () => {
  const texts = globSync("{bench,scripts,test,trials}/**/*.ts", { cwd: ROOT });
  const used = new Set(
    texts.flatMap((path) =>
      // Imported, or started as a process by its name.
      [...read(path).matchAll(/from "[^"]*?([\w-]+)\.ts"|\.\/([\w-]+)\.ts|start\("([\w-]+)/g)].map(
        (match) => match.slice(1).find((name) => name !== undefined)!,
      ),
    ),
  );
  const programs = globSync("bench/*.ts", { cwd: ROOT }).map((path) => basename(path, ".ts"));
  const names = new Set(Object.keys(BENCHMARKS));
  for (const name of names) assert.ok(programs.includes(name), name);
  for (const name of programs)
    assert.ok(names.has(name) || name === "main" || used.has(name), `bench/${name}.ts`);
});

test("the Node that version managers choose is the pinned one", () => {
  assert.equal(read(".node-version"), `${dependencies["node"]}\n`);
});
