/** The sources for people: a line a problem, or all of them; what fails comes first, the last line sums up. */
import type { SourcesBody } from "#api/sources.ts";
import type { On } from "#cli/print/print-answer.ts";
import type { Paint } from "#cli/print/paint.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { formatBytes, formatCounts, NO_WALKING } from "#cli/print/print-bases.ts";
import { UNKNOWN, age, count, secondsSince } from "#cli/print/print-words.ts";
import { lacksWalking } from "#osm/base/base-layout.ts";
import { oneLine } from "#kit/text/one-line.ts";

type Source = SourcesBody["sources"][number];
type State = Source["state"];

/** Worst first: what needs a person, what is under way, what is well, what is off. */
const COLOURS = {
  error: "red",
  unauthorized: "red",
  timeout: "yellow",
  unavailable: "yellow",
  not_surveyed: "cyan",
  idle: "dim",
  ok: "green",
  disabled: "dim",
} as const satisfies Record<State, keyof Paint>;
const ORDER = Object.keys(COLOURS) as State[];

const COLUMNS: readonly Column[] = [
  { title: "state" },
  { title: "source", elastic: true, least: 30 },
  // A lookup is asked per question: it has no entities to count, and rests until someone asks.
  { title: "kind", spare: 1 },
  { title: "entities", align: "right" },
  { title: "age", align: "right" },
  { title: "licence", spare: 3 },
  { title: "last success", spare: 2 },
];

export function isFailing(source: Source): boolean {
  return ORDER.indexOf(source.state) < ORDER.indexOf("not_surveyed");
}

/** Each source with its figures, what its base or timetable holds, and a line for each problem. */
export function formatSources(sources: readonly Source[], on: On): string {
  const sorted = sortSources(sources);
  const table = sorted.length > 0 ? `${renderTable(COLUMNS, sorted.map(toRow(on)), on)}\n` : "";
  const holdings = `${basesOf(sorted)}${timetablesOf(sorted, on)}`;
  return `${table}${paragraph(problemsOf(sorted))}${holdings}${summary(sources, on.paint)}\n`;
}

/** What is wrong and what soon will be, a line each; the rest are counted. */
export function formatProblems(sources: readonly Source[], on: On): string {
  const lines = sortSources(sources).flatMap((source) => {
    const { id, state, problem, timetable, base } = source;
    const of_data = [
      ...(timetable ? timetableProblems(source, timetable, on) : []),
      ...(base ? baseProblems(base, on) : []),
    ];
    const message = problem ? [oneLine(problem.message)] : isFailing(source) ? [] : null;
    const all = message === null ? of_data : [...message, ...of_data];
    if (message === null && of_data.length === 0) return [];
    return [`${paintState(state, on.paint)} ${[oneLine(id), all.join("; ")].join(": ")}`];
  });
  const more = lines.length - MOST_PROBLEMS;
  const rest = more > 0 ? [`and ${count(more)} more, see --all`] : [];
  const shown = paragraph([...lines.slice(0, MOST_PROBLEMS), ...rest]);
  return `${shown}${summary(sources, on.paint)}\n${sources.length > 0 ? "--all shows each of them\n" : ""}`;
}

function sortSources(sources: readonly Source[]): Source[] {
  return sources.toSorted(
    (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || (a.id < b.id ? -1 : 1),
  );
}

/** Its lines and an empty one; nothing where there are none. */
function paragraph(lines: readonly string[]): string {
  return lines.length > 0 ? `${lines.join("\n")}\n\n` : "";
}

/** One sentence for each problem; of many that fail alike the first ones are shown. */
function problemsOf(sources: readonly Source[]): string[] {
  const lines = sources.flatMap(({ id, problem }) =>
    problem ? [`${oneLine(id)}: ${oneLine(problem.message)}`] : [],
  );
  const more = lines.length - MOST_PROBLEMS;
  const rest = more > 0 ? [`and ${count(more)} more, see --json`] : [];
  return [...lines.slice(0, MOST_PROBLEMS), ...rest];
}

/** Older than this the map of a base is worth a line. */
const OLD_MAP_DAYS = 365;

function baseProblems({ data_at, holds }: NonNullable<Source["base"]>, { now_ms }: On): string[] {
  const lacks = lacksWalking(holds) ? [NO_WALKING] : [];
  if (data_at === null) return ["its map is of an unknown date", ...lacks];
  if (now_ms - Date.parse(data_at) < OLD_MAP_DAYS * DAY_MS) return lacks;
  const old = age(secondsSince(data_at, now_ms));
  return [`its map is of ${data_at.slice(0, 10)}, ${old} old: import a newer extract`, ...lacks];
}

type Timetable = NonNullable<Source["timetable"]>;

function timetableProblems({ problem }: Source, timetable: Timetable, on: On): string[] {
  const { text, is_soon } = endOf(timetable, problem, on);
  const { live } = timetable;
  return [
    // What has ended is the problem itself.
    ...(is_soon && problem === null ? [`it runs ${text}`] : []),
    ...(live?.problem ? [`live data: ${live.problem.message}`] : []),
  ];
}

/** What each imported base holds, and of when. */
function basesOf(sources: readonly Source[]): string {
  const lines = sources.flatMap(({ id, base }) => {
    if (!base) return [];
    const date = base.data_at === null ? "of an unknown date" : `of ${base.data_at.slice(0, 10)}`;
    return [
      `${oneLine(id)}: data ${date}, ${formatBytes(base.bytes)}: ${formatCounts(base.holds)}`,
    ];
  });
  return paragraph(lines);
}

/** Days ahead in which the end of a timetable is worth a warning. */
const SOON_DAYS = 7;
const DAY_MS = 86_400_000;

/** What each timetable holds and until when it runs, and how its live data are. */
function timetablesOf(sources: readonly Source[], { paint, now_ms }: On): string {
  const lines = sources.flatMap(({ id, timetable, problem }) => {
    if (!timetable) return [];
    const { trips, calls, live } = timetable;
    const { text, is_soon } = endOf(timetable, problem, { now_ms });
    const end = is_soon ? paint.yellow(text) : text;
    const holds = `${oneLine(id)}: ${count(trips)} trips, ${count(calls)} calls, ${end}`;
    return [`${holds}${live === null ? "" : `; ${sayLive(live, now_ms)}`}`];
  });
  return paragraph(lines);
}

/** Until when it runs; `is_soon`: it has ended, or will within days. */
function endOf(
  { runs_until }: Timetable,
  problem: Source["problem"],
  { now_ms }: Pick<On, "now_ms">,
): { text: string; is_soon: boolean } {
  const days = runs_until === null ? -1 : (Date.parse(runs_until) + DAY_MS - now_ms) / DAY_MS;
  const until = runs_until === null ? "which never run" : `until ${runs_until}`;
  if (days > SOON_DAYS) return { text: until, is_soon: false };
  // Its own clocks decide, as in answers: at midnight UTC its day may go on.
  const hasEnded = runs_until === null || problem?.word === "has ended";
  return { text: `${until}${sayEnd(hasEnded ? null : days)}`, is_soon: true };
}

/** `days`: until it ends; null: it has ended. */
function sayEnd(days: number | null): string {
  if (days === null) return ": import a newer one";
  return days <= 1 ? " (ends today)" : days <= 2 ? " (ends tomorrow)" : " (ends within a week)";
}

type Live = NonNullable<Timetable["live"]>;

function sayLive(live: Live, now_ms: number): string {
  const { problem, resting, made_at, runs, matched_share } = live;
  if (problem !== null) return `live data: ${problem.message}`;
  if (resting) return "live data rest, since no caller asks for them";
  if (made_at === null) return "live data are asked for with the first question";
  const share =
    matched_share === null ? "" : `, ${Math.round(matched_share * 100)} % of them match`;
  return `live data of ${count(runs)} runs${share}, ${age(secondsSince(made_at, now_ms))} old`;
}

const MOST_PROBLEMS = 40;

function toRow({ paint, now_ms }: On) {
  return (source: Source): string[] => [
    paintState(source.state, paint, source.problem?.word),
    oneLine(source.id),
    source.kind,
    count(source.entity_count),
    age(ageOf(source, now_ms)),
    oneLine(source.licence ?? source.licence_url?.replace(/^https?:\/\//, "") ?? UNKNOWN),
    source.last_success_at?.replace("T", " ").replace(/(\.\d+)?Z$/, "") ?? UNKNOWN,
  ];
}

/** Seconds since it was read; of a base, since the map was as it shows it. */
function ageOf({ age_s, base, last_success_at }: Source, now_ms: number): number | null {
  if (base) return secondsSince(base.data_at, now_ms);
  return age_s ?? secondsSince(last_success_at, now_ms);
}

/** `14 sources: 1 timeout, 2 idle, 11 ok`. */
function summary(sources: readonly Source[], paint: Paint): string {
  const counts = ORDER.map((state) => ({
    state,
    n: sources.filter((source) => source.state === state).length,
  })).filter(({ n }) => n > 0);
  const noun = sources.length === 1 ? "source" : "sources";
  const parts = counts.map(({ state, n }) => `${count(n)} ${paintState(state, paint)}`);
  return `${count(sources.length)} ${noun}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;
}

function paintState(state: State, paint: Paint, problem?: string): string {
  const name = state.replaceAll("_", " ");
  return paint[COLOURS[state]](problem === undefined ? name : `${name}: ${problem}`);
}
