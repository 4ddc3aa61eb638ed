/** What became of an import, for people. */
import type { ImportReport } from "#cli/io.ts";
import type { On } from "#cli/print/print-answer.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import type { FailureWord } from "#api/sources.ts";
import { explainFailure } from "#core/failure-words.ts";
import { count } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";

const COLUMNS: readonly Column[] = [
  { title: "left out", align: "right" },
  { title: "why" },
  { title: "such as", elastic: true, wraps: 3 },
];

export function formatImport(report: ImportReport, on: On): string {
  const { stations, stops, routes, operators, modes, rejected } = report;
  const counts = `${count(stations)} stations of ${count(stops)} stops, ${count(routes)} routes, ${count(operators)} operators`;
  const head = `${counts} · ${modes.map((mode) => mode.replaceAll("_", " ")).join(", ") || "no modes"}\n`;
  return `${head}${sayWithin(report)}${sayDays(report, on)}${formatLeftOut(rejected, on)}`;
}

/** Names what is known of ways within stations; nothing where nothing is. */
function sayWithin({ within_stations: within }: ImportReport): string {
  if (!within) return "";
  return `ways within ${count(within.stations)} stations, ${count(within.lifts)} lifts\n`;
}

/** From when to when it runs; a warning where that says nothing of now. */
function sayDays({ runs_from, runs_until, days_problem }: ImportReport, { paint }: On): string {
  if (days_problem === null)
    return runs_until === null ? "" : `runs from ${runs_from} until ${runs_until}\n`;
  const [next, none] = ["import a newer one", "no departures are shown"];
  const { word, message } = explainFailure({ status: "error", reason: days_problem });
  const says: Partial<Record<FailureWord, string>> = {
    "has ended": `it has ended on ${runs_until}: ${next}`,
    "has not begun": `it has not begun: ${none} before ${runs_from}`,
  };
  const other = `${message.charAt(0).toLowerCase()}${message.slice(1, -1)}: ${none}`;
  return `${paint.yellow(says[word] ?? other)}\n`;
}

/** A table of what was left out and why; nothing where nothing was. */
export function formatLeftOut(rejected: ImportReport["rejected"], on: On): string {
  if (rejected.length === 0) return "";
  const rows = rejected.map((row) => [
    count(row.count),
    row.reason.replaceAll("_", " "),
    oneLine(row.examples.slice(0, 3).join(", ")),
  ]);
  return `\n${renderTable(COLUMNS, rows, on)}`;
}
