/**
 * Which test files of `npm test` reach a source file, the nearest first: those of its package, then by
 * the length of the way of imports and by the words that their paths have in common.
 */
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { listFiles, SUITES } from "../../scripts/test-suites.ts";

export type Tests = {
  /** Those that start no service and take little time: of units, and of stores. */
  near: readonly string[];
  /** The others. */
  far: readonly string[];
  /** Whether documents are generated from it, which `npm test` compares. */
  isGeneratedFrom: boolean;
};
export type TestsOf = (source: string) => Tests;

/** What a test that starts the program as a process reaches, though it imports nothing of it. */
const PROGRAM = "src/main.ts";
const GENERATOR = "scripts/generate.ts";
const STARTS = /bin\/vicinity|src\/main\.ts/;

export function findTests(root: string): TestsOf {
  const { imports: aliases } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    imports: Readonly<Record<string, string>>;
  };
  const filesOf = (suite: string): Set<string> =>
    new Set(SUITES.filter(({ name }) => name === suite).flatMap(listFiles));
  const [long, apart] = [filesOf("long"), filesOf("apart")];
  const patterns = ["{src,sandbox,test,packages,trials,scripts,bench}/**/*.ts"];
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !file.includes("node_modules"));
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const target of importsOf(root, file, aliases))
      importers.set(target, [...(importers.get(target) ?? []), file]);
  return (source) => {
    const ways = measureWays(source, importers);
    const reached = [...ways]
      .filter(([file]) => file.endsWith(".test.ts") && !long.has(file))
      .map(([file, way]) => ({ file, way: way - nearnessOf(source, file) }))
      .toSorted((a, b) => a.way - b.way)
      .map(({ file }) => file);
    const isNear = (file: string): boolean =>
      /^(test\/(unit|conformance)|packages|trials)\//.test(file) && !apart.has(file);
    return {
      near: reached.filter(isNear),
      far: reached.filter((file) => !isNear(file)),
      isGeneratedFrom: ways.has(GENERATOR),
    };
  };
}

/** How many imports lie between a file and each that reaches it, the nearest first. */
function measureWays(
  source: string,
  importers: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const ways = new Map([[source, 0]]);
  for (let ring = [source], way = 1; ring.length > 0; way++) {
    ring = [...new Set(ring.flatMap((file) => importers.get(file) ?? []))]
      .filter((file) => !ways.has(file))
      .toSorted();
    for (const file of ring) ways.set(file, way);
  }
  return ways;
}

/** As many imports are made up for by one word that both paths have, and by one package. */
const WORD = 2;
const PACKAGE = 20;

function nearnessOf(source: string, test: string): number {
  const [words, others] = [wordsOf(source), wordsOf(test)];
  const shared = [...words].filter((word) => others.has(word)).length;
  const [folder] = /^packages\/[^/]+\//.exec(source) ?? [];
  return shared * WORD + (folder !== undefined && test.startsWith(folder) ? PACKAGE : 0);
}

/** Without the ending of a plural. */
const wordsOf = (path: string): Set<string> =>
  new Set(
    path
      .split(/[^a-z]+/)
      .filter((word) => !["src", "packages", "test", "ts"].includes(word))
      .map((word) => word.replace(/s$/, "")),
  );

const SPECIFIER = /(?:from|import|import\(|new URL\()\s*"([.#][^"]+\.ts|#[^"]+)"/g;

function importsOf(
  root: string,
  file: string,
  aliases: Readonly<Record<string, string>>,
): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const matches = [...text.matchAll(SPECIFIER)].map(([, specifier]) =>
    resolve(specifier!, file, aliases),
  );
  return file.startsWith("test/") && STARTS.test(text) ? [...matches, PROGRAM] : matches;
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
