/**
 * Every fault of the simulator on the sources of the routes of old, by every one of them: what
 * nobody has answered is refused with the decided status, what is still held beats it, no failure is
 * an empty list, and all is whole again when the fault ends. The table is printed by `npm run faults`.
 */
import { checkCell } from "./legacy-fault-decisions.ts";
import { type LaneName, LANES } from "./legacy-fault-lanes.ts";
import { runLane } from "./legacy-fault-matrix.ts";
import { FAULTS, type FaultName } from "./place-fault-lanes.ts";
import { testJobs } from "./fault-tests.ts";

const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
const LANE_NAMES = Object.keys(LANES) as LaneName[];

const jobs = FAULT_NAMES.flatMap((fault) =>
  LANE_NAMES.map((lane) => ({
    name: `${fault}: ${lane}`,
    async run() {
      const cells = await runLane(lane, fault);
      for (const cell of cells) checkCell(cell);
      return cells.length;
    },
  })),
);
/** Ten or more phases of a lane, each with all six questions or those of one subject. */
const LEAST = 1190;

testJobs(jobs, { at_once: 3, apart_ms: 100 }, LEAST);
