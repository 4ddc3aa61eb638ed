/** How far the runtime lets garbage grow, and when it gives memory back. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Lets heaps of this process double between full collections, where the runtime's own choice for a
 * program that makes little garbage is a tenth: with millions of entities it would collect all the time
 * while feeds are read (docs/lab/performance.md, "Collections").
 */
export function setHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=100");
}

/**
 * Collects what is young, in some milliseconds. After a start the runtime gives memory back as soon as
 * it sees that little garbage is made any more, and it looks only when it collects: an idle service
 * would go on for minutes without.
 */
function collectYoung(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
  collect({ type: "minor" });
}

/** Of a thread whose collections nothing waits for: an idle one would keep its memory. */
export const SMALL_YOUNG = { maxYoungGenerationSizeMb: 8 } as const;

/** The runtime judges by the last five seconds how much garbage is made. */
const QUIET_MS = 6_000;

/** Collects what is young as soon as the runtime sees that a start is over. */
export function collectWhenQuiet(): void {
  setTimeout(collectYoung, QUIET_MS).unref();
}
