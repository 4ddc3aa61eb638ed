/**
 * `npm run trials -- whole [SUITE…]`: all suites, `long` included, in full size (every fault, lane, seed
 * and step instead of a sample) and by the clock (test/support/size.ts). It needs a quiet machine.
 */
import { runSuites } from "./suites.ts";
import type { Trial } from "./table.ts";

export const run: Trial["run"] = async (suites) => {
  const passed = await runSuites(["--all", ...suites], { VICINITY_TESTS: "whole" });
  return passed ? 0 : 1;
};
