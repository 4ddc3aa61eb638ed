/**
 * Faults of the simulator on the sources of the legacy routes, by every one of them: what no source
 * has answered is refused with the decided status, what is still held beats it, no failure is an
 * empty list, and all is whole again when the fault ends. The table is printed by `npm run trials --
 * faults`.
 */
import { checkCell } from "./legacy-fault-decisions.ts";
import { sized } from "../../support/size.ts";
import { type LaneName, LANES, slowLimits } from "./legacy-fault-lanes.ts";
import { runLane } from "./legacy-fault-matrix.ts";
import type { FaultName } from "./place-fault-lanes.ts";
import { testJobs } from "./fault-tests.ts";

/** One of each decided status; `npm run trials -- faults legacy` has all, by the clock. */
const FAULT_NAMES = ["timeout", "http_500", "http_429"] as const satisfies FaultName[];
const LANE_NAMES = Object.keys(LANES) as LaneName[];

type Run = readonly [FaultName, LaneName];
const ALL: readonly Run[] = FAULT_NAMES.flatMap((fault) =>
  LANE_NAMES.map((lane): Run => [fault, lane]),
);
/** Every fault and every lane once. */
const SAMPLE: readonly Run[] = [
  ["timeout", "met_norway, gbfs in part"],
  ["http_500", "openweathermap, gbfs"],
  ["http_429", "open_meteo, paris_opendata"],
  ["http_500", "open_meteo, all water"],
];
const jobs = sized(SAMPLE, ALL).map(([fault, lane]) => ({
  name: `${fault}: ${lane}`,
  async run() {
    const cells = await runLane(lane, fault, slowLimits(fault));
    for (const cell of cells) checkCell(cell);
    return cells.length;
  },
}));
/** The least number of cells of the four lanes together. */
const CELLS = 109;

testJobs(jobs, { at_once: 3, apart_ms: 0 }, sized(CELLS, FAULT_NAMES.length * CELLS));
