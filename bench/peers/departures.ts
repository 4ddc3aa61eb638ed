/**
 * The next twenty departures around a point: the service's own search over an imported timetable, the npm
 * package `gtfs` (SQLite), and a schema in PostgreSQL with the usual indexes, over one made city.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { distance_m } from "#kit/geo.ts";
import { startPostgres } from "../../test/support/engines.ts";
import { zipOf } from "../../test/support/zip.ts";
import { print } from "../children.ts";
import { CENTRE, type City, createCity, SPREAD, textsOf } from "../transit-city.ts";
import { createRng } from "../world.ts";
import { compareContenders, type Contender } from "./contenders.ts";
import { writeJson } from "./files.ts";
import { installPackage } from "./packages.ts";

export const RADIUS_M = 400;
export const LIMIT = 20;
/** From noon to one. */
export const FROM_S = 12 * 3_600;
export const TO_S = FROM_S + 3_600;
/** A Wednesday, at noon in Paris. */
export const NOON_MS = Date.UTC(2026, 10, 25, 11);
const GTFS = "4.21.0";

export type DeparturePoint = { lat: number; lon: number };

export async function compareDepartures(settings: {
  folder: string;
  calls: number;
  questions: number;
  rounds: number;
}): Promise<void> {
  const { folder, calls, questions: count, rounds } = settings;
  const city = createCity();
  const texts = textsOf(city, "city", calls);
  const archive = join(folder, "city.zip");
  writeFileSync(archive, zipOf(texts));
  const random = createRng(11);
  const questions: DeparturePoint[] = Array.from({ length: count }, () => ({
    lat: CENTRE.lat + (random() - 0.5) * SPREAD * 0.8,
    lon: CENTRE.lon + (random() - 0.5) * SPREAD * 0.8,
  }));
  const truth = findTruth(city, texts["stop_times.txt"]!, questions);
  const files = [
    writeJson(join(folder, "points.json"), questions),
    archive,
    writeJson(join(folder, "texts.json"), texts),
  ];
  const script = join(import.meta.dirname, "departures-contender.ts");
  const own = (name: string, ...args: string[]): Contender => ({
    name,
    command: process.execPath,
    args: [script, name, ...files, ...args],
  });
  const contenders = [own("vicinity")];
  const at = installPackage(folder, "gtfs", GTFS, { builds: true });
  if (at === null) print(`gtfs ${GTFS}: LEFT OUT, it cannot be installed here`);
  else contenders.push(own("gtfs", at, join(folder, "gtfs.db")));
  const postgres = await startPostgres({ memory: "512MB" });
  if (postgres === null) print("postgresql: LEFT OUT, it is not installed");
  else contenders.push(own("postgresql", await postgres.createDatabase(), String(postgres.pid)));
  try {
    await compareContenders(
      {
        title: `departures: the next ${LIMIT} within ${RADIUS_M} m and an hour, ${count} points, ${calls} calls; right where all times are those of a loop over the rows`,
        contenders,
        isRight: (answer, i) => JSON.stringify(answer) === JSON.stringify(truth[i]),
      },
      rounds,
    );
  } finally {
    await postgres?.stop();
  }
}

/** Departure times, seconds of the day: those of a loop over all rows. */
function findTruth(
  city: City,
  stop_times: string,
  questions: readonly DeparturePoint[],
): number[][] {
  const times: number[][] = city.stops.map(() => []);
  for (const { stop, seconds } of listCalls(stop_times)) times[stop]!.push(seconds);
  return questions.map(({ lat, lon }) =>
    city.stops
      .flatMap((stop, i) => (distance_m(stop.lat, stop.lon, lat, lon) <= RADIUS_M ? times[i]! : []))
      .filter((seconds) => seconds >= FROM_S && seconds < TO_S)
      .sort((a, b) => a - b)
      .slice(0, LIMIT),
  );
}

/** Calls at which a rider can depart: all of a trip but the last. */
function* listCalls(stop_times: string): Generator<{ stop: number; seconds: number }> {
  const rows = stop_times.trim().split("\n").slice(1);
  for (const [i, row] of rows.entries()) {
    const [trip, , departure = "", stop = ""] = row.split(",");
    const isLast = rows[i + 1]?.startsWith(`${trip},`) !== true;
    if (!isLast) yield { stop: Number(stop.split("-")[1]), seconds: toSeconds(departure) };
  }
}

export function toSeconds(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}
