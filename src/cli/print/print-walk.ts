/** Minutes on foot in the tables of answers that have ways, and what a mark on them means. */
import type { Column } from "#cli/print/print-table.ts";
import { count } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";

type Walk = WalkBody | null | undefined;
type Walked = { walking?: WalkingBody | undefined };
type Table = { columns: readonly Column[]; rows: readonly (readonly string[])[] };

const NO_WAY = "?";
const UNSURE = "*";

/** `4 min`, up to the next one; `?`: no way is known; with `*` where a step may be on it. */
export function minutesOnFoot(walk: Walk, profile: WalkingBody["profile"]): string {
  if (!walk) return NO_WAY;
  const unsure = profile === "step_free" && walk.step_free === null ? UNSURE : "";
  return `${Math.ceil(walk.seconds / 60)} min${unsure}`;
}

/** The table with a column of minutes in a place, where the answer has ways; `walks`: by row. */
export function withMinutes<T extends Table>(
  { walking }: Walked,
  table: T,
  walks: readonly Walk[],
  place = 1,
): T {
  if (!walking) return table;
  const column: Column = { title: "on foot", align: "right" };
  return {
    ...table,
    columns: table.columns.toSpliced(place, 0, column),
    rows: table.rows.map((row, i) =>
      row.toSpliced(place, 0, minutesOnFoot(walks[i], walking.profile)),
    ),
  };
}

const REASONS: Readonly<Record<NonNullable<WalkingBody["reason"]>, string>> = {
  outside_bases: "no imported base covers this point",
  base_without_walking: "the imported base here has no ways on foot: import it again",
  base_unreadable: "the imported base here cannot be read",
  start_off_network: "no street is within 100 m of this point",
};

/** Lines below the table: the speed, what its marks mean, and whose streets they are. */
export function walkNotes({ walking }: Walked, walks: readonly Walk[]): string {
  if (!walking) return "";
  const { speed_meters_per_second, profile, within_meters, reason, base } = walking;
  const kind = profile === "step_free" ? "on foot without steps" : "on foot";
  const owner = base?.attribution ? `, ${oneLine(base.attribution)}` : "";
  const isUnsure = walks.some((walk) => walk && profile === "step_free" && walk.step_free === null);
  const why = reason === undefined ? `within ${count(within_meters)} m` : `: ${REASONS[reason]}`;
  return [
    "\n",
    base === null ? "" : `${kind}: at ${speed_meters_per_second} m/s${owner}\n`,
    walks.some((walk) => !walk)
      ? `${NO_WAY} no way on foot is known${reason === undefined ? " " : ""}${why}\n`
      : "",
    isUnsure ? `${UNSURE} not known whether all of the way is without steps\n` : "",
  ].join("");
}
