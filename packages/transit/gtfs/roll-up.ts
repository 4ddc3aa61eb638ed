/**
 * Stations from stops and calls (mobility.md 3.3): one per top-level station that something
 * serves, with its routes, name, point and accessibility. Generators, so that the caller may let
 * others have the thread between two steps.
 */
import type { Box, Location } from "#kit/geo.ts";
import type { Wheelchair } from "../schedule/station.ts";
import { meanOf, wheelchairOf, type FeedStation } from "../schedule/schedule-stations.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toName } from "#kit/coerce.ts";
import { isInBox } from "./box-trips.ts";
import { NO_ENTRY, textOf } from "./byte-table.ts";
import { stationsOfStops } from "./hierarchy.ts";
import type { ServedStops } from "./served-stops.ts";
import { KIND, ownWheelchair, type Stops } from "./stop-table.ts";

const STEP_ROWS = 1_024;

export type RolledUp = {
  stations: FeedStation[];
  /** Place of a stop's station among them; NONE: it has none that is kept. */
  placeOf: (stop: number) => number;
};

/** Stations of one feed that something serves; `box`: no others. */
export function* rollUp(
  stops: Stops,
  { served: stopsServed, box }: { served: ServedStops; box: Box | null },
  trail: TrailRecorder,
): Generator<void, RolledUp> {
  const stationOf = yield* stationsOfStops(stops, trail);
  const served = yield* routesOf(stopsServed, stationOf);
  const children = yield* childrenOf(stationOf);
  const stations: FeedStation[] = [];
  const places = new Int32Array(stationOf.length).fill(NO_ENTRY);
  for (let stop = 0; stop < stationOf.length; stop++) {
    if (stop % STEP_ROWS === 0) yield;
    if (stationOf[stop] !== stop) continue;
    const id = toId(textOf(stops.ids, stop))!;
    const ofStation = served.of(stop);
    if (ofStation.length === 0) trail.drop("served_by_no_trip", id);
    else {
      const station = toStation(stops, { stop, id, children: children.of(stop) }, trail);
      if (station === null) continue;
      if (box !== null && !isInBox(box, station.lat, station.lon)) {
        trail.drop("station_outside_the_box", id);
        continue;
      }
      places[stop] = stations.length;
      stations.push({ ...station, routes: [...ofStation] });
    }
  }
  return {
    stations,
    placeOf: (stop) => (stationOf[stop] === NO_ENTRY ? NO_ENTRY : places[stationOf[stop]!]!),
  };
}

type Group = { stop: number; id: string; children: Int32Array };

function toStation(
  stops: Stops,
  { stop, id, children }: Group,
  trail: TrailRecorder,
): Omit<FeedStation, "routes"> | null {
  const location = locationOf(stops, stop) ?? meanOf(locationsOf(stops, children));
  if (location === null) {
    trail.drop("station_without_location", id);
    return null;
  }
  if (Number.isNaN(stops.lats[stop])) trail.repair("location_from_platforms", id);
  const platforms = platformsOf(stops, children);
  const name = nameOf(stops, stop) ?? firstName(stops, platforms);
  if (name === null || nameOf(stops, stop) === null) trail.repair("station_without_name", id);
  return {
    id,
    name: name ?? id,
    ...location,
    wheelchair: wheelchairOf(ownWheelchair(stops, stop), accessOf(stops, platforms)),
  };
}

function locationOf({ lats, lons }: Stops, stop: number): Location | null {
  return Number.isNaN(lats[stop]) ? null : { lat: lats[stop]!, lon: lons[stop]! };
}

function locationsOf(stops: Stops, children: Int32Array): Location[] {
  return Array.from(children, (child) => locationOf(stops, child)).filter((one) => one !== null);
}

/** Where people board: an entrance's step is no platform's. */
function platformsOf({ kinds }: Stops, children: Int32Array): Int32Array {
  return children.filter((stop) => kinds[stop] === KIND.platform || kinds[stop] === KIND.boarding);
}

function nameOf({ names, named }: Stops, stop: number): string | null {
  return named[stop] === NO_ENTRY ? null : toName(textOf(names, named[stop]!));
}

function firstName(stops: Stops, platforms: Int32Array): string | null {
  for (const stop of platforms) {
    const name = nameOf(stops, stop);
    if (name !== null) return name;
  }
  return null;
}

/**
 * What says nothing inherits from its parent (mobility.md 3.1): a boarding area from its platform, a
 * platform from the station, which had nothing to say.
 */
function accessOf(stops: Stops, platforms: Int32Array): Wheelchair[] {
  return Array.from(platforms, (stop) => {
    const own = ownWheelchair(stops, stop);
    const parent = stops.parents[stop]!;
    return own === "unknown" && parent !== NO_ENTRY ? ownWheelchair(stops, parent) : own;
  });
}

/** Lists of numbers per stop, packed. */
type Lists = { of(stop: number): Int32Array };

/** Distinct routes per station, ascending: counted, then filled. */
function* routesOf(served: ServedStops, stationOf: Int32Array): Generator<void, Lists> {
  const starts = new Uint32Array(stationOf.length + 1);
  const last = new Int32Array(stationOf.length);
  const visit = (use: (station: number, route: number) => void): Generator<void, void> => {
    last.fill(NO_ENTRY);
    return served.visit((stop, route) => {
      const station = stationOf[stop]!;
      if (station === NO_ENTRY || last[station] === route) return;
      last[station] = route;
      use(station, route);
    });
  };
  yield* visit((station) => void starts[station + 1]!++);
  for (let stop = 0; stop < stationOf.length; stop++) starts[stop + 1]! += starts[stop]!;
  const next = starts.slice(0, stationOf.length);
  const items = new Int32Array(starts[stationOf.length]!);
  yield* visit((station, route) => void (items[next[station]!++] = route));
  return { of: (stop) => items.subarray(starts[stop], starts[stop + 1]) };
}

/** Everything below a station, in the order of the file. */
function* childrenOf(stationOf: Int32Array): Generator<void, Lists> {
  function* below(): Generator<[number, number]> {
    for (let stop = 0; stop < stationOf.length; stop++) {
      const station = stationOf[stop]!;
      if (station !== NO_ENTRY && station !== stop) yield [station, stop];
    }
  }
  return yield* toLists(below, stationOf.length, stationOf.length);
}

/** Counted, then filled: two passes over the pairs and no list object per station. */
function* toLists(
  pairs: () => Iterable<[number, number]>,
  stops: number,
  most: number,
): Generator<void, Lists> {
  const starts = new Uint32Array(stops + 1);
  let steps = 0;
  for (const [stop] of pairs()) {
    starts[stop + 1]!++;
    if (++steps % STEP_ROWS === 0) yield;
  }
  for (let stop = 0; stop < stops; stop++) starts[stop + 1]! += starts[stop]!;
  const next = starts.slice(0, stops);
  const items = new Int32Array(most);
  for (const [stop, item] of pairs()) {
    items[next[stop]!++] = item;
    if (++steps % STEP_ROWS === 0) yield;
  }
  return { of: (stop) => items.subarray(starts[stop], starts[stop + 1]) };
}
