/** The table of a run, in the form in which docs/lab/runbook.md has it. */
import type { Row } from "./case.ts";

export const HEAD = [
  "| case | metric | log | alerts | callers meanwhile, other than 200 | well again |",
  "|---|---:|---:|---|---|---:|",
] as const;

export function toRow(row: Row): string {
  const { name, metric_s, log_s, alerts, callers, back_s, skipped } = row;
  if (skipped !== null) return `| ${name} | | | skipped: ${skipped} | | |`;
  const fired = alerts.map(
    ({ alert, after_s }) => `${alert} ${after_s === null ? "**never**" : format(after_s)}`,
  );
  const others = [...callers].filter(([outcome]) => !outcome.endsWith(" 200"));
  return `| ${[
    name,
    format(metric_s),
    format(log_s),
    fired.join(", ") || "–",
    others.map(([outcome, count]) => `${count} × ${outcome}`).join(", ") || "none",
    format(back_s),
  ].join(" | ")} |`;
}

function format(seconds: number | null): string {
  return seconds === null ? "–" : `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
