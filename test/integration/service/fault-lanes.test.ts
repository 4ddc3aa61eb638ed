/**
 * One fault of each lane of the matrices: feeds, places and the legacy routes. The suite `long` has
 * every fault (faults, place-faults and legacy-faults), `npm run trials -- faults` every combination.
 */
import { checkCell as checkFeeds } from "./fault-decisions.ts";
import { runFault, slowLimits as feedLimits } from "./fault-matrix.ts";
import { type Job, testJobs } from "./fault-tests.ts";
import { checkCell as checkLegacy } from "./legacy-fault-decisions.ts";
import {
  type LaneName as LegacyLane,
  LANES as LEGACY_LANES,
  slowLimits as legacyLimits,
} from "./legacy-fault-lanes.ts";
import { runLane as runLegacy } from "./legacy-fault-matrix.ts";
import { checkCell as checkPlaces } from "./place-fault-decisions.ts";
import {
  type LaneName as PlaceLane,
  LANES as PLACE_LANES,
  slowLimits as placeLimits,
} from "./place-fault-lanes.ts";
import { runLane as runPlaces } from "./place-fault-matrix.ts";

const FAULT = "http_500";

const feeds: Job = {
  name: "feeds",
  async run() {
    const cells = await runFault(FAULT, "warm", feedLimits(FAULT));
    for (const cell of cells) checkFeeds(cell);
    return cells.length;
  },
};
const places = (Object.keys(PLACE_LANES) as PlaceLane[]).map((lane): Job => ({
  name: `places: ${lane}`,
  async run() {
    const cells = await runPlaces(lane, FAULT, placeLimits(FAULT, PLACE_LANES[lane]));
    for (const cell of cells) checkPlaces(cell);
    return cells.length;
  },
}));
const legacy = (Object.keys(LEGACY_LANES) as LegacyLane[]).map((lane): Job => ({
  name: `legacy: ${lane}`,
  async run() {
    const cells = await runLegacy(lane, FAULT, legacyLimits(FAULT));
    for (const cell of cells) checkLegacy(cell);
    return cells.length;
  },
}));

testJobs([feeds, ...places, ...legacy], { at_once: 2, apart_ms: 0 }, 200);
