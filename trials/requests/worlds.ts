/**
 * Worlds drawn by a seed: what strangers publish around one point, dense, skewed or hostile. Places
 * become a base, stations, vehicles and alerts a feed, stops and trips a timetable.
 */
import type { PbfNode } from "../../sandbox/pbf/encode.ts";
import { toPbf } from "../../sandbox/pbf/encode.ts";
import { zipOf } from "../../test/support/zip.ts";
import { createDice, type Dice } from "../dice.ts";
import { documentOf, type Files, healthyFiles, listOf, type Place } from "../hostile/wire.ts";

/** Where no simulated city is: a desert. */
export const WORLD_AT: Place = { lat: -23.5, lon: 15.25 };
/** Nothing at all is here. */
export const EMPTY_AT: Place = { lat: -40.5, lon: -20.25 };

export type World = {
  /** In words. */
  what: string;
  extract(): Buffer;
  feed(base: string): Files;
  timetable(): Buffer;
};

type Put = (dice: Dice, index: number) => Place;
const METRE = 1 / 111_320;

/** Within 10 km, which is the largest circle that may be asked for. */
const LAYOUTS: Readonly<Record<string, Put>> = {
  "on one point": () => WORLD_AT,
  "within 50 m": (dice) => near(dice, 50),
  "within 10 km": (dice) => near(dice, 9_000),
  skewed: (dice, i) => (i % 10 === 0 ? near(dice, 9_000) : near(dice, 30 * dice.next())),
  "in a line": (_, i) => ({ lat: WORLD_AT.lat + (i % 9_000) * METRE, lon: WORLD_AT.lon }),
};

const NAMES: Readonly<Record<string, (dice: Dice, index: number) => string>> = {
  plain: (_, i) => `Thing ${i}`,
  equal: () => "Same",
  long: (dice, i) => `${i} ${"Straße é ".repeat(dice.integer(1, 100))}`,
  combining: (dice) => `e${"\u0301".repeat(dice.integer(1, 900))}`,
  blanks: (dice) => `a${" ".repeat(dice.integer(1, 3_000))}b`,
};

const TAGS: readonly Readonly<Record<string, string>>[] = [
  { amenity: "toilets" },
  { amenity: "toilets", opening_hours: "Mo-Su 00:00-24:00; PH off".repeat(9), fee: "yes" },
  { amenity: "drinking_water" },
  { amenity: "parking", capacity: "1e308", parking: "street_side" },
  { amenity: "charging_station", "socket:type2": "999999999", "socket:type2:output": "1e99 kW" },
  { emergency: "defibrillator" },
];
const NUMBERS = [
  "0",
  "-1",
  "1e308",
  "2147483648",
  "9007199254740993",
  "0.1",
  '"7"',
  "null",
] as const;

/** The same world for the same seed. */
export function drawWorld(seed: number): World {
  const dice = createDice(seed);
  const pick = <T>(all: Readonly<Record<string, T>>): [string, T] => dice.pick(Object.entries(all));
  const [layout, put] = pick(LAYOUTS);
  const [naming, name] = pick(NAMES);
  const places = dice.pick([200, 5_000, 30_000]);
  const stations = dice.pick([50, 500, 2_000]);
  const vehicles = dice.pick([0, 5_000, 50_000]);
  const alerts = dice.pick([0, 50, 900]);
  const stops = dice.pick([10, 100, 300]);
  const runs = dice.pick([1, 20, 200]);
  const tags = dice.chance(0.4) ? [dice.pick(TAGS)] : TAGS;
  const number = dice.pick(NUMBERS);
  const own = (salt: number): Dice => createDice(seed, salt);
  return {
    what:
      `${places} places, ${stations} stations, ${vehicles} vehicles, ${alerts} alerts, ` +
      `${stops} stops of ${runs} frequent runs, ${layout}, names ${naming}, numbers ${number}`,
    extract: () => toPbf(listPlaces(own(1), { places, put, name, tags })),
    feed: (base) => makeFeed(base, own(2), { stations, vehicles, alerts, put, name, number }),
    timetable: () => makeTimetable(own(3), { stops, runs, put, name }),
  };
}

function near(dice: Dice, most_m: number): Place {
  const [metres, turn] = [most_m * Math.sqrt(dice.next()), 2 * Math.PI * dice.next()];
  const lon = (metres * METRE * Math.sin(turn)) / Math.cos((WORLD_AT.lat * Math.PI) / 180);
  return { lat: WORLD_AT.lat + metres * METRE * Math.cos(turn), lon: WORLD_AT.lon + lon };
}

type Drawn = { put: Put; name: (dice: Dice, index: number) => string };

function* listPlaces(
  dice: Dice,
  { places, put, name, tags }: Drawn & { places: number; tags: typeof TAGS },
): Generator<PbfNode> {
  for (let i = 0; i < places; i++) {
    const { lat, lon } = put(dice, i);
    const [lat7, lon7] = [Math.round(lat * 1e7), Math.round(lon * 1e7)];
    yield {
      type: "node",
      id: i + 1,
      lat7,
      lon7,
      tags: { ...dice.pick(tags), name: name(dice, i) },
    };
  }
}

type FeedDraw = Drawn & Record<"stations" | "vehicles" | "alerts", number> & { number: string };

function makeFeed(base: string, dice: Dice, drawn: FeedDraw): Files {
  const { stations, vehicles, alerts, put, name, number } = drawn;
  const text = JSON.stringify;
  const at = (i: number): string => {
    const { lat, lon } = put(dice, i);
    return `"lat":${lat.toFixed(6)},"lon":${lon.toFixed(6)}`;
  };
  const row = (i: number): string =>
    `{"station_id":"s${i}","name":${text(name(dice, i))},${at(i)},"capacity":${number}}`;
  const status = (i: number): string =>
    `{"station_id":"s${i}","num_bikes_available":${number},"num_docks_available":3,` +
    `"is_installed":1,"is_renting":1,"is_returning":1}`;
  const bike = (i: number): string =>
    `{"bike_id":"v${i}",${at(i)},"is_reserved":0,"is_disabled":0}`;
  const ids = Array.from({ length: Math.min(stations, 200) }, (_, i) => `"s${i}"`).join();
  const alert = (i: number): string =>
    `{"alert_id":"a${i}","type":"STATION_CLOSURE","summary":${text(name(dice, i))},"station_ids":[${ids}]}`;
  return {
    ...healthyFiles(base, WORLD_AT, "stranger"),
    station_information: listOf("stations", row, { rows: stations }),
    station_status: listOf("stations", status, { rows: stations }),
    free_bike_status: listOf("bikes", bike, { rows: vehicles }),
    system_alerts:
      alerts === 0 ? documentOf('"alerts":[]') : listOf("alerts", alert, { rows: alerts }),
  };
}

/** One trip that calls at every stop, over and over at the headways of `runs` rows. */
function makeTimetable(
  dice: Dice,
  { stops, runs, put, name }: Drawn & { stops: number; runs: number },
): Buffer {
  const lines = (head: string, rows: number, row: (i: number) => string): string =>
    [head, ...Array.from({ length: rows }, (_, i) => row(i))].join("\n");
  const time = (i: number): string => `08:${two(i / 60)}:${two(i % 60)}`;
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return zipOf({
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\na,E,https://e.example/,Etc/UTC",
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n" +
      "s,1,1,1,1,1,1,1,20200101,20401231",
    "trips.txt": "route_id,service_id,trip_id\nr,s,t",
    "stops.txt": lines("stop_id,stop_name,stop_lat,stop_lon", stops, (i) => {
      const { lat, lon } = put(dice, i);
      return `${i},${cell(name(dice, i))},${lat.toFixed(6)},${lon.toFixed(6)}`;
    }),
    "stop_times.txt": lines(
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence",
      stops,
      (i) => `t,${time(i)},${time(i)},${i},${i}`,
    ),
    "frequencies.txt": lines("trip_id,start_time,end_time,headway_secs", runs, () => {
      return `t,00:00:00,30:00:00,${dice.integer(30, 90)}`;
    }),
  });
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}
