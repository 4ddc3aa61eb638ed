/**
 * The runbook is tried: each fault of docs/operations.md is brought about, must be seen by metric, log
 * and alert of a real Prometheus over the shipped rules, and must end by the cure that the document
 * names (docs/lab/runbook.md). Then a healthy service under load, in which no alert may fire.
 */
import { readFileSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { endOnSignal } from "./chaos/trials/options.ts";
import { nowMs } from "./chaos/fleet/clock.ts";
import type { FaultCase, Row } from "./runbook/case.ts";
import { CASES } from "./runbook/cases.ts";
import { runHealthy } from "./runbook/healthy.ts";
import { hasPrometheus, SHIPPED_RULES } from "./runbook/prometheus.ts";
import { HEAD, toRow } from "./runbook/report.ts";
import { listRules } from "./runbook/rules.ts";
import { runCase } from "./runbook/run.ts";
import { closeStage, openStage, STAGES } from "./runbook/stage.ts";
import { checkTool } from "./runbook/tool.ts";

/** A minute of the rules is a second. */
const FACTOR = 60;
const HEALTHY_MIN = 2;
/** Of `--only`: no case, and the healthy run. */
const HEALTHY = "healthy";

export async function run(args: readonly string[]): Promise<number> {
  const { only, minutes, factor } = readWish(args);
  if (!hasPrometheus()) {
    console.error("!!! SKIPPED runbook, so no alert is proved here: prometheus is missing");
    return 0;
  }
  endOnSignal();
  const findings = only === null ? checkTool() : [];
  const chosen = CASES.filter(
    ({ name }) => only === null || only.some((word) => name.includes(word)),
  );
  console.log(
    `${chosen.length} of ${CASES.length} cases. The minutes of the rules (for, ranges) are divided by ${factor}; scrapes are two seconds apart; expressions are those of deploy/prometheus/alerts.yaml.\n`,
  );
  for (const line of HEAD) console.log(line);
  const rows: Row[] = [];
  for (const stage of STAGES) rows.push(...(await runStage(stage, { chosen, factor })));
  for (const { name, findings: matching_findings } of rows)
    findings.push(...matching_findings.map((text) => `${name}: ${text}`));
  const skipped = rows.filter((row) => row.skipped !== null);
  for (const row of skipped)
    console.log(`!!! SKIPPED ${row.name}, so not proved here: ${row.skipped}`);
  console.log(`\n${rows.length - skipped.length} cases, ${skipped.length} skipped`);
  if (minutes > 0) findings.push(...(await runHealthy(minutes)));
  for (const text of findings) console.error(`✖ ${text}`);
  return findings.length;
}

type Wish = { only: string[] | null; minutes: number; factor: number };

function readWish(args: readonly string[]): Wish {
  const values = readArguments(args, { only: null, minutes: null, factor: FACTOR });
  const only = values.only?.split(",").map((name) => name.trim()) ?? null;
  const is_healthy = only === null || only.includes(HEALTHY);
  const minutes = Number(values.minutes ?? (is_healthy ? HEALTHY_MIN : 0));
  const { factor } = values;
  if (!(minutes >= 0) || !(factor >= 1))
    throw new Error("--minutes: expected 0 or more; --factor: expected 1 or more");
  for (const word of only ?? [])
    if (word !== HEALTHY && !CASES.some(({ name }) => name.includes(word)))
      throw new Error(`no case ${word}; known are ${CASES.map(({ name }) => name).join(", ")}`);
  return { only, minutes, factor };
}

async function runStage(
  kind: FaultCase["stage"],
  { chosen, factor }: { chosen: readonly FaultCase[]; factor: number },
): Promise<Row[]> {
  const cases = chosen.filter(({ stage }) => stage === kind);
  if (cases.length === 0) return [];
  const rules = listRules(readFileSync(SHIPPED_RULES, "utf8"));
  const rows: Row[] = [];
  let stage = await openStage(kind, { factor });
  try {
    for (const one of cases) {
      const begun_ms = nowMs();
      const row = await runCase(one, stage, { rules, factor });
      rows.push(row);
      console.log(toRow(row));
      for (const text of row.findings) console.log(`  ✖ ${text}`);
      // What is not well again must not spoil the next one.
      if (row.back_s === null && row.skipped === null) {
        await closeStage(stage);
        stage = await openStage(kind, { factor });
      }
      if (process.env["RUNBOOK_TIMES"] === "1")
        console.log(`  ${((nowMs() - begun_ms) / 1000).toFixed(0)} s`);
    }
  } finally {
    await closeStage(stage);
  }
  return rows;
}
