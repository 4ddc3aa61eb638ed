/** The tests of the fault matrices: one a lane and fault, and what all of them leave behind. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { HANG_MS } from "../../support/size.ts";
import { checkCell as checkFeeds } from "./fault-decisions.ts";
import { type Faults, runFault, slowLimits as feedLimits, type State } from "./fault-matrix.ts";
import { checkCell as checkLegacy } from "./legacy-fault-decisions.ts";
import { type LaneName as LegacyLane, slowLimits as legacyLimits } from "./legacy-fault-lanes.ts";
import { runLane as runLegacy } from "./legacy-fault-matrix.ts";
import { checkCell as checkPlaces } from "./place-fault-decisions.ts";
import {
  type FaultName,
  type LaneName as PlaceLane,
  LANES as PLACE_LANES,
  slowLimits as placeLimits,
} from "./place-fault-lanes.ts";
import { type Faults as PlaceFaults, runLane as runPlaces } from "./place-fault-matrix.ts";
import { eventually } from "./support.ts";

/** `run` judges its cells, and says how many they were. */
type Job = { name: string; run(): Promise<number> };

/** `faults`: of all that fail in it, or those that they have in turn. */
export function feedJob(faults: Faults, state: State): Job {
  return jobOf(`feeds, ${state}: ${[faults].flat().join(" ")}`, async () => {
    const cells = await runFault(faults, state, feedLimits(faults));
    for (const cell of cells) checkFeeds(cell);
    return cells.length;
  });
}

/** `faults`: all prompt, or all of one kind. */
export function placeJob(faults: PlaceFaults, lane: PlaceLane): Job {
  return jobOf(`places, ${lane}: ${[faults].flat().join(" ")}`, async () => {
    const limits = placeLimits([faults].flat()[0]!, PLACE_LANES[lane]);
    const cells = await runPlaces(lane, faults, limits);
    for (const cell of cells) checkPlaces(cell);
    return cells.length;
  });
}

export function legacyJob(fault: FaultName, lane: LegacyLane): Job {
  return jobOf(`legacy routes, ${lane}: ${fault}`, async () => {
    const cells = await runLegacy(lane, fault, legacyLimits(fault));
    for (const cell of cells) checkLegacy(cell);
    return cells.length;
  });
}

const jobOf = (name: string, run: () => Promise<number>): Job => ({ name, run });

/** (f): what closed services must not leave behind. */
const LEFTOVERS = new Set(["TCPSocketWrap", "TCPServerWrap", "Timeout", "MessagePort"]);
const countOpen = (): number =>
  process.getActiveResourcesInfo().filter((kind) => LEFTOVERS.has(kind)).length;

/** To be called before the tests are declared; what it returns, after them. */
function watchLeftovers(): () => void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): number => unhandled.push(reason);
  let open = 0;
  before(() => {
    process.on("unhandledRejection", note);
    open = countOpen();
  });
  after(() => process.off("unhandledRejection", note));
  return () =>
    describe("afterwards", () => {
      test("no rejection was left unhandled", () => assert.deepEqual(unhandled, []));

      test("sockets, listeners, timers and threads are gone", async () => {
        // oxlint-disable-next-line typescript/require-await -- what is tried again answers with a promise
        await eventually(async () => (countOpen() <= open ? true : null), {
          within_ms: HANG_MS,
          what: `open: ${process.getActiveResourcesInfo().join(", ")}`,
        });
      });
    });
}

/** Jobs that may run at once; `apart_ms`: those that begin together would wait at the same moments. */
export type Group = { jobs: readonly Job[]; at_once: number; apart_ms: number };

/** The groups one after the other; `least`: the least number of cells expected. */
export function testJobs(groups: readonly Group[], least: number): void {
  const testLeftovers = watchLeftovers();
  let checked = 0;
  for (const { jobs, at_once, apart_ms } of groups)
    describe("faults", { concurrency: at_once }, () => {
      let begun = 0;
      for (const { name, run } of jobs)
        test(name, async () => {
          if (begun < at_once) await sleep(apart_ms * begun++);
          const cells = await run();
          checked += cells;
        });
    });

  test("the matrix is as large as it was meant to be", (t) => {
    t.diagnostic(`${checked} cells`);
    assert.ok(checked >= least, `${checked} cells, at least ${least} were meant`);
  });

  testLeftovers();
}
