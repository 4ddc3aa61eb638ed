/** How far an import is, from the bytes of the blobs that are read. */
import type { BaseCounts } from "../base/base-layout.ts";
import type { AssembleJob, Pass } from "./build-base.ts";

export type BaseProgress = {
  pass: Pass | "packing" | "splitting" | "pages" | "names";
  /** From 0 to 1, never backwards. */
  fraction: number;
  /** Of the file that are read, some of them twice; and of how many. */
  bytes: number;
  total_bytes: number;
  counts: BaseCounts;
  bytes_per_s: number | null;
  remaining_ms: number | null;
};

/** Relations and ways are read twice, and are a third of an extract. */
const EXPECTED_SHARE = 1.4;
/** The rest is the packing. */
const READING = 0.9;
/** Before this long a rate says nothing. */
export const LEAST_MS = 500;

export function createProgress(
  { size }: { size: number },
  report: ((progress: BaseProgress) => void) | undefined,
): { onBlob: AssembleJob["onBlob"]; onPacking: () => void; onEnd: () => void } {
  const begun_ms = performance.now();
  let bytes = 0;
  let fraction = 0;
  let counts: BaseCounts = { nodes: 0, ways: 0, relations: 0 };
  const show = (pass: BaseProgress["pass"], reached: number): void => {
    fraction = Math.max(fraction, Math.min(1, reached));
    const elapsed_ms = performance.now() - begun_ms;
    const isKnown = elapsed_ms >= LEAST_MS && fraction > 0;
    report?.({
      pass,
      fraction,
      bytes,
      total_bytes: Math.max(bytes, Math.round(size * EXPECTED_SHARE)),
      counts: { ...counts },
      bytes_per_s: isKnown ? (bytes / elapsed_ms) * 1000 : null,
      remaining_ms: isKnown ? (elapsed_ms / fraction) * (1 - fraction) : null,
    });
  };
  return {
    onBlob(pass, read, seen) {
      bytes += read;
      counts = seen;
      show(pass, Math.min(READING, (READING * bytes) / (size * EXPECTED_SHARE)));
    },
    onPacking: () => show("packing", READING),
    onEnd: () => show("packing", 1),
  };
}
