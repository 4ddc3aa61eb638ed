/** The tests of the fault matrix of places: every lane through every one of the faults. */
import { checkCell } from "./place-fault-decisions.ts";
import {
  type FaultName,
  FAULTS,
  type Lane,
  type LaneName,
  LANES,
  OPERATIONS,
  slowLimits,
} from "./place-fault-lanes.ts";
import { runLane } from "./place-fault-matrix.ts";
import { sized } from "../../support/size.ts";
import { type Concurrency, testJobs } from "./fault-tests.ts";

const LANE_NAMES = Object.keys(LANES) as LaneName[];

export function testFaults(faults: readonly FaultName[], concurrency: Concurrency): void {
  const runs = faults.flatMap((fault) =>
    sized([laneOf(fault)], LANE_NAMES)
      .filter((name) => isDistinct(fault, name))
      .map((lane) => ({ fault, lane })),
  );
  const jobs = runs.map(({ fault, lane }) => ({
    name: `${fault}: ${lane}`,
    async run() {
      const cells = await runLane(lane, fault, slowLimits(fault, LANES[lane]));
      for (const cell of cells) checkCell(cell);
      return cells.length;
    },
  }));
  const lookups = runs.flatMap(({ lane }) => LANES[lane].lookups).length;
  // In addition to them: what was seen before, and registers.
  testJobs(jobs, concurrency, lookups * Object.keys(OPERATIONS).length + 1);
}

/** Of the sample: every fault once, every lane several times; `npm run trials -- faults` runs all, by the clock. */
function laneOf(fault: FaultName): LaneName {
  const patient: LaneName = "photon, the others";
  const nth = Object.keys(FAULTS).indexOf(fault);
  return fault === "late" ? patient : LANE_NAMES[nth % LANE_NAMES.length]!;
}

/** A late answer equals a timeout, except for a source that may take longer than the query waits. */
function isDistinct(fault: FaultName, name: LaneName): boolean {
  const { patient = false }: Lane = LANES[name];
  return fault !== "late" || patient;
}
