/**
 * A made national timetable, written as one archive while it is made: stations with platforms, lines,
 * patterns with several running times each, day masks with exceptions, trips past midnight. Seeded: the
 * same arguments give the same text. All names and ids are invented. The departures of some stations
 * are kept aside, so that what an import answers can be compared with them.
 */
import { ZipFileWriter } from "../test/support/zip-file.ts";
import { createRng, type Rng } from "./world.ts";

export type NationalShape = {
  calls: number;
  stops: number;
  trips: number;
  /** Different orders of stops, and sets of running times of each. */
  patterns: number;
  profiles: number;
  days: number;
  seed: number;
};

export type MadeFeed = {
  rows: { stops: number; trips: number; calls: number };
  /** Unpacked bytes of stop_times. */
  bytes: number;
  truth: Truth;
};

/** Departures that a station must have, by its id. */
export type Truth = {
  station: string;
  departures: { day: number; at_s: number; trip: string }[];
}[];

/** 2026-11-30, a Monday. */
export const FIRST_DAY = 20_787;
export const TIME_ZONE = "Europe/Berlin";

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** Times are multiples of this. */
const STEP_S = 6;
const MOST_CALLS = 120;
const WATCHED = 20;
const CHUNK_BYTES = 1 << 20;
const LONGEST_LINE = 128;
const MASKS = ["1111100", "1111100", "1111111", "0000010", "0000001", "0000011", "0000000"];
/** How much slower each set of running times is. */
const PACES = [1, 1.15, 1.3, 0.9, 1.05, 1.22];
const KINDS = ["Bahnhof", "Rathaus", "Kirche", "Schule", "Abzw. Mühle", 'ZOB "Mitte"', "Am Anger"];

type Station = { id: string; lat: number; lon: number; platforms: string[] };
type Service = { mask: string; from: number; to: number; exceptions: Map<number, 1 | 2> };

const pick = <T>(rng: Rng, list: readonly T[]): T => list[Math.floor(rng() * list.length)]!;

export async function makeNationalFeed(path: string, shape: NationalShape): Promise<MadeFeed> {
  const rng = createRng(shape.seed);
  const towns = Math.max(4, Math.floor(shape.stops / 160));
  const zip = await ZipFileWriter.create(path);
  await zip.add("agency.txt", lines(listAgencies(shape)));
  const { stations, byTown } = makeStations(rng, shape.stops, towns);
  const stops = stations.reduce((sum, { platforms }) => sum + 1 + platforms.length, 0);
  await zip.add("stops.txt", lines(listStops(stations)));
  const services = makeServices(rng, shape);
  await zip.add("calendar.txt", lines(listWeeks(services)));
  await zip.add("calendar_dates.txt", lines(listExceptions(services)));
  const platforms = numberPlatforms(stations);
  const patterns = makePatterns(rng, shape, { first: platforms.first, byTown });
  await zip.add("routes.txt", lines(listRoutes(patterns.length, towns)));
  const trips = new Trips(rng, { shape, patterns, services, platforms });
  await zip.add("trips.txt", lines(trips.rows(towns)));
  const watch = new Watch(stations, shape);
  const bytes = await zip.add("stop_times.txt", trips.calls(watch));
  await zip.close();
  return { rows: { stops, trips: shape.trips, calls: trips.count }, bytes, truth: watch.truth() };
}

function* lines(rows: Iterable<string>): Generator<Buffer> {
  let text = "";
  for (const row of rows) {
    text += `${row}\n`;
    if (text.length < CHUNK_BYTES) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

const AGENCIES = 700;

function* listAgencies({ trips }: NationalShape): Generator<string> {
  yield "agency_id,agency_name,agency_url,agency_timezone";
  for (let i = 0; i < Math.max(3, Math.min(AGENCIES, trips / 3_000)); i++)
    yield `${i},"Verkehrsgesellschaft Übungsland ${i}, Kreis ${i % 401}",https://example.invalid/${i},${TIME_ZONE}`;
}

function makeStations(rng: Rng, stops: number, towns: number) {
  const places = Array.from({ length: towns }, () => ({
    ...{ lat: 47.6 + 7.1 * rng(), lon: 6.3 + 8.2 * rng(), spread: 0.01 + 0.05 * rng() ** 3 },
    stations: [] as number[],
  }));
  const stations: Station[] = [];
  for (let count = 0; count < stops;) {
    // Large towns have more of them.
    const town = Math.floor(towns * rng() ** 2);
    const { lat, lon, spread } = places[town]!;
    const at = stations.length;
    const id = `de:${String(1_001 + (town % 15_000)).padStart(5, "0")}:${at}`;
    const platforms = Array.from(
      { length: pick(rng, [1, 2, 2, 3]) },
      (_, i) => `${id}:${(i >> 1) + 1}:${i + 1}`,
    );
    const aside = (): number => (rng() + rng() + rng() - 1.5) * spread * 2;
    stations.push({ id, lat: lat + aside(), lon: lon + aside() * 1.5, platforms });
    places[town]!.stations.push(at);
    count += 1 + platforms.length;
  }
  const byTown = places.map((place) => place.stations).filter((list) => list.length > 1);
  return { stations, byTown };
}

function* listStops(stations: readonly Station[]): Generator<string> {
  yield "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding,platform_code";
  for (const [i, { id, lat, lon, platforms }] of stations.entries()) {
    const name = `Ort ${id.slice(3, 8)}, ${KINDS[i % KINDS.length]} ${i}`.replaceAll('"', '""');
    yield `${id},"${name}",${lat.toFixed(6)},${lon.toFixed(6)},1,,${i % 3},`;
    for (const [n, platform] of platforms.entries())
      yield `${platform},"${name}",${(lat + n * 1e-4).toFixed(6)},${lon.toFixed(6)},0,${id},${(i + n) % 3},${n + 1}`;
  }
}

function makeServices(rng: Rng, { trips, days }: NationalShape): Service[] {
  return Array.from({ length: Math.max(8, Math.min(60_000, Math.floor(trips / 35))) }, (_, i) => {
    const mask = MASKS[i % MASKS.length]!;
    const from = pick(rng, [0, 0, 0, Math.floor((rng() * days) / 2)]);
    const to = pick(rng, [
      days - 1,
      days - 1,
      Math.min(days - 1, from + 5 + Math.floor(rng() * days)),
    ]);
    const exceptions = new Map<number, 1 | 2>();
    for (let n = pick(rng, [0, 3, 8, 20]); n > 0; n--)
      exceptions.set(Math.floor(rng() * days), mask !== "0000000" && rng() < 0.5 ? 2 : 1);
    return { mask, from, to, exceptions };
  });
}

function runsOn({ mask, from, to, exceptions }: Service, day: number): boolean {
  const exception = exceptions.get(day);
  if (exception !== undefined) return exception === 1;
  return day >= from && day <= to && mask[day % 7] === "1";
}

const dateOf = (day: number): string =>
  new Date((FIRST_DAY + day) * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");

function* listWeeks(services: readonly Service[]): Generator<string> {
  yield "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date";
  for (const [i, { mask, from, to }] of services.entries())
    yield `${i},${mask.split("").join(",")},${dateOf(from)},${dateOf(to)}`;
}

function* listExceptions(services: readonly Service[]): Generator<string> {
  yield "service_id,date,exception_type";
  for (const [i, { exceptions }] of services.entries())
    for (const [day, type] of exceptions) yield `${i},${dateOf(day)},${type}`;
}

const PATTERNS_A_ROUTE = 10;
const TYPES = [...Array<number>(14).fill(3), 0, 0, 2, 2, 1, 109, 700, 715, 4];

function* listRoutes(patterns: number, towns: number): Generator<string> {
  yield "route_id,agency_id,route_short_name,route_long_name,route_type,route_color";
  for (let i = 0; i < Math.ceil(patterns / PATTERNS_A_ROUTE); i++)
    yield `r${i},${i % 3},${["S", "U", "Bus ", ""][i % 4]}${i % 997},"Linie ${i}, ab Ort ${i % towns}",${TYPES[i % TYPES.length]},${((i * 7_919) % 0xffffff).toString(16).padStart(6, "0")}`;
}

/** Platforms by number, and how long the ride to the next takes, in steps of six seconds. */
type Pattern = { platforms: Uint32Array; rides: Uint8Array };
type Platforms = { texts: Buffer[]; stations: Uint32Array };

function numberPlatforms(stations: readonly Station[]): Platforms & { first: Uint32Array } {
  const texts = stations.flatMap(({ platforms }) => platforms.map((id) => Buffer.from(`,${id}`)));
  const first = new Uint32Array(stations.length + 1);
  for (const [i, { platforms }] of stations.entries()) first[i + 1] = first[i]! + platforms.length;
  const of = Uint32Array.from(
    stations.flatMap(({ platforms }, station) => platforms.map(() => station)),
  );
  return { texts, stations: of, first };
}

function makePatterns(
  rng: Rng,
  { calls, trips, patterns }: NationalShape,
  { first, byTown }: { first: Uint32Array; byTown: number[][] },
): Pattern[] {
  const mean = calls / trips;
  return Array.from({ length: patterns }, () => {
    const pool = byTown[Math.floor(byTown.length * rng() ** 2)]!;
    const length = Math.max(2, Math.min(MOST_CALLS, Math.round(mean * (rng() + rng()))));
    const start = Math.floor(rng() * pool.length);
    const step = pick(rng, [1, 1, 2, 3]);
    const platforms = Uint32Array.from({ length }, (_, i) => {
      const station = pool[(start + i * step) % pool.length]!;
      const count = first[station + 1]! - first[station]!;
      return first[station]! + Math.floor(rng() * count);
    });
    const rides = Uint8Array.from({ length }, () => pick(rng, [10, 10, 20, 20, 30, 40]));
    return { platforms, rides };
  });
}

type Parts = {
  shape: NationalShape;
  patterns: Pattern[];
  services: Service[];
  platforms: Platforms;
};

/** The trips, which are drawn twice from the same seed rather than kept. */
class Trips {
  count = 0;
  readonly #parts: Parts;
  readonly #seed: number;

  constructor(rng: Rng, parts: Parts) {
    this.#seed = Math.floor(rng() * 2 ** 31);
    this.#parts = parts;
  }

  *#draw() {
    const { shape, patterns, services } = this.#parts;
    const rng = createRng(this.#seed);
    for (let trip = 0; trip < shape.trips; trip++) {
      const pattern = Math.floor(rng() * patterns.length);
      const service = Math.floor(rng() * services.length);
      const profile = Math.floor(rng() * shape.profiles);
      // From four in the morning to two at night.
      const start_s = 14_400 + 60 * Math.floor(rng() * 1_320);
      yield { trip, pattern, service, profile, start_s };
    }
  }

  *rows(towns: number): Generator<string> {
    yield "route_id,service_id,trip_id,trip_headsign,direction_id,wheelchair_accessible,bikes_allowed";
    for (const { trip, pattern, service } of this.#draw())
      yield `r${Math.floor(pattern / PATTERNS_A_ROUTE)},${service},t${trip},"Ort ${pattern % towns}, Endstelle",${pattern % 2},${trip % 3},${(trip >> 2) % 3}`;
  }

  *calls(watch: Watch): Generator<Buffer> {
    const { patterns, services, platforms } = this.#parts;
    const clocks = Array.from({ length: (4 * DAY_S) / STEP_S }, (_, i) =>
      Buffer.from(`,${clockOf(STEP_S * i)}`),
    );
    const ends = Array.from({ length: MOST_CALLS }, (_, i) =>
      Buffer.from(`,${i},0,${i === 0 ? 1 : 0}\n`),
    );
    const buffer = Buffer.alloc(CHUNK_BYTES + LONGEST_LINE * MOST_CALLS);
    let used = buffer.write(
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n",
    );
    const put = (bytes: Buffer): void => {
      buffer.set(bytes, used);
      used += bytes.length;
    };
    for (const { trip, pattern, service, profile, start_s } of this.#draw()) {
      const { platforms: order, rides } = patterns[pattern]!;
      const pace = PACES[(pattern + profile) % PACES.length]!;
      const head = Buffer.from(`t${trip}`);
      let at = start_s / STEP_S;
      for (let i = 0; i < order.length; i++) {
        put(head);
        put(clocks[at]!);
        // Here and there it waits, as long as its set of times says.
        if (i > 0 && i < order.length - 1 && i % 5 === 0) at += 5 * profile;
        put(clocks[at]!);
        put(platforms.texts[order[i]!]!);
        put(ends[i]!);
        const station = platforms.stations[order[i]!]!;
        if (watch.has(station) && i < order.length - 1)
          watch.add(station, { trip: `t${trip}`, service: services[service]!, at_s: at * STEP_S });
        at += Math.round(rides[i]! * pace);
      }
      this.count += order.length;
      if (used < CHUNK_BYTES) continue;
      yield Buffer.from(buffer.subarray(0, used));
      used = 0;
    }
    yield Buffer.from(buffer.subarray(0, used));
  }
}

function clockOf(s: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(s / 3_600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

/** Notes every departure of some stations, on every day. */
class Watch {
  readonly #stations: readonly Station[];
  readonly #days: number;
  readonly #found = new Map<number, Truth[number]["departures"]>();
  readonly #isWatched: Uint8Array;

  constructor(stations: readonly Station[], { days }: NationalShape) {
    this.#stations = stations;
    this.#days = days;
    this.#isWatched = new Uint8Array(stations.length);
    const step = Math.max(1, Math.floor(stations.length / WATCHED));
    for (let at = 0; at < stations.length; at += step) this.#isWatched[at] = 1;
  }

  has(station: number): boolean {
    return this.#isWatched[station] === 1;
  }

  add(
    station: number,
    { trip, service, at_s }: { trip: string; service: Service; at_s: number },
  ): void {
    const list = this.#found.get(station) ?? [];
    this.#found.set(station, list);
    for (let day = 0; day < this.#days; day++)
      if (runsOn(service, day)) list.push({ day: FIRST_DAY + day, at_s, trip });
  }

  truth(): Truth {
    return [...this.#found].map(([at, departures]) => ({
      station: this.#stations[at]!.id,
      departures,
    }));
  }
}
