/** No file of src or sandbox imports itself by way of others, not even for a type. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { findImportCycles } from "./architecture/import-cycles.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const { imports: aliases } = JSON.parse(read("package.json")) as {
  imports: Record<string, string>;
};
const sources = new Map(
  ["src", "packages", "sandbox"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
      .map((path): [string, string] => [path, read(path)]),
  ),
);

test("no file imports itself by way of others", () => {
  assert.ok(sources.size >= 500, `only ${sources.size} files`);
  assert.deepEqual(findImportCycles(sources, aliases), []);
});

const A = "src/core/a.ts";
const B = "src/core/b.ts";
const C = "src/core/c.ts";

const PLANTED: readonly [what: string, tree: Record<string, string>, cycles: string[][]][] = [
  ["two values", { [A]: 'import "#core/b.ts";', [B]: 'import "./a.ts";' }, [[A, B]]],
  [
    "a type one way",
    { [A]: 'import type { B } from "#core/b.ts";', [B]: 'import { a } from "#core/a.ts"; a;' },
    [[A, B]],
  ],
  [
    "types both ways, through a third",
    {
      [A]: 'import { type B } from "#core/b.ts";',
      [B]: 'import type { C } from "#core/c.ts";',
      [C]: 'export type { A } from "#core/a.ts";',
    },
    [[A, B, C]],
  ],
  ["a type in place", { [A]: 'type B = import("./b.ts").B;', [B]: 'import "./a.ts";' }, [[A, B]]],
  ["itself", { [A]: 'import type { A } from "./a.ts";' }, [[A]]],
  [
    "a tree that is sound",
    {
      [A]: 'import "#core/b.ts"; import "#core/c.ts"; import "pino";',
      [B]: 'import "./c.ts";',
      [C]: "",
    },
    [],
  ],
];
for (const [what, tree, cycles] of PLANTED)
  test(`found: ${what}`, () => {
    assert.deepEqual(findImportCycles(new Map(Object.entries(tree)), aliases), cycles);
  });
