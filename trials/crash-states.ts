/**
 * `npm run trials -- crash-states` [--seed N] [--work N] [--share N]: the moments of a writer at which a crash
 * may have left its disk, or a share of them, rebuilt and opened (reliability 3.5).
 */
import { readArguments } from "./arguments.ts";
import { datasetsScenario } from "./crash-states/datasets.ts";
import { keysScenario } from "./crash-states/keys.ts";
import { recordScenario, replayScenario, type Outcome } from "./crash-states/scenario.ts";
import { canTrace } from "./crash-states/trace.ts";
import { usageScenario } from "./crash-states/usage.ts";

export function run(args: readonly string[]): Promise<number> {
  const { seed, work, share } = readArguments(args, { seed: 1, work: 800, share: 1 });
  if (!Number.isInteger(seed) || !Number.isInteger(work) || work < 2)
    throw new Error("--seed, --work: expected whole numbers");
  if (!(share > 0 && share <= 1)) throw new Error("--share: expected a number above 0, at most 1");
  if (!canTrace()) throw new Error("strace is not installed here, or may not trace");

  console.log(
    "| store | writes | fsyncs | acks | exposed, ms | states | found | s |\n|---|---|---|---|---|---|---|---|",
  );
  const scenarios = [
    usageScenario(seed, work),
    keysScenario(seed, Math.ceil(work / 3)),
    datasetsScenario(seed, Math.ceil(work / 3)),
  ];
  let findings = 0;
  for (const scenario of scenarios) {
    const { trace, exposed_ms } = recordScenario(scenario, seed);
    const outcome = replayScenario(scenario, trace, { seed, share, subsets: 4 });
    console.log(rowOf(outcome, exposed_ms));
    for (const text of outcome.findings) console.log(`!!! ${text}`);
    findings += outcome.findings.length;
  }
  return Promise.resolve(findings);
}

/** `exposed_ms`: how long an acknowledgement could have been lost with the power, at most. */
function rowOf(outcome: Outcome, exposed_ms: number): string {
  const { name, ops, barriers, acks, states, kinds, findings, elapsed_s } = outcome;
  const by_kind = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
  const text = `${states} (${by_kind.join(", ")})`;
  const figures = [ops, barriers, acks, exposed_ms.toFixed(1), text, findings.length];
  return `| ${[name, ...figures, elapsed_s.toFixed(1)].join(" | ")} |`;
}
