/** The runs that messages speak of, each once, in an order that does not depend on theirs. */
import type { TrailRecorder } from "#kit/trail.ts";
import { planOf, type FeedIndex } from "./feed-index.ts";
import { NO_START, RUN } from "./live-layout.ts";
import type { LiveMessage, LiveTrip, TripRelation } from "./live-model.ts";
import { findRun, type Run } from "./runs.ts";

/** A message, and when it was fetched. */
export type LiveInput = { message: LiveMessage; fetched_ms: number };

export type LiveRun = {
  update: LiveTrip;
  /** Of the timetable; null: the feed says all there is. */
  run: Run | null;
  /** One of RUN. */
  status: number;
  day: number;
  start_s: number;
  /** Id of a run that is not in the timetable. */
  id: string | null;
  /** When the feed knew it, epoch s. */
  observed_s: number;
};

export type Collected = { runs: LiveRun[]; matched: number; unmatched: number; added: number };

const STATUS: Readonly<Record<TripRelation, number>> = {
  scheduled: RUN.scheduled,
  unscheduled: RUN.scheduled,
  canceled: RUN.cancelled,
  deleted: RUN.deleted,
  replacement: RUN.replaced,
  added: RUN.added,
  new: RUN.added,
  duplicated: RUN.added,
};

export function collectRuns(
  index: FeedIndex,
  inputs: readonly LiveInput[],
  trail: TrailRecorder,
): Collected {
  const copies = copiedIds(inputs);
  const remaining = new Map<string, { live: LiveRun; stamp_s: number }>();
  const counts = { matched: 0, unmatched: 0, added: 0 };
  for (const { message, fetched_ms } of inputs) {
    const fetched_s = Math.floor(fetched_ms / 1000);
    // A clock that runs ahead makes nothing newer than its arrival.
    const observed_s = Math.min(message.timestamp_s ?? fetched_s, fetched_s);
    for (const update of message.trips) {
      const live = toRun(index, update, { observed_s, copies });
      if (typeof live === "string") {
        trail.drop(live, update.entity_id);
        if (!OWN_FAULTS.has(live)) counts.unmatched++;
        continue;
      }
      if (live.status === RUN.added) counts.added++;
      else counts.matched++;
      const key = keyOf(live);
      const stamp_s = update.timestamp_s ?? observed_s;
      const entry = remaining.get(key);
      if (entry) trail.drop("run_stated_twice", update.entity_id);
      if (!entry || stamp_s >= entry.stamp_s) remaining.set(key, { live, stamp_s });
    }
  }
  const runs = [...remaining.values()].map(({ live }) => live).sort(compare);
  return { runs, ...counts };
}

/** Faults of updates that need not be in the timetable. */
const OWN_FAULTS = new Set([
  "unknown_relation",
  "added_twice",
  "copy_without_start",
  "added_without_calls",
]);

type Context = { observed_s: number; copies: ReadonlySet<string> };

function toRun(index: FeedIndex, update: LiveTrip, context: Context): LiveRun | string {
  const { relation } = update.trip;
  if (relation === null) return "unknown_relation";
  if (relation === "added" || relation === "new") return addedRun(update, context);
  if (relation === "duplicated") return copyOf(index, update, context);
  const run = findRun(index, update, context.observed_s);
  if (typeof run === "string") return run;
  if (relation === "replacement" && update.stops.length === 0) return "replacement_without_calls";
  const { day, start_s } = run;
  return { update, run, status: STATUS[relation], day, start_s, id: null, ...seen(context) };
}

function addedRun(update: LiveTrip, context: Context): LiveRun | string {
  const { trip_id, start_day, start_s } = update.trip;
  if (trip_id !== null && context.copies.has(trip_id)) return "added_twice";
  if (update.stops.length === 0) return "added_without_calls";
  return {
    update,
    run: null,
    status: RUN.added,
    day: start_day ?? NO_START,
    start_s: start_s ?? NO_START,
    id: trip_id ?? update.entity_id,
    ...seen(context),
  };
}

/** A trip of the timetable once more, at another time or on another day. */
function copyOf(index: FeedIndex, update: LiveTrip, context: Context): LiveRun | string {
  const { properties, trip } = update;
  const { trip_id, start_day, start_s } = properties ?? {};
  if (trip_id == null || start_day == null || start_s == null) return "copy_without_start";
  const row = trip.trip_id === null ? null : index.timetable.findTrip(trip.trip_id);
  if (row === null) return "unknown_trip";
  const plan = planOf(index, row);
  if (plan.isFrequent) return "copy_of_a_headway";
  const run = { plan, day: start_day, start_s, key: NO_START, isHeadway: false };
  return { update, run, status: RUN.added, day: start_day, start_s, id: trip_id, ...seen(context) };
}

function seen({ observed_s }: Context): { observed_s: number } {
  return { observed_s };
}

/** Publishers that state a copy both as added and as duplicated link the two by their ids. */
function copiedIds(inputs: readonly LiveInput[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { message } of inputs)
    for (const { trip, properties } of message.trips) {
      if (trip.relation !== "duplicated") continue;
      if (trip.trip_id !== null) ids.add(trip.trip_id);
      if (properties?.trip_id != null) ids.add(properties.trip_id);
    }
  return ids;
}

function keyOf({ run, id, day, start_s }: LiveRun): string {
  return `${id === null ? run!.plan.trip : `+${id}`}/${day}/${start_s}`;
}

/** Those of the timetable in order of their trips, days and keys; then the others by their ids. */
function compare(a: LiveRun, b: LiveRun): number {
  const [first, second] = [inTable(a), inTable(b)];
  if (first !== null && second !== null)
    return (
      first.plan.trip - second.plan.trip ||
      a.day - b.day ||
      first.key - second.key ||
      a.start_s - b.start_s
    );
  if (first !== null || second !== null) return first === null ? 1 : -1;
  return a.id! < b.id! ? -1 : a.id! > b.id! ? 1 : a.day - b.day || a.start_s - b.start_s;
}

/** Copies follow a plan, and take no run's place. */
export function inTable({ run, status }: LiveRun): Run | null {
  return status === RUN.added ? null : run;
}
