/** The fault matrix of the feeds: every fault on every GBFS file, as tables (docs/lab/faults.md). */
import { answersOf, checkCell, sourceOf } from "../../test/integration/service/fault-decisions.ts";
import {
  type Cell,
  FAULTS,
  runFault,
  STATES,
  type Subject,
  SUBJECTS,
} from "../../test/integration/service/fault-matrix.ts";
import type { FaultName } from "../../test/integration/service/place-fault-lanes.ts";
import { describeGroups, problemOf, type Ran, runJobs } from "./matrix.ts";

/** Runs the cells of those faults and prints their tables. */
export async function runFeeds(faults: readonly string[]): Promise<Ran> {
  const names = (Object.keys(FAULTS) as FaultName[]).filter((name) => faults.includes(name));
  const jobs = STATES.flatMap((state) => names.map((name) => () => runFault(name, state)));
  const cells = (await runJobs(jobs)).flat();
  printAnswers(cells);
  printSources(cells, names);
  return {
    cells: cells.length,
    problems: cells.flatMap((cell) => problemOf(() => checkCell(cell))),
    slowest_ms: Math.max(...cells.flatMap(({ looks }) => looks.map((look) => look.elapsed_ms))),
  };
}

/** What was answered while the file failed: one word where all faults agree, as most do. */
function printAnswers(cells: readonly Cell[]): void {
  console.log(
    `| file that fails | ${STATES.join(" | ")} |\n|---|${STATES.map(() => "---|").join("")}`,
  );
  for (const subject of Object.keys(SUBJECTS) as Subject[]) {
    const row = STATES.map((state) => {
      const some = cells.filter((cell) => cell.state === state && cell.subject === subject);
      return describeGroups(some, answersOf);
    });
    console.log(`| ${subject} | ${row.join(" | ")} |`);
  }
}

/** How `debug.sources` names the source of a needed file, by fault. */
function printSources(cells: readonly Cell[], names: readonly FaultName[]): void {
  console.log("\n| fault | status and reason of the source |\n|---|---|");
  for (const fault of names) {
    const some = cells.filter((cell) => cell.fault === fault);
    const reported = new Set(some.map(sourceOf).filter((one) => one !== null));
    console.log(`| ${fault} | ${[...reported].toSorted().join(", ") || "ok"} |`);
  }
}
