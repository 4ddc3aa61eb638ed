/**
 * docs/tour.md follows the code: each step's file exports the name that the step before announces,
 * and the file that announces it mentions the name or imports the next file. Removed steps and
 * renamed functions show that a break of the chain is found.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const PAGE = "docs/tour.md";
const MAX_FILES = 10;

type Next = { name: string; from: number };
type Step = { number: number; path: string; next: Next | null };
type Walk = { title: string; first: string; last: string; steps: Step[] };

const ENDS = /^From `(\w+)` to `(\w+)`\.$/m;
const STEP = /^(\d+)\. \[([^\]]+)\]\(\.\.\/([^)]+)\) (.+)$/gm;
const NEXT = /Next: `(\w+)`(?: \(step (\d+)\))?\.$/;

function readWalks(page: string): Walk[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, first = "", last = ""] = ENDS.exec(section) ?? [];
      const steps = [...section.matchAll(STEP)].map(([, n = "", listed, path = "", text = ""]) => {
        assert.equal(listed, path, `step ${n} shows the path of its link`);
        const [, name, from = n] = NEXT.exec(text) ?? [];
        const next = name === undefined ? null : { name, from: Number(from) };
        return { number: Number(n), path, next };
      });
      return { title: section.split("\n", 1)[0]!, first, last, steps };
    });
}

/** What is wrong with a walk; `source` gives the text of a file. */
function findFaults({ title, first, last, steps }: Walk, source: (path: string) => string) {
  const faults: string[] = [];
  if (new Set(steps.map(({ path }) => path)).size > MAX_FILES) faults.push("too many files");
  for (const [i, { number, path, next }] of steps.entries()) {
    if (number !== i + 1) faults.push(`step ${number} follows step ${i}`);
    const following = steps[i + 1];
    if (!next || !following) {
      if (following) faults.push(`step ${number} names nothing next`);
      if (next) faults.push(`step ${number}, the last one, names ${next.name}`);
      continue;
    }
    if (!exportsName(source(following.path), next.name))
      faults.push(`${following.path} does not export ${next.name}`);
    const caller = steps.find((step) => step.number === next.from)?.path ?? path;
    if (next.from > number) faults.push(`step ${number} refers to a later step`);
    if (!mentions(source(caller), next.name) && !imports(source(caller), caller, following.path))
      faults.push(`${caller} neither mentions ${next.name} nor imports ${following.path}`);
  }
  const ends = [steps[0], steps.at(-1)].map((step) => (step ? source(step.path) : ""));
  for (const [i, name] of [first, last].entries())
    if (!exportsName(ends[i]!, name)) faults.push(`the walk does not reach ${name}`);
  return faults.map((fault) => `${title}: ${fault}`);
}

const { imports: aliases } = JSON.parse(read("package.json")) as {
  imports: Record<string, string>;
};

function exportsName(text: string, name: string): boolean {
  return new RegExp(`^export (?:async )?(?:function\\*?|class|const) ${name}\\b`, "m").test(text);
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

function imports(text: string, from: string, path: string): boolean {
  return [...text.matchAll(/from "([^"]+)"/g)].some(([, name = ""]) => {
    const alias = Object.keys(aliases).find((each) => name.startsWith(each.replace("*", "")));
    const target = alias
      ? name.replace(alias.replace("*", ""), aliases[alias]!.slice(2).replace("*", ""))
      : posix.join(posix.dirname(from), name);
    return target === path;
  });
}

const walks = readWalks(read(PAGE));

test("every step of the tour leads to the next one", () => {
  assert.equal(walks.length, 5);
  for (const { title, steps } of walks) {
    assert.ok(steps.length >= 8, `${title}: ${steps.length} steps`);
    for (const { path } of steps) assert.ok(existsSync(new URL(path, root)), path);
  }
  assert.deepEqual(
    walks.flatMap((walk) => findFaults(walk, read)),
    [],
  );
});

test("every link of the tour leads to a file", () => {
  for (const [, link = ""] of read(PAGE).matchAll(/\]\(([^)]+)\)/g))
    assert.ok(existsSync(new URL(link, new URL(PAGE, root))), link);
});

test("a step that is removed is missed", () => {
  for (const walk of walks)
    for (const removed of walk.steps) {
      const steps = walk.steps
        .filter((step) => step !== removed)
        // As an editor of the page would number them.
        .map((step, i) => ({ ...step, number: i + 1 }));
      assert.notDeepEqual(findFaults({ ...walk, steps }, read), [], removed.path);
    }
});

test("a function that is renamed is missed", () => {
  for (const walk of walks) {
    const names = [walk.first, ...walk.steps.flatMap(({ next }) => next?.name ?? [])];
    for (const name of names) {
      const renamed = (path: string) =>
        read(path).replaceAll(new RegExp(`\\b${name}\\b`, "g"), `${name}Renamed`);
      assert.notDeepEqual(findFaults(walk, renamed), [], name);
    }
  }
});

test("a file that moves is missed", () => {
  const [walk] = walks;
  const steps = walk!.steps.map((step) =>
    step.path === "src/core/coverage.ts" ? { ...step, path: "packages/kit/geo.ts" } : step,
  );
  assert.match(findFaults({ ...walk!, steps }, read).join("\n"), /does not export judgeCoverage/);
});
