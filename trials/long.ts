/**
 * `npm run trials -- long [--files]`: the suite that `npm test` leaves out because it takes minutes
 * (scripts/test-suites.ts says which files and why), as a sample like the others; CI runs it.
 */
import { runSuites } from "./suites.ts";
import type { Trial } from "./table.ts";

export const run: Trial["run"] = async (args) => ((await runSuites(["long", ...args])) ? 0 : 1);
