/**
 * Checks whether the docks of two feeds confirm that they describe one network. Names alone do not:
 * a publisher may give a feed any name.
 */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { indexPlaces, type PlaceIndex, visitNear } from "./neighbours.ts";
import { type Feed, SOURCE_KINDS } from "./observed-station.ts";

type Docks = { lat: ArrayLike<number>; lon: ArrayLike<number>; rows: readonly number[] };
type Side = { feed: Feed; docks: Docks };

/** Two pins of one dock lie within this; docks of two networks in one city rarely do. */
const COINCIDENT_M = 60;
/** Of the docks in the other's area. */
const COINCIDENT_SHARE = 0.5;
/** So far around a dock of the other reaches its area. */
const AREA_M = 2_000;

/**
 * Compares docks: of the worse source's docks in the better one's area half must coincide with one
 * of them; of two of the same standing, half of either's. The map knows few docks of many, never
 * the other way round.
 */
export function docksCoincide(a: Side, b: Side): boolean {
  const rank = SOURCE_KINDS[a.feed.kind].rank - SOURCE_KINDS[b.feed.kind].rank;
  return (rank < 0 || confirms(a.docks, b.docks)) && (rank > 0 || confirms(b.docks, a.docks));
}

function confirms(docks: Docks, others: Docks): boolean {
  const close = indexPlaces(others, others.rows, COINCIDENT_M);
  const around = indexPlaces(others, others.rows, AREA_M);
  let inside = 0;
  let coincident = 0;
  for (const row of docks.rows) {
    const at = { lat: docks.lat[row]!, lon: docks.lon[row]! };
    if (!isInArea(around, at)) continue;
    inside++;
    if (hasOneNear(close, others, at)) coincident++;
  }
  return inside > 0 && coincident >= inside * COINCIDENT_SHARE;
}

type Place = { lat: number; lon: number };

/** To the width of a window; the first row decides, however many there are. */
function isInArea(index: PlaceIndex, at: Place): boolean {
  let isFound = false;
  visitNear(index, at, () => !(isFound = true));
  return isFound;
}

function hasOneNear(index: PlaceIndex, { lat, lon }: Docks, at: Place): boolean {
  const cos = Math.cos((at.lat * Math.PI) / 180);
  let isFound = false;
  visitNear(index, at, (row) => {
    let east = Math.abs(lon[row]! - at.lon);
    if (east > 180) east = 360 - east;
    isFound = Math.hypot(lat[row]! - at.lat, east * cos) * METRES_PER_DEGREE <= index.reach_m;
    return !isFound;
  });
  return isFound;
}
