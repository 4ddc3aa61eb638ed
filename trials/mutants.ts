/**
 * `npm run trials -- mutants`: plants seeded faults one at a time, spread evenly over the layers and
 * packages, and runs the tests of `npm test` that reach the file, the nearest first: a fault that none
 * of them sees is listed. `--depth near`: the nearest unit tests alone, which takes a tenth of the time;
 * `--state FILE` keeps what is judged, so that a run that was ended goes on; `--only src/core,packages`:
 * files whose paths begin so; `--kind throw`: one kind of fault (mutants/mutate.ts); `--program DIR`:
 * another checkout. mutants/justified.json lists survivors that no test should see, each with its reason.
 */
import { execFileSync, spawn } from "node:child_process";
import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "./arguments.ts";
import { createLayerOf, drawPlants, type Planted } from "./mutants/draw.ts";
import {
  type Fate,
  Fates,
  type Judged,
  justify,
  readJustified,
  toJudged,
} from "./mutants/fates.ts";
import { KINDS, listMutants } from "./mutants/mutate.ts";
import { shareOf, toReport } from "./mutants/report.ts";
import { findTests, type Tests, type TestsOf } from "./mutants/tests.ts";

/** Unit test files that run for one fault, nearest first: the ends of the stages. */
const NEAR_STAGES = [4, 16, 60];
const FAR_STAGE = 12;
const TIMEOUT_MS = 5 * 60_000;

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, {
    count: 200,
    seed: 1,
    program: fileURLToPath(new URL("..", import.meta.url)),
    workers: 2,
    least: 0.9,
    only: "src/,packages/",
    kind: KINDS.join(),
    depth: "whole",
    state: null,
  });
  const root = resolve(values.program);
  const kinds = KINDS.filter((kind) => values.kind.split(",").includes(kind));
  const wish = { count: values.count, seed: values.seed, kinds };
  const all = await listPlants(root, values.only.split(","));
  const fates = new Fates(values.state ?? null);
  const plants = drawPlants(all, wish);
  const queue = plants.filter((each) => fates.find(each) === undefined);
  console.log(`${all.length} places, ${plants.length} drawn, ${queue.length} to judge`);
  const stagesOf = toStages(findTests(root), values.depth);
  await Promise.all(
    Array.from({ length: Math.min(values.workers, queue.length) }, () =>
      judgeAll(root, queue, { stagesOf, fates }),
    ),
  );
  const justified = readJustified();
  const judged = plants.map((each) => justify(fates.find(each)!, justified));
  for (const line of toReport(judged)) console.log(line);
  return shareOf(judged) < values.least ? 1 : 0;
}

/** All that can be planted, in the order of files and places. */
async function listPlants(root: string, only: readonly string[]): Promise<Planted[]> {
  const layerOf = createLayerOf(root);
  const files = globSync("{src,packages}/**/*.ts", { cwd: root })
    .filter((file) => !/node_modules|\.test\.ts$|\.d\.ts$/.test(file))
    .filter((file) => only.some((start) => file.startsWith(start)))
    .toSorted();
  const all: Planted[] = [];
  for (const file of files) {
    const layer = layerOf(file);
    if (layer === null) continue;
    const source = await readFile(join(root, file), "utf8");
    const lines = source.split("\n");
    for (const mutant of listMutants(file, source)) {
      const line = source.slice(0, mutant.start).split("\n").length;
      all.push({ layer, file, line, source: lines[line - 1]!.trim(), mutant });
    }
  }
  return all;
}

type StagesOf = (file: string) => readonly (readonly string[])[];

/** Files of tests that run together, in the order in which they are tried. */
function toStages(testsOf: TestsOf, depth: string): StagesOf {
  return (file) => {
    const { near, far }: Tests = testsOf(file);
    const first = NEAR_STAGES.map((to, n) => near.slice(NEAR_STAGES[n - 1] ?? 0, to));
    const stages = [...first];
    if (depth === "whole")
      for (const rest of [near.slice(NEAR_STAGES.at(-1)), far])
        for (let at = 0; at < rest.length; at += FAR_STAGE)
          stages.push(rest.slice(at, at + FAR_STAGE));
    return stages.filter(({ length }) => length > 0);
  };
}

type Judging = { stagesOf: StagesOf; fates: Fates };

async function judgeAll(root: string, queue: Planted[], judging: Judging): Promise<void> {
  const copy = await createCopy(root);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const judged: Judged = toJudged(next, await judge(copy, next, judging.stagesOf));
    judging.fates.keep(judged);
    const { fate, file, line, what } = judged;
    if (fate !== "killed") console.log(`${fate}: ${file}:${line} ${what}`);
  }
  await rm(copy, { recursive: true, force: true });
}

async function createCopy(root: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "vicinity-mutants-"));
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" });
  for (const each of tracked.split("\n").filter(Boolean))
    await cp(join(root, each), join(copy, each));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

async function judge(copy: string, planted: Planted, stagesOf: StagesOf): Promise<Fate> {
  const { file, mutant } = planted;
  const stages = stagesOf(file);
  if (stages.length === 0) return "not tested";
  const path = join(copy, file);
  const source = await readFile(path, "utf8");
  const faulty = source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end);
  try {
    for (const stage of stages) {
      await writeFile(path, faulty);
      const passes = await pass(copy, stage);
      await writeFile(path, source);
      if (!passes && (await isClean(copy, stage))) return "killed";
    }
    return "survived";
  } finally {
    await writeFile(path, source);
  }
}

const clean = new Map<string, boolean>();

/** Tests that fail without any fault prove nothing. */
async function isClean(copy: string, tests: readonly string[]): Promise<boolean> {
  const key = tests.join();
  const known = clean.get(key);
  if (known !== undefined) return known;
  const passes = await pass(copy, tests);
  if (!passes) console.log(`!!! these fail without a fault, and are left out: ${key}`);
  clean.set(key, passes);
  return passes;
}

function pass(copy: string, tests: readonly string[]): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ["--test", "--test-isolation=none", "--test-reporter=dot", ...tests],
    { cwd: copy, stdio: "ignore", timeout: TIMEOUT_MS, killSignal: "SIGKILL" },
  );
  return new Promise((done) => child.once("close", (code) => done(code === 0)));
}
