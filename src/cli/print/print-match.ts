/** In tables of a search with filters: which rows are known to fit them, and which of them is the nearest. */
import type { Column } from "#cli/print/print-table.ts";
import { count, metres } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { MatchBody, NearestKnown } from "#api/filter-match.ts";

type Matched = { [M in keyof MatchBody]?: MatchBody[M] | undefined };
type Filtered = { nearest_known?: NearestKnown | null | undefined };
type Table = { columns: readonly Column[]; rows: readonly (readonly string[])[] };

const UNKNOWN_MARK = "?";

/** The table with a column of what is not known, where a filter is set; `results`: by row. */
export function withMatch<T extends Table>(table: T, results: readonly Matched[]): T {
  if (results.every(({ match }) => match === undefined)) return table;
  const column: Column = { title: "fits" };
  return {
    ...table,
    columns: [...table.columns, column],
    rows: table.rows.map((row, i) => [...row, matchWords(results[i]!)]),
  };
}

/** `yes`, `? wheelchair, usable` where these are not known, nothing where no filter judges it. */
function matchWords({ match, unknown = [] }: Matched): string {
  if (match === undefined) return "";
  return match === "known" ? "yes" : `${UNKNOWN_MARK} ${oneLine(unknown.join(", "))}`;
}

/** A line below the table; nothing where all of its rows are known to fit. */
export function matchNotes({ nearest_known }: Filtered, results: readonly Matched[]): string {
  const unsure = results.filter(({ match }) => match === "unknown").length;
  if (unsure === 0 || nearest_known === undefined) return "";
  const nearest =
    nearest_known === null
      ? "none is known to fit"
      : `the nearest that is known to fit is ${metres(nearest_known.distance_meters)} away`;
  return `${UNKNOWN_MARK} not known to fit: ${count(unsure)}; ${nearest}\n`;
}
