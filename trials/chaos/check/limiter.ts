/**
 * A counter with bounds (reliability 3.6): one caller asks at several times its rate, of all replicas,
 * and what is admitted is held against one ideal bucket (GCRA). Since it never stops asking, its
 * bucket is empty but for the beginning: a time without faults admits rate × time, within 2 %; while
 * the shared store is away at most 1.2 × as much (goal 14).
 */
import {
  extend,
  overlaps,
  type Fault,
  type Span,
  toVerdict,
  type Verdict,
  VICTIMS,
  without,
} from "./verdict.ts";

export type Demand = Span & {
  outcome: "admitted" | "refused" | "unknown";
};

export type LimiterTerms = {
  rate_per_s: number;
  burst: number;
  /** From the first request to the last. */
  whole: Span;
  faults: readonly Fault[];
  /** After the store is back, until all are back at it. */
  recovery_ms: number;
  /** Of the ideal, in calm: 0.02 is wanted. */
  tolerance: number;
};

/** A time shorter than that says nothing: two requests more or less are 2 % of it. */
const ENOUGH = 100;
const AWAY = 1.2;
/** Demanded at least, times the ideal, or an empty bucket is not sure. */
const PRESSURE = 1.3;

export function checkLimiter(demands: readonly Demand[], terms: LimiterTerms): Verdict {
  const { whole, faults, recovery_ms } = terms;
  const troubles = faults
    .filter(({ kind }) => disturbs(kind))
    .map((each) => extend(each, recovery_ms));
  const outages = merge(
    troubles.filter(({ kind }) => VICTIMS[kind] === "shared"),
    whole,
  );
  const calm = without(whole, troubles);
  const judged = calm.map((span) => measure(demands, span, terms));
  const away = outages.map((span) => measure(demands, span, terms));
  const findings = [
    ...judgeCalm(sumUp(judged), terms.tolerance),
    ...away.flatMap((each) => judgeAway(each, terms)),
  ];
  const calm_sum = sumUp(judged);
  const away_sum = sumUp(away);
  const figures = {
    admitted: demands.filter(({ outcome }) => outcome === "admitted").length,
    calm_ratio: ratio(calm_sum),
    away_ratio: ratio(away_sum),
    unknown: demands.filter(({ outcome }) => outcome === "unknown").length,
    calm_s: calm.reduce((sum, { from_ms, to_ms }) => sum + (to_ms - from_ms) / 1000, 0),
    away_s: outages.reduce((sum, { from_ms, to_ms }) => sum + (to_ms - from_ms) / 1000, 0),
  };
  return toVerdict({ rule: "limiter", findings, scanned: calm_sum.certain, figures });
}

/** Who is frozen answers late what it was asked long ago; a killed one takes the answers along. */
const disturbs = (kind: Fault["kind"]): boolean =>
  VICTIMS[kind] === "shared" || kind === "freeze_replica";

type Measured = {
  ideal: number;
  /** Admitted inside for sure, and at most. */
  certain: number;
  possible: number;
  demanded: number;
  /** Admitted of those that were sent inside: between the two above; the figure that is reported. */
  reported: number;
};

function measure(
  demands: readonly Demand[],
  span: Span,
  { rate_per_s, burst, whole }: LimiterTerms,
) {
  const { from_ms, to_ms } = span;
  const inside = demands.filter((each) => each.from_ms >= from_ms && each.to_ms <= to_ms);
  const near = demands.filter((each) => overlaps(each, span));
  const owed = from_ms === whole.from_ms ? burst : 0;
  return {
    ideal: owed + (rate_per_s * (to_ms - from_ms)) / 1000,
    certain: inside.filter(({ outcome }) => outcome === "admitted").length,
    possible: near.filter(({ outcome }) => outcome !== "refused").length,
    demanded: inside.length,
    reported: near.filter(
      ({ outcome, from_ms: sent_ms }) => outcome === "admitted" && sent_ms >= from_ms,
    ).length,
  };
}

function sumUp(all: readonly Measured[]): Measured {
  const sum = (of: (each: Measured) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  return {
    ideal: sum(({ ideal }) => ideal),
    certain: sum(({ certain }) => certain),
    possible: sum(({ possible }) => possible),
    demanded: sum(({ demanded }) => demanded),
    reported: sum(({ reported }) => reported),
  };
}

const ratio = ({ reported, ideal }: Measured): number => (ideal === 0 ? 0 : reported / ideal);

function judgeCalm({ ideal, certain, possible, demanded }: Measured, tolerance: number): string[] {
  if (ideal < ENOUGH)
    return [`calm: only ${ideal.toFixed(0)} requests to be admitted; too few to judge`];
  if (demanded < PRESSURE * ideal)
    return [`calm: ${demanded} requests are no pressure on ${ideal.toFixed(0)}`];
  return [
    ...(certain > (1 + tolerance) * ideal
      ? [`calm: ${certain} admitted, ideal ${ideal.toFixed(1)}`]
      : []),
    ...(possible < (1 - tolerance) * ideal
      ? [`calm: at most ${possible} admitted, ideal ${ideal.toFixed(1)}`]
      : []),
  ];
}

function judgeAway({ ideal, certain }: Measured, { burst }: LimiterTerms): string[] {
  // Of a store without memory everybody has a burst to get, once.
  const most = AWAY * Math.max(ideal, burst);
  return certain > most ? [`outage: ${certain} admitted, ideal ${ideal.toFixed(1)}`] : [];
}

/** Those that touch are one. */
function merge(spans: readonly Span[], whole: Span): Span[] {
  const merged: Span[] = [];
  for (const each of spans.toSorted((a, b) => a.from_ms - b.from_ms)) {
    const from_ms = Math.max(each.from_ms, whole.from_ms);
    const to_ms = Math.min(each.to_ms, whole.to_ms);
    const last = merged.at(-1);
    if (last && from_ms <= last.to_ms) last.to_ms = Math.max(last.to_ms, to_ms);
    else if (to_ms > from_ms) merged.push({ from_ms, to_ms });
  }
  return merged;
}
