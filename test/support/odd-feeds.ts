/**
 * Made-up GTFS feeds that hold what real ones rarely do: rows in any order, calls without times,
 * unreadable cells, duplicates, clocks that change, trips over midnight and repeated ones.
 */
import type { FeedTexts } from "./gtfs.ts";
import { createRng } from "../../bench/world.ts";

/** Zones with a day on which their clocks change, and the span of the feed around it. */
const ZONES = [
  ["Europe/Berlin", "2025-03-30"],
  ["Europe/Berlin", "2025-10-26"],
  ["America/New_York", "2025-11-02"],
  // At midnight: 00:00 does not exist.
  ["America/Sao_Paulo", "2018-11-04"],
  ["America/Santiago", "2025-04-06"],
  // By half an hour.
  ["Australia/Lord_Howe", "2025-10-05"],
  ["Pacific/Auckland", "2025-09-28"],
  ["Asia/Kolkata", "2024-02-29"],
] as const;
const DAY_MS = 86_400_000;
const HOUR_S = 3_600;

type Dice = {
  random: () => number;
  below: (end: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (share: number) => boolean;
};

export function makeOddFeed(seed: number): FeedTexts {
  const random = createRng(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const dice: Dice = { random, below, pick, chance: (share) => random() < share };
  const [zone, change] = pick(ZONES);
  const day = (offset: number): string =>
    new Date(Date.parse(change) + offset * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
  return {
    "agency.txt": `agency_id,agency_name,agency_url,agency_timezone\nA,A,https://a.example/,${zone}\n`,
    "routes.txt": "route_id,route_type,route_short_name\nR0,3,0\nR1,2,1\nR0,3,again\n",
    ...makeDays(dice, day),
    "stops.txt": STOPS,
    ...makeTrips(dice),
  };
}

const STOPS = [
  "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code",
  "S,Station,1,1,1,,",
  "P1,Station,1,1,0,S,1",
  "P2,Station,1,1,,S,2",
  "B,,1,1,4,P2,",
  "D,Dangling,1,2,0,NOWHERE,",
  "L,Lone,1,3,,,",
  "M,Lone too,1,4,,,",
  "E,Entrance,1,1,2,S,",
  "L,Lone again,5,5,,S,",
].join("\n");
const CALLED = ["S", "P1", "P2", "B", "D", "L", "M", "E", "NOWHERE", "UNKNOWN"] as const;
const SERVICES = ["W", "X", "Y", "Z"] as const;

function makeDays({ below, pick, chance }: Dice, day: (offset: number) => string): FeedTexts {
  const weeks = SERVICES.slice(0, 3).flatMap((service) => {
    const bits = Array.from({ length: 7 }, () => (chance(0.7) ? "1" : pick(["0", "", "2"])));
    const row = [service, ...bits, day(-below(20)), chance(0.1) ? "20251332" : day(below(20))];
    return chance(0.2) ? [row, [service, ...Array<string>(7).fill("1"), day(-30), day(30)]] : [row];
  });
  const dates = Array.from({ length: below(12) }, () => [
    pick(SERVICES),
    chance(0.05) ? "2025-1-1" : day(below(8) - 4),
    pick(["1", "2", "1", "2", "3", ""]),
  ]);
  const names = "monday,tuesday,wednesday,thursday,friday,saturday,sunday";
  return {
    "calendar.txt": toFile(`service_id,${names},start_date,end_date`, weeks),
    "calendar_dates.txt": toFile("service_id,date,exception_type", dates),
  };
}

function makeTrips(dice: Dice): FeedTexts {
  const { below, pick, chance, random } = dice;
  const trips: string[][] = [];
  const calls: string[][] = [];
  const frequencies: string[][] = [];
  for (let i = 0; i < 12; i++) {
    const id = `T${i}`;
    const route = chance(0.05) ? "R9" : pick(["R0", "R1"]);
    trips.push([
      route,
      chance(0.05) ? "?" : pick(SERVICES),
      id,
      pick(["", "Centre", '"Out, far"']),
    ]);
    if (chance(0.1)) trips.push(["R1", "W", id, "again"]);
    calls.push(...makeCalls(dice, id));
    if (chance(0.25))
      for (let row = 0; row < 2; row++) {
        const from_s = below(26) * HOUR_S;
        const headway_s = chance(0.1) ? pick([0, 29]) : 600 + below(2_000);
        // Often a whole number of headways: the end is no start any more.
        const to_s = from_s + (chance(0.5) ? below(5) * headway_s : below(4 * HOUR_S));
        const span = [timeOf(from_s), timeOf(to_s)];
        const frequency = [id, ...span, `${headway_s}`, pick(["", "0", "1"])];
        frequencies.push(frequency, ...(chance(0.1) ? [frequency] : []));
      }
  }
  // Whole, by trip and in order; or in any order.
  const order = calls.map((row) => ({ row, key: random() }));
  const shuffled = order.sort((a, b) => a.key - b.key).map(({ row }) => row);
  const columns =
    "trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,drop_off_type,stop_headsign";
  return {
    "trips.txt": toFile("route_id,service_id,trip_id,trip_headsign", trips),
    "frequencies.txt": toFile("trip_id,start_time,end_time,headway_secs,exact_times", frequencies),
    "stop_times.txt": toFile(columns, chance(0.5) ? calls : shuffled),
  };
}

function makeCalls({ below, pick, chance }: Dice, trip: string): string[][] {
  const hasSequence = chance(0.9);
  const backwards = chance(0.2);
  const isSparse = chance(0.3);
  let at_s = below(28) * HOUR_S + below(60) * 60;
  const calls = Array.from({ length: 1 + below(9) }, (_, i) => {
    at_s += below(1_800);
    const arrival = timeOf(at_s);
    const departure = timeOf(at_s + pick([0, 0, 30, 300, -60]));
    if (!chance(0.3)) at_s += 300;
    const times = pick([
      [arrival, departure],
      [arrival, departure],
      [arrival, ""],
      ["", departure],
      isSparse ? ["", ""] : [arrival, departure],
      isSparse ? ["", ""] : [arrival, departure],
      [chance(0.1) ? "9:5:00" : arrival, chance(0.1) ? "soon" : departure],
    ]);
    const types = [pick(["", "0", "1", "2", "7"]), pick(["", "0", "1", "3", "x"])];
    const sequence = hasSequence ? `${i * 3 + (chance(0.05) ? 3 : 0)}` : "";
    return [trip, pick(CALLED), sequence, ...times, ...types, chance(0.1) ? "Via" : ""];
  });
  return backwards && hasSequence ? calls.toReversed() : calls;
}

function timeOf(at_s: number): string {
  const [hours, minutes, seconds] = [at_s / HOUR_S, (at_s / 60) % 60, at_s % 60].map(Math.floor);
  const two = (value = 0): string => String(value).padStart(2, "0");
  return `${hours}:${two(minutes)}:${two(seconds)}`;
}

function toFile(header: string, rows: readonly (readonly string[])[]): string {
  return [header, ...rows.map((row) => row.join(","))].join("\n");
}
