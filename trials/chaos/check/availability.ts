/**
 * Availability: a replica that is itself in health answers, whatever engine is away. No 500, 502 or
 * 504; 503 only with `Retry-After`, and only while something is amiss; no caller that it knows is
 * turned away because the store of keys is gone; and a shared store that is gone costs no question
 * more than 50 ms (goal 2).
 */
import {
  extend,
  type Fault,
  overlaps,
  quantileOf,
  type Span,
  toVerdict,
  type Verdict,
  VICTIMS,
} from "./verdict.ts";

export type Probe = Span & {
  replica: number;
  /** null: no reply. */
  status: number | null;
  retry_after: boolean;
  /** Why there is no reply. */
  reason?: string;
  /** It says that it has too much to do, which is no fault of the fleet. */
  shed: boolean;
  /** It says that it cannot find out whose key that is: the same key in all probes. */
  unreached: boolean;
};

export type AvailabilityTerms = {
  faults: readonly Fault[];
  /** Until all is as before. */
  recovery_ms: number;
  /** Added by a shared store that is away. */
  added_ms: number;
};

export function checkAvailability(probes: readonly Probe[], terms: AvailabilityTerms): Verdict {
  const { faults, recovery_ms, added_ms } = terms;
  const own_faults = faults.filter(({ kind }) => VICTIMS[kind] === "replica");
  const engines = faults.filter(({ kind }) => VICTIMS[kind] !== "replica");
  const findings = findTurnedAway(probes, own_faults);
  const latencies: Record<"calm" | "away", number[]> = { calm: [], away: [] };
  let judged = 0;
  let shed = 0;
  for (const probe of probes) {
    if (own_faults.some((fault) => fault.replica === probe.replica && overlaps(fault, probe)))
      continue;
    judged += 1;
    if (probe.shed) shed += 1;
    const troubles = [...engines, ...own_faults].map((each) => extend(each, recovery_ms));
    const problem = judge(
      probe,
      troubles.some((each) => overlaps(each, probe)),
    );
    if (problem) findings.push(`${probe.replica}: ${problem}, at ${Math.round(probe.from_ms)} ms`);
    const calm = !troubles.some((each) => overlaps(each, probe));
    // What it costs to have been killed is not what the store costs, with it or without.
    const recovering = own_faults.some(
      (fault) => fault.replica === probe.replica && overlaps(extend(fault, recovery_ms), probe),
    );
    const away =
      !recovering &&
      engines.some((fault) => VICTIMS[fault.kind] === "shared" && overlaps(fault, probe));
    if (probe.status === 200 && (away || calm))
      latencies[away ? "away" : "calm"].push(probe.to_ms - probe.from_ms);
  }
  const [calm, away] = [quantileOf(latencies.calm, 0.99), quantileOf(latencies.away, 0.99)];
  if (latencies.away.length > 0 && away > calm + added_ms)
    findings.push(
      `without the shared store p99 is ${away.toFixed(0)} ms, ${calm.toFixed(0)} with it`,
    );
  const figures = {
    judged,
    shed,
    calm_p50_ms: quantileOf(latencies.calm, 0.5),
    calm_p99_ms: calm,
    away_p50_ms: quantileOf(latencies.away, 0.5),
    away_p99_ms: away,
    asked_away: latencies.away.length,
  };
  return toVerdict({ rule: "availability", findings, scanned: judged, figures });
}

/** No outage lasts for the minute that known keys live without their store (decisions, Authentication). */
function findTurnedAway(probes: readonly Probe[], own_faults: readonly Fault[]): string[] {
  return [...Map.groupBy(probes, ({ replica }) => replica)].flatMap(([replica, all]) => {
    const ends_ms = own_faults
      .filter((fault) => fault.replica === replica)
      .map(({ to_ms }) => to_ms);
    const greeted_ms = all.filter(({ status }) => status === 200).map(({ to_ms }) => to_ms);
    return all
      .filter(({ unreached, from_ms }) => {
        const begun_ms = Math.max(0, ...ends_ms.filter((end_ms) => end_ms <= from_ms));
        return unreached && greeted_ms.some((at_ms) => at_ms >= begun_ms && at_ms < from_ms);
      })
      .map(
        ({ from_ms }) => `${replica}: a known key was turned away, at ${Math.round(from_ms)} ms`,
      );
  });
}

function judge({ status, retry_after, reason, shed }: Probe, amiss: boolean): string | null {
  if (status === null) return `no reply (${reason ?? "reason unknown"})`;
  if (status < 500) return null;
  if (status !== 503) return `status ${status}`;
  if (!retry_after) return "503 without Retry-After";
  return amiss || shed ? null : "503, and nothing is amiss";
}
