/** Which test files of `npm test` reach a source file, those with the shortest way of imports first. */
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { listFiles, SUITES } from "../../scripts/test-suites.ts";

export type Tests = {
  /** Of the unit suites. */
  near: readonly string[];
  /** The others. */
  far: readonly string[];
};
export type TestsOf = (source: string) => Tests;

/** What a test that starts the program as a process reaches, though it imports nothing of it. */
const PROGRAM = "src/main.ts";
const STARTS = /bin\/vicinity|src\/main\.ts/;

export function findTests(root: string): TestsOf {
  const { imports: aliases } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    imports: Readonly<Record<string, string>>;
  };
  const long = new Set(SUITES.filter(({ name }) => name === "long").flatMap(listFiles));
  const patterns = ["{src,sandbox,test,packages,trials,scripts,bench}/**/*.ts"];
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !file.includes("node_modules"));
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const target of importsOf(root, file, aliases))
      importers.set(target, [...(importers.get(target) ?? []), file]);
  return (source) => {
    const reached = listImporters(source, importers).filter(
      (file) => file.endsWith(".test.ts") && !long.has(file),
    );
    const isNear = (file: string): boolean => /^(test\/unit|packages|trials)\//.test(file);
    return {
      near: reached.filter(isNear),
      far: reached.filter((file) => !isNear(file)),
    };
  };
}

/** Ring by ring: the direct ones first. */
function listImporters(
  source: string,
  importers: ReadonlyMap<string, readonly string[]>,
): string[] {
  const seen = new Set([source]);
  const all: string[] = [];
  for (let ring = [source]; ring.length > 0;) {
    ring = ring
      .flatMap((file) => importers.get(file) ?? [])
      .filter((file) => !seen.has(file) && seen.add(file))
      .toSorted();
    all.push(...ring);
  }
  return all;
}

const SPECIFIER = /(?:from|import|import\(|new URL\()\s*"([.#][^"]+\.ts|#[^"]+)"/g;

function importsOf(
  root: string,
  file: string,
  aliases: Readonly<Record<string, string>>,
): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = [...text.matchAll(SPECIFIER)].map(([, specifier]) =>
    resolve(specifier!, file, aliases),
  );
  return file.startsWith("test/") && STARTS.test(text) ? [...found, PROGRAM] : found;
}

function resolve(
  specifier: string,
  from: string,
  aliases: Readonly<Record<string, string>>,
): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  for (const [alias, target] of Object.entries(aliases)) {
    const [head, tail] = alias.split("*");
    if (tail === undefined ? specifier === alias : specifier.startsWith(head!))
      return posix.normalize(target.replace("*", specifier.slice(head!.length)));
  }
  return specifier;
}
