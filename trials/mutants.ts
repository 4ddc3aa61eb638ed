/**
 * `npm run trials -- mutants`: plants seeded faults one at a time, spread evenly over the layers and
 * packages, and runs the tests of `npm test` that reach the file, the nearest first, and the types of
 * what they leave are checked: a fault that neither sees is listed. `--depth near`: the nearest unit tests alone, which takes a tenth of the time,
 * `--depth 12` also the twelve nearest files of the other suites; `--state FILE` keeps what is judged, so
 * that a run that was ended goes on, `--again` judges its survivors again; `--only src/core,packages`:
 * files whose paths begin so; `--kind throw`: one kind of fault (mutants/mutate.ts); `--program DIR`:
 * another checkout. mutants/justified.json lists survivors that no test should see, each with its reason.
 */
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findChecked } from "./mutants/checks.ts";
import { createLayerOf, drawPlants, type Planted } from "./mutants/draw.ts";
import {
  Fates,
  type Judged,
  justify,
  readJustified,
  toJudged,
} from "./mutants/fates.ts";
import { copyProgram, Judge, type StagesOf } from "./mutants/judge.ts";
import { KINDS, listMutants } from "./mutants/mutate.ts";
import { shareOf, toReport } from "./mutants/report.ts";
import { findTests, type Tests, type TestsOf } from "./mutants/tests.ts";

/** Unit test files that run for one fault, nearest first: the ends of the stages. */
const NEAR_STAGES = [3, 12];
const FAR_STAGE = 12;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      program: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
      workers: { type: "string", default: "2" },
      least: { type: "string", default: "0.9" },
      only: { type: "string", default: "src/,packages/" },
      kind: { type: "string", default: KINDS.join() },
      depth: { type: "string", default: "whole" },
      state: { type: "string" },
      again: { type: "boolean", default: false },
    },
  });
  const root = resolve(values.program);
  const kinds = KINDS.filter((kind) => values.kind.split(",").includes(kind));
  const wish = { count: Number(values.count), seed: Number(values.seed), kinds };
  const all = await listPlants(root, values.only.split(","));
  const fates = new Fates(values.state ?? null, values.again);
  const plants = drawPlants(all, wish);
  const queue = plants.filter((each) => fates.find(each) === undefined);
  console.log(`${all.length} places, ${plants.length} drawn, ${queue.length} to judge`);
  const stagesOf = toStages(findTests(root), values.depth);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await Promise.all(
    Array.from({ length: Math.min(Number(values.workers), queue.length) }, () =>
      judgeAll(root, queue, { stagesOf, fates }),
    ),
  );
  await checkSurvivors(root, plants, fates);
  const justified = readJustified();
  const judged = plants.map((each) => justify(fates.find(each)!, justified));
  for (const line of toReport(judged)) console.log(line);
  return shareOf(judged) < Number(values.least) ? 1 : 0;
}

/** All that can be planted, in the order of files and places. */
async function listPlants(root: string, only: readonly string[]): Promise<Planted[]> {
  const layerOf = createLayerOf(root);
  const files = globSync("{src,packages}/**/*.ts", { cwd: root })
    .filter((file) => !/node_modules|^packages\/[^/]+\/test\/|\.d\.ts$/.test(file))
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

/** The nearest first. `depth`: `near`, `whole`, or how many files of the other suites are run. */
function toStages(testsOf: TestsOf, depth: string): StagesOf {
  const most = depth === "whole" ? Infinity : depth === "near" ? 0 : Number(depth);
  return (file) => {
    const { near, far }: Tests = testsOf(file);
    const stages = NEAR_STAGES.map((to, n) => near.slice(NEAR_STAGES[n - 1] ?? 0, to));
    const rest = depth === "whole" ? near.slice(NEAR_STAGES.at(-1)) : [];
    for (const tests of [rest, far.slice(0, most)])
      for (let at = 0; at < tests.length; at += FAR_STAGE)
        stages.push(tests.slice(at, at + FAR_STAGE));
    return stages.filter(({ length }) => length > 0);
  };
}

/** What no test has seen the static checks may. */
async function checkSurvivors(root: string, plants: Planted[], fates: Fates): Promise<void> {
  const survivors = plants.filter((each) => fates.find(each)?.fate === "survived");
  if (survivors.length === 0) return;
  const copy = await copyProgram(root);
  for (const each of findChecked(copy, survivors)) fates.keep(toJudged(each, "checked"));
  await rm(copy, { recursive: true, force: true });
}

type Judging = { stagesOf: StagesOf; fates: Fates };

async function judgeAll(root: string, queue: Planted[], judging: Judging): Promise<void> {
  const judge = await Judge.open(root, judging.stagesOf);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const judged: Judged = toJudged(next, await judge.judge(next));
    judging.fates.keep(judged);
    const { fate, file, line, what } = judged;
    if (fate !== "killed") console.log(`${fate}: ${file}:${line} ${what}`);
  }
  await judge.close();
}
