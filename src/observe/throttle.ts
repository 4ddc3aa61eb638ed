/** Reports that repeat: a store that is away fails for every request, and is logged when it begins and now and then. */

const THROTTLE_MS = 5_000;

/** Limits a report to one in 5 s; `omitted` is how many were suppressed since the one before. */
export function throttled<T>(
  report: (what: T, omitted: number) => void,
  now: () => number = () => performance.now(),
): (what: T) => void {
  let reported_ms = Number.NEGATIVE_INFINITY;
  let omitted = 0;
  return (what) => {
    if (now() - reported_ms < THROTTLE_MS) {
      omitted += 1;
      return;
    }
    reported_ms = now();
    report(what, omitted);
    omitted = 0;
  };
}
