/** The report as people read it. */
import type { Cell } from "../tables.ts";
import { skippedTable, table } from "../tables.ts";
import type { Claim } from "./claims.ts";
import type { ReplayReport } from "./report.ts";
import type { Counts, Reason, SystemRow, Totals } from "./systems.ts";

const COUNTED = ["seen", "ok", "dropped"];

export function printReport(report: ReplayReport): string {
  const parts = [
    "Systems, as read (stations, vehicles: rows seen, accepted, dropped)",
    systemsTable(report.systems, report.totals),
    "Why rows were dropped or repaired",
    reasonsTable(report.systems, report.totals.reasons),
    "Accepted, and rightly never listed",
    unlistedTable(report),
    "No systems, and why",
    skippedTable(report.skipped),
    capturedLine(report),
    report.claims.map(claimLine).join("\n"),
    `${report.elapsed_s} s`,
  ];
  return `${parts.join("\n")}\n`;
}

function systemsTable(rows: readonly SystemRow[], totals: Totals): string {
  const head = [
    ...["system", "version"],
    ...COUNTED.map((each) => `st. ${each}`),
    "statuses",
    ...COUNTED.map((each) => `veh. ${each}`),
    "age s",
    "reasons",
  ];
  const total = { ...totals, age_s: null, note: "" };
  return table(head, [
    ...rows.map((row) => toCells(row, [row.id, row.version ?? "1.0 *"], noteOf(row))),
    toCells(total, [`total of ${totals.systems}`, null], ""),
  ]);
}

function toCells(
  row: Pick<SystemRow, "stations" | "statuses" | "vehicles" | "age_s">,
  first: Cell[],
  note: string,
): Cell[] {
  const { stations, statuses, vehicles, age_s } = row;
  return [
    ...first,
    ...threeOf(stations),
    statuses?.accepted ?? null,
    ...threeOf(vehicles),
    age_s,
    note,
  ];
}

function threeOf(counts: Counts | null): Cell[] {
  return counts ? [counts.seen, counts.accepted, counts.dropped] : [null, null, null];
}

function noteOf({ reasons, empty, missing, lost }: SystemRow): string {
  const words = reasons.map(({ reason, effect, count }) =>
    effect === "dropped" ? `${reason} ${count}` : `(${reason} ${count})`,
  );
  words.unshift(...missing.map((file) => `not captured: ${file}`));
  if (empty) words.unshift("empty station list");
  return [...lost.map((each) => `LOST ${each}`), ...words].join("\n");
}

function reasonsTable(rows: readonly SystemRow[], reasons: readonly Reason[]): string {
  const systems = ({ reason, effect }: Reason): number =>
    rows.filter((row) => row.reasons.some((r) => r.reason === reason && r.effect === effect))
      .length;
  return table(
    ["effect", "reason", "rows", "systems"],
    reasons.map((each) => [each.effect, each.reason, each.count, systems(each)]),
  );
}

function unlistedTable({ unlisted }: ReplayReport): string {
  return table(
    ["reason", "entities"],
    [
      ["station is not installed (is_installed=false)", unlisted.station_not_installed],
      ["its only mode is `other`", unlisted.mode_other],
      ["vehicle document older than an hour", unlisted.too_old],
    ],
  );
}

function capturedLine({ captured, systems }: ReplayReport): string {
  const { status_only, empty, hand_made } = captured;
  return (
    `${captured.systems} systems captured: ${systems.length - hand_made} served (${empty} of them ` +
    `with an empty station list), ${status_only} status-only; served besides: ${hand_made} hand-made`
  );
}

function claimLine({ claim, figures, checks, differences }: Claim): string {
  const mark = differences.length === 0 ? "✔" : "✖";
  const verdict = differences.length === 0 ? "no difference" : `${differences.length} DIFFERENCES`;
  const lines = differences.map((each) => `    ${each}`);
  return [`${mark} ${claim}: ${figures}; ${checks} checks, ${verdict}`, ...lines].join("\n");
}
