/**
 * `npm run trials -- mutants`: plants seeded faults into core, providers and app, one at a time, and
 * runs the unit tests that reach the file: a fault that none of them sees is listed. What shows
 * that tests still say as much after a change of structure (`--program DIR`: another checkout;
 * `--only src/core/transit,src/providers/gtfs`: faults in files whose paths begin so; `--kind throw`:
 * functions that throw alone, `--kind value`: the others).
 */
import { execFileSync, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { listMutants, type Mutant, type MutantKind } from "./mutants/mutate.ts";
import { findTests, type TestsOf } from "./mutants/tests.ts";
import { createDice } from "./dice.ts";

const LAYERS = ["src/core", "src/providers", "src/app"];
const KINDS: readonly MutantKind[] = ["value", "throw"];
/** Test files that run for one fault, nearest first. */
const STAGES = [4, 16];
const TIMEOUT_MS = 120_000;

type Planted = { file: string; line: number; mutant: Mutant };
type Wish = { count: number; seed: number; only: readonly string[]; kinds: readonly MutantKind[] };
type Fate = "killed" | "survived" | "not tested";

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      program: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
      workers: { type: "string", default: "2" },
      least: { type: "string", default: "0.8" },
      only: { type: "string", default: LAYERS.join() },
      kind: { type: "string", default: KINDS.join() },
    },
  });
  const root = resolve(values.program);
  const wish = { count: Number(values.count), seed: Number(values.seed) };
  const kinds = KINDS.filter((kind) => values.kind.split(",").includes(kind));
  const queue = await plant(root, { ...wish, kinds, only: values.only.split(",") });
  const testsOf = findTests(root);
  const fates: [Planted, Fate][] = [];
  await Promise.all(
    Array.from({ length: Number(values.workers) }, async () => {
      const copy = await createCopy(root);
      for (let next = queue.shift(); next; next = queue.shift()) {
        const fate = await judge(copy, next, testsOf);
        fates.push([next, fate]);
        const { file, line, mutant } = next;
        if (fate !== "killed") console.log(`${fate}: ${file}:${line} ${mutant.what}`);
      }
      await rm(copy, { recursive: true, force: true });
    }),
  );
  const count = (fate: Fate): number => fates.filter(([, each]) => each === fate).length;
  const shareOf = (of: readonly [Planted, Fate][]): number =>
    of.filter(([, fate]) => fate === "killed").length / of.length;
  const share = shareOf(fates);
  for (const kind of kinds) {
    const own = fates.filter(([{ mutant }]) => mutant.kind === kind);
    console.log(`${kind}: ${own.length} planted, ${(shareOf(own) * 100).toFixed(1)} % killed`);
  }
  console.log(
    `\n${fates.length} planted, ${count("killed")} killed (${(share * 100).toFixed(1)} %), ` +
      `${count("survived")} survived, ${count("not tested")} in files that no unit test reaches`,
  );
  return share < Number(values.least) ? 1 : 0;
}

/** A sample over all places of all files: the same seed, the same faults in the same tree. */
async function plant(root: string, wish: Wish): Promise<Planted[]> {
  const files = globSync("src/**/*.ts", { cwd: root })
    .filter((file) => wish.only.some((start) => file.startsWith(start)))
    .toSorted();
  const all: Planted[] = [];
  for (const file of files) {
    const source = await readFile(join(root, file), "utf8");
    for (const mutant of listMutants(file, source))
      all.push({ file, line: source.slice(0, mutant.start).split("\n").length, mutant });
  }
  const dice = createDice(wish.seed);
  return wish.kinds.flatMap((kind) => {
    const own = all.filter(({ mutant }) => mutant.kind === kind);
    const count = Math.min(Math.ceil(wish.count / wish.kinds.length), own.length);
    return Array.from({ length: count }, () =>
      own.splice(dice.integer(0, own.length - 1), 1),
    ).flat();
  });
}

async function createCopy(root: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "vicinity-mutants-"));
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" });
  for (const each of tracked.split("\n").filter(Boolean))
    await cp(join(root, each), join(copy, each));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

async function judge(copy: string, { file, mutant }: Planted, testsOf: TestsOf): Promise<Fate> {
  const tests = testsOf(file);
  if (tests.length === 0) return "not tested";
  const path = join(copy, file);
  const source = await readFile(path, "utf8");
  await writeFile(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
  try {
    let from = 0;
    for (const to of STAGES) {
      const stage = tests.slice(from, to);
      if (stage.length > 0 && !(await pass(copy, stage))) {
        await writeFile(path, source);
        await requireClean(copy, stage);
        return "killed";
      }
      from = to;
    }
    return "survived";
  } finally {
    await writeFile(path, source);
  }
}

const clean = new Set<string>();

/** Tests that fail without any fault prove nothing. */
async function requireClean(copy: string, tests: readonly string[]): Promise<void> {
  const key = tests.join();
  if (clean.has(key)) return;
  if (!(await pass(copy, tests))) throw new Error(`these fail without a fault: ${key}`);
  clean.add(key);
}

function pass(copy: string, tests: readonly string[]): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ["--test", "--test-isolation=none", "--test-reporter=dot", ...tests],
    { cwd: copy, stdio: "ignore", timeout: TIMEOUT_MS, killSignal: "SIGKILL" },
  );
  return new Promise((done) => child.once("close", (code) => done(code === 0)));
}
