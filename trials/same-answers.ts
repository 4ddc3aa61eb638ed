/**
 * `npm run trials -- same-answers --before DIR`: another checkout and this one are asked the same
 * requests with the clock stopped: every operation and tool, prompts and resources, pages, Photon's
 * interface, the admin listener, the command line, limits, and sources that fail. Status, each header,
 * its order, and the body must be equal but for what is random by design (same-answers/aliases.ts).
 * `--write FILE` keeps what one program answered, `--against FILE` compares with it later, when its
 * checkout is gone; `--expected FILE` lists differences that are there on purpose
 * (same-answers/expected.ts).
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "./arguments.ts";
import { compareRecordings } from "./same-answers/compare.ts";
import { readExpected } from "./same-answers/expected.ts";
import { printDifferences, printExpected, printTally, printUnmet } from "./same-answers/print.ts";
import { readRecording, type Recording, writeRecording } from "./same-answers/recording.ts";
import { runStages } from "./same-answers/run.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, {
    before: null,
    after: ROOT,
    against: null,
    write: null,
    expected: null,
    requests: 2000,
    seed: 1,
    only: null,
  });
  const amount = { seed: values.seed, count: values.requests };
  const only = values.only?.split(",");
  const record = (dir: string, recording: Recording | null): Promise<Recording> =>
    runStages({ root: resolve(dir), amount, recording, only, onProgress: (t) => console.log(t) });
  if (values.write !== undefined) {
    const recording = await record(values.before ?? values.after, null);
    printTally(recording);
    printUnmet(recording);
    await writeRecording(values.write, recording);
    return 0;
  }
  const expected = values.expected === undefined ? [] : await readExpected(values.expected);
  const before =
    values.against === undefined
      ? await record(values.before ?? ROOT, null)
      : await readRecording(values.against);
  const after = await record(values.after, before);
  const differences = compareRecordings(before, after, expected);
  printTally(after);
  printUnmet(after);
  printDifferences(differences);
  printExpected(expected);
  const unused = expected.filter(({ used }) => used === 0);
  for (const { part, reason } of unused)
    console.log(`✖ expected and not met in ${part}: ${reason}`);
  const count = after.stages.reduce((sum, { entries }) => sum + entries.length, 0);
  console.log(`\n${count} requests, ${differences.length} answers differ`);
  return differences.length + unused.length;
}
