/**
 * Departures of several publishers at the same stations, each physical departure once. Two are the
 * same when line, station, planned minute and destination are (docs/design/departures.md). One
 * publisher is never merged with itself.
 */
import { createLexicon, prepareName } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import { type MergedStation, mergeSteps } from "./merge-boards.ts";
import type { LaterCall, TowardSearch } from "./toward.ts";
import type { TransitOperator, TransitProvider, TransitRoute, TransitStation } from "./station.ts";

/** A stop of a timetable, and the station that it is a part of. */
export type StopOfStation = { feed_id: string; station_id: string; stop_id: string };

/** A departure or arrival as one publisher describes it. Unknown is null. */
export type FoundDeparture = {
  source: {
    provider: TransitProvider;
    feed_id: string | null;
    trip_id: string | null;
    /** YYYY-MM-DD. */
    service_date: string | null;
  };
  /** Names this call of this run among all others of the publisher. */
  key: string;
  route: TransitRoute;
  operator: TransitOperator | null;
  headsign: string | null;
  planned_ms: number | null;
  expected_ms: number | null;
  realtime: "live" | "planned_only" | "unknown";
  status: "scheduled" | "cancelled" | "skipped" | "added";
  platform: { planned: string | null; live: string | null } | null;
  /** Where one boards; absent: its source does not name it as a timetable does. */
  stop?: StopOfStation;
  headway_s: number | null;
  approximate: boolean;
  wheelchair: "yes" | "no" | "unknown";
  /** As what the vehicle goes on, riders in it; null: as nothing, or it is unknown. */
  continues: { feed_id: string; route: TransitRoute; headsign: string | null } | null;
  /** Ids of alerts. */
  alerts: readonly string[];
  /** When the live feed was made; null: it says nothing of this call. */
  observed_ms: number | null;
};

/** A departure on a board: what boards are merged and ordered by, and the rest when it is shown. */
export type BoardEntry = Pick<
  FoundDeparture,
  "route" | "headsign" | "planned_ms" | "expected_ms" | "realtime" | "status"
> & {
  read(): FoundDeparture;
  /** Days since 1970-01-01; null, absent: its source states none. */
  service_day?: number | null;
  /** Name of the last stop of its run; null, absent: it is not known. */
  terminus?: string | null;
  /** A later call that is meant; null: the run has none. undefined, absent: its stops are not known. */
  toward?(search: TowardSearch): LaterCall | null | undefined;
};

export type Board = {
  station: TransitStation;
  departures: readonly BoardEntry[];
  /** IANA name of the zone whose clocks the source shows at the station; null, absent: it states none. */
  time_zone?: string | null;
};

/** A departure with all who publish it; the first leads. */
export type MergedDeparture = Omit<FoundDeparture, "source"> & {
  station: MergedStation;
  sources: readonly FoundDeparture["source"][];
  /** The one of them that says what is expected. */
  speaker: FoundDeparture["source"];
};

/** The same before it is shown. `at_ms`: the time by which it is listed, `name`: of its line. */
export type MergedEntry = {
  station: MergedStation;
  route: TransitRoute;
  name: string;
  at_ms: number;
  status: FoundDeparture["status"];
  headsign: string | null;
  service_day: number | null;
  /** Parts the directions of a line: what the vehicle shows, else where it ends; null: neither is known. */
  direction: string | null;
  toward(search: TowardSearch): LaterCall | null | undefined;
  read(): MergedDeparture;
};

const MINUTE_MS = 60_000;
/** Of packages/stations/identity's similarity. */
const ALIKE = 0.6;
/** Departures of one line in one minute that one is compared with. */
const MOST_IN_SLOT = 16;
const MOST_PAIRS = 5_000;
const STEP_ENTRIES = 1_000;

/**
 * Merges the boards of several publishers, leading ones first, in no order (`earliest`); in steps.
 * `timetables`: stations that give others their identity (`mergeStations`).
 */
export function* mergeBoards(
  publishers: readonly (readonly Board[])[],
  timetables: readonly (readonly TransitStation[])[] = [],
): Generator<void, MergedEntry[]> {
  const boards = new Map(publishers.flat().map((board) => [keyOf(board.station.source), board]));
  const described = publishers.map((publisher) => publisher.map(({ station }) => station));
  const stations = yield* mergeSteps(described, timetables);
  yield;
  const naming: Naming = { toName: createNames(), goAlike: createLikeness() };
  const merged: MergedEntry[] = [];
  let step = STEP_ENTRIES;
  for (const station of stations) {
    const lists = station.sources.map((source) => boards.get(keyOf(source))!.departures);
    for (const group of groupEntries(lists, naming))
      merged.push(new Merged(station, group, naming.toName(group[0].route)));
    if (merged.length < step) continue;
    step = merged.length + STEP_ENTRIES;
    yield;
  }
  return merged;
}

/** The first of entries in order of time and line, and then in their own. */
export function earliest(entries: readonly MergedEntry[], count: number): MergedEntry[] {
  const times = Float64Array.from(entries, ({ at_ms }) => at_ms).sort();
  const last_ms = times[Math.min(count, times.length) - 1] ?? Number.NEGATIVE_INFINITY;
  return entries
    .filter(({ at_ms }) => at_ms <= last_ms)
    .sort((a, b) => (a.at_ms === b.at_ms ? compare(a.name, b.name) : a.at_ms - b.at_ms))
    .slice(0, count);
}

/** What is written on the vehicle. */
export function boardName({ route }: Pick<FoundDeparture, "route">): string {
  return (route.short_name ?? route.long_name ?? route.id).trim().toLowerCase();
}

function keyOf({ provider, feed_id, source_id }: TransitStation["source"]): string {
  return JSON.stringify([provider, feed_id, source_id]);
}

/** The names of routes, each made once. */
function createNames(): (route: TransitRoute) => string {
  const names = new Map<TransitRoute, string>();
  return (route) => {
    let name = names.get(route);
    if (name === undefined) names.set(route, (name = boardName({ route })));
    return name;
  };
}

/**
 * Whether two destinations may be one, each pair of texts compared once. Beyond a number of pairs
 * that no two publishers need, only equal ones are.
 */
function createLikeness(): (a: string, b: string) => boolean {
  const lexicon = createLexicon();
  const cache = new Map<string, boolean>();
  return (a, b) => {
    const key = `${a}\u0000${b}`;
    let isAlike = cache.get(key);
    if (isAlike === undefined) {
      if (cache.size >= MOST_PAIRS) return a === b;
      const [one, other] = [a, b].map((name) => prepareName(lexicon, name, []));
      isAlike = compareNames(lexicon, one!, other!).similarity >= ALIKE;
      cache.set(key, isAlike);
    }
    return isAlike;
  };
}

type Naming = {
  toName: (route: TransitRoute) => string;
  goAlike: (a: string, b: string) => boolean;
};

/** One departure as its publishers list it, the leading one first. */
type Group = [BoardEntry, ...BoardEntry[]];

function groupEntries(
  [leading = [], ...others]: readonly (readonly BoardEntry[])[],
  naming: Naming,
): Group[] {
  const groups = leading.map((entry): Group => [entry]);
  /** Line and planned minute. What is in no timetable is like nothing else. */
  const slotOf = ({ planned_ms, route }: BoardEntry): string =>
    `${Math.floor(planned_ms! / MINUTE_MS)} ${naming.toName(route)}`;
  for (const followers of others) {
    // Without those that are taken.
    const slots = new Map<string, Group[]>();
    for (const group of groups)
      if (group[0].planned_ms !== null) addTo(slots, slotOf(group[0]), group);
    for (const follower of followers) {
      const slot = follower.planned_ms === null ? [] : (slots.get(slotOf(follower)) ?? []);
      const most = Math.min(slot.length, MOST_IN_SLOT);
      let at = 0;
      while (at < most && !isSame(slot[at]![0], follower, naming)) at++;
      if (at === most) groups.push([follower]);
      else slot.splice(at, 1)[0]!.push(follower);
    }
  }
  return groups;
}

function addTo(slots: Map<string, Group[]>, slot: string, group: Group): void {
  const known_slot = slots.get(slot);
  if (known_slot) known_slot.push(group);
  else slots.set(slot, [group]);
}

/** Both directions of a line may leave in one minute. A destination that is not stated is no objection. */
function isSame(a: BoardEntry, b: BoardEntry, { goAlike }: Naming): boolean {
  const [one, other] = [a.headsign, b.headsign];
  return one === null || other === null || goAlike(one, other);
}

class Merged implements MergedEntry {
  readonly station: MergedStation;
  readonly route: TransitRoute;
  readonly name: string;
  readonly at_ms: number;
  readonly #group: Group;

  constructor(station: MergedStation, group: Group, name: string) {
    const { expected_ms, planned_ms } = speakerOf(group);
    this.station = station;
    this.route = group[0].route;
    this.name = name;
    this.at_ms = expected_ms ?? planned_ms ?? Infinity;
    this.#group = group;
  }

  get status(): FoundDeparture["status"] {
    return speakerOf(this.#group).status;
  }

  get headsign(): string | null {
    return firstOf(this.#group, ({ headsign }) => headsign);
  }

  get service_day(): number | null {
    return firstOf(this.#group, ({ service_day }) => service_day);
  }

  get direction(): string | null {
    return this.headsign ?? firstOf(this.#group, ({ terminus }) => terminus);
  }

  toward(search: TowardSearch): LaterCall | null | undefined {
    const found = this.#group.map((entry) => entry.toward?.(search));
    return found.find((each) => each != null) ?? (found.includes(null) ? null : undefined);
  }

  read(): MergedDeparture {
    return toDeparture(this.station, this.#group);
  }
}

function firstOf<T>(group: Group, read: (entry: BoardEntry) => T | null | undefined): T | null {
  for (const entry of group) {
    const value = read(entry);
    if (value != null) return value;
  }
  return null;
}

/** The one that says what happens: the first that is live, else the leading one. */
function speakerOf(group: Group): BoardEntry {
  return group.find(({ realtime }) => realtime === "live") ?? group[0];
}

function toDeparture(station: MergedStation, group: Group): MergedDeparture {
  const whole = group.map((entry) => entry.read());
  const { source: _, stop: _stop, ...lead } = whole[0]!;
  const speaker = whole[group.indexOf(speakerOf(group))]!;
  const { expected_ms, realtime, status, platform, observed_ms } = speaker;
  return {
    ...lead,
    station,
    expected_ms,
    realtime,
    status,
    observed_ms,
    ...withStop(platform === null ? whole[0]! : speaker),
    platform: platform ?? lead.platform,
    headsign: whole.find(({ headsign }) => headsign !== null)?.headsign ?? null,
    wheelchair: whole.find(({ wheelchair }) => wheelchair !== "unknown")?.wheelchair ?? "unknown",
    continues: whole.find(({ continues }) => continues !== null)?.continues ?? null,
    alerts: [...new Set(whole.flatMap(({ alerts }) => alerts))],
    sources: whole.map(({ source }) => source),
    speaker: speaker.source,
  };
}

/** The stop of the one whose platform is shown. */
function withStop({ stop }: FoundDeparture): Pick<FoundDeparture, "stop"> {
  return stop ? { stop } : {};
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
