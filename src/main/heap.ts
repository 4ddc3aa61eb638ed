/** How far the runtime lets garbage grow. */
import { setFlagsFromString } from "node:v8";

/**
 * Lets heaps of this process double between full collections, where the runtime's own choice for a
 * program that makes little garbage is a tenth: with millions of entities it would collect all the time
 * while feeds are read (docs/lab/performance.md, "Collections").
 */
export function setHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=100");
}
