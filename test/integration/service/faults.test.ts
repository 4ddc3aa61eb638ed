/**
 * Every fault of the simulator on every GBFS file (reliability 3.2 a to g): the answer stays 200
 * with the decided status, within its deadline, tells from what is held, and is whole again when
 * the fault ends. The table is printed by `npm run faults`.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkCell } from "./fault-decisions.ts";
import { FAULTS, type FaultName, runFault, STATES } from "./fault-matrix.ts";
import { eventually } from "./support.ts";

const NAMES = Object.keys(FAULTS) as FaultName[];

/** (f): what a closed service must not leave behind. */
const LEFTOVERS = new Set(["TCPSocketWrap", "TCPServerWrap", "Timeout", "MessagePort"]);
const countOpen = (): number =>
  process.getActiveResourcesInfo().filter((kind) => LEFTOVERS.has(kind)).length;

const unhandled: unknown[] = [];
const note = (reason: unknown): number => unhandled.push(reason);
let open = 0;
before(() => {
  process.on("unhandledRejection", note);
  open = countOpen();
});
after(() => process.off("unhandledRejection", note));

for (const state of STATES) {
  // Some wait and some work, so a few at once; more, and they would eat each other's deadlines.
  describe(state, { concurrency: 3 }, () => {
    for (const fault of NAMES)
      test(fault, async () => {
        for (const cell of await runFault(fault, state)) checkCell(cell);
      });
  });
}

describe("afterwards", () => {
  test("no rejection was left unhandled", () => assert.deepEqual(unhandled, []));

  test("sockets, listeners, timers and threads are gone", async () => {
    await eventually(async () => (countOpen() <= open ? true : null), {
      within_ms: 2000,
      what: `open: ${process.getActiveResourcesInfo().join(", ")}`,
    });
  });
});
