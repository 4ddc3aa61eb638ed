/** One extract as a base of one page and of several: the same questions have the same answers. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { cpus } from "node:os";
import { ask, findUnlike, hasContent, type Unlike } from "./compare-answers.ts";
import { drawObjects } from "./drawn-objects.ts";
import { temporaryFolder } from "./folders.ts";
import { withIds, writePlanet } from "./make-planet.ts";
import { importPaged, WHOLE_BYTES } from "./paged-import.ts";
import { cornerNear, listQuestions, type Question } from "./questions.ts";
import { serveBases, type Served } from "./service.ts";
import { listSources, readSource } from "./sources.ts";

export type EqualityOptions = {
  files: readonly string[];
  questions: number;
  seed: number;
  pages: readonly number[];
  examples: number;
  only: string | undefined;
};

/** `filled`: of the answers, how many have something in them. */
type Tally = { equal: number; different: number; filled: number };
type Case = { question: Question; unlike: Unlike };

/** Zooms of cells whose corner lies in the middle of a town, in turn. */
const CORNER_ZOOMS = [11, 11, 8, 11, 5];

export async function judgeEquality(options: EqualityOptions): Promise<number> {
  const folder = temporaryFolder();
  const extract = join(folder, "towns.osm.pbf");
  const corners = await makeTowns(extract, options.files);
  const { size } = statSync(extract);
  console.log(
    `extract of ${(size / 1e6).toFixed(1)} MB, ${corners.length} towns, each around a corner of cells; ${cpus().length} cores`,
  );
  const wholes = join(folder, "whole");
  await importPaged(extract, wholes, WHOLE_BYTES);
  const objects = await drawObjects(extract);
  const { questions: count, seed, only } = options;
  const questions = listQuestions(objects, { corners, count, seed }).filter(
    ({ operation }) => only === undefined || operation.startsWith(only),
  );
  let findings = 0;
  const whole = await serveBases(wholes);
  for (const wanted of options.pages) {
    const data_dir = join(folder, `pages-${wanted}`);
    const pages = await importPaged(extract, data_dir, Math.ceil((3.5 * size) / wanted));
    const paged = await serveBases(data_dir);
    const { tallies, cases } = await compareAll(whole, paged, questions);
    await paged.close();
    print(pages, tallies, cases, options.examples);
    findings += cases.length;
  }
  await whole.close();
  return findings;
}

/** Each town so that the middle of it is a corner of cells of pages. */
async function makeTowns(
  path: string,
  files: readonly string[],
): Promise<{ lat: number; lon: number }[]> {
  const sources = await Promise.all(
    (files.length > 0 ? files : listSources()).map((file) => readSource(file)),
  );
  const corners = sources.map(({ focus }, i) =>
    cornerNear(focus, CORNER_ZOOMS[i % CORNER_ZOOMS.length]!),
  );
  await writePlanet(
    path,
    withIds(sources.map((source, i) => ({ source, names: 0, to: corners[i]! }))),
  );
  return corners;
}

/** Side by side: a question costs each service about as much. */
const AT_ONCE = 4;

async function compareAll(whole: Served, paged: Served, questions: readonly Question[]) {
  const tallies = new Map<string, Tally>();
  const cases: Case[] = [];
  const pending = questions.values();
  const compare = async (): Promise<void> => {
    for (const question of pending) {
      const [first, second] = await Promise.all(
        [whole, paged].map(({ ready }) => ask(ready.url, question.target)),
      );
      const unlike = findUnlike(first!, second!);
      const tally = tallies.get(question.operation) ?? { equal: 0, different: 0, filled: 0 };
      tallies.set(question.operation, tally);
      if (hasContent(first!)) tally.filled++;
      if (unlike === null) tally.equal++;
      else {
        tally.different++;
        cases.push({ question, unlike });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compare));
  return { tallies, cases };
}

function print(
  pages: number,
  tallies: ReadonlyMap<string, Tally>,
  cases: readonly Case[],
  examples: number,
): void {
  console.log(
    `\n| operation | equal, ${pages} pages | different | with results |\n|---|---:|---:|---:|`,
  );
  for (const [operation, { equal, different, filled }] of tallies)
    console.log(`| ${operation} | ${equal} | ${different} | ${filled} |`);
  const total = [...tallies.values()].reduce((sum, { equal }) => sum + equal, 0);
  console.log(`| all | ${total} | ${cases.length} | |`);
  for (const operation of tallies.keys()) {
    const own = cases.filter(({ question }) => question.operation === operation);
    for (const { question, unlike } of own.slice(0, examples))
      console.log(
        `\n  ${question.operation}: ${question.target}\n  ${unlike.path}\n    whole ${unlike.whole}\n    paged ${unlike.paged}`,
      );
  }
}
