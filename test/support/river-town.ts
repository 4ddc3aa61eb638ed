/**
 * A town on both banks of a river with one bridge, for ways on foot: what is nearest by beeline lies
 * across the water, 1.3 km away along streets. Its corners lie 2 km away, so that most of it is water.
 */
import type { PbfNode, PbfObject } from "../../sandbox/pbf/encode.ts";
import { zipOf } from "./zip.ts";

type Tags = Readonly<Record<string, string>>;

const ORIGIN = { lat: 47, lon: 9 };
const METRES_PER_DEGREE = 111_195.0797;
const SCALE = Math.cos((ORIGIN.lat * Math.PI) / 180);

/** A point of the town, metres to the east and to the north of its middle on the south bank. */
function pointOf(east_m: number, north_m: number): { lat: number; lon: number } {
  return {
    lat: round7(ORIGIN.lat + north_m / METRES_PER_DEGREE),
    lon: round7(ORIGIN.lon + east_m / (METRES_PER_DEGREE * SCALE)),
  };
}

function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** A point next to the street of the south bank. */
export const START = pointOf(0, 5);

/** Points from which no way begins, and one whose way does. */
export const PLACES = {
  water: pointOf(0, 1_500),
  island: pointOf(20, -800),
  /** A building of 40 by 40 metres on the south bank. */
  building: pointOf(-300, -30),
  elsewhere: pointOf(0, 30_000),
} as const;

/** Things: name, metres to the east and to the north, tags. */
const THINGS: readonly (readonly [name: string, east_m: number, north_m: number, tags: Tags])[] = [
  ["over", 0, 150, { amenity: "toilets" }],
  ["along", 400, 10, { amenity: "toilets", wheelchair: "yes" }],
  ["stairs", 200, -110, { amenity: "toilets", wheelchair: "no" }],
  ["pier", 30, 320, { amenity: "toilets" }],
  ["tap", 100, 10, { amenity: "drinking_water" }],
  ["basin", 50, 10, { amenity: "fountain" }],
  ["mud", 150, 10, { amenity: "fountain", drinking_water: "no" }],
  ["sludge", 0, 145, { amenity: "fountain", drinking_water: "no" }],
  ["garage over", 10, 150, { amenity: "parking" }],
  ["garage along", 300, 10, { amenity: "parking" }],
  ["plug over", -10, 150, { amenity: "charging_station", "socket:type2": "2" }],
  ["plug along", 350, 10, { amenity: "charging_station", "socket:type2": "2" }],
];

/** Metres from `START` along streets: half the street, the bridge, and back. */
export const OVER_THE_BRIDGE_M = 600 + 140 + 600;

/** Streets of 60 and more nodes, so that none is an island; the two nodes of `PLACES.island` are one. */
export function listRiverTown(): PbfObject[] {
  const nodes: PbfNode[] = [];
  const ways: PbfObject[] = [];
  const point = (east_m: number, north_m: number, tags: Tags = {}): number => {
    const { lat, lon } = pointOf(east_m, north_m);
    const id = nodes.length + 1;
    nodes.push({
      type: "node",
      id,
      lat7: Math.round(lat * 1e7),
      lon7: Math.round(lon * 1e7),
      tags,
    });
    return id;
  };
  const way = (refs: readonly number[], tags: Tags): void => {
    ways.push({ type: "way", id: ways.length + 1, refs: [...refs], tags });
  };
  const street = (north_m: number, from_m: number, to_m: number): number[] =>
    Array.from({ length: (to_m - from_m) / 20 + 1 }, (_, i) => point(from_m + 20 * i, north_m));
  const south = street(0, -600, 600);
  const north = street(140, -600, 600);
  const lane = street(-100, 200, 600);
  const paved = { highway: "residential" };
  for (const line of [south, north, lane]) way(line, paved);
  way([south.at(-1)!, north.at(-1)!], { ...paved, bridge: "yes" });
  way([south.at(-1)!, lane.at(-1)!], paved);
  way([south[40]!, lane[0]!], { highway: "steps" });
  way([point(0, -800), point(40, -800)], { highway: "footway" });
  const house = [
    [-320, -50],
    [-280, -50],
    [-280, -10],
    [-320, -10],
  ].map(([east_m, north_m]) => point(east_m!, north_m!));
  way([...house, house[0]!], { building: "yes" });
  for (const [name, east_m, north_m, tags] of THINGS) point(east_m, north_m, { ...tags, name });
  for (const corner of [-2_000, 2_000]) point(corner, corner);
  return [...nodes, ...ways];
}

/** A timetable of the town: a stop across the river and one along the street. */
export function riverTimetable(): Buffer {
  const stop = (id: string, east_m: number, north_m: number): string => {
    const { lat, lon } = pointOf(east_m, north_m);
    return `${id},${id},${lat},${lon}`;
  };
  return zipOf({
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\nM,M,https://m.example/,Europe/Paris\n",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20260101,20261231\n",
    "routes.txt":
      "route_id,agency_id,route_short_name,route_long_name,route_type\nR1,M,1,Line one,3\n",
    "stops.txt": [
      "stop_id,stop_name,stop_lat,stop_lon",
      stop("Over", 0, 150),
      `${stop("Along", 450, 10)}\n`,
    ].join("\n"),
    "trips.txt": "route_id,service_id,trip_id\nR1,W,T1\n",
    "stop_times.txt": [
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time",
      "T1,Over,1,08:00:00,08:00:00",
      "T1,Along,2,08:05:00,08:05:00\n",
    ].join("\n"),
  });
}
