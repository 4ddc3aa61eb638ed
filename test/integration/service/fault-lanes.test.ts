/**
 * One fault of each lane of the matrices: feeds, places and the legacy routes. The suite `long` has
 * every fault (faults.test.ts), `npm run trials -- faults` every combination.
 */
import { feedJob, legacyJob, placeJob, testJobs } from "./fault-tests.ts";
import { type LaneName as LegacyLane, LANES as LEGACY_LANES } from "./legacy-fault-lanes.ts";
import { type LaneName as PlaceLane, LANES as PLACE_LANES } from "./place-fault-lanes.ts";

const FAULT = "http_500";
const jobs = [
  feedJob(FAULT, "warm"),
  ...(Object.keys(PLACE_LANES) as PlaceLane[]).map((lane) => placeJob(FAULT, lane)),
  ...(Object.keys(LEGACY_LANES) as LegacyLane[]).map((lane) => legacyJob(FAULT, lane)),
];

testJobs([{ jobs, at_once: 2, apart_ms: 0 }], 200);
