/**
 * `npm run faults [-- NAME…]`: every fault of the simulator on every GBFS file against the running
 * service, as the table of docs/faults.md. Exits with 1 when a cell is not as decided.
 */
import { availableParallelism } from "node:os";
import { answersOf, checkCell, sourceOf } from "../test/integration/service/fault-decisions.ts";
import {
  type Cell,
  FAULTS,
  type FaultName,
  runFault,
  STATES,
  type Subject,
  SUBJECTS,
} from "../test/integration/service/fault-matrix.ts";

const KNOWN = Object.keys(FAULTS) as FaultName[];
const wanted = process.argv.slice(2);
const names = KNOWN.filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) {
  console.error(`no such fault; known are ${KNOWN.join(", ")}`);
  process.exit(2);
}

const cells = await runAll();
const problems = cells.flatMap(problemsOf);
printAnswers();
printSources();
const slowest = Math.max(...cells.flatMap(({ looks }) => looks.map((look) => look.elapsed_ms)));
console.log(`\n${cells.length} cells, ${problems.length} not as decided.`);
console.log(`The slowest answer took ${Math.round(slowest)} ms.`);
for (const problem of problems) console.log(`✖ ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function runAll(): Promise<Cell[]> {
  const jobs = STATES.flatMap((state) => names.map((name) => ({ name, state })));
  const done: Cell[] = [];
  const worker = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift())
      done.push(...(await runFault(job.name, job.state)));
  };
  await Promise.all(Array.from({ length: Math.min(3, availableParallelism()) }, worker));
  return done;
}

function problemsOf(cell: Cell): string[] {
  try {
    checkCell(cell);
    return [];
  } catch (error) {
    return [(error as Error).message.split("\n").slice(0, 5).join(" ")];
  }
}

/** What was answered while the file failed: one word where all faults agree, as most do. */
function printAnswers(): void {
  console.log(
    `| file that fails | ${STATES.join(" | ")} |\n|---|${STATES.map(() => "---|").join("")}`,
  );
  for (const subject of Object.keys(SUBJECTS) as Subject[]) {
    const row = STATES.map((state) =>
      describeAnswers(cells.filter((cell) => cell.state === state && cell.subject === subject)),
    );
    console.log(`| ${subject} | ${row.join(" | ")} |`);
  }
}

/** The usual answer, and in brackets which faults have another. */
function describeAnswers(some: readonly Cell[]): string {
  const groups = [...Map.groupBy(some, answersOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const [usual, ...others] = groups.map(([answer, of]) => ({ answer, faults: of }));
  const listed = others.map(
    ({ answer, faults }) => `${faults.map(({ fault }) => fault).join(", ")}: ${answer}`,
  );
  return listed.length === 0 ? usual!.answer : `${usual!.answer} (${listed.join("; ")})`;
}

/** How `debug.sources` names the source of a needed file, by fault. */
function printSources(): void {
  console.log("\n| fault | status and reason of the source |\n|---|---|");
  for (const fault of names) {
    const some = cells.filter((cell) => cell.fault === fault);
    const told = new Set(some.map(sourceOf).filter((one) => one !== null));
    console.log(`| ${fault} | ${[...told].toSorted().join(", ") || "ok"} |`);
  }
}
