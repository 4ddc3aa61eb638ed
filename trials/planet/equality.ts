/** One extract as a base of one page and of several: the same questions have the same answers. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { cpus } from "node:os";
import { SEARCH_CUT } from "#core/places/geocode-notices.ts";
import { type Answer, ask, findUnlike, hasContent, type Unlike } from "./compare-answers.ts";
import { drawObjects } from "./drawn-objects.ts";
import { temporaryFolder } from "./folders.ts";
import { withIds, writePlanet } from "./make-planet.ts";
import { importPaged, WHOLE_BYTES } from "./paged-import.ts";
import { cornerNear, type Point } from "./question-places.ts";
import { listQuestions, type Question } from "./questions.ts";
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

/** `bounded`: different, and the paged answer says that others may be better. `filled`: answers with something in them. */
type Tally = { equal: number; bounded: number; different: number; filled: number };
type Unequal = { question: Question; unlike: Unlike; isBounded: boolean };

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
    const { tallies, unequal } = await compareAll(whole, paged, questions);
    await paged.close();
    print(pages, tallies, unequal, options.examples);
    findings += unequal.filter(({ isBounded }) => !isBounded).length;
  }
  await whole.close();
  return findings;
}

/** Each town so that the middle of it is a corner of cells of pages. */
async function makeTowns(path: string, files: readonly string[]): Promise<Point[]> {
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
  const unequal: Unequal[] = [];
  const pending = questions.values();
  const compare = async (): Promise<void> => {
    for (const question of pending) {
      const [first, second] = await Promise.all(
        [whole, paged].map(({ ready }) => ask(ready.url, question.target)),
      );
      const unlike = findUnlike(first!, second!);
      const isBounded = saysBound(second!) && !saysBound(first!);
      const { operation } = question;
      const tally = tallies.get(operation) ?? { equal: 0, bounded: 0, different: 0, filled: 0 };
      tallies.set(operation, tally);
      if (hasContent(first!)) tally.filled++;
      tally[unlike === null ? "equal" : isBounded ? "bounded" : "different"]++;
      if (unlike !== null) unequal.push({ question, unlike, isBounded });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compare));
  return { tallies, unequal };
}

const saysBound = ({ body }: Answer): boolean => body.includes(SEARCH_CUT);

function print(
  pages: number,
  tallies: ReadonlyMap<string, Tally>,
  unequal: readonly Unequal[],
  examples: number,
): void {
  console.log(
    `\n| operation, ${pages} pages | equal | says that others may be better | different | of all, with results |\n|---|---:|---:|---:|---:|`,
  );
  const rows = [...tallies];
  const sum = (of: keyof Tally): number => rows.reduce((all, [, tally]) => all + tally[of], 0);
  const total = { equal: sum("equal"), bounded: sum("bounded"), different: sum("different") };
  for (const [operation, tally] of [...rows, ["all", { ...total, filled: sum("filled") }]] as const)
    console.log(
      `| ${operation} | ${tally.equal} | ${tally.bounded} | ${tally.different} | ${tally.filled} |`,
    );
  const silent = unequal.filter(({ isBounded }) => !isBounded);
  const kinds = Map.groupBy(
    silent,
    ({ question, unlike }) => `${question.operation} ${unlike.path}`,
  );
  console.log("\nfirst member that differs:");
  for (const [kind, list] of kinds) {
    console.log(`  ${kind}: ${list.length}`);
    for (const { question, unlike } of list.slice(0, examples))
      console.log(
        `    ${question.target}\n      whole ${unlike.whole}\n      paged ${unlike.paged}`,
      );
  }
}
