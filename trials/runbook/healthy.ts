/** A healthy fleet and a healthy node under load, at the same time; no alert may fire over either. */
import { nowMs, sleep } from "../chaos/fleet/clock.ts";
import { countOutcomes } from "./load.ts";
import { closeStage, openStage, type StageKind, STAGES } from "./stage.ts";

/** The longest `for` of the shipped rules: a run that is as long needs no shortening. */
const LONGEST_MIN = 30;
const LOOK_MS = 1_000;
const RATE = 40;

export async function runHealthy(minutes: number): Promise<string[]> {
  const matches = await Promise.all(STAGES.map((kind) => watch(kind, minutes)));
  return matches.flat();
}

async function watch(kind: StageKind, minutes: number): Promise<string[]> {
  const factor = Math.max(1, LONGEST_MIN / minutes);
  const findings: string[] = [];
  const stage = await openStage(kind, { factor, rate: RATE });
  try {
    const begun_ms = nowMs();
    const fired = new Map<string, number>();
    while (nowMs() - begun_ms < minutes * 60_000) {
      for (const alert of await stage.prometheus.listFiring())
        if (!fired.has(alert)) fired.set(alert, (nowMs() - begun_ms) / 1000);
      await sleep(LOOK_MS);
    }
    const counts = countOutcomes(stage.load.outcomes, { from_ms: begun_ms, to_ms: nowMs() });
    const listed = [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
    console.log(
      `healthy, ${kind}: ${minutes} min, minutes of the rules divided by ${factor}; alerts: ${[...fired.keys()].join(", ") || "none"}; ${listed}`,
    );
    for (const [alert, at_s] of fired)
      findings.push(`healthy, ${kind}: ${alert} fires after ${Math.round(at_s)} s`);
    for (const [outcome, count] of counts)
      if (!outcome.endsWith(" 200")) findings.push(`healthy, ${kind}: ${count} × ${outcome}`);
  } finally {
    await closeStage(stage);
  }
  return findings;
}
