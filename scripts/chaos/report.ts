/** What a run has shown: a table for people, and all of it as JSON. */
import type { ChaosReport } from "./run.ts";
import type { Verdict } from "./check/verdict.ts";

export function toTable({ verdicts }: Pick<ChaosReport, "verdicts">): string {
  const rows = verdicts.map(({ rule, scanned, findings, figures }) =>
    row([rule, scanned, findings.length, tellFigures(figures)]),
  );
  return [row(["rule", "judged", "found", "figures"]), "|---|---:|---:|---|", ...rows].join("\n");
}

export function listFindings(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ rule, findings, scanned }) => [
    ...findings.map((text) => `${rule}: ${text}`),
    ...(scanned === 0 ? [`${rule}: nothing was judged`] : []),
  ]);
}

/** The seven members of a report that say what was done and what came of it. */
export function toJson(report: ChaosReport): string {
  return JSON.stringify(report, null, 2);
}

function tellFigures(figures: Verdict["figures"]): string {
  const tell = (value: number): string => String(Math.round(value * 1000) / 1000);
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${tell(value)}`)
    .join(", ");
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}
