/**
 * Departures of a source that is asked per question: around the point, or of one station after the
 * other where it knows no other question. A station that several of its publishers serve is asked
 * about as each of them knows it.
 */
import { distance_m } from "#kit/geo.ts";
import type { Board, BoardEntry, FoundDeparture } from "#transit/schedule/boards.ts";
import { mergeStations } from "#transit/schedule/merge-boards.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitProvider, TransitStation } from "#transit/schedule/station.ts";
import type { CallKind } from "#transit/timetable/timetable.ts";
import {
  type AskedBy,
  type BoardPage,
  type BoardQuery,
  type FoundBoard,
  timeOfCall,
} from "#providers/transit-departures.ts";
import type { Ask, AskOptions, LookupReply } from "#upstream/lookup/ask-source.ts";
import type { DepartureFinder, DepartureFinding, DepartureQuestion } from "./departure-finder.ts";
import type { TransitFinder, TransitFinding, TransitQuestion } from "./transit-finder.ts";
import { heldOf, toOutcome } from "../lookup-outcome.ts";
import { byPublisher } from "./transit-finders.ts";
import type { StationMemory } from "./station-memory.ts";

export type DepartureLookup = {
  provider: TransitProvider;
  key: string;
  /** As people know it. */
  name: string;
  ask: Ask<BoardQuery, BoardPage>;
  /** Absent: both. */
  kinds?: readonly CallKind[];
  /** What it can be asked about. */
  asked_by: AskedBy;
  /** It knows what leaves from now on, and nothing of another time. */
  from_now?: boolean;
  /** Finds the stations of a circle, where it can be asked about one station only. */
  stations?: TransitFinder;
  /** What else is known of them, asked at the same time; its failure leaves it unknown. */
  refine?: (question: TransitQuestion) => Promise<(stations: TransitStation[]) => TransitStation[]>;
  memory: StationMemory;
};

/** Each is a call. */
const MOST_STATIONS = 8;
const MINUTE_MS = 60_000;
/** Times that the later half of a day is asked about. */
const MOST_HALVES = 2;

export function lookupDepartures(source: DepartureLookup): DepartureFinder {
  const { provider, key, kinds, memory, from_now = false } = source;
  return {
    provider,
    isThere: () => true,
    covers: ({ kind, from_ms, now_ms }) =>
      (kinds?.includes(kind) ?? true) && !(from_now && Math.abs(from_ms - now_ms) > MINUTE_MS),
    async find(question) {
      const finding = await findWhole(source, question);
      const stations = finding.publishers.flat().map(({ station }) => station);
      memory.remember(key, stations);
      return finding;
    },
    findStation: (id) => memory.find(key, id),
  };
}

/**
 * What the source knows of the time of a question. Of a list that ends before its day does the last is
 * not known: then the later half is asked about, and what came of the first is not shown.
 */
async function findWhole(
  source: DepartureLookup,
  question: DepartureQuestion,
  halves = 0,
): Promise<DepartureFinding> {
  const [requested, refine] = await Promise.all([
    askSource(source, question),
    source.refine?.(question) ?? null,
  ]);
  const finding = toFinding(source, question, { requested, refine });
  const { edge, from_ms, to_ms, signal } = question;
  if (edge?.edge !== "last" || !finding.isCut) return finding;
  if (halves === MOST_HALVES || signal.aborted) return withoutDepartures(finding);
  const half_ms = Math.floor((from_ms + to_ms) / 2 / MINUTE_MS) * MINUTE_MS;
  const later = await findWhole(source, { ...question, from_ms: half_ms }, halves + 1);
  return { ...later, isCut: true, calls: finding.calls + later.calls };
}

function withoutDepartures(finding: DepartureFinding): DepartureFinding {
  const publishers = finding.publishers.map((boards) =>
    boards.map((board) => ({ ...board, departures: [] })),
  );
  return { ...finding, publishers };
}

type BoardReplies = {
  replies: readonly LookupReply<BoardPage>[];
  /** Where stations had to be found first. */
  stations: TransitFinding | null;
  /** Some of them were not asked about. */
  isCut: boolean;
};

async function askSource(
  source: DepartureLookup,
  question: DepartureQuestion,
): Promise<BoardReplies> {
  const { ask, asked_by, stations, key, memory } = source;
  const { station_id, signal, keyed, freshness } = question;
  const options: AskOptions = { signal, keyed, freshness };
  const isById = asked_by === "either" && station_id !== null;
  const own = isById ? memory.find(key, station_id) : null;
  if (!stations) {
    const reply = await ask(toQuery(question, own), options);
    return { replies: [reply], stations: null, isCut: false };
  }
  const match = await stations.find(question);
  const near = question.station ? sharing(match, question.station) : nearest(match, question);
  const wanted = near.slice(0, MOST_STATIONS);
  const replies = await Promise.all(
    wanted.map((station) => ask(toQuery(question, station), options)),
  );
  return { replies, stations: match, isCut: near.length > wanted.length };
}

function nearest({ groups }: TransitFinding, { circle }: DepartureQuestion): TransitStation[] {
  return groups
    .flat()
    .map((station) => ({
      station,
      metres: distance_m(circle.lat, circle.lon, station.lat, station.lon),
    }))
    .filter(({ metres }) => metres <= circle.radius_m)
    .sort((a, b) => a.metres - b.metres)
    .map(({ station }) => station);
}

/** One station as each of its publishers describes it, by whichever of them it is meant. */
function sharing({ groups }: TransitFinding, station: TransitStation): TransitStation[] {
  const merged = mergeStations(groups, [[station]]);
  const own_sources = merged.find(({ lead }) => lead === station)?.sources ?? [];
  const ids = new Set(own_sources.map(transitId));
  return groups.flat().filter(({ source }) => ids.has(transitId(source)));
}

/** Whole minutes, so that the questions of one minute share an answer. */
function toQuery(question: DepartureQuestion, station: TransitStation | null): BoardQuery {
  const { circle, kind, from_ms, to_ms, language } = question;
  const { lat, lon, radius_m } = circle;
  const end_ms = Math.ceil(to_ms / MINUTE_MS) * MINUTE_MS;
  return { lat, lon, radius_m, kind, from_ms, to_ms: end_ms, language, station };
}

type Refine = ((stations: TransitStation[]) => TransitStation[]) | null;

function toFinding(
  { key, name }: DepartureLookup,
  { to_ms }: DepartureQuestion,
  { requested, refine }: { requested: BoardReplies; refine: Refine },
): DepartureFinding {
  const { replies, stations } = requested;
  const stored = replies.flatMap((reply) => heldOf(reply) ?? []);
  const boards = stored.flatMap(({ value }) => value.boards).map((board) => until(board, to_ms));
  const alerts = new Map(
    stored.flatMap(({ value }) => value.alerts.map((each) => [each.id, each])),
  );
  const outcome = toOutcome(replies, stations);
  return {
    key,
    name,
    publishers: byPublisher(refined(boards, refine), ({ station }) => station.source),
    findAlert: (id) => alerts.get(id) ?? null,
    live: [],
    isCut: requested.isCut || stored.some(({ value }) => value.isCut),
    uncovered: stored.some(({ value }) => value.covered === false),
    ...outcome,
    good_until_ms:
      outcome.good_until_ms === null
        ? null
        : Math.min(outcome.good_until_ms, stations?.good_until_ms ?? Infinity),
    calls: outcome.calls + (stations?.calls ?? 0),
    cache: replies.length > 0 ? outcome.cache : (stations?.cache ?? "miss"),
  };
}

function until({ station, departures }: FoundBoard, to_ms: number): Board {
  return {
    station,
    departures: departures.filter((each) => timeOfCall(each) < to_ms).map(toEntry),
  };
}

function toEntry(departure: FoundDeparture): BoardEntry {
  const { route, headsign, planned_ms, expected_ms, realtime, status } = departure;
  return { route, headsign, planned_ms, expected_ms, realtime, status, read: () => departure };
}

function refined(boards: readonly Board[], refine: Refine): Board[] {
  if (refine === null) return [...boards];
  const stations = refine(boards.map(({ station }) => station));
  return boards.map((board, i) => ({ ...board, station: stations[i]! }));
}
