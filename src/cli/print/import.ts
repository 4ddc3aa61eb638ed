/** What became of an import, for people. */
import type { ImportReport } from "#cli/io.ts";
import type { On } from "#cli/print/answer.ts";
import { renderTable } from "#cli/print/table.ts";
import type { Column } from "#cli/print/table.ts";
import { clean, count } from "#cli/print/words.ts";

const COLUMNS: readonly Column[] = [
  { title: "left out", align: "right" },
  { title: "why" },
  { title: "such as", elastic: true },
];

export function formatImport(report: ImportReport, on: On): string {
  const { stations, stops, routes, operators, modes, rejected } = report;
  const counts = `${count(stations)} stations of ${count(stops)} stops, ${count(routes)} routes, ${count(operators)} operators`;
  const head = `${counts} · ${modes.map((mode) => mode.replaceAll("_", " ")).join(", ") || "no modes"}\n`;
  return `${head}${formatLeftOut(rejected, on)}`;
}

/** A table of what was left out and why; nothing where nothing was. */
export function formatLeftOut(rejected: ImportReport["rejected"], on: On): string {
  if (rejected.length === 0) return "";
  const rows = rejected.map((row) => [
    count(row.count),
    row.reason.replaceAll("_", " "),
    clean(row.examples.slice(0, 3).join(", ")),
  ]);
  return `\n${renderTable(COLUMNS, rows, on)}`;
}
