/**
 * A register that goes one way (reliability 3.6): once a revocation is acknowledged, the key is
 * accepted by no replica for longer than the bound; and who has refused it never accepts it again
 * after that. 250 ms are wanted of 99 in 100 replicas; 5 s are the bound, also with notices cut.
 */
import {
  type Fault,
  overlaps,
  quantileOf,
  type Span,
  toVerdict,
  type Verdict,
  VICTIMS,
} from "./verdict.ts";

export type Revocation = { key_id: string; acked_ms: number };

/** A question with such a key, to one replica. */
export type KeyUse = Span & {
  key_id: string;
  replica: number;
  outcome: "accepted" | "rejected" | "unknown";
};

export type KeyTerms = {
  faults: readonly Fault[];
  /** Whatever happens to notices. */
  bound_ms: number;
  /** Of all but one in a hundred. */
  wanted_ms: number;
  /** How long a replica that cannot ask lets known keys live. */
  grace_ms: number;
};

export function checkKeys(
  revocations: readonly Revocation[],
  uses: readonly KeyUse[],
  terms: KeyTerms,
): Verdict {
  const acked = new Map(revocations.map(({ key_id, acked_ms }) => [key_id, acked_ms]));
  const pairs = Map.groupBy(
    uses.filter(({ key_id }) => acked.has(key_id)),
    ({ key_id, replica }) => `${key_id} at ${replica}`,
  );
  const findings: string[] = [];
  const lags: number[] = [];
  const disturbed: number[] = [];
  let refused = 0;
  for (const [name, all] of pairs) {
    const { key_id, replica } = all[0]!;
    const acked_ms = acked.get(key_id)!;
    const until_ms = deadlineOf(acked_ms, replica, terms);
    const late = all.filter(({ outcome, from_ms }) => outcome === "accepted" && from_ms > acked_ms);
    const lag_ms = Math.max(0, ...late.map(({ from_ms }) => from_ms - acked_ms));
    (isDisturbed(acked_ms, replica, terms) ? disturbed : lags).push(lag_ms);
    if (all.some(({ outcome }) => outcome === "rejected")) refused += 1;
    if (late.some(({ from_ms }) => from_ms > until_ms))
      findings.push(`${name}: accepted ${lag_ms.toFixed(0)} ms after its revocation`);
    findings.push(...findReturns(name, all));
  }
  const p99 = quantileOf(lags, 0.99);
  if (p99 > terms.wanted_ms)
    findings.push(`99 in 100 replicas: ${p99.toFixed(0)} ms, wanted ${terms.wanted_ms}`);
  const figures = {
    revocations: revocations.length,
    undisturbed: lags.length,
    p99_ms: p99,
    max_ms: Math.max(0, ...lags),
    disturbed_max_ms: Math.max(0, ...disturbed),
    refused,
  };
  return toVerdict({ rule: "revoked keys", findings, scanned: refused, figures });
}

/** Accepted again, by a question that was asked after the answer to another that was refused. */
function findReturns(name: string, uses: readonly KeyUse[]): string[] {
  const refused = uses.filter(({ outcome }) => outcome === "rejected");
  const first_ms = Math.min(...refused.map(({ to_ms }) => to_ms));
  const again = uses.some(({ outcome, from_ms }) => outcome === "accepted" && from_ms > first_ms);
  return again ? [`${name}: accepted again after it had been refused`] : [];
}

const CONCERNS = (fault: Fault, replica: number): boolean =>
  VICTIMS[fault.kind] === "replica" ? fault.replica === replica : true;

function isDisturbed(acked_ms: number, replica: number, { faults, bound_ms }: KeyTerms): boolean {
  const span = { from_ms: acked_ms - bound_ms, to_ms: acked_ms + bound_ms };
  return faults.some((fault) => CONCERNS(fault, replica) && overlaps(fault, span));
}

/**
 * The bound starts again when the store, or the replica, is back: until then it could not be notified.
 * But not for longer than a replica lets keys live without asking.
 */
function deadlineOf(acked_ms: number, replica: number, terms: KeyTerms): number {
  const { faults, bound_ms, grace_ms } = terms;
  let until_ms = acked_ms + bound_ms;
  for (const fault of faults.toSorted((a, b) => a.from_ms - b.from_ms)) {
    const hides = VICTIMS[fault.kind] === "store" || VICTIMS[fault.kind] === "replica";
    if (!hides || !CONCERNS(fault, replica)) continue;
    if (overlaps(fault, { from_ms: acked_ms, to_ms: until_ms }))
      until_ms = Math.max(until_ms, fault.to_ms + bound_ms);
  }
  return Math.min(until_ms, acked_ms + grace_ms + bound_ms);
}
