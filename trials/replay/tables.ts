/** Tables for people. */
import Table from "cli-table3";
import type { ReplaySystem } from "./host.ts";
import type { Skipped } from "./sets.ts";

export type Cell = string | number | null;

/** Numbers to the right, null as a dash. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const made = new Table({
    head: [...head],
    style: { head: [], border: [], compact: true },
    colAligns: head.map((_, column) =>
      rows.some((row) => typeof row[column] === "number") ? "right" : "left",
    ),
  });
  for (const row of rows) made.push(row.map((cell) => (cell === null ? "–" : String(cell))));
  return made.toString();
}

export function systemsTable(systems: readonly ReplaySystem[]): string {
  const rows = systems.map(({ id, name, set, files, missing }) => [
    id,
    name === id ? null : name,
    set.version ?? "1.0 (none stated)",
    files.length,
    seriesOf(set.files),
    set.empty ? "empty station list" : missing.map((file) => `no ${file}`).join(", "),
  ]);
  return table(["system", "name", "version", "files", "series", "note"], rows);
}

export function skippedTable(skipped: readonly Skipped[]): string {
  return table(
    ["path", "reason"],
    skipped.map(({ path, reason }) => [path, reason]),
  );
}

function seriesOf(files: ReplaySystem["set"]["files"]): number | null {
  const longest = Math.max(...[...files.values()].map(({ length }) => length));
  return longest > 1 ? longest : null;
}
