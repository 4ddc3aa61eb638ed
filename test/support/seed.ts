/**
 * Loaded before the suites (scripts/test.ts): properties draw the same examples in every run, so that
 * none fails by luck; in the trial `whole` they draw others each time.
 */
import fc from "fast-check";
import { sized } from "./size.ts";

fc.configureGlobal(sized({ seed: 20_261_122 }, {}));
