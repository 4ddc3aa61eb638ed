/** What a run has shown: a table for people, and all of it as JSON. */
import { writeFileSync } from "node:fs";
import type { Verdict } from "./check/verdict.ts";

function toTable({ verdicts }: { verdicts: readonly Verdict[] }): string {
  const rows = verdicts.map(({ rule, scanned, findings, figures }) =>
    row([rule, scanned, findings.length, formatFigures(figures)]),
  );
  return [row(["rule", "judged", "found", "figures"]), "|---|---:|---:|---|", ...rows].join("\n");
}

function listFindings(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ rule, findings, scanned }) => [
    ...findings.map((text) => `${rule}: ${text}`),
    ...(scanned === 0 ? [`${rule}: nothing was judged`] : []),
  ]);
}

function formatFigures(figures: Verdict["figures"]): string {
  const format = (value: number): string => String(Math.round(value * 1000) / 1000);
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${format(value)}`)
    .join(", ");
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Prints and writes the verdicts; returns the number of findings. */
export function conclude(
  report: { seed: number; verdicts: readonly Verdict[] },
  json: string | null,
): number {
  const { seed, verdicts } = report;
  console.log(toTable(report));
  if (json !== null) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  const findings = listFindings(verdicts);
  for (const text of findings) console.error(`✖ ${text}`);
  console.log(`seed ${seed}`);
  return findings.length;
}
