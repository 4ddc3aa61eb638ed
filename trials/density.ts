/**
 * `npm run trials -- density`: what one question costs where as many things lie as files may say. For
 * each operation, each tool, Photon and the tiles: processor time of the serving thread, in one stretch
 * and in all, of all threads, memory and bytes, held against a plain empty search of the same run.
 */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "./arguments.ts";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import type { Cell } from "./density/cell.ts";
import { CELLS, EMPTY } from "./density/cells.ts";
import { judge, type Judged, listUncovered } from "./density/judge.ts";
import { measure, type Measured } from "./density/measure.ts";
import { measureFactor } from "./density/processor.ts";
import { HEADS, toRow } from "./density/print.ts";
import { openStage, type Stage, type StageName, waitRead } from "./density/stage.ts";

type Options = {
  root: string;
  things: number;
  rows: number;
  share: number;
  only: readonly string[] | null;
  stages: readonly StageName[];
  json: string | undefined;
};

/** Stations or vehicles in a square of 800 m, where each of 500 m has nearly as many as it may have. */
const DENSEST = 2.5 * FEED_BOUNDS.dense_rows;

const STAGES: readonly StageName[] = ["dense", "cities", "fatal"];

export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const judged: Judged[] = [];
  console.log(HEADS);
  for (const name of options.stages) judged.push(...(await runStage(name, options)));
  const uncovered = listUncovered(CELLS);
  const findings = [
    ...uncovered.map((name) => `${name}: no cell`),
    ...judged.flatMap(({ cell, problems }) =>
      problems.map((problem) => `${cell.of} (${cell.what}): ${problem}`),
    ),
  ];
  console.log(`\n${judged.length} cells, ${findings.length} findings`);
  for (const finding of findings) console.log(`✖ ${finding}`);
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify(judged, null, 2)}\n`);
  return findings.length;
}

async function runStage(name: StageName, options: Options): Promise<Judged[]> {
  const { only } = options;
  const left = CELLS.filter(
    ({ of, stage }) => stage === name && (only === null || only.includes(of)),
  );
  const judged: Judged[] = [];
  // A program that ended is started again for the cells that are left.
  while (left.length > 0) {
    const stage = await openStage(name, options);
    try {
      if (name === "dense") await waitRead(stage);
      judged.push(...(await runOn(stage, left, options)));
    } finally {
      await stage.close();
    }
  }
  return judged;
}

/** Takes the cells from `left` until the program ends. */
async function runOn(stage: Stage, left: Cell[], { share }: Options): Promise<Judged[]> {
  const judged: Judged[] = [];
  const baseline = await measureEmpty(stage);
  console.log(`plain empty search: ${baseline.all_ms.toFixed(3)} ms`);
  for (let cell = left.shift(); cell; cell = left.shift()) {
    const make = await cell.make(stage);
    const factor = measureFactor();
    const measured = await measure(stage, make, share);
    const verdict = judge(cell, measured, { baseline, factor, ended: stage.ended() });
    judged.push(verdict);
    console.log(toRow(verdict));
    if (measured === null) break;
  }
  return judged;
}

/** As fast as it becomes: the first round warms up. */
async function measureEmpty(stage: Stage): Promise<Measured> {
  for (let round = 0; round < 5; round++) await measure(stage, () => EMPTY, 1);
  const measured = await measure(stage, () => EMPTY, 1);
  if (measured === null) throw new Error(`the program ended: ${stage.ended()}`);
  return measured;
}

function readOptions(args: readonly string[]): Options {
  const values = readArguments(args, {
    things: 100_000,
    rows: DENSEST,
    share: 1,
    only: null,
    stages: STAGES.join(),
    program: fileURLToPath(new URL("..", import.meta.url)),
    json: null,
  });
  const stages = values.stages.split(",");
  return {
    root: resolve(values.program),
    things: values.things,
    rows: values.rows,
    share: values.share,
    only: values.only?.split(",") ?? null,
    stages: STAGES.filter((name) => stages.includes(name)),
    json: values.json,
  };
}
