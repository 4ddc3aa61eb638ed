/** Answers departures: `NAME POINTS ARCHIVE TEXTS …` (departures.ts). An answer is the times, seconds of the day. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Pool } from "pg";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import { distance_m } from "#kit/geo.ts";
import { importGtfs, openFeed } from "#transit/index.ts";
import { openDepartures } from "../../test/support/departures.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { NO_WALKS } from "../../test/support/walks.ts";
import { contend } from "./contender.ts";
import {
  type DeparturePoint,
  FROM_S,
  LIMIT,
  NOON_MS,
  RADIUS_M,
  TO_S,
  toSeconds,
} from "./departures.ts";
import { readJson } from "./files.ts";

const [name = "", points_file = "", archive = "", texts_file = "", ...args] = process.argv.slice(2);
const points = readJson<DeparturePoint[]>(points_file);
const texts = readJson<Record<string, string>>(texts_file);
const CONTENDERS: Record<string, () => Promise<void>> = {
  vicinity: contendOurs,
  gtfs: contendPackage,
  postgresql: contendPostgres,
};

async function contendOurs(): Promise<void> {
  const source = { bytes: readFileSync(archive) };
  const imported = await importGtfs(source, { feed_id: "city", region: null, now_ms: NOON_MS });
  if (!imported.ok) throw new Error(imported.problem);
  const feed = openFeed(imported.pack)!;
  const stored = {
    ...{ feed_id: "city", version: 1, feed, failure: null, box: null },
    ...{ live: null, realtime: false, alerts: null },
  };
  const departures = openDepartures({
    finders: [feedDepartures(() => [stored])],
    clock: createManualClock(NOON_MS),
    timezones: () => Promise.resolve(() => "Europe/Paris"),
  });
  const { signal } = new AbortController();
  await contend(async () => {
    const answers: number[][] = [];
    for (const { lat, lon } of points) {
      const reply = await departures.ask({
        question: {
          ...{ lat, lon, radius: RADIUS_M, within: 60, limit: LIMIT, debug: false },
          ...{ modes: undefined, lines: undefined, language: undefined },
          ...NO_WALKS,
        },
        now_ms: NOON_MS,
        deadline_ms: NOON_MS + 60_000,
        signal,
      });
      if (!("body" in reply)) throw new Error(reply.message);
      const { departures: rows } = reply.body.results;
      answers.push(rows.map(({ planned_at }) => toSeconds(planned_at!.slice(11, 19))));
    }
    return answers;
  });
}

type Package = {
  importGtfs(options: object): Promise<void>;
  openDb(options: object): unknown;
  getStops(query: object, fields: string[], order: unknown[], options: object): Stop[];
  getStoptimes(query: object, fields: string[], order: unknown[]): Call[];
};
type Stop = { stop_id: string; stop_lat: number; stop_lon: number };
type Call = { trip_id: string; departure_time: string; stop_sequence: number };

/** By its own functions: stops in a box, then their calls of a date between two times. */
async function contendPackage(): Promise<void> {
  const [at = "", sqlitePath = ""] = args;
  const gtfs = (await import(join(at, "dist/index.js"))) as Package;
  const config = { agencies: [{ path: archive }], sqlitePath, logLevel: "silent" };
  await gtfs.importGtfs(config);
  gtfs.openDb(config);
  const ends = readEnds();
  const time = (s: number): string => new Date(s * 1_000).toISOString().slice(11, 19);
  const when = { date: 20261125, start_time: time(FROM_S), end_time: time(TO_S - 1) };
  const fields = ["trip_id", "departure_time", "stop_sequence"];
  await contend(() =>
    Promise.resolve(
      points.map(({ lat, lon }) => {
        const box = { bounding_box_side_m: 2 * RADIUS_M };
        const stops = gtfs.getStops({ stop_lat: lat, stop_lon: lon }, [], [], box);
        const stop_id = stops
          .filter((stop) => distance_m(stop.stop_lat, stop.stop_lon, lat, lon) <= RADIUS_M)
          .map((stop) => stop.stop_id);
        if (stop_id.length === 0) return [];
        const order = [["departure_timestamp", "ASC"]];
        return gtfs
          .getStoptimes({ stop_id, ...when }, fields, order)
          .filter(({ trip_id, stop_sequence }) => stop_sequence < ends.get(trip_id)!)
          .slice(0, LIMIT)
          .map(({ departure_time }) => toSeconds(departure_time));
      }),
    ),
  );
}

/** Of each trip the number of its last call, where riders only get off. */
function readEnds(): Map<string, number> {
  const ends = new Map<string, number>();
  for (const [trip = "", , , , sequence] of readRows("stop_times.txt"))
    ends.set(trip, Math.max(ends.get(trip) ?? 0, Number(sequence)));
  return ends;
}

const NEXT = `
  SELECT c.departure_s, c.trip_id, s.stop_id, s.stop_name, s.lat, s.lon, r.route_id, r.short_name, t.headsign
  FROM stops s JOIN calls c USING (stop_id) JOIN trips t USING (trip_id)
  JOIN routes r USING (route_id) JOIN calendar d USING (service_id)
  WHERE s.lat BETWEEN $1::float8 - $3::float8 AND $1 + $3 AND s.lon BETWEEN $2::float8 - $4::float8 AND $2 + $4
    AND 2 * 6371008.8 * asin(sqrt(pow(sin(radians(s.lat - $1) / 2), 2)
      + cos(radians($1)) * cos(radians(s.lat)) * pow(sin(radians(s.lon - $2) / 2), 2))) <= ${RADIUS_M}
    AND c.departure_s >= ${FROM_S} AND c.departure_s < ${TO_S} AND NOT c.is_last
    AND d.wednesday AND DATE '2026-11-25' BETWEEN d.start_date AND d.end_date
  ORDER BY c.departure_s LIMIT ${LIMIT}`;

async function contendPostgres(): Promise<void> {
  const [url, pid] = args;
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  await fillPostgres(pool);
  const north = (RADIUS_M / 6_371_008.8) * (180 / Math.PI);
  await contend(async () => {
    const answers: number[][] = [];
    for (const { lat, lon } of points) {
      const values = [lat, lon, north, north / Math.cos((lat * Math.PI) / 180)];
      const { rows } = await pool.query<{ departure_s: number }>({
        ...{ name: "next", text: NEXT, values },
      });
      answers.push(rows.map(({ departure_s }) => departure_s));
    }
    return answers;
  }, [Number(pid)]);
}

async function fillPostgres(pool: Pool): Promise<void> {
  const ends = readEnds();
  const tables: Record<string, [columns: string, rows: unknown[][]]> = {
    stops: [
      "stop_id text, stop_name text, lat float8, lon float8",
      readRows("stops.txt").map(([id, text, lat, lon]) => [id, text, +lat!, +lon!]),
    ],
    routes: [
      "route_id text, short_name text",
      readRows("routes.txt").map(([id, , text]) => [id, text]),
    ],
    trips: [
      "trip_id text, route_id text, service_id text, headsign text",
      readRows("trips.txt").map((row) => row.slice(0, 4)),
    ],
    calendar: [
      "service_id text, wednesday bool, start_date date, end_date date",
      readRows("calendar.txt").map((row) => [row[0], row[3] === "1", row[8], row[9]]),
    ],
    calls: [
      "trip_id text, stop_id text, departure_s int, is_last bool",
      readRows("stop_times.txt").map(([trip = "", , at = "", stop, sequence]) => [
        ...[trip, stop, toSeconds(at), ends.get(trip) === Number(sequence)],
      ]),
    ],
  };
  for (const [table, [columns, rows]] of Object.entries(tables)) {
    await pool.query(`CREATE TABLE ${table} (${columns})`);
    const types = columns.split(", ").map((each) => `${each.split(" ")[1]}[]`);
    const lists = types.map((_, i) => rows.map((row) => row[i]));
    const unnested = types.map((type, i) => `$${i + 1}::${type}`).join();
    await pool.query(`INSERT INTO ${table} SELECT * FROM unnest(${unnested})`, lists);
  }
  await pool.query(
    "CREATE INDEX ON stops (lat, lon); CREATE INDEX ON calls (stop_id, departure_s)",
  );
  await pool.query(
    "CREATE UNIQUE INDEX ON trips (trip_id); CREATE UNIQUE INDEX ON routes (route_id)",
  );
  await pool.query("VACUUM ANALYZE");
}

/** Rows of a file of the timetable, without its head; none of them is quoted. */
function readRows(file: string): string[][] {
  const [, ...rows] = texts[file]!.trim().split("\n");
  return rows.map((row) => row.split(","));
}

await CONTENDERS[name]!();
