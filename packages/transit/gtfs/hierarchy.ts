/**
 * Every stop to its station (mobility.md 3.1, 3.3): platforms to their parent, boarding areas to the
 * parent of their platform; entrances and nodes belong to a station and are none.
 */
import type { TrailRecorder } from "#kit/trail.ts";
import { NO_ENTRY, textOf } from "./byte-table.ts";
import { ABSENT, KIND, type Stops } from "./stop-table.ts";

/** Boarding area, platform, station: more is a mistake, and a circle is one, too. */
const MAX_STEPS = 4;
/** Rows between two chances to stop for a moment. */
const STEP_ROWS = 2_048;

/** Station per stop, itself for stations; NONE for what has none. */
export function* stationsOfStops(stops: Stops, trail: TrailRecorder): Generator<void, Int32Array> {
  const stationOf = new Int32Array(stops.ids.count).fill(NO_ENTRY);
  for (let stop = 0; stop < stationOf.length; stop++) {
    if (stops.kinds[stop] !== ABSENT) stationOf[stop] = resolve(stops, stop, trail);
    if (stop % STEP_ROWS === 0) yield;
  }
  return stationOf;
}

function resolve(stops: Stops, stop: number, trail: TrailRecorder): number {
  const { kinds, parents } = stops;
  const kind = kinds[stop]!;
  if (kind === KIND.station || (kind === KIND.platform && parents[stop] === NO_ENTRY)) return stop;
  const match = climb(stops, stop);
  if (match.station !== NO_ENTRY) return match.station;
  const id = textOf(stops.ids, stop);
  if (kind === KIND.platform) {
    trail.repair(match.fault, id);
    return stop;
  }
  if (kind === KIND.boarding) trail.drop(`boarding_area_${match.fault}`, id);
  return NO_ENTRY;
}

type FaultyStation = { station: number; fault: string };

/** Up to a station, or to a parentless platform, which is one. */
function climb({ kinds, parents }: Stops, from: number): FaultyStation {
  let at = from;
  for (let step = 0; step < MAX_STEPS; step++) {
    const parent = parents[at]!;
    if (parent === NO_ENTRY) return { station: NO_ENTRY, fault: "without_parent" };
    if (kinds[parent] === ABSENT) return { station: NO_ENTRY, fault: "dangling_parent" };
    const isPlatform = kinds[parent] === KIND.platform;
    if (kinds[parent] === KIND.station || (isPlatform && parents[parent] === NO_ENTRY))
      return { station: parent, fault: "" };
    if (!isPlatform) return { station: NO_ENTRY, fault: "parent_is_no_station" };
    at = parent;
  }
  return { station: NO_ENTRY, fault: "parents_in_a_circle" };
}
