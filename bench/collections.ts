/** The longest steps of collecting garbage on a thread. */
import { constants, PerformanceObserver } from "node:perf_hooks";

const KINDS: Readonly<Record<number, "scavenge" | "incremental" | "major">> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: "scavenge",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
};

/** Milliseconds of wall time, of each kind; null: there was none. */
export type Collections = Record<"scavenge" | "incremental" | "major", number | null>;

const NONE: Collections = { scavenge: null, incremental: null, major: null };

/** Of entries of type `gc` (Node's documentation of perf_hooks). */
type Detail = { kind: number; flags: number };

/** Observes this thread from now on. Collections that the program forces itself do not count. */
export function observeCollections(): { read(): Collections; reset(): void } {
  let longest = { ...NONE };
  const note = (entry: { duration: number }): void => {
    const { duration, detail } = entry as { duration: number; detail: Detail };
    const kind = KINDS[detail.kind];
    if (kind === undefined || detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) return;
    longest[kind] = Math.max(longest[kind] ?? 0, duration);
  };
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
    entryTypes: ["gc"],
  });
  return {
    read: () => ({ ...longest }),
    reset() {
      longest = { ...NONE };
    },
  };
}
