/**
 * Extracts and timetables with a great many things in one circle: what a file of a publisher can say
 * within the bounds of imports.
 */
import type { PbfNode, PbfObject, PbfWay } from "../../sandbox/pbf/encode.ts";
import { toPbf } from "../../sandbox/pbf/encode.ts";
import { zipOf } from "../../test/support/zip.ts";

export const POINT = { lat: 47.1, lon: 9.5 };
export const SPREAD = { lat: 46, lon: 6 };
export const NAMED = { lat: 44, lon: 4 };
export const STREETS = { lat: 42, lon: 2 };
export const CALLS = { lat: 48.85, lon: 2.35 };
export const RUNS = { lat: 50.85, lon: 2.35 };
/** Bases besides, each a small town of its own: a question by name visits all of them. */
const TOWNS = 6;

type Base = { id: string; make: (things: number) => Buffer };
type Archive = { id: string; make: () => Buffer };

/** `things`: how many of each lie in one circle. */
export const BASES: readonly Base[] = [
  { id: "point", make: (things) => toPbf(atOnePoint(things)) },
  { id: "spread", make: (things) => toPbf(spread(Math.ceil(things * 0.3))) },
  { id: "named", make: (things) => toPbf(named(NAMED, things)) },
  { id: "streets", make: (things) => toPbf(streets(things)) },
  ...Array.from({ length: TOWNS }, (_, town) => ({
    id: `town-${town}`,
    make: (things: number) => toPbf(named({ lat: 30 + town, lon: 5 }, Math.ceil(things * 0.05))),
  })),
];

export const ARCHIVES: readonly Archive[] = [
  { id: "calls", make: () => zipOf(timetable({ at: CALLS, stops: 200, trips: 500, runs: 0 })) },
  { id: "runs", make: () => zipOf(timetable({ at: RUNS, stops: 10, trips: 1, runs: 2_000 })) },
];

/** The archive that ended the process of a service that was asked near it. */
export const FATAL = { lat: 52.85, lon: 2.35 };
export const FATAL_ARCHIVES: readonly Archive[] = [
  { id: "fatal", make: () => zipOf(timetable({ at: FATAL, stops: 300, trips: 1, runs: 20 })) },
];

type Spot = { lat: number; lon: number };

function node(id: number, { lat, lon }: Spot, tags: Record<string, string>): PbfNode {
  return { type: "node", id, lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7), tags };
}

function* atOnePoint(things: number): Generator<PbfObject> {
  for (let i = 0; i < things; i++)
    yield node(
      i + 1,
      { lat: POINT.lat, lon: POINT.lon + (i % 100) * 1e-7 },
      {
        amenity: "toilets",
        name: "Toilet Spot",
      },
    );
}

/** Car parks at roadsides and charging stations, as many within ten kilometres as a large city has. */
function* spread(things: number): Generator<PbfObject> {
  const random = lottery(1);
  for (let i = 0; i < 2 * things; i++) {
    const at = {
      lat: SPREAD.lat + (random() - 0.5) * 0.17,
      lon: SPREAD.lon + (random() - 0.5) * 0.24,
    };
    const tags =
      i % 2 === 0
        ? { amenity: "parking", parking: "street_side", capacity: "4" }
        : { amenity: "charging_station", capacity: "2", "socket:type2": "2" };
    yield node(i + 1, at, tags);
  }
}

/** Names of three words out of a few hundred that resemble each other. */
function* named(middle: Spot, things: number): Generator<PbfObject> {
  const random = lottery(2);
  const words = listWords();
  const word = (): string => words[Math.floor(random() * words.length)]!;
  for (let i = 0; i < things; i++)
    yield node(i + 1, near(middle, random), {
      shop: "books",
      name: `${word()} ${word()} ${word()}`,
      opening_hours: "Mo-Fr 08:00-12:00,13:00-18:00; Sa 09:00-12:00; PH off",
    });
}

/** Three consonants and two vowels: of 5 letters each, with many neighbours one letter away. */
export function listWords(): string[] {
  const [ends, vowels] = ["lmnrst".split(""), "aeio".split("")];
  return ends.flatMap((a) =>
    vowels.flatMap((b) =>
      ends.flatMap((c) => vowels.flatMap((d) => ends.map((e) => a + b + c + d + e))),
    ),
  );
}

function* streets(things: number): Generator<PbfObject> {
  const random = lottery(3);
  const most = 200;
  for (let i = 0; i < things; i++)
    yield node(i + 1, near(STREETS, random), {
      "addr:street": `Rue ${Math.floor(i / most)}`,
      "addr:housenumber": String((i % most) + 1),
      "addr:city": "Dense",
    });
  const first = things + 1;
  const count = Math.ceil(things / most);
  for (let i = 0; i < 2 * count; i++) yield node(first + i, near(STREETS, random), {});
  for (let i = 0; i < count; i++) {
    const way: PbfWay = {
      type: "way",
      id: i + 1,
      refs: [first + 2 * i, first + 2 * i + 1],
      tags: { highway: "residential", name: `Rue ${i}` },
    };
    yield way;
  }
}

/** Within 300 m. */
function near({ lat, lon }: Spot, random: () => number): Spot {
  return { lat: lat + (random() - 0.5) * 0.004, lon: lon + (random() - 0.5) * 0.004 };
}

function lottery(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Timetable = { at: Spot; stops: number; trips: number; runs: number };

/** Stops within 350 m that every trip calls at; `runs`: rows of its one trip's frequencies, a run each second. */
function timetable({ at, stops, trips, runs }: Timetable): Record<string, string> {
  const rows = (count: number, row: (index: number) => string): string =>
    Array.from({ length: count }, (_, i) => row(i)).join("");
  const clock = (second: number): string =>
    [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
      .map((part) => String(part).padStart(2, "0"))
      .join(":");
  const call = (trip: number, stop: number): string => {
    const time = clock(((trip * 173) % 72_000) + stop * 10);
    return `t${trip},${time},${time},${stop},${stop}\n`;
  };
  return {
    "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,E,https://e.example/,UTC\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,1,1,1,1,1,1,1,20260101,20291231\n",
    "trips.txt": `route_id,service_id,trip_id\n${rows(trips, (i) => `r,s,t${i}\n`)}`,
    "stops.txt": `stop_id,stop_name,stop_lat,stop_lon\n${rows(stops, (i) => `${i},S${i},${(at.lat + i * 1e-5).toFixed(5)},${at.lon}\n`)}`,
    "stop_times.txt": `trip_id,arrival_time,departure_time,stop_id,stop_sequence\n${rows(trips, (trip) => rows(stops, (stop) => call(trip, stop)))}`,
    ...(runs === 0
      ? {}
      : {
          "frequencies.txt": `trip_id,start_time,end_time,headway_secs\n${"t0,00:00:00,48:00:00,1\n".repeat(runs)}`,
        }),
  };
}
