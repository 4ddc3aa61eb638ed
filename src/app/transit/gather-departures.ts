/**
 * What leaves in the time of a question: the sources that are asked in turn, their boards merged, and of
 * that what the question is about (docs/design/departures.md).
 */
import type { DEPARTURES_PARAMETERS } from "#api/departures.ts";
import type { Decoded } from "#api/primitives.ts";
import type { Location } from "#kit/geo.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import type { Clock } from "#ports.ts";
import { type Board, boardName, mergeBoards, type MergedEntry } from "#transit/schedule/boards.ts";
import type { MergedStation } from "#transit/schedule/merge-boards.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { type FindTimezone, toLocalTime } from "../timezone.ts";
import type { SearchInput, SearchRefusal } from "../search-reply.ts";
import type {
  DepartureFinder,
  DepartureFinding,
  DepartureQuestion,
  TimetableAt,
} from "./departure-finder.ts";
import { type DepartureWindow, readWindows, type Windows } from "./departure-window.ts";
import { filterToward, type GoingToward } from "./going-toward.ts";
import { type FoundIn, pickOutermost } from "./outermost.ts";
import type { FindTimetabled } from "./transit-finder.ts";

export type GatherDeps = {
  finders: readonly DepartureFinder[];
  clock: Clock;
  /** Absent: no timetable gives a station its identity. */
  timetabled?: FindTimetabled;
  timezones: () => Promise<FindTimezone>;
};

export type DepartureFilters = Pick<
  Decoded<typeof DEPARTURES_PARAMETERS>,
  | ("modes" | "lines" | "within" | "limit" | "language" | "debug")
  | ("at" | "first" | "last" | "toward")
>;
type Wish = Pick<DepartureQuestion, "circle" | "kind"> & {
  /** Whether a station is one that the question is about. */
  isHere: (station: MergedStation) => boolean;
  station_id: string | null;
  /** The station of that id, as its source describes it; null: none is asked for. */
  station: TransitStation | null;
  /** Where the nearest station is looked for; null: there is one. */
  from: Location | null;
};

export type Gathered = {
  available: readonly DepartureFinder[];
  findings: readonly DepartureFinding[];
  /** Those that the question is about and something leaves from. */
  stations: readonly MergedStation[];
  /** In no order. */
  departures: readonly MergedEntry[];
  from_ms: number;
  to_ms: number;
  /** Where each of them goes; null: none was asked for. */
  towards: GoingToward["towards"] | null;
};

export async function gatherDepartures(
  deps: GatherDeps,
  input: SearchInput<DepartureFilters>,
  wish: Wish,
): Promise<Gathered | SearchRefusal> {
  const { question, now_ms, deadline_ms } = input;
  const available = deps.finders.filter((finder) => finder.isThere());
  const timetable = findTimetable(available, wish);
  const { lat, lon } = wish.circle;
  const time_zone = timetable?.time_zone ?? (await deps.timezones())(lat, lon);
  const windows = readWindows(question, { now_ms, time_zone });
  if (typeof windows === "string") return refuse(windows);
  using deadline = createDeadline(deps.clock, deadline_ms - REPLY_MARGIN_MS, input.signal);
  const search: Search = { deps, input, wish, available, signal: deadline.signal };
  const outside = question.at === undefined ? null : sayOutside(search, timetable, windows);
  if (outside !== null) return refuse(outside);
  const turn = createTurn({});
  const days: FoundIn[] = [];
  const findings: DepartureFinding[] = [];
  const stations: MergedStation[] = [];
  const towards = new Map<
    MergedEntry,
    GoingToward["towards"] extends ReadonlyMap<unknown, infer T> ? T : never
  >();
  for (const window of windows) {
    if (window === undefined) continue;
    const found = await gatherWindow(search, window);
    findings.push(...found.findings);
    stations.push(...found.stations);
    let { departures } = found;
    if (question.toward !== undefined) {
      const going = await runSteps(filterToward(departures, question.toward), turn);
      departures = going.entries;
      for (const [entry, toward] of going.towards) towards.set(entry, toward);
    }
    days.push({ window, entries: departures });
  }
  const [{ from_ms, edge }] = windows;
  const departures =
    edge === null
      ? days.flatMap(({ entries }) => entries)
      : pickOutermost(days, { from: wish.from, time_zone, now_ms });
  // What is shown of them is made in a slice of its own.
  await turn();
  const { to_ms } = windows[1] ?? windows[0];
  return {
    ...{ available, findings, stations, departures, to_ms },
    from_ms: windows.length > 1 ? Math.floor(now_ms / MINUTE_MS) * MINUTE_MS : from_ms,
    towards:
      question.toward === undefined
        ? null
        : new Map(departures.map((each) => [each, towards.get(each) ?? null])),
  };
}

const MINUTE_MS = 60_000;

function refuse(message: string): SearchRefusal {
  return { kind: "refused", code: "invalid_request", message };
}

type Search = {
  deps: GatherDeps;
  input: SearchInput<DepartureFilters>;
  wish: Wish;
  available: readonly DepartureFinder[];
  signal: AbortSignal;
};

/** The first that has a timetable here says which clocks it has and how far it goes. */
function findTimetable(
  available: readonly DepartureFinder[],
  { circle }: Wish,
): TimetableAt | null {
  for (const finder of available) {
    const match = finder.timetableAt?.(circle) ?? null;
    if (match !== null) return match;
  }
  return null;
}

/** Says that a time lies where no timetable knows anything, and no source can be asked; null: it does not. */
function sayOutside(
  search: Search,
  timetable: TimetableAt | null,
  [window]: Windows,
): string | null {
  if (timetable === null) return null;
  const { first_ms, end_ms, time_zone } = timetable;
  if (window.from_ms < end_ms && first_ms < window.to_ms) return null;
  const question = toQuestion(search, window);
  if (search.available.some((each) => !each.timetableAt && each.covers(question))) return null;
  const [first, end] = [first_ms, end_ms].map((at_ms) =>
    toLocalTime(time_zone ?? "Etc/UTC", at_ms),
  );
  return `at must be within what the timetables here know, from ${first} to ${end}`;
}

function toQuestion({ input, wish, signal }: Search, window: DepartureWindow): DepartureQuestion {
  const { question, now_ms, deadline_ms, keyed = false } = input;
  const { circle, kind, station_id, station } = wish;
  return {
    ...{ circle, kind, station_id, station, now_ms, signal, keyed },
    ...window,
    language: question.language ?? null,
    until_ms: deadline_ms - REPLY_MARGIN_MS,
    freshness: null,
    isWanted: toFilter(question),
  };
}

async function gatherWindow(
  search: Search,
  window: DepartureWindow,
): Promise<Pick<Gathered, "findings" | "stations" | "departures">> {
  const { available, signal } = search;
  const { timetabled } = search.deps;
  const { circle, station, isHere } = search.wish;
  const question = toQuestion(search, window);
  const turn = createTurn({});
  const timetables = timetabled?.(circle);
  const findings: DepartureFinding[] = [];
  let stations: MergedStation[] = [];
  let departures: readonly MergedEntry[] = [];
  // Own feeds answer from memory; another is asked where they have nothing.
  for (const finder of available.filter((each) => each.covers(question))) {
    findings.push(await finder.find(question));
    const publishers = findings.flatMap((finding) => finding.publishers);
    const names = station ? toListed(station, publishers) : [];
    const merged = await runSteps(mergeBoards([...publishers, names], timetables), turn);
    stations = [...new Set(merged.map((entry) => entry.station))].filter((each) => isHere(each));
    const here = new Set(stations);
    departures = merged.filter((entry) => here.has(entry.station));
    // A station that this source knows itself needs no other.
    const isKnown = station !== null && names.length === 0;
    const hasSome = departures.length > 0 || findings.some(({ isNarrowed }) => isNarrowed);
    const isEnough = station ? isKnown || hasSome : publishers.length > 0;
    if (signal.aborted || isEnough) break;
  }
  const { isWanted } = question;
  if (isWanted !== null) departures = departures.filter(({ route }) => isWanted(route));
  return { findings, stations, departures };
}

/** The station that is asked for, which another source may describe than the one that knows its departures. */
function toListed(station: TransitStation, publishers: readonly (readonly Board[])[]): Board[] {
  const { provider, feed_id, source_id } = station.source;
  const isThere = publishers
    .flat()
    .some(
      ({ station: { source } }) =>
        source.provider === provider &&
        source.feed_id === feed_id &&
        source.source_id === source_id,
    );
  return isThere ? [] : [{ station, departures: [] }];
}

/** null: all routes are wanted. */
function toFilter({ modes, lines }: DepartureFilters): DepartureQuestion["isWanted"] {
  const names = lines && new Set(lines.split(",").map((line) => line.trim().toLowerCase()));
  if (!modes && !names) return null;
  return (route) =>
    (!modes || modes.includes(route.mode)) && (!names || names.has(boardName({ route })));
}
