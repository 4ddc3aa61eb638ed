/** The cells as a table for a person. */
import Table from "cli-table3";
import { type Cell, percent } from "./verdict.ts";

export function toTable(
  cells: readonly Cell[],
  { seconds, rate }: { seconds: number; rate: number },
): string {
  const table = new Table({
    head: [
      ...["attack", "goodput of others", "p50, p99 ms", "what failed", "in flight: most, after"],
      ...["admin: asked, unanswered", "descriptors: before, most, after", "attacker", "verdict"],
    ],
    style: { head: [], border: [] },
    colWidths: [16, 12, 10, 22, 12, 12, 14, 28, 9],
    wordWrap: true,
  });
  for (const cell of cells) {
    const { measured, attacked } = cell;
    table.push([
      ...[cell.attack, `${percent(cell.share)} (${measured.good} of ${measured.sent})`],
      ...[`${Math.round(measured.p50_ms)}, ${Math.round(measured.p99_ms)}`, listBad(measured.bad)],
      ...[`${cell.inflight_max}, ${cell.inflight_after}`, `${cell.probes}, ${cell.unanswered}`],
      `${cell.fds_before}, ${cell.fds_max}, ${cell.fds_after}`,
      attacked ? `opened ${attacked.opened}, holds ${attacked.stored}, lost ${attacked.lost}` : "",
      cell.findings.length === 0 ? "passed" : "FAILED",
    ]);
  }
  const findings = cells.flatMap((cell) => cell.findings).map((finding) => `✖ ${finding}`);
  return [
    `${rate} honest requests a second, ${seconds} s each; good is 200 within a second`,
    ...[table.toString(), ...findings],
  ].join("\n");
}

function listBad(bad: Readonly<Record<string, number>>): string {
  const rows = Object.entries(bad).map(([name, count]) => `${count} × ${name}`);
  return rows.join(", ") || "nothing";
}
