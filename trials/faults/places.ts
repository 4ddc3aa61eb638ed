/** The fault matrix of places: every fault on every provider, by every operation (docs/lab/faults.md). */
import {
  answerOf,
  checkCell,
  isAsked,
  failureOf,
} from "../../test/integration/service/place-fault-decisions.ts";
import {
  FAULTS,
  type FaultName,
  GEOCODING,
  type LaneName,
  LANES,
  type OperationName,
  OPERATIONS,
  WAITING,
} from "../../test/integration/service/place-fault-lanes.ts";
import { type Cell, runLane } from "../../test/integration/service/place-fault-matrix.ts";
import { describeGroups, problemOf, type Ran, runJobs } from "./matrix.ts";

/** Runs the cells of those faults and prints their tables. */
export async function runPlaces(faults: readonly string[]): Promise<Ran> {
  const all = Object.keys(FAULTS) as FaultName[];
  const names = all.filter((name) => faults.includes(name));
  const waits = (fault: FaultName): boolean => WAITING.includes(fault);
  // Apart: those that work all the time would eat the deadlines of those that wait.
  const waiting = await runJobs(jobsOf(names.filter(waits)));
  const working = await runJobs(jobsOf(names.filter((name) => !waits(name))));
  const lanes = Object.keys(LANES);
  const order = ({ lane, fault }: Cell): number =>
    lanes.indexOf(lane) * all.length + all.indexOf(fault);
  const cells = [...waiting, ...working].flat().toSorted((a, b) => order(a) - order(b));
  printAnswers(cells);
  printFaults(cells, names);
  return {
    cells: cells.length,
    problems: cells.flatMap((cell) => problemOf(() => checkCell(cell))),
    slowest_ms: Math.max(...cells.map(({ during }) => during.elapsed_ms)),
  };
}

function jobsOf(names: readonly FaultName[]): (() => Promise<Cell[]>)[] {
  const lanes = Object.keys(LANES) as LaneName[];
  return names.flatMap((fault) => lanes.map((lane) => () => runLane(lane, fault)));
}

/** What was answered while the provider failed, in a word. */
function printAnswers(cells: readonly Cell[]): void {
  const operations = Object.keys(OPERATIONS) as OperationName[];
  console.log(`| provider that fails | ${operations.join(" | ")} |`);
  console.log(`|---|${operations.map(() => "---|").join("")}`);
  for (const [name, some] of Map.groupBy(cells, subjectOf)) {
    const row = operations.map((operation) =>
      describeGroups(
        some.filter((cell) => cell.operation === operation),
        wordOf,
      ),
    );
    console.log(`| ${name} | ${row.map((word) => word || "–").join(" | ")} |`);
  }
}

const RETAINED = {
  nothing: "not read yet",
  whole: "read a while ago",
  old: "read long ago",
} as const;

/** The provider that fails, in which deployment where there are several, and what was known. */
function subjectOf({ lane, provider, stored, novelty }: Cell): string {
  const lanes = Object.values(LANES).filter(({ lookups, registries }) =>
    [...lookups, ...registries].some((name) => name === provider),
  );
  const { maps } = LANES[lane];
  const suffix = lanes.length > 1 ? ` with ${maps}` : "";
  const entry =
    stored === null ? (novelty === "seen" ? ", asked before" : "") : `, ${RETAINED[stored]}`;
  return `${provider}${suffix}${entry}`;
}

function wordOf(cell: Cell): string {
  if (cell.operation === "nearby") return "as held";
  const answer = answerOf(cell);
  if (!isAsked(cell)) return "–";
  // Registers of a deployment fail together: the word is of this one.
  if (cell.stored !== null) return failureOf(cell) === null ? "whole" : "partial";
  return /^\d/.test(answer) ? "refused" : answer;
}

/** How a failure is reported, by fault. */
function printFaults(cells: readonly Cell[], names: readonly FaultName[]): void {
  console.log("\n| fault | geocoding | `debug.providers` |\n|---|---|---|");
  for (const fault of names) {
    const some = cells.filter((cell) => cell.fault === fault && isAsked(cell));
    const refused = some.filter(
      ({ operation, novelty }) => GEOCODING.has(operation) && novelty === "unseen",
    );
    const answers = new Set(refused.map((cell) => answerOf(cell).replace(/ (.*)/, " `$1`")));
    const reported = new Set(some.map(failureOf).filter((one) => one !== null));
    const list = (words: Set<string>): string => [...words].toSorted().join(", ");
    console.log(`| ${fault} | ${list(answers)} | ${list(reported) || "ok"} |`);
  }
}
