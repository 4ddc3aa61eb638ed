/** Docks that the map draws twice: as a node and once more as an area, or by two people at one point. */
import { distance_m, METRES_PER_DEGREE } from "#kit/geo.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { StaticStation } from "#providers/static-stations.ts";

/** A dock drawn as a node and once more as an area: pins of one dock lie no further apart. */
const DRAWING_M = 25;
/** More drawings of one number are numbers of several networks. */
const MAX_DRAWINGS = 8;

/** Drawings without a number, at what is one point for a hand with a mouse. */
const ONE_POINT_M = 5;
/** Drawings that are looked at for one. */
const MOST_NEAR = 64;

/** Leaves out the second drawings of a dock. */
export function withoutSecondDrawings(
  stations: readonly StaticStation[],
  trail: TrailRecorder,
): StaticStation[] {
  return withoutSecondPoints(withoutSecondNumbers(stations, trail), trail);
}

/** Under one number: the first drawing is the dock. */
function withoutSecondNumbers(
  stations: readonly StaticStation[],
  trail: TrailRecorder,
): StaticStation[] {
  const drawn = new Map<string, StaticStation[]>();
  return stations.filter((each) => {
    const { modes, names, station } = each;
    if (station.ref == null) return true;
    const key = JSON.stringify([station.ref, modes, names]);
    const entry = drawn.get(key) ?? [];
    const isSecond = entry.some((first) => separation_m(first, each) <= DRAWING_M);
    if (isSecond) trail.drop("drawn_twice", station.id);
    else if (entry.length < MAX_DRAWINGS) drawn.set(key, [...entry, each]);
    return !isSecond;
  });
}

/** At one point, and nothing that both say differs: the one that says more is the dock. */
function withoutSecondPoints(stations: StaticStation[], trail: TrailRecorder): StaticStation[] {
  const byLat = stations.toSorted((a, b) => a.station.lat - b.station.lat);
  const gone = new Set<StaticStation>();
  byLat.forEach((each, i) => {
    for (let j = i + 1; j < Math.min(byLat.length, i + MOST_NEAR) && !gone.has(each); j++) {
      const other = byLat[j]!;
      const north_m = (other.station.lat - each.station.lat) * METRES_PER_DEGREE;
      if (north_m > ONE_POINT_M) return;
      if (gone.has(other) || separation_m(each, other) > ONE_POINT_M || !agree(each, other))
        continue;
      const second = factsOf(other) > factsOf(each) ? each : other;
      gone.add(second);
      trail.drop("drawn_twice", second.station.id);
    }
  });
  return gone.size === 0 ? stations : stations.filter((each) => !gone.has(each));
}

function separation_m({ station: a }: StaticStation, { station: b }: StaticStation): number {
  return distance_m(a.lat, a.lon, b.lat, b.lon);
}

/** Neither says anything that the other contradicts. */
function agree(a: StaticStation, b: StaticStation): boolean {
  const areOneNetwork = a.names.length === 0 || b.names.length === 0 || shareOne(a.names, b.names);
  return (
    areOneNetwork &&
    shareOne(a.modes, b.modes) &&
    isCompatible(a.station.ref, b.station.ref) &&
    isCompatible(a.station.capacity, b.station.capacity) &&
    isCompatible(ownName(a), ownName(b))
  );
}

function shareOne<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.some((each) => b.includes(each));
}

function isCompatible<T>(a: T | null | undefined, b: T | null | undefined): boolean {
  return a == null || b == null || a === b;
}

/** The name on the dock; null: it is called by its number or by its id. */
function ownName({ station: { id, name, ref } }: StaticStation): string | null {
  return name === ref || name === `Station ${id}` ? null : name;
}

function factsOf(each: StaticStation): number {
  const { ref, capacity } = each.station;
  const reported = [ref, capacity, ownName(each), each.names[0]].filter((fact) => fact != null);
  return reported.length;
}
