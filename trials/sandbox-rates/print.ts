/** The rates side by side. */
import Table from "cli-table3";
import type { Row } from "./rates.ts";

export function formatRates(rows: readonly Row[]): string {
  const table = new Table({
    head: ["", "simulated", "real", ""],
    colAligns: ["left", "right", "right", "left"],
    style: { head: [], border: [] },
  });
  for (const { name, simulated, real, enough } of rows)
    table.push([
      name,
      show(name, simulated),
      real === null ? "-" : show(name, real),
      verdict(enough),
    ]);
  return `${table.toString()}\n`;
}

function show(name: string, value: number): string {
  if (name === "pairs") return String(value);
  return name.endsWith(", m") ? value.toFixed(1) : `${(value * 100).toFixed(1)} %`;
}

function verdict(enough: boolean | null): string {
  if (enough === null) return "";
  return enough ? "at least" : "TOO TAME";
}
