/** What all packages share: geometry, text, time, packs of columns, JSON of strangers, and failures as values. */
export { Budget } from "./budget.ts";
export { type Box, distance_m, type Location } from "./geo.ts";
export { attempt, detach, guard, isDefect, type NoteFault } from "./guard.ts";
export { parseJson, parseJsonBytes } from "./json.ts";
export type { Failure, Outcome } from "./outcome.ts";
export { toEnd } from "./steps.ts";
export { cleanText } from "./text/clean.ts";
export { cutText } from "./text/cut.ts";
export { createTrail, type Trail } from "./trail.ts";
