/**
 * A soak (reliability 3.7): after what a start takes, the heap after collection, descriptors and
 * timers do not grow. Slopes are least squares over the samples behind the first fifth.
 */
import { toVerdict, type Verdict } from "./verdict.ts";

export type SoakSample = {
  at_s: number;
  /** After a forced collection. */
  heap_bytes: number;
  rss_bytes: number;
  descriptors: number;
  /** Active timers, as `process.getActiveResourcesInfo()` counts them. */
  timers: number;
  /** All other active resources. */
  others: number;
};

const MB = 1024 * 1024;
const DISCARDED = 0.2;
const PER_S = 600;
/** More of it after ten minutes, at most. */
const MOST = { heap_mb: 0.5, descriptors: 5, timers: 5 } as const;
/** Two points are always on a line. */
const ENOUGH = 5;

/** `filled_s`: until every key and position has come once; memory of them grows as long. */
export function checkSoak(samples: readonly SoakSample[], filled_s = 0): Verdict {
  const begun_s = samples[0]?.at_s ?? 0;
  const lasted_s = (samples.at(-1)?.at_s ?? 0) - begun_s;
  const from_s = Math.max(DISCARDED * lasted_s, filled_s - begun_s);
  const remaining = samples.filter(({ at_s }) => at_s - begun_s >= from_s);
  const slope = (of: (sample: SoakSample) => number): number =>
    PER_S * slopeOf(remaining.map((each) => [each.at_s, of(each)]));
  const grown = {
    heap_mb: slope(({ heap_bytes }) => heap_bytes / MB),
    descriptors: slope(({ descriptors }) => descriptors),
    timers: slope(({ timers }) => timers),
  };
  const findings = (Object.keys(MOST) as (keyof typeof MOST)[]).flatMap((name) =>
    grown[name] > MOST[name]
      ? [`${name}: ${grown[name].toFixed(2)} more after 10 min, at most ${MOST[name]}`]
      : [],
  );
  if (remaining.length < ENOUGH)
    findings.push(`only ${remaining.length} samples to draw a line through`);
  const figures = {
    heap_mb_in_10_min: grown.heap_mb,
    descriptors_in_10_min: grown.descriptors,
    timers_in_10_min: grown.timers,
    rss_mb_in_10_min: slope(({ rss_bytes }) => rss_bytes / MB),
    heap_mb: last(remaining, "heap_bytes") / MB,
    rss_mb: last(remaining, "rss_bytes") / MB,
    descriptors: last(remaining, "descriptors"),
    timers: last(remaining, "timers"),
    others: last(remaining, "others"),
  };
  return toVerdict({ rule: "soak", findings, scanned: remaining.length, figures });
}

function last(samples: readonly SoakSample[], name: keyof SoakSample): number {
  return samples.at(-1)?.[name] ?? 0;
}

/** Least squares; 0 where there is no line. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const spread = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0) / spread;
}
