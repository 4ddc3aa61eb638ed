/** The tests of a fault matrix: one a lane and fault, and what all of them leave behind. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { eventually } from "./support.ts";
import { HANG_MS } from "../../support/size.ts";

/** (f): what closed services must not leave behind. */
const LEFTOVERS = new Set(["TCPSocketWrap", "TCPServerWrap", "Timeout", "MessagePort"]);
const countOpen = (): number =>
  process.getActiveResourcesInfo().filter((kind) => LEFTOVERS.has(kind)).length;

/** To be called before the tests are declared; what it returns, after them. */
export function watchLeftovers(): () => void {
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

/** `run` judges its cells, and says how many they were. */
export type Job = { name: string; run(): Promise<number> };
export type Concurrency = { at_once: number; apart_ms: number };

/** `least`: the least number of cells expected. */
export function testJobs(jobs: readonly Job[], concurrency: Concurrency, least: number): void {
  const testLeftovers = watchLeftovers();
  let checked = 0;
  describe("faults", { concurrency: concurrency.at_once }, () => {
    let begun = 0;
    for (const { name, run } of jobs)
      test(name, async () => {
        // Those that begin together would all work at the same moments, and wait at the same.
        if (begun < concurrency.at_once) await sleep(concurrency.apart_ms * begun++);
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
