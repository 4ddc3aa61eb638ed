/** A table without lines that fits the terminal: the columns named as elastic give way. */
import Table from "cli-table3";
import type { Paint } from "#cli/print/paint.ts";
import { UNKNOWN } from "#cli/print/print-words.ts";
import { displayWidth, fill } from "#cli/print/wrap.ts";

/**
 * `elastic`: gives way; a number makes it that much wider than the other elastic ones in the end.
 * `least`: of an elastic column, the width below which it says too little (`NARROWEST` without).
 * `spare`: left out where the others would get less than their least, the lowest number first, those first
 * in which nothing is known.
 * `wraps`: where it is too narrow it goes on in up to this number of lines, of which the last one is cut.
 */
export type Column = {
  title: string;
  align?: "right";
  elastic?: true | number;
  least?: number;
  spare?: number;
  wraps?: number;
};

/** `room`: how wide the table may be. */
type On = { paint: Paint; room: number };

const GAP = 2;
const NARROWEST = 8;
/** No terminal is wider; a column at its least gives way after every other one. */
const TERMINAL_MAX = 100_000;
const LINES = [
  ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left"],
  ...["bottom-right", "left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"],
] as const;

export function renderTable(
  all: readonly Column[],
  cells: readonly (readonly string[])[],
  on: On,
): string {
  const { columns, rows } = spare(all, cells, on);
  const widths = fit(columns, rows, on);
  const table = new Table({
    head: columns.map((column) => on.paint.dim(column.title)),
    chars: Object.fromEntries(LINES.map((line) => [line, ""])),
    colAligns: columns.map((column) => column.align ?? "left"),
    colWidths: widths,
    style: { head: [], border: [], "padding-left": 0, "padding-right": GAP },
    truncate: "…",
  });
  const toCell = (content: string, index: number): string =>
    wrapCell(content, columns[index]?.wraps, widths[index] ?? null);
  table.push(...rows.map((row) => row.map(toCell)));
  return table
    .toString()
    .split("\n")
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** `width`: with the gap behind it; null: as wide as it is. */
function wrapCell(content: string, most: number | undefined, width: number | null): string {
  if (most === undefined || width === null) return content;
  const lines = fill(content.split(" "), width - GAP);
  const [shown, rest] = [lines.slice(0, most - 1), lines.slice(most - 1)];
  return [...shown, ...(rest.length > 0 ? [rest.join(" ")] : [])].join("\n");
}

type Grid = { columns: readonly Column[]; rows: readonly (readonly string[])[] };

function spare(columns: Grid["columns"], rows: Grid["rows"], on: Pick<On, "room">): Grid {
  const least = columns.reduce((sum, column, index) => {
    const width = widthOf(column, rows, index);
    return sum + (column.elastic === undefined ? width : Math.min(width, leastOf(column)));
  }, -GAP);
  const isUnknown = columns.map((_, index) => rows.every((row) => row[index] === UNKNOWN));
  const numbers = columns.map(({ spare: number }, index) =>
    number !== undefined && isUnknown[index] ? -1 : number,
  );
  const first = Math.min(...numbers.flatMap((number) => number ?? []));
  if (least <= on.room || first === Infinity) return { columns, rows };
  const keeps = (_: unknown, index: number): boolean => numbers[index] !== first;
  return spare(
    columns.filter(keeps),
    rows.map((row) => row.filter(keeps)),
    on,
  );
}

/** The least width of an elastic column, and the gap behind it. */
function leastOf({ least = NARROWEST }: Column): number {
  return least + GAP;
}

/** The width of what is in it, and the gap behind it. */
function widthOf({ title }: Column, rows: Grid["rows"], index: number): number {
  const widths = rows.map((row) => displayWidth(row[index] ?? ""));
  return Math.max(displayWidth(title), ...widths) + GAP;
}

/** Widths of the elastic columns that must give way; null leaves a column as wide as its content. */
function fit(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { room }: On,
): (number | null)[] {
  const wanted = columns.map((column, index) => widthOf(column, rows, index));
  const widths = [...wanted];
  let excess = widths.reduce((sum, width) => sum + width, 0) - GAP - room;
  while (excess > 0) {
    const widest = columns
      .map((column, index) => ({ index, share: shareOf(column, widths[index] ?? 0) }))
      .reduce((a, b) => (b.share > a.share ? b : a));
    if (widest.share <= 0) break;
    widths[widest.index] = (widths[widest.index] ?? 0) - 1;
    excess -= 1;
  }
  return widths.map((width, index) => (width === wanted[index] ? null : width));
}

/** The larger, the sooner it gives way, those above their least first; 0 when it cannot. */
function shareOf(column: Column, width: number): number {
  const { elastic } = column;
  if (elastic === undefined || width <= NARROWEST + GAP) return 0;
  if (width <= leastOf(column)) return width / TERMINAL_MAX;
  return width / (elastic === true ? 1 : elastic);
}
