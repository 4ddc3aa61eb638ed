/** Which test files reach a source file, those with the shortest way of imports first. */
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export type TestsOf = (source: string) => readonly string[];

export function findTests(root: string): TestsOf {
  const { imports: aliases } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    imports: Readonly<Record<string, string>>;
  };
  const patterns = ["src/**/*.ts", "sandbox/**/*.ts", "test/**/*.ts"];
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const target of importsOf(root, file, aliases))
      importers.set(target, [...(importers.get(target) ?? []), file]);
  return (source) => {
    const seen = new Set([source]);
    const tests: string[] = [];
    for (let ring = [source]; ring.length > 0;) {
      const next = ring
        .flatMap((file) => importers.get(file) ?? [])
        .filter((file) => !seen.has(file) && seen.add(file));
      tests.push(...next.filter(isUnitTest).toSorted());
      ring = next;
    }
    return tests;
  };
}

function isUnitTest(file: string): boolean {
  return file.startsWith("test/unit/") && file.endsWith(".test.ts");
}

function importsOf(
  root: string,
  file: string,
  aliases: Readonly<Record<string, string>>,
): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s+"([.#][^"]+)"/g)].map(([, specifier]) =>
    resolve(specifier!, file, aliases),
  );
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
