/** The simulation as printed in docs/lab/scale.md. */
import type { Scale } from "./model.ts";
import { type Name, PARAMETERS, type Values } from "./parameters.ts";

export function printScale({ lines, loads }: Scale, values: Values): string {
  const changed = Object.entries(PARAMETERS).map(([name, { unit, from }]) =>
    row([`\`${name}\``, figure(values[name as Name]), unit, from]),
  );
  return [
    head(["where", "what", "figure", "unit"], 2),
    ...lines.map(({ part, what, value, unit }) => row([part, what, figure(value), unit])),
    "",
    head(["the next bottleneck", "in use at the peak", "what relieves it"], 1),
    ...loads.map(({ part, share, relief }) => row([part, `${(100 * share).toFixed(1)} %`, relief])),
    "",
    head(["parameter", "value", "unit", "where it is from"], 1),
    ...changed,
  ].join("\n");
}

/** Three digits that count. */
function figure(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = digits === 0 ? Number(value.toPrecision(6)) : value;
  const stored = { maximumFractionDigits: Math.min(digits, 3) };
  return rounded.toLocaleString("en", stored);
}

function head(cells: readonly string[], right: number): string {
  return `${row(cells)}\n|${cells.map((_, i) => (i === right ? "---:" : "---")).join("|")}|`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

const BETWEEN = /(<!-- scale -->\n)[^]*(\n<!-- \/scale -->)/;

/** The page with this table in its place. */
export function intoPage(page: string, table: string): string {
  return page.replace(BETWEEN, (_, before: string, after: string) => before + table + after);
}
