/** Files that import one another in a circle, type-only imports included. */
import { posix } from "node:path";
import { readFacts } from "./facts.ts";

/**
 * Each group of files of which every one leads to every other: their paths, in order.
 * `aliases`: `imports` of package.json.
 */
export function findImportCycles(
  sources: ReadonlyMap<string, string>,
  aliases: Readonly<Record<string, string>>,
): string[][] {
  const targets = new Map(
    [...sources].map(([path, source]) => [
      path,
      readFacts(path, source)
        .imports.map(({ specifier }) => resolve(specifier, path, aliases))
        .filter((target) => sources.has(target)),
    ]),
  );
  return findGroups(targets).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}

/** Strongly connected components of more than one file, or of one that imports itself (Tarjan). */
function findGroups(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const groups: string[][] = [];
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (path: string): void => {
    const number = numbers.size;
    numbers.set(path, number);
    lowest.set(path, number);
    open.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!numbers.has(target)) visit(target);
      if (open.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!));
    }
    if (lowest.get(path) !== number) return;
    const group = open.splice(open.indexOf(path));
    if (group.length > 1 || targets.get(path)?.includes(path)) groups.push(group.sort());
  };
  for (const path of targets.keys()) if (!numbers.has(path)) visit(path);
  return groups;
}

/** A path of the repository; of a package, its name. */
function resolve(
  specifier: string,
  from: string,
  aliases: Readonly<Record<string, string>>,
): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  for (const [alias, target] of Object.entries(aliases)) {
    const [head = "", tail] = alias.split("*");
    if (tail === undefined ? specifier !== alias : !specifier.startsWith(head)) continue;
    return posix.normalize(target.replace("*", specifier.slice(head.length)));
  }
  return specifier;
}
