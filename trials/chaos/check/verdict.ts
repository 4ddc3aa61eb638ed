/** What a checker says of a history; and the times that histories are made of. */

/** Epoch milliseconds of one clock that never goes back. */
export type Span = { from_ms: number; to_ms: number };

export type Verdict = {
  rule: string;
  /** Empty: the history keeps the rule. */
  findings: string[];
  /** How much there was to judge; nothing judged is nothing shown. */
  scanned: number;
  figures: Record<string, number>;
};

/** What was done to the fleet, from when until it was undone. */
export type Fault = Span & {
  kind: FaultKind;
  /** Whom it met; null: all of them. */
  replica: number | null;
};

export const FAULT_KINDS = [
  "kill_replica",
  "freeze_replica",
  "kill_store",
  "freeze_store",
  "restart_store",
  "kill_shared",
  "freeze_shared",
  "restart_shared",
  "cut_notices",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Which part of the fleet a fault takes away. */
export const VICTIMS: Readonly<Record<FaultKind, "replica" | "store" | "shared" | "notices">> = {
  kill_replica: "replica",
  freeze_replica: "replica",
  kill_store: "store",
  freeze_store: "store",
  restart_store: "store",
  kill_shared: "shared",
  freeze_shared: "shared",
  restart_shared: "shared",
  cut_notices: "notices",
};

/** A planted error is found a thousand times; a few will do. */
const MAX_FINDINGS = 20;

export function toVerdict({ rule, findings, scanned, figures }: Verdict): Verdict {
  const more = findings.length - MAX_FINDINGS;
  const listed = more > 0 ? [...findings.slice(0, MAX_FINDINGS), `and ${more} more`] : findings;
  return { rule, findings: listed, scanned, figures };
}

export function overlaps(a: Span, b: Span): boolean {
  return a.from_ms < b.to_ms && b.from_ms < a.to_ms;
}

/** Longer by this much after its end. */
export function extend<S extends Span>(span: S, by_ms: number): S {
  return { ...span, to_ms: span.to_ms + by_ms };
}

/** What is left of a time without these, in order. */
export function without(whole: Span, taken: readonly Span[]): Span[] {
  const left: Span[] = [];
  let from_ms = whole.from_ms;
  for (const each of taken.toSorted((a, b) => a.from_ms - b.from_ms)) {
    if (each.from_ms > from_ms) left.push({ from_ms, to_ms: Math.min(each.from_ms, whole.to_ms) });
    from_ms = Math.max(from_ms, each.to_ms);
  }
  if (from_ms < whole.to_ms) left.push({ from_ms, to_ms: whole.to_ms });
  return left.filter(({ from_ms: from, to_ms: to }) => to > from);
}

/** 0 of nothing. */
export function quantileOf(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
