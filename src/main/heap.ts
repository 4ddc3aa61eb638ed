/** How far the runtime lets garbage grow. */
import { setFlagsFromString } from "node:v8";

/**
 * Lets heaps of this process double between full collections. The runtime's own choice for a program
 * that makes little garbage is a tenth: with 3,000,000 entities a full collection every 2.4 seconds,
 * and a third to a half of the processor time of reading feeds (docs/lab/performance.md, "Collections").
 */
export function setHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=100");
}
