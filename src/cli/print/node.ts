/** The checks of a node for people: a row each, what fails first, and a line that sums up. */
import type { On } from "#cli/print/print-answer.ts";
import { type Column, renderTable } from "#cli/print/print-table.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { Check, CheckState } from "#storage/inspect/inspection-check.ts";

const ORDER: readonly CheckState[] = ["failing", "warning", "unknown", "ok"];

const COLUMNS: readonly Column[] = [
  { title: "state" },
  { title: "check" },
  { title: "found", elastic: true, least: 30, wraps: 3 },
];

export function formatChecks(checks: readonly Check[], on: On): string {
  const { paint } = on;
  const colour = { failing: paint.red, warning: paint.yellow, unknown: paint.dim, ok: paint.green };
  const sorted = checks.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const rows = sorted.map(({ state, check, detail }) => [
    colour[state](state),
    oneLine(check),
    oneLine(detail),
  ]);
  const counts = ORDER.flatMap((state) => {
    const count = checks.filter((each) => each.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return `${renderTable(COLUMNS, rows, on)}\n${checks.length} checks: ${counts.join(", ")}\n`;
}
