/**
 * `npm run trials -- whole [SUITE…]`: the suites of `npm test` in full size (every fault, lane, seed
 * and step instead of a sample) and by the clock (test/support/size.ts). It needs a quiet machine.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Trial } from "./table.ts";

export const run: Trial["run"] = async (suites) => {
  const child = spawn(process.execPath, ["scripts/test.ts", ...suites], {
    stdio: "inherit",
    env: { ...process.env, VICINITY_TESTS: "whole" },
  });
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0 ? 0 : 1;
};
