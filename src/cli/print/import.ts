/** What became of an import, for people. */
import type { ImportReport } from "#cli/io.ts";
import type { On } from "#cli/print/answer.ts";
import { renderTable } from "#cli/print/table.ts";
import type { Column } from "#cli/print/table.ts";

const COLUMNS: readonly Column[] = [
  { title: "left out", align: "right" },
  { title: "why" },
  { title: "such as", elastic: true },
];

export function formatImport(report: ImportReport, on: On): string {
  const { stations, stops, routes, operators, modes, rejected } = report;
  const head = `${stations} stations of ${stops} stops, ${routes} routes, ${operators} operators · ${modes.join(", ") || "no modes"}\n`;
  if (rejected.length === 0) return head;
  const rows = rejected.map(({ reason, count, examples }) => [
    String(count),
    reason.replaceAll("_", " "),
    examples.slice(0, 3).join(", "),
  ]);
  return `${head}\n${renderTable(COLUMNS, rows, on)}`;
}
