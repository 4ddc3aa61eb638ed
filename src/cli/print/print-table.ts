/** A table without lines that fits the terminal: the columns named as elastic give way. */
import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";
import type { Paint } from "#cli/print/paint.ts";

/**
 * `elastic`: gives way; a number makes it that much wider than the other elastic ones in the end.
 * `least`: of an elastic column, the width below which it says too little (`NARROWEST` without).
 * `spare`: left out where the others would get less than their least, the lowest number first.
 */
export type Column = {
  title: string;
  align?: "right";
  elastic?: true | number;
  least?: number;
  spare?: number;
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
  const table = new Table({
    head: columns.map((column) => on.paint.dim(column.title)),
    chars: Object.fromEntries(LINES.map((line) => [line, ""])),
    colAligns: columns.map((column) => column.align ?? "left"),
    colWidths: fit(columns, rows, on),
    style: { head: [], border: [], "padding-left": 0, "padding-right": GAP },
    truncate: "…",
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

type Grid = { columns: readonly Column[]; rows: readonly (readonly string[])[] };

function spare(columns: Grid["columns"], rows: Grid["rows"], on: Pick<On, "room">): Grid {
  const least = columns.reduce((sum, column, index) => {
    const width = widthOf(column, rows, index);
    return sum + (column.elastic === undefined ? width : Math.min(width, leastOf(column)));
  }, -GAP);
  const numbers = columns.flatMap((column) => column.spare ?? []);
  if (least <= on.room || numbers.length === 0) return { columns, rows };
  const first = Math.min(...numbers);
  const keeps = (_: unknown, index: number): boolean => columns[index]?.spare !== first;
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

/**
 * Columns that a text takes on a terminal: two for East Asian wide letters and emoji, none for
 * combining marks and colour codes.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const letter of stripVTControlCharacters(text)) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(letter)) continue;
    width += WIDE.test(letter) ? 2 : 1;
  }
  return width;
}

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
