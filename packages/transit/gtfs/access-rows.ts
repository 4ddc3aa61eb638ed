/** The ways within the stations that a feed keeps, from its pathways, stops and levels. */
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toName } from "#kit/coerce.ts";
import type { AccessDraft } from "../access/access-draft.ts";
import { NO_ENTRY, textOf, type ByteTable } from "./byte-table.ts";
import type { Levels } from "./levels.ts";
import type { Pathways } from "./pathways.ts";
import { ABSENT, KIND, ownWheelchair, type Stops } from "./stop-table.ts";

const STEP_ROWS = 2_048;
/** Of one station: the largest known have some hundreds. Each is looked at for a question. */
export const MOST_WAYS = 5_000;
const MOST_PLACES = 5_000;

type Input = {
  stops: Stops;
  pathways: Pathways;
  levels: Levels;
  texts: ByteTable;
  /** Place of a stop's station; NO_ENTRY: it has none that is kept. */
  placeOf: (stop: number) => number;
};

/** null: no station has a way. */
export function* listAccess(
  { stops, pathways, levels, texts, placeOf }: Input,
  trail: TrailRecorder,
): Generator<void, AccessDraft | null> {
  if (pathways.count === 0) return null;
  const ways = yield* waysOfStations(pathways, { placeOf, trail });
  const places = yield* placesOfStations(stops, { placeOf, has: ways });
  const large = [...ways.keys()].filter((station) => places.get(station)!.length > MOST_PLACES);
  for (const station of large) {
    trail.drop("too_many_pathways", textOf(stops.ids, places.get(station)![0]!));
    ways.delete(station);
  }
  const stations = [...ways.keys()].sort((a, b) => a - b);
  if (stations.length === 0) return null;
  return {
    stations,
    partial: Uint8Array.from(stations, (station) =>
      Number(places.get(station)!.some((stop) => pathways.isPartial(stop))),
    ),
    ...toLists("place_starts", "places", stations, places),
    ...toLists("way_starts", "ways", stations, ways),
    place: (stop) => ({
      // As the timetable names its stops and realtime feeds speak of them.
      id: textOf(stops.ids, stop),
      kind: stops.kinds[stop]!,
      wheelchair: wheelchairOf(stops, stop),
      parent: stops.parents[stop]!,
      code: stops.platforms[stop] === NO_ENTRY ? "" : nameOf(textOf(texts, stops.platforms[stop]!)),
      level: stops.levels[stop] === NO_ENTRY ? "" : (levels.name(stops.levels[stop]!) ?? ""),
    }),
    way: (way) => ({
      id: toId(pathways.id(way)) ?? "",
      from: pathways.from(way),
      to: pathways.to(way),
      mode: pathways.mode(way),
      flags: pathways.flags(way),
      length_dm: pathways.length_dm(way),
    }),
  };
}

type Lists = Map<number, number[]>;

/** Ways by their station. One that leaves its station is left out of both. */
function* waysOfStations(
  pathways: Pathways,
  { placeOf, trail }: Pick<Input, "placeOf"> & { trail: TrailRecorder },
): Generator<void, Lists> {
  const lists: Lists = new Map();
  const large = new Set<number>();
  for (let way = 0; way < pathways.count; way++) {
    if (way % STEP_ROWS === STEP_ROWS - 1) yield;
    const [from, to] = [pathways.from(way), pathways.to(way)];
    const station = placeOf(from);
    if (station !== placeOf(to)) {
      trail.drop("pathway_between_stations", pathways.id(way));
      pathways.notePartial(from);
      pathways.notePartial(to);
    } else if (station !== NO_ENTRY && !large.has(station)) {
      const list = lists.get(station);
      if (list === undefined) lists.set(station, [way]);
      else if (list.length < MOST_WAYS) list.push(way);
      else {
        trail.drop("too_many_pathways", pathways.id(way));
        large.add(station);
        lists.delete(station);
      }
    }
  }
  return lists;
}

/** Platforms, entrances, nodes and boarding areas of the stations that have a way. */
function* placesOfStations(
  { kinds }: Stops,
  { placeOf, has }: Pick<Input, "placeOf"> & { has: Lists },
): Generator<void, Lists> {
  const lists: Lists = new Map([...has.keys()].map((station) => [station, []]));
  for (let stop = 0; stop < kinds.length; stop++) {
    if (stop % STEP_ROWS === STEP_ROWS - 1) yield;
    const kind = kinds[stop]!;
    if (kind !== ABSENT && kind !== KIND.station) lists.get(placeOf(stop))?.push(stop);
  }
  return lists;
}

const WHEELCHAIR = { unknown: 0, yes: 1, no: 2 } as const;

/** What says nothing inherits from its parent, and from that one's parent (mobility.md 3.1). */
function wheelchairOf(stops: Stops, stop: number): number {
  for (let at = stop, step = 0; at !== NO_ENTRY && step < 3; at = stops.parents[at]!, step++) {
    const own = ownWheelchair(stops, at);
    if (own !== "unknown") return WHEELCHAIR[own];
  }
  return WHEELCHAIR.unknown;
}

function nameOf(text: string): string {
  return toName(text) ?? "";
}

function toLists<S extends string, L extends string>(
  starts_name: S,
  list_name: L,
  stations: readonly number[],
  lists: Lists,
): Record<S, Uint32Array> & Record<L, Uint32Array> {
  const starts = new Uint32Array(stations.length + 1);
  for (const [i, station] of stations.entries())
    starts[i + 1] = starts[i]! + lists.get(station)!.length;
  const list = new Uint32Array(starts.at(-1)!);
  for (const [i, station] of stations.entries()) list.set(lists.get(station)!, starts[i]);
  return { [starts_name]: starts, [list_name]: list } as Record<S, Uint32Array> &
    Record<L, Uint32Array>;
}
