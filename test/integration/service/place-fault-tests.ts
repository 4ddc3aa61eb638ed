/** The tests of the fault matrix of places: one a lane and fault, and what all of them leave behind. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { checkCell } from "./place-fault-decisions.ts";
import {
  type FaultName,
  type Lane,
  type LaneName,
  LANES,
  OPERATIONS,
} from "./place-fault-lanes.ts";
import { runLane } from "./place-fault-matrix.ts";
import { eventually } from "./support.ts";

/** (f): what closed services must not leave behind. */
const LEFTOVERS = new Set(["TCPSocketWrap", "TCPServerWrap", "Timeout", "MessagePort"]);
const countOpen = (): number =>
  process.getActiveResourcesInfo().filter((kind) => LEFTOVERS.has(kind)).length;

const LANE_NAMES = Object.keys(LANES) as LaneName[];

type Pace = { at_once: number; apart_ms: number };

/** Every lane through every one of the faults. */
export function testFaults(faults: readonly FaultName[], pace: Pace): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): number => unhandled.push(reason);
  let open = 0;
  let checked = 0;
  before(() => {
    process.on("unhandledRejection", note);
    open = countOpen();
  });
  after(() => process.off("unhandledRejection", note));

  describe("faults", { concurrency: pace.at_once }, () => {
    let begun = 0;
    for (const fault of faults)
      for (const lane of LANE_NAMES.filter((name) => isTold(fault, name)))
        test(`${fault}: ${lane}`, async () => {
          // Those that begin together would all work at the same moments, and wait at the same.
          if (begun < pace.at_once) await sleep(pace.apart_ms * begun++);
          const cells = await runLane(lane, fault);
          for (const cell of cells) checkCell(cell);
          checked += cells.length;
        });
  });

  test("the matrix is as large as it was meant to be", (t) => {
    const lanes = faults.flatMap((fault) => LANE_NAMES.filter((name) => isTold(fault, name)));
    const lookups = lanes.flatMap((name) => LANES[name].lookups).length;
    const least = lookups * Object.keys(OPERATIONS).length;
    t.diagnostic(`${checked} cells`);
    assert.ok(checked > least, `${checked} cells, ${least} without what was seen and registers`);
  });

  test("nothing is left behind", async () => {
    assert.deepEqual(unhandled, []);
    // oxlint-disable-next-line typescript/require-await -- what is tried again answers with a promise
    await eventually(async () => (countOpen() <= open ? true : null), {
      within_ms: 2000,
      what: `open: ${process.getActiveResourcesInfo().join(", ")}`,
    });
  });
}

/** What comes too late is a timeout, but to a source that may take longer than the question. */
function isTold(fault: FaultName, name: LaneName): boolean {
  const { patient = false }: Lane = LANES[name];
  return fault !== "late" || patient;
}
