/** The table of costs, a row a cell. */
import type { Judged } from "./judge.ts";

const NAMES = [
  ...[
    "of",
    "question",
    "x",
    "ms",
    "of these main",
    "longest",
    "most",
    "of it collections",
    "MB more",
    "kB",
    "tokens",
    "verdict",
  ],
];

export const HEADS: string = `${row(NAMES)}\n${row(NAMES.map(() => "---"))}`;

export function toRow({ cell, measured, ratio, tokens, problems }: Judged): string {
  const { of, what } = cell;
  const numbers =
    measured === null
      ? ["–", "–", "–", "–", "–", "–", "–", "–"]
      : [
          (ratio ?? 0).toFixed(0),
          measured.all_ms.toFixed(2),
          measured.main_ms.toFixed(2),
          measured.longest_ms.toFixed(2),
          measured.most_ms.toFixed(2),
          measured.collections_ms.toFixed(2),
          measured.rise_mb.toFixed(0),
          (measured.bytes / 1000).toFixed(0),
        ];
  return row([
    of,
    what,
    ...numbers,
    String(tokens ?? "–"),
    problems.length === 0 ? "✔" : `✖ ${problems.join(", ")}`,
  ]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
