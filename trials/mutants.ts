/**
 * `npm run trials -- mutants`: plants seeded faults one at a time, spread evenly over the layers and
 * packages. The nearest unit tests run first; what they do not see, the checks of types and of generated
 * documents may, and then the further tests of `npm test` that reach the file: a fault that none of them
 * sees is listed. `--depth near` leaves out the further tests, `--depth 12` has twelve unit tests of them
 * and twelve others; `--state FILE` keeps what is judged, so that a run that was ended goes on, and
 * `--again` judges its survivors again; `--only src/core,packages`: files whose paths begin so; `--kind
 * throw`: one kind of fault (mutants/mutate.ts); `--program DIR`: another checkout.
 * mutants/justified.json lists faults that no test should see, each with its reason: they do not count.
 */
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findChecked } from "./mutants/checks.ts";
import { readArguments } from "./arguments.ts";
import { createLayerOf, drawPlants, type Planted } from "./mutants/draw.ts";
import { Fates, type Judged, justify, readJustified, toJudged } from "./mutants/fates.ts";
import { copyProgram, Judge, type StagesOf } from "./mutants/judge.ts";
import { KINDS, listMutants } from "./mutants/mutate.ts";
import { shareOf, toReport } from "./mutants/report.ts";
import { findTests, type Tests, type TestsOf } from "./mutants/tests.ts";

/** Unit test files that run for one fault, nearest first: the ends of the stages. */
const NEAR_STAGES = [3, 12];
const FAR_STAGE = 12;

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
    again: false,
  });
  const root = resolve(values.program);
  const kinds = KINDS.filter((kind) => values.kind.split(",").includes(kind));
  const wish = { count: values.count, seed: values.seed, kinds };
  const all = await listPlants(root, values.only.split(","));
  const fates = new Fates(values.state ?? null, values.again);
  const plants = drawPlants(all, wish);
  const justified = readJustified();
  const isJustified = (each: Planted): boolean =>
    justify(toJudged(each, "survived"), justified).fate === "justified";
  for (const each of plants) if (isJustified(each)) fates.keep(toJudged(each, "survived"));
  const unknown = plants.filter((each) => fates.find(each) === undefined);
  console.log(`${all.length} places, ${plants.length} drawn, ${unknown.length} to judge`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const testsOf = findTests(root);
  const judging = { root, fates, workers: values.workers };
  await judgeAll(unknown, { ...judging, stagesOf: (file) => toNearStages(testsOf(file)) });
  const listSurvivors = (): Planted[] =>
    plants.filter((each) => justify(fates.find(each)!, justified).fate === "survived");
  await checkAll(listSurvivors(), { ...judging, testsOf });
  if (values.depth !== "near") {
    const most = values.depth === "whole" ? Infinity : Number(values.depth);
    const stagesOf: StagesOf = (file) => toFurtherStages(testsOf(file), most);
    await judgeAll(listSurvivors(), { ...judging, stagesOf });
  }
  const judged = plants.map((each) => justify(fates.find(each)!, justified));
  for (const line of toReport(judged)) console.log(line);
  return shareOf(judged) < values.least ? 1 : 0;
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

/** The nearest first. */
function toNearStages({ near }: Tests): string[][] {
  const stages = NEAR_STAGES.map((to, n) => near.slice(NEAR_STAGES[n - 1] ?? 0, to));
  return stages.filter(({ length }) => length > 0);
}

/** At most `most` further unit tests, and as many of the others. */
function toFurtherStages({ near, far }: Tests, most: number): string[][] {
  const from = NEAR_STAGES.at(-1)!;
  return [near.slice(from, from + most), far.slice(0, most)].flatMap((tests) =>
    Array.from({ length: Math.ceil(tests.length / FAR_STAGE) }, (_, n) =>
      tests.slice(n * FAR_STAGE, (n + 1) * FAR_STAGE),
    ),
  );
}

type Judging = { root: string; fates: Fates; workers: number };

async function judgeAll(
  queue: Planted[],
  { root, fates, workers, stagesOf }: Judging & { stagesOf: StagesOf },
): Promise<void> {
  const work = async (): Promise<void> => {
    const judge = await Judge.open(root, stagesOf);
    for (let next = queue.shift(); next; next = queue.shift()) {
      const judged: Judged = toJudged(next, await judge.judge(next));
      fates.keep(judged);
      const { fate, file, line, what } = judged;
      if (fate !== "killed") console.log(`${fate}: ${file}:${line} ${what}`);
    }
    await judge.close();
  };
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, work));
}

async function checkAll(
  survivors: readonly Planted[],
  { root, fates, testsOf }: Judging & { testsOf: TestsOf },
): Promise<void> {
  if (survivors.length === 0) return;
  const copy = await copyProgram(root);
  const checked = findChecked(copy, survivors, (file) => testsOf(file).isGeneratedFrom);
  for (const each of checked) fates.keep(toJudged(each, "checked"));
  await rm(copy, { recursive: true, force: true });
}
