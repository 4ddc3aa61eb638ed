/** The tests of the fault matrix of places: every lane through every one of the faults. */
import { checkCell } from "./place-fault-decisions.ts";
import {
  type FaultName,
  type Lane,
  type LaneName,
  LANES,
  OPERATIONS,
  slowLimits,
} from "./place-fault-lanes.ts";
import { type Faults, runLane } from "./place-fault-matrix.ts";
import { sized } from "../../support/size.ts";
import { type Concurrency, testJobs } from "./fault-tests.ts";

const LANE_NAMES = Object.keys(LANES) as LaneName[];

/** The faults of the providers of a lane, which are all prompt or all of one kind. */
export type Run = { lane: LaneName; faults: Faults };

/** `sample`: of the runs; `npm run trials -- faults` runs all, by the clock. */
export function testFaults(
  faults: readonly FaultName[],
  sample: readonly Run[],
  concurrency: Concurrency,
): void {
  const all = faults.flatMap((fault) =>
    LANE_NAMES.filter((name) => isDistinct(fault, name)).map((lane) => ({ faults: fault, lane })),
  );
  const runs: readonly Run[] = sized(sample, all);
  const jobs = runs.map(({ faults: made, lane }) => ({
    name: `${[made].flat().join(" ")}: ${lane}`,
    async run() {
      const cells = await runLane(lane, made, slowLimits([made].flat()[0]!, LANES[lane]));
      for (const cell of cells) checkCell(cell);
      return cells.length;
    },
  }));
  const lookups = runs.flatMap(({ lane }) => LANES[lane].lookups).length;
  // In addition to them: what was seen before, and registers.
  testJobs(jobs, concurrency, lookups * Object.keys(OPERATIONS).length + 1);
}

/** A late answer equals a timeout, except for a source that may take longer than the query waits. */
function isDistinct(fault: FaultName, name: LaneName): boolean {
  const { patient = false }: Lane = LANES[name];
  return fault !== "late" || patient;
}
