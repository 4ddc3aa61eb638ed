/**
 * Faults of the simulator on the sources of the routes of old, by every one of them: what
 * nobody has answered is refused with the decided status, what is still held beats it, no failure is
 * an empty list, and all is whole again when the fault ends. The table is printed by `npm run trials -- faults`.
 */
import { checkCell } from "./legacy-fault-decisions.ts";
import { type LaneName, LANES } from "./legacy-fault-lanes.ts";
import { runLane } from "./legacy-fault-matrix.ts";
import type { FaultName } from "./place-fault-lanes.ts";
import { testJobs } from "./fault-tests.ts";

/** One of each decided status; `npm run trials -- faults legacy` has all. */
const FAULT_NAMES = ["timeout", "http_500", "http_429"] as const satisfies FaultName[];
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
/** Of the four lanes, for each fault. */
const CELLS = 109;

testJobs(jobs, { at_once: 2, apart_ms: 300 }, FAULT_NAMES.length * CELLS);
