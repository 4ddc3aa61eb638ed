/** Which call of a run an update of a stop is about (departures.md, Identity of a call). */
import type { TrailRecorder } from "#kit/trail.ts";
import { isSameStation, type FeedIndex, type TripPlan } from "./feed-index.ts";
import { NO_VALUE } from "./live-layout.ts";
import type { LiveStop, LiveTrip } from "./live-model.ts";

/** By place among the calls; null: not spoken of. */
export type PlacedStops = {
  stops: (LiveStop | null)[];
  /** The stop that the feed names, where it is another platform; otherwise NO. */
  live: Uint32Array;
};

export function placeStops(
  index: FeedIndex,
  plan: TripPlan,
  { stops, entity_id }: LiveTrip,
  trail: TrailRecorder,
): PlacedStops {
  const placed: PlacedStops = {
    stops: Array.from({ length: plan.calls }, () => null),
    live: new Uint32Array(plan.calls).fill(NO_VALUE),
  };
  const visits = createVisits(index, plan);
  let after = -1;
  for (const stop of stops) {
    const named = stop.stop_id === null ? null : index.stopOf(stop.stop_id);
    const place = placeOf(index, plan, { stop, named, after, visits });
    if (typeof place === "string") {
      trail.drop(place, entity_id);
      continue;
    }
    if (placed.stops[place] !== null) trail.drop("call_stated_twice", entity_id);
    placed.stops[place] = stop;
    after = place;
    if (stop.assigned_stop_id !== null) {
      placed.live[place] = index.stopOf(stop.assigned_stop_id) ?? NO_VALUE;
      if (placed.live[place] === NO_VALUE) trail.repair("unknown_assigned_stop", entity_id);
    } else if (named !== null && named !== plannedStop(index, plan, place))
      // Most feeds repeat the stop of the plan in every update: that says nothing of the platform.
      placed.live[place] = named;
  }
  return placed;
}

function plannedStop({ timetable }: FeedIndex, { first }: TripPlan, place: number): number {
  return timetable.columns.pattern_stops[first + place]!;
}

/** `named`: the stop whose id the update states, where it is known. */
type Wanted = { stop: LiveStop; named: number | null; after: number; visits: Visits };

/**
 * Sequence first, then the id of a stop that is visited once, also where the sequence is that of a
 * call elsewhere; a text: why it is no call.
 */
function placeOf(index: FeedIndex, plan: TripPlan, wanted: Wanted): number | string {
  const { named } = wanted;
  const { sequence, stop_id, assigned_stop_id } = wanted.stop;
  const bySequence = sequence === null ? null : findSequence(index, plan, sequence, wanted.after);
  if (bySequence !== null) {
    if (named === null || assigned_stop_id !== null) return bySequence;
    if (isSameStation(index, named, plannedStop(index, plan, bySequence))) return bySequence;
    const byName = wanted.visits.find(named, wanted.after);
    return typeof byName === "string" ? "call_elsewhere" : byName;
  }
  if (stop_id === null) return sequence === null ? "call_without_name" : "unknown_sequence";
  return named === null ? "unknown_stop" : wanted.visits.find(named, wanted.after);
}

/** The next call, as a rule; otherwise searched for: files are in order of their sequences. */
function findSequence(
  { timetable: { columns } }: FeedIndex,
  { first, calls }: TripPlan,
  sequence: number,
  after: number,
): number | null {
  const { pattern_sequences } = columns;
  if (after + 1 < calls && pattern_sequences[first + after + 1] === sequence) return after + 1;
  let low = 0;
  let high = calls;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pattern_sequences[first + middle]! < sequence) low = middle + 1;
    else high = middle;
  }
  return low < calls && pattern_sequences[first + low] === sequence ? low : null;
}

type Visits = { find(stop: number, after: number): number | string };

/** Made when it is first needed: most feeds state sequences. */
function createVisits({ timetable: { columns } }: FeedIndex, plan: TripPlan): Visits {
  let places: Map<number, number[]> | undefined;
  return {
    find(stop, after) {
      places ??= listVisits(columns.pattern_stops, plan);
      const all = places.get(stop) ?? [];
      if (all.length === 1) return all[0]!;
      if (all.length === 0) return "unknown_stop";
      // Updates are in the order of the calls: what lies behind the last one is not meant.
      return all.at(-1)! > after && all.at(-2)! <= after ? all.at(-1)! : "stop_visited_twice";
    },
  };
}

function listVisits(stops: Uint32Array, { first, calls }: TripPlan): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (let place = 0; place < calls; place++) {
    const stop = stops[first + place]!;
    const known_place = places.get(stop);
    if (known_place) known_place.push(place);
    else places.set(stop, [place]);
  }
  return places;
}
