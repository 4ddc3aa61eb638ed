/**
 * A copy of the repository that a test may change by hand, as a contributor would: only files that
 * the row of CONTRIBUTING.md names, and at most as many as it promises.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { checkTypes, type Ran } from "../../support/client-project.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const COPIED = [
  "src",
  "scripts",
  "trials",
  "sandbox",
  "test",
  "bench",
  "docs",
  "deploy",
  "changelog",
  "packages",
  "explorer",
  "LICENSE",
  ".oxfmtrc.json",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "openapi.json",
  "vicinity.schema.json",
  "CHANGELOG.md",
];
/** Large, and no part of what is tried. */
const LEFT_OUT = ["fixtures", "node_modules"];

export type Tree = {
  /** Replaces the first occurrence of `before`, which must be there. */
  edit(path: string, before: string, after: string): void;
  create(path: string, text: string): void;
  read(path: string): string;
  /** What the type checker says of these files and folders: one line a fault. */
  compile(...paths: string[]): Promise<Ran>;
  /** Writes what is derived from the sources. */
  generate(): Promise<void>;
  /** Runs a program in the root of the copy; gives what it printed, as JSON. */
  probe<T>(program: string): Promise<T>;
  /** Runs a file of tests, which must be green. */
  pass(path: string): Promise<void>;
  /** Changed by hand so far. */
  changed(): readonly string[];
};

export function copyTree(t: TestContext): Tree {
  const root = mkdtempSync(join(tmpdir(), "vicinity-tree-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const path of COPIED) {
    const filter = (from: string): boolean => !LEFT_OUT.includes(basename(from));
    cpSync(join(ROOT, path), join(root, path), { recursive: true, filter });
  }
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  const hands = new Set<string>();
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const run = (...args: string[]) => runNode(root, args);
  return {
    read,
    edit: (path, before, after) => {
      const text = read(path);
      assert.ok(text.includes(before), `${path} has ${JSON.stringify(before)}`);
      writeFileSync(
        join(root, path),
        text.replace(before, () => after),
      );
      hands.add(path);
    },
    create: (path, text) => {
      writeFileSync(join(root, path), text, { flag: "wx" });
      hands.add(path);
    },
    compile: (...paths) => checkTypes(root, paths),
    generate: async () => {
      const { code, out } = await run("scripts/generate.ts");
      assert.equal(code, 0, out);
    },
    probe: async <T>(program: string) => {
      writeFileSync(join(root, "probe.ts"), program);
      const { code, out } = await run("probe.ts");
      assert.equal(code, 0, out);
      return JSON.parse(out) as T;
    },
    pass: async (path) => {
      const { code, out } = await run("--test", path);
      assert.equal(code, 0, `${path}\n${out}`);
    },
    changed: () => [...hands],
  };
}

function runNode(cwd: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, NODE_NO_WARNINGS: "1" } };
    const child = execFile(process.execPath, [...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, out: `${stdout}${stderr}` }),
    );
  });
}

/** The files that CONTRIBUTING.md names for a task, `NAME` replaced; folders do not count. */
export function filesOf(task: string, name: string): readonly string[] {
  const table = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const row = table.split("\n").find((line) => line.startsWith(`| ${task} |`));
  assert.ok(row, `CONTRIBUTING.md has a row for ${task}`);
  const cell = row.split(" | ")[1]!;
  const files = [...cell.matchAll(/`([^`]+\.\w+)`/g)].map(([, file]) => file!);
  return files.map((file) => file.replaceAll("NAME", name));
}

/** Every file changed by hand is one that the row names, and the row names at most `most`. */
export function checkFiles(tree: Tree, names: readonly string[], most: number): void {
  assert.ok(names.length <= most, `${names.length} files are named: ${names.join(", ")}`);
  const unnamed = tree.changed().filter((path) => !names.includes(path));
  assert.deepEqual(unnamed, [], "changed by hand, and not named");
}
