/** The fault matrix of the routes of old: every fault on every source, by every route (docs/lab/faults.md). */
import { answerOf, checkCell } from "../../test/integration/service/legacy-fault-decisions.ts";
import {
  type AskingName,
  ASKINGS,
  type LaneName,
  LANES,
  type Subject,
  SUBJECTS,
} from "../../test/integration/service/legacy-fault-lanes.ts";
import { type Cell, runLane } from "../../test/integration/service/legacy-fault-matrix.ts";
import { FAULTS, type FaultName } from "../../test/integration/service/place-fault-lanes.ts";
import { describeGroups, problemOf, type Ran, runJobs } from "./matrix.ts";

/** Runs the cells of those faults and prints their tables. */
export async function runLegacy(faults: readonly string[]): Promise<Ran> {
  const all = Object.keys(FAULTS) as FaultName[];
  const names = all.filter((name) => faults.includes(name));
  const lanes = Object.keys(LANES) as LaneName[];
  const jobs = names.flatMap((fault) => lanes.map((lane) => () => runLane(lane, fault)));
  const cells = (await runJobs(jobs)).flat();
  cells.sort((a, b) => all.indexOf(a.fault) - all.indexOf(b.fault));
  printAnswers(cells);
  printFaults(cells, names);
  return {
    cells: cells.length,
    problems: cells.flatMap((cell) => problemOf(() => checkCell(cell))),
    slowest_ms: Math.max(...cells.map(({ during }) => during.elapsed_ms)),
  };
}

const RETAINED = {
  nothing: "nothing held",
  whole: "held",
  old: "held, old",
  gone: "held too long",
} as const;

/** What was answered while the source failed, in a word. */
function printAnswers(cells: readonly Cell[]): void {
  const line = (words: readonly string[]): void => console.log(`| ${words.join(" | ")} |`);
  line(["source that fails", ...ASKINGS]);
  line(["source that fails", ...ASKINGS].map(() => "---"));
  for (const subject of Object.keys(SUBJECTS) as Subject[])
    for (const [stored, word] of Object.entries(RETAINED)) {
      const some = cells.filter((cell) => cell.subject === subject && cell.stored === stored);
      const describe = (name: AskingName): string =>
        describeGroups(
          some.filter((cell) => cell.asking === name),
          wordOf,
        ) || "–";
      if (some.length > 0) line([`${subject}, ${word}`, ...ASKINGS.map(describe)]);
    }
}

function wordOf(cell: Cell): string {
  const answer = answerOf(cell);
  return /^\d/.test(answer) ? "refused" : answer;
}

/** How a refusal is reported, by fault. */
function printFaults(cells: readonly Cell[], names: readonly FaultName[]): void {
  console.log("\n| fault | refused with |\n|---|---|");
  for (const fault of names) {
    const refused = cells.filter((cell) => cell.fault === fault && wordOf(cell) === "refused");
    const answers = new Set(refused.map(answerOf));
    console.log(`| ${fault} | ${[...answers].toSorted().join(", ") || "–"} |`);
  }
}
