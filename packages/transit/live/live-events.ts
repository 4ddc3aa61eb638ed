/** The calls of live runs as events of stops, gathered in columns that grow. */
import { Growing } from "#kit/growing.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { NO_ROW, UNTIMED } from "../timetable/timetable-layout.ts";
import { isServed } from "../timetable/timetable.ts";
import { CALL } from "../timetable/timetable-draft.ts";
import { placeStops } from "./live-calls.ts";
import type { LiveRun } from "./collect.ts";
import type { FeedIndex } from "./feed-index.ts";
import { EVENT, NO_VALUE, NO_TIME, RUN, type LiveColumns } from "./live-layout.ts";
import type { LiveStop } from "./live-model.ts";
import type { Run } from "./runs.ts";
import { expectTimes, type CallTimes } from "./times.ts";

const MOST_EVENTS = 3_000_000;
/** At one station, as stops of a timetable or alone: twice those of a day at the busiest ones. */
export const MOST_AT_STATION = 10_000;
/** The same of runs that are not in the timetable: an hour of them and not a day. */
export const MOST_ADDED_AT_STATION = 1_000;
/** Of such runs in all: some in a hundred of a national feed's. */
const MOST_ADDED = 200_000;
/** What a position can count. */
const MOST_RUN_CALLS = 0xffff;
/** Words of an event while they are gathered, in the order of the names below. */
const NAMES = [
  "event_runs",
  "event_positions",
  "event_planned_stops",
  "event_planned_arrivals",
  "event_planned_departures",
  "event_arrivals",
  "event_departures",
  "event_flags",
  "event_headsigns",
] as const;
const WORDS = NAMES.length + 1;

type EventColumns = Pick<LiveColumns, (typeof NAMES)[number] | "event_starts">;
type Options = { textOf: (text: string | null) => number; trail: TrailRecorder };

export class Events {
  readonly #index: FeedIndex;
  readonly #options: Options;
  readonly #crowd: Crowd;
  readonly #words = new Growing(Uint32Array, 1_024 * WORDS);
  #added = 0;

  constructor(index: FeedIndex, options: Options) {
    this.#index = index;
    this.#options = options;
    this.#crowd = new Crowd(index);
  }

  get count(): number {
    return this.#words.length / WORDS;
  }

  /** Gathers the events of a run; false: there is no more room, and the run must be left out. */
  add(run: number, live: LiveRun): boolean {
    // Cancelled and deleted runs need no events: what is planned says where they would call.
    if (live.status === RUN.cancelled || live.status === RUN.deleted) return true;
    const { trail } = this.#options;
    const most = Math.min(MOST_RUN_CALLS, MOST_EVENTS - this.count);
    const isOwn = live.run === null || live.status === RUN.replaced;
    const length = isOwn ? live.update.stops.length : live.run!.plan.calls;
    if (length > most) {
      trail.drop("too_many_events", live.update.entity_id);
      return false;
    }
    const index = this.#index;
    const calls = isOwn
      ? ownCalls(index, live, trail)
      : plannedCalls(index, live.run!, live, trail);
    const isAdded = live.status === RUN.added;
    const isTooMany = isAdded && this.#added + length > MOST_ADDED;
    if (isTooMany || !this.#crowd.add(calls, isAdded)) {
      trail.drop(isAdded ? "too_many_additions" : "too_many_events", live.update.entity_id);
      return false;
    }
    if (isAdded) this.#added += length;
    this.#addCalls(run, live, calls);
    return true;
  }

  /** In order of their stops, and then as they were gathered. */
  finish(): EventColumns {
    const { stop_stations } = this.#index.timetable.columns;
    return sortEvents(this.#words.view(), this.count, stop_stations.length);
  }

  #addCalls(run: number, { update }: LiveRun, calls: Calls): void {
    const { textOf, trail } = this.#options;
    const { planned, stops } = calls;
    const expected = expectTimes(planned, {
      stops,
      delay_s: update.delay_s,
      hasPlan: calls.hasPlan,
      onFault: () => trail.drop("time_off_by_days", update.entity_id),
    });
    for (let call = 0; call < stops.length; call++) {
      const stop = calls.stopAt(call);
      if (stop === NO_VALUE) continue;
      const reported = stops[call];
      const isSkipped = reported?.relation === "skipped" ? EVENT.skipped : 0;
      this.#words.pushAll([
        stop,
        run,
        call,
        calls.plannedAt(call),
        calls.hasPlan ? planned.arrivals[call]! : NO_TIME,
        calls.hasPlan ? planned.departures[call]! : NO_TIME,
        expected.arrivals[call]!,
        expected.departures[call]!,
        calls.flags(call) | isSkipped,
        textOf(reported?.headsign ?? null),
      ]);
    }
  }
}

/** How many events each station has: a run that calls where there are too many is left out whole. */
class Crowd {
  readonly #stop_stations: FeedIndex["timetable"]["columns"]["stop_stations"];
  readonly #all = new Map<number, number>();
  readonly #added = new Map<number, number>();

  constructor({ timetable }: FeedIndex) {
    this.#stop_stations = timetable.columns.stop_stations;
  }

  add({ stops, stopAt }: Calls, isAdded: boolean): boolean {
    const counts = isAdded ? this.#added : this.#all;
    const most = isAdded ? MOST_ADDED_AT_STATION : MOST_AT_STATION;
    const own = new Map<number, number>();
    for (let call = 0; call < stops.length; call++) {
      const stop = stopAt(call);
      if (stop === NO_VALUE) continue;
      const place = this.#placeOf(stop);
      own.set(place, (own.get(place) ?? 0) + 1);
    }
    const isFull = own.entries().some(([place, calls]) => (counts.get(place) ?? 0) + calls > most);
    if (isFull) return false;
    for (const [place, calls] of own) counts.set(place, (counts.get(place) ?? 0) + calls);
    return true;
  }

  /** Of a station, or of a stop that belongs to none. */
  #placeOf(stop: number): number {
    const station = this.#stop_stations[stop]!;
    return station === NO_ROW ? -1 - stop : station;
  }
}

/** The calls of a run: what is planned of them, and what is said. */
type Calls = {
  planned: CallTimes;
  stops: readonly (LiveStop | null)[];
  /** Delays count from the plan, and it is shown. */
  hasPlan: boolean;
  /** Where the vehicle calls. */
  stopAt(call: number): number;
  plannedAt(call: number): number;
  flags(call: number): number;
};

function plannedCalls(
  index: FeedIndex,
  run: Run,
  { update }: LiveRun,
  trail: TrailRecorder,
): Calls {
  const { columns } = index.timetable;
  const { plan } = run;
  const placed = placeStops(index, plan, update, trail);
  const plannedAt = (call: number): number => columns.pattern_stops[plan.first + call]!;
  return {
    planned: plannedTimes(index, run),
    stops: placed.stops,
    hasPlan: !run.isHeadway,
    plannedAt,
    stopAt: (call) => (placed.live[call] === NO_VALUE ? plannedAt(call) : placed.live[call]!),
    flags(call) {
      const bits = columns.pattern_flags[plan.first + call]!;
      return (
        noBoarding(bits, call, plan.calls) |
        ((bits & CALL.approximate) === 0 ? 0 : EVENT.approximate) |
        (placed.live[call] === NO_VALUE ? 0 : EVENT.has_live_stop)
      );
    },
  };
}

/** Times of the plan, epoch s; NO_TIME where it has none. */
function plannedTimes(index: FeedIndex, { plan, day, start_s }: Run): CallTimes {
  const { profile_departures, profile_dwells } = index.timetable.columns;
  const times = { arrivals: new Uint32Array(plan.calls), departures: new Uint32Array(plan.calls) };
  const begin_s = index.dayStart_s(day);
  if (begin_s === null) return times;
  for (let call = 0; call < plan.calls; call++) {
    const offset_s = profile_departures[plan.times + call]!;
    if (offset_s === UNTIMED) continue;
    times.departures[call] = begin_s + start_s + offset_s;
    times.arrivals[call] = times.departures[call]! - profile_dwells[plan.times + call]!;
  }
  return times;
}

/** A run that the feed states as a whole; calls at stops that are not known are left out. */
function ownCalls(index: FeedIndex, { update }: LiveRun, trail: TrailRecorder): Calls {
  const { stops, entity_id } = update;
  const where = stops.map(({ assigned_stop_id, stop_id }) => {
    const id = assigned_stop_id ?? stop_id;
    const match = id === null ? null : index.stopOf(id);
    if (match === null) trail.drop("unknown_stop", entity_id);
    return match ?? NO_VALUE;
  });
  return {
    planned: {
      arrivals: Uint32Array.from(stops, ({ arrival }) => arrival?.scheduled_s ?? NO_TIME),
      departures: Uint32Array.from(
        stops,
        ({ arrival, departure }) => (departure ?? arrival)?.scheduled_s ?? NO_TIME,
      ),
    },
    stops,
    hasPlan: true,
    stopAt: (call) => where[call]!,
    plannedAt: () => NO_VALUE,
    flags(call) {
      const { pickup, drop_off } = stops[call]!;
      const bits = (pickup ?? 0) | ((drop_off ?? 0) << CALL.drop_off_shift);
      return noBoarding(bits, call, stops.length) | EVENT.has_live_stop;
    },
  };
}

/** The last call is no departure and the first no arrival, nor is one that takes no passengers. */
function noBoarding(bits: number, call: number, calls: number): number {
  const noDeparture = call === calls - 1 || !isServed(bits, "departures");
  const noArrival = call === 0 || !isServed(bits, "arrivals");
  return (noDeparture ? EVENT.no_departure : 0) | (noArrival ? EVENT.no_arrival : 0);
}

/** Stable: events of one stop stay in the order of their runs. */
function sortEvents(words: Uint32Array, count: number, stops: number): EventColumns {
  const event_starts = new Uint32Array(stops + 1);
  for (let event = 0; event < count; event++) event_starts[words[event * WORDS]! + 1]!++;
  for (let stop = 0; stop < stops; stop++) event_starts[stop + 1]! += event_starts[stop]!;
  const next = event_starts.slice(0, stops);
  const columns = {
    event_runs: new Uint32Array(count),
    event_positions: new Uint16Array(count),
    event_planned_stops: new Uint32Array(count),
    event_planned_arrivals: new Uint32Array(count),
    event_planned_departures: new Uint32Array(count),
    event_arrivals: new Uint32Array(count),
    event_departures: new Uint32Array(count),
    event_flags: new Uint8Array(count),
    event_headsigns: new Uint32Array(count),
  };
  for (let event = 0; event < count; event++) {
    const at = next[words[event * WORDS]!]!++;
    for (let name = 0; name < NAMES.length; name++)
      columns[NAMES[name]!][at] = words[event * WORDS + 1 + name]!;
  }
  return { event_starts, ...columns };
}
