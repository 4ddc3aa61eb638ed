/** How far a paged import is: its steps, and what remains of them. */
import type { BaseCounts } from "../base/base-layout.ts";
import { type BaseProgress, LEAST_MS } from "./import-progress.ts";

/** Before so much of a step is done, its pace says nothing of what remains. */
const LEAST_DONE = 0.02;
/** Parts of a paged import: how long each takes of the whole. */
const SPLITTING = 0.25;
const PAGES = 0.97;

export type PagedProgress = {
  begin(file_bytes: number): void;
  /** Of a file that fits one page. */
  pass(progress: BaseProgress): void;
  split(done: number, counts?: BaseCounts): void;
  /** Returns what takes how many of the bytes of a page's features are done, by its number. */
  pages(total_bytes: number): (page: number, bytes: number) => void;
  names(): void;
  end(): void;
};

/** How far a paged import is. What remains of a step is reckoned by how fast that step is. */
export function createPagedProgress(
  report: ((progress: BaseProgress) => void) | undefined,
): PagedProgress {
  const begun_ms = performance.now();
  let step_ms = begun_ms;
  let [fraction, from, to] = [0, 0, SPLITTING];
  let [total_bytes, counts]: [number, BaseCounts] = [0, { nodes: 0, ways: 0, relations: 0 }];
  const show = (pass: BaseProgress["pass"], done: number): void => {
    fraction = Math.max(fraction, Math.min(1, from + (to - from) * done));
    const now_ms = performance.now();
    const bytes = Math.round(total_bytes * fraction);
    const isKnown = now_ms - step_ms >= LEAST_MS && done >= LEAST_DONE;
    // Of this step by its own pace; of those behind it, as long as they take of the whole.
    const step_whole_ms = (now_ms - step_ms) / done;
    const left_ms = step_whole_ms * (1 - done) + (step_whole_ms / (to - from)) * (1 - to);
    report?.({
      ...{ pass, fraction, bytes, total_bytes, counts: { ...counts } },
      bytes_per_s: isKnown ? (bytes / (now_ms - begun_ms)) * 1000 : null,
      remaining_ms: isKnown ? Math.max(0, left_ms) : null,
    });
  };
  const enter = (next_from: number, next_to: number): void => {
    [from, to, step_ms] = [next_from, next_to, performance.now()];
  };
  return {
    begin: (file_bytes) => void (total_bytes = file_bytes),
    pass(progress) {
      [fraction, counts] = [progress.fraction, progress.counts];
      report?.(progress);
    },
    split(done, seen = counts) {
      counts = seen;
      show("splitting", done);
    },
    pages(all_bytes) {
      enter(SPLITTING, PAGES);
      const built = new Map<number, number>();
      let sum = 0;
      return (page, bytes) => {
        sum += bytes - (built.get(page) ?? 0);
        built.set(page, bytes);
        show("pages", all_bytes === 0 ? 1 : sum / all_bytes);
      };
    },
    names() {
      enter(PAGES, 1);
      show("names", 0);
    },
    end() {
      enter(1, 1);
      report?.({
        ...{ pass: "packing", fraction: 1, bytes: total_bytes, total_bytes, counts },
        bytes_per_s: (total_bytes / Math.max(1, performance.now() - begun_ms)) * 1000,
        remaining_ms: 0,
      });
    },
  };
}
