/**
 * Ways without steps within the stations of an answer: of each platform whether it is reached from the
 * street, by the timetable's ways and what is known of their lifts now (docs/walking.md, Within stations).
 */
import { LIMITS } from "#api/limits.ts";
import type { StepFreeBody } from "#api/step-free.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";
import { Budget } from "#kit/budget.ts";
import { createTurn } from "#kit/run/turn.ts";
import { countLifts, type LiftCounts, toStationState } from "#transit/access/lift-states.ts";
import { WAY } from "#transit/access/access-draft.ts";
import {
  findPlatformAccess,
  joinAnswers,
  type Network,
  type PlatformAccess,
} from "#transit/access/station-network.ts";
import type { StopOfStation } from "#transit/schedule/boards.ts";
import type { TransitSource } from "#transit/schedule/station.ts";
import type { AskOptions } from "#upstream/lookup/ask-source.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import type { LiveFeedState, LiveQuestion } from "#upstream/transit/live-state.ts";
import {
  type KnownStation,
  type LiftRegister,
  readRegisters,
  type StatementsOf,
} from "./lift-registers.ts";

export type AccessQuestion = LiveQuestion & Pick<AskOptions, "keyed">;

/** A station as its sources know it. */
type Station = { sources: readonly TransitSource[] };

/** What is known of the stations that were asked about. */
export type AccessAnswers = {
  ofStation(station: Station): StepFreeBody;
  /** Of a platform by its stop in a timetable; null: unknown. */
  ofStop(stop: StopOfStation | null): boolean | null;
};

export type StationAccess = (
  stations: readonly Station[],
  question: AccessQuestion,
) => Promise<AccessAnswers>;

type Deps = { feeds: () => readonly HeldFeed[]; registers: readonly LiftRegister[] };

type Found = { platforms: readonly PlatformAccess[]; lifts: LiftCounts };

/** Places and ways that are looked at for one answer: some thousand stations. */
const MOST_LOOKS = 200_000;

export function createStationAccess({ feeds, registers }: Deps): StationAccess {
  return async (stations, question) => {
    const known = listKnown(feeds(), stations);
    const withLifts = [...known.values()].filter(({ network }) => hasLift(network));
    const stored = [...new Set(withLifts.map((each) => each.stored))];
    const [states, statementsOf] = await Promise.all([
      Promise.all(stored.map(async (each) => [each, await askLive(each, question)] as const)),
      withLifts.length > 0 ? readRegisters(registers, withLifts, question) : NOTHING_STATED,
    ]);
    const stateOf = new Map(states);
    const turn = createTurn({});
    const budget = new Budget({ looks: MOST_LOOKS, keeps: 0 });
    const found = new Map<string, Found>();
    for (const [key, station] of known) {
      const { places, ways } = station.network;
      if (!budget.look(places.length + ways.length)) break;
      const live = stateOf.get(station.stored) ?? null;
      found.set(key, findAccess(station, { live, statementsOf, now_ms: question.now_ms }));
      await turn();
    }
    return toAnswers(found);
  };
}

/** Live data are asked for where alerts are among them. */
async function askLive({ live }: HeldFeed, question: LiveQuestion): Promise<LiveFeedState | null> {
  const state = live?.state(question.now_ms) ?? null;
  return live === null || state?.has_alerts == null ? state : await live.refresh(question);
}

const NOTHING_STATED: StatementsOf = () => ({ statements: [], is_register_lost: false });

function hasLift({ ways }: Network): boolean {
  return ways.some(({ mode }) => mode === WAY.lift);
}

function keyOf({ feed_id, source_id }: Pick<TransitSource, "feed_id" | "source_id">): string {
  return JSON.stringify([feed_id, source_id]);
}

/** The stations that have ways, each once. */
function listKnown(
  feeds: readonly HeldFeed[],
  stations: readonly Station[],
): Map<string, KnownStation> {
  const byId = new Map(feeds.map((stored) => [stored.feed_id, stored]));
  const known = new Map<string, KnownStation>();
  for (const source of stations.flatMap(({ sources }) => sources)) {
    const { provider, feed_id, source_id } = source;
    const stored = provider === "gtfs" && feed_id !== null ? byId.get(feed_id) : undefined;
    const feed = stored?.feed;
    if (!stored || !feed?.access || known.has(keyOf(source))) continue;
    const row = feed.findStation(source_id);
    const network = row === null ? null : feed.access.network(row);
    if (row !== null && network !== null)
      known.set(keyOf(source), { stored, feed, row, source_id, network });
  }
  return known;
}

type Moment = { live: LiveFeedState | null; statementsOf: StatementsOf; now_ms: number };

function findAccess(station: KnownStation, { live, statementsOf, now_ms }: Moment): Found {
  const { network } = station;
  const issues = issuesOf(station, live, now_ms);
  const state = toStationState(network, { issues, ...statementsOf(station) });
  return { platforms: findPlatformAccess(network, state), lifts: countLifts(network, state) };
}

/** null: alerts are a source, and it is not known what they say; undefined: they are none. */
function issuesOf({ stored, feed, row }: KnownStation, live: LiveFeedState | null, now_ms: number) {
  if (live === null) return undefined;
  // Rows and places are those of the timetable that the table was made for.
  const table = live.version === stored.version ? live.table : null;
  if (live.has_alerts === false || (live.has_alerts && table === null)) return null;
  const places = feed.access!.placesOf(row)!;
  return table?.accessIssues({ row, places }, Math.floor(now_ms / 1_000));
}

function toAnswers(found: ReadonlyMap<string, Found>): AccessAnswers {
  return {
    ofStation({ sources }) {
      const own = sources.filter(({ provider }) => provider === "gtfs");
      const parts = own.flatMap((source) => found.get(keyOf(source)) ?? []);
      // The platforms of a publisher without ways are not known.
      return toBody(parts, parts.length === own.length);
    },
    ofStop(stop) {
      const station = stop && found.get(keyOf({ ...stop, source_id: stop.station_id }));
      const platform = station?.platforms.find(({ stop_id }) => stop_id === stop?.stop_id);
      return platform?.to_street ?? null;
    },
  };
}

const { platforms_max } = LIMITS.walk;

function toBody(parts: readonly Found[], isWhole: boolean): StepFreeBody {
  const platforms = parts.flatMap((each) => each.platforms);
  const to_street = isWhole ? joinAnswers(platforms.map((each) => each.to_street)) : null;
  return {
    to_street,
    platforms: platforms.slice(0, platforms_max),
    ...(platforms.length > platforms_max && { platform_count: platforms.length }),
    lifts: parts.length === 0 ? null : sumLifts(parts.map(({ lifts }) => lifts)),
  };
}

function sumLifts(counts: readonly LiftCounts[]): LiftCounts {
  const sum = (name: keyof LiftCounts): number =>
    counts.reduce((total, each) => total + each[name], 0);
  return {
    total: sum("total"),
    in_service: sum("in_service"),
    out_of_order: sum("out_of_order"),
    unknown: sum("unknown"),
  };
}

/** The way to a platform: it has no step only where both the streets and the station have none. */
export function joinStepFree(walk: WalkBody, within: boolean | null): WalkBody {
  const { step_free } = walk;
  const isShut = step_free === false || within === false;
  return {
    ...walk,
    step_free: isShut ? false : step_free === true && within === true ? true : null,
  };
}

type OnFoot<I> = { item: I; walk: WalkBody | null };

/** Results with the ways within them; the summary counts the ways of which steps are not known with these. */
export async function withStepFree<I extends Station>(
  access: StationAccess | undefined,
  { kept, page }: { kept: readonly OnFoot<I>[]; page: readonly OnFoot<I>[] },
  { walking, question }: { walking: WalkingBody; question: AccessQuestion },
): Promise<{
  page: readonly (OnFoot<I> & { step_free?: StepFreeBody })[];
  walking: WalkingBody;
}> {
  const stations = page.map(({ item }) => item);
  const answers = await access?.(stations, question);
  const joined = page.map(({ item, walk }) => {
    const step_free = answers?.ofStation(item);
    const joint = walk && joinStepFree(walk, step_free?.to_street ?? null);
    return { item, walk: joint, ...(step_free && { step_free }) };
  });
  // Of stations that are not on the page it is not known what is within them.
  const shown = new Set(page);
  const others = kept.filter((each) => !shown.has(each));
  const ways = [
    ...joined.map(({ walk }) => walk),
    ...others.map(({ walk }) => walk && joinStepFree(walk, null)),
  ];
  const step_free_unknown = ways.filter((walk) => walk !== null && walk.step_free === null).length;
  return { page: joined, walking: { ...walking, step_free_unknown } };
}
