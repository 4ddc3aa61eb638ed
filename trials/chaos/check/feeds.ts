/**
 * Feeds once per fleet (goal 7): a file is asked for once per its time to live, by whichever replica;
 * once more for each holder that is killed or frozen; and by every replica by itself while the shared
 * store is away. It must also be asked for: a fleet that asks for nothing keeps every such bound.
 */
import {
  extend,
  type Fault,
  overlaps,
  type Span,
  toVerdict,
  type Verdict,
  VICTIMS,
} from "./verdict.ts";

export type FeedFile = {
  path: string;
  ttl_s: number;
  /** Callers ask near it all the time, so that it must be kept fresh. */
  wanted: boolean;
  /** When it was asked for, epoch ms, in order. */
  asked_ms: readonly number[];
};

export type FeedTerms = {
  /** Replicas that fetch on their own while they cannot speak to one another. */
  replicas: number;
  whole: Span;
  faults: readonly Fault[];
  recovery_ms: number;
};

/** Of a time to live: polls are spread a little. */
const EARLY = 0.9;
/** How late a wanted file may be asked for, in times to live, in addition to the time of faults. */
const LATE = 2;

export function checkFeeds(files: readonly FeedFile[], terms: FeedTerms): Verdict {
  const findings = files.flatMap((file) => [
    ...findRepeats(file, terms),
    ...findHunger(file, terms),
  ]);
  const sum = (of: (file: FeedFile) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const lasts_s = (terms.whole.to_ms - terms.whole.from_ms) / 1000;
  const figures = {
    files: files.length,
    requests: sum(({ asked_ms }) => asked_ms.length),
    repeats: sum((file) => repeatsOf(file).length),
    times_to_live: sum(({ ttl_s }) => Math.ceil(lasts_s / ttl_s)),
  };
  return toVerdict({ rule: "feeds", findings, scanned: files.length, figures });
}

/** Two that are closer than the time to live. */
function repeatsOf({ asked_ms, ttl_s }: FeedFile): Span[] {
  return asked_ms
    .slice(1)
    .map((to_ms, i) => ({ from_ms: asked_ms[i]!, to_ms }))
    .filter(({ from_ms, to_ms }) => to_ms - from_ms < EARLY * ttl_s * 1000);
}

/** Each must have a fault that explains it, and each fault explains a limited number for a file. */
function findRepeats(file: FeedFile, { replicas, faults, recovery_ms }: FeedTerms): string[] {
  const left = faults.map((fault) => ({
    span: extend(fault, recovery_ms),
    allowance: allowanceOf(fault, { ttl_s: file.ttl_s, replicas, recovery_ms }),
  }));
  const unexplained = repeatsOf(file).filter((repeat) => {
    const reason = left.find(({ span, allowance }) => allowance > 0 && overlaps(span, repeat));
    if (!reason) return true;
    reason.allowance -= 1;
    return false;
  });
  return unexplained.map(
    ({ from_ms, to_ms }) =>
      `${file.path}: asked for again after ${(to_ms - from_ms).toFixed(0)} ms of ${file.ttl_s} s`,
  );
}

/** Who fetches alone does it once per time to live, and so do the others. */
function allowanceOf(
  fault: Fault,
  { ttl_s, replicas, recovery_ms }: { ttl_s: number; replicas: number; recovery_ms: number },
): number {
  const victim = VICTIMS[fault.kind];
  if (victim === "replica") return 1;
  if (victim !== "shared") return 0;
  const lasts_s = (fault.to_ms - fault.from_ms + recovery_ms) / 1000;
  return (replicas - 1) * Math.ceil(lasts_s / ttl_s);
}

function findHunger(file: FeedFile, { whole, faults, recovery_ms }: FeedTerms): string[] {
  if (!file.wanted) return [];
  const times = [whole.from_ms, ...file.asked_ms, whole.to_ms];
  const gaps = times.slice(1).map((to_ms, i) => ({ from_ms: times[i]!, to_ms }));
  return gaps.flatMap((gap) => {
    const excused = faults
      .filter((fault) => overlaps(fault, gap))
      .reduce((sum, { from_ms, to_ms }) => sum + to_ms - from_ms + recovery_ms, 0);
    const most = LATE * file.ttl_s * 1000 + excused;
    const gap_ms = gap.to_ms - gap.from_ms;
    return gap_ms > most ? [`${file.path}: not asked for during ${gap_ms.toFixed(0)} ms`] : [];
  });
}
