/** Runs one case: until all of it is seen, then cured, then until nothing of it is seen any more. */
import { nowMs, sleep } from "../chaos/fleet/clock.ts";
import type { FaultCase, Row } from "./case.ts";
import { countOutcomes } from "./load.ts";
import type { Rule } from "./rules.ts";
import { LEAST_RANGE_S } from "./rules.ts";
import { findWrong, type Stage } from "./stage.ts";

/** Within it a fault must be seen, in addition to what the rule itself waits for. */
export const SEEN_S = 60;
/** Within it all must be well after the cure, in addition to what the rule itself looks back. */
const BACK_S = 90;
const CALM_S = 45;
const LOOK_MS = 250;

export type Terms = { rules: readonly Rule[]; factor: number };

/** Seconds after the fault within which the alert must fire, with the minutes of the rule shortened. */
export function boundOf({ for_s, range_s }: Rule, factor: number): number {
  const range = range_s === 0 ? 0 : Math.max(LEAST_RANGE_S, range_s / factor);
  return SEEN_S + for_s / factor + range;
}

export async function runCase(one: FaultCase, stage: Stage, terms: Terms): Promise<Row> {
  const findings: string[] = [];
  const lasting = await untilCalm(one, stage);
  if (lasting.length > 0) findings.push(`before the fault: ${lasting.join(", ")}`);
  const written = stage.nodes.map((node) => node.output().length);
  const begun_ms = nowMs();
  const empty = { metric_s: null, log_s: null, alerts: [], back_s: null, callers: new Map() };
  const problem = await one.fault(stage);
  if (problem !== null) return { name: one.name, ...empty, findings: [], skipped: problem };
  const struck_ms = nowMs();
  const seen = await watchFault(one, stage, { terms, written, begun_ms });
  findings.push(...seen.missing);
  findings.push(...((await one.during?.(stage)) ?? []));
  const from_ms = one.restarts ? struck_ms : begun_ms;
  const span = { from_ms, to_ms: nowMs(), without: one.victims ?? [] };
  const callers = countOutcomes(stage.load.outcomes, span);
  for (const [outcome, count] of callers)
    if (!outcome.endsWith(" 200") && !one.allowed?.includes(outcome))
      findings.push(`${count} callers got ${outcome}`);
  await one.cure(stage);
  const cured_ms = nowMs();
  const { back_s, problem: left } = await watchCure(one, stage, { terms, cured_ms });
  if (left !== null) findings.push(`the cure does not help: ${left}`);
  findings.push(...((await one.after?.(stage)) ?? []));
  const { metric_s, log_s, alerts } = seen;
  return { name: one.name, metric_s, log_s, alerts, back_s, callers, findings, skipped: null };
}

/** What the case is to show, and is there already. */
async function listLasting({ seen }: FaultCase, { prometheus }: Stage): Promise<string[]> {
  const firing = await prometheus.listFiring();
  const matches = [...firing].map((alert) => `${alert} fires`);
  for (const expression of seen.metrics)
    if ((await prometheus.query(expression)).length > 0) matches.push(`${expression} holds`);
  return matches;
}

/** What the case before has left may take a moment to go. */
async function untilCalm(one: FaultCase, stage: Stage): Promise<string[]> {
  const until_ms = nowMs() + CALM_S * 1000;
  for (;;) {
    const lasting = await listLasting(one, stage);
    if (lasting.length === 0 || nowMs() > until_ms) return lasting;
    await sleep(LOOK_MS);
  }
}

type Watched = Pick<Row, "metric_s" | "log_s" | "alerts"> & { missing: string[] };
type Since = { terms: Terms; written: readonly number[]; begun_ms: number };

async function watchFault(
  { seen }: FaultCase,
  stage: Stage,
  { terms, written, begun_ms }: Since,
): Promise<Watched> {
  const later_s = seen.later?.[0] ?? 0;
  const bounds = new Map(
    seen.alerts.map((alert) => {
      const rule = terms.rules.find((each) => each.alert === alert);
      return [alert, rule ? boundOf(rule, terms.factor) + later_s : null] as const;
    }),
  );
  const at = new Map<string, number>();
  const note = (what: string): void => {
    if (!at.has(what)) at.set(what, (nowMs() - begun_ms) / 1000);
  };
  const wanted = [
    ...seen.metrics,
    ...(seen.log === null ? [] : ["log"]),
    ...seen.alerts.filter((alert) => bounds.get(alert) !== null),
  ];
  const longest_s = Math.max(SEEN_S + later_s, ...[...bounds.values()].map((bound) => bound ?? 0));
  while (wanted.some((what) => !at.has(what)) && nowMs() - begun_ms < longest_s * 1000) {
    for (const expression of seen.metrics)
      if (!at.has(expression) && (await stage.prometheus.query(expression)).length > 0)
        note(expression);
    for (const alert of await stage.prometheus.listFiring()) note(alert);
    const isLogged = (text: string, i: number): boolean =>
      seen.log?.test(text.slice(written[i])) === true;
    if (stage.nodes.some((node, i) => isLogged(node.output(), i))) note("log");
    await sleep(LOOK_MS);
  }
  const findOf = (what: string): number | null => at.get(what) ?? null;
  const missing = [
    ...seen.metrics.filter((each) => !at.has(each)).map((each) => `no metric shows it: ${each}`),
    ...(seen.log !== null && !at.has("log")
      ? [`no line of the log says it: ${seen.log.source}`]
      : []),
    ...[...bounds].flatMap(([alert, bound]) => {
      if (bound === null) return [`there is no alert ${alert}`];
      const after_s = findOf(alert);
      if (after_s === null) return [`${alert} does not fire within ${Math.round(bound)} s`];
      return after_s > bound ? [`${alert} fires only after ${Math.round(after_s)} s`] : [];
    }),
  ];
  return {
    metric_s: seen.metrics.length === 0 ? null : slowest(seen.metrics.map(findOf)),
    log_s: findOf("log"),
    alerts: [...bounds].map(([alert, bound]) => ({
      alert,
      after_s: findOf(alert),
      bound_s: bound ?? 0,
    })),
    missing,
  };
}

/** null: one of them never came. */
function slowest(times: readonly (number | null)[]): number | null {
  return times.includes(null) ? null : Math.max(...(times as number[]));
}

async function watchCure(
  one: FaultCase,
  stage: Stage,
  { terms, cured_ms }: { terms: Terms; cured_ms: number },
): Promise<{ back_s: number | null; problem: string | null }> {
  const looks_back_s = Math.max(
    0,
    ...terms.rules.map(({ range_s }) =>
      range_s === 0 ? 0 : Math.max(LEAST_RANGE_S, range_s / terms.factor),
    ),
  );
  let problem: string | null = null;
  while (nowMs() - cured_ms < (BACK_S + looks_back_s) * 1000) {
    const lasting = await listLasting(one, stage);
    problem = lasting.length > 0 ? lasting.join(", ") : await findWrong(stage);
    if (problem === null) return { back_s: (nowMs() - cured_ms) / 1000, problem: null };
    await sleep(LOOK_MS);
  }
  return { back_s: null, problem };
}
