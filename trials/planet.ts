/**
 * `npm run trials -- planet`: bases of any size. `--equal`: an extract as a base of one page and of
 * several answers the same questions alike. `--faults`: damaged files, a full disk and killed imports
 * cost what they must and no more. `--gb 0.1,1,6`: what the import and the service over large made
 * extracts take. Without any of them all three, with a small file.
 */
import { readArguments } from "./arguments.ts";
import { judgeEquality } from "./planet/equality.ts";
import { judgeFaults } from "./planet/faults.ts";
import { measureLarge } from "./planet/large.ts";

export async function run(args: readonly string[]): Promise<number> {
  const options = readArguments(args, {
    equal: false,
    faults: false,
    gb: null,
    files: "",
    questions: 12_000,
    seed: 1,
    pages: "10,100",
    examples: 2,
    only: null,
    kills: 20,
    memory_mb: 512,
    folder: null,
  });
  const { equal, faults, gb, questions, seed, examples, only, kills, memory_mb, folder } = options;
  const isAll = !equal && !faults && gb === undefined;
  const files = options.files === "" ? [] : options.files.split(",");
  const pages = options.pages.split(",").map(Number);
  let findings = 0;
  if (equal || isAll)
    findings += await judgeEquality({ files, questions, seed, pages, examples, only });
  if (faults || isAll) findings += await judgeFaults({ kills });
  if (gb !== undefined || isAll)
    findings += await measureLarge((gb ?? "0.1").split(",").map(Number), { memory_mb, folder });
  return findings;
}
