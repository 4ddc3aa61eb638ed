/**
 * npx node scripts/gtfs-count.ts [ZIP …]: what a GTFS feed holds, counted straight from its text files
 * with general libraries and plain maps. It shares no code with the importer, which is held to it
 * (test/integration/gtfs-real.test.ts). Without arguments: the recorded feeds next to the
 * repository.
 */
import { existsSync, readdirSync } from "node:fs";
import { parse } from "csv-parse";
import yauzl from "yauzl";

export type FeedCount = {
  stops: number;
  stop_times: number;
  /** Top-level stations that a trip serves → the ids of their routes. */
  stations: Map<string, Set<string>>;
  /** Top-level stations that no trip serves. */
  unserved: number;
  routes: Set<string>;
  operators: Set<string>;
  modes: Set<string>;
  modes_of: Map<string, Set<string>>;
};

export const FEEDS: URL = new URL("../../shared/data/gtfs/", import.meta.url);

/** The recorded feeds; none where they were not fetched. */
export function listFeeds(): string[] {
  if (!existsSync(FEEDS)) return [];
  return readdirSync(FEEDS)
    .filter((name) => existsSync(new URL(`${name}/gtfs.zip`, FEEDS)))
    .sort();
}

/** Reads every row of the zip archive at the path. */
export async function countFeed(path: string): Promise<FeedCount> {
  const agencies = new Set<string>();
  await eachRow(path, "agency.txt", (row) => agencies.add(row("agency_id")));
  const routes = new Map<string, { mode: string; agency: string }>();
  await eachRow(path, "routes.txt", (row) => {
    const only = agencies.size === 1 ? [...agencies][0]! : "";
    const agency = row("agency_id") || only;
    routes.set(row("route_id"), { mode: modeOf(Number(row("route_type"))), agency });
  });
  const stops = new Map<string, { type: string; parent: string }>();
  await eachRow(path, "stops.txt", (row) =>
    stops.set(row("stop_id"), {
      type: row("location_type") || "0",
      parent: row("parent_station"),
    }),
  );
  const routeOfTrip = new Map<string, string>();
  await eachRow(path, "trips.txt", (row) => routeOfTrip.set(row("trip_id"), row("route_id")));

  const stationOf = (id: string): string => {
    const { type, parent } = stops.get(id)!;
    const above = stops.get(parent);
    if (type === "4" && above) return stationOf(parent);
    return type !== "1" && above ? parent : id;
  };
  const stations = new Map<string, Set<string>>();
  let stop_times = 0;
  await eachRow(path, "stop_times.txt", (row) => {
    stop_times++;
    const route = routeOfTrip.get(row("trip_id"));
    const stop = row("stop_id");
    if (route === undefined || !routes.has(route) || !stops.has(stop)) return;
    const station = stationOf(stop);
    const serving = stations.get(station);
    if (serving) serving.add(route);
    else stations.set(station, new Set([route]));
  });

  const top = [...stops].filter(
    ([, { type, parent }]) => type === "1" || (type === "0" && !stops.has(parent)),
  );
  const used = new Set([...stations.values()].flatMap((serving) => [...serving]));
  const modesOf = (ids: Iterable<string>): Set<string> =>
    new Set([...ids].map((id) => routes.get(id)!.mode));
  return {
    stops: stops.size,
    stop_times,
    stations,
    unserved: top.filter(([id]) => !stations.has(id)).length,
    routes: used,
    operators: new Set([...used].map((id) => routes.get(id)!.agency)),
    modes: modesOf(used),
    modes_of: new Map([...stations].map(([id, serving]) => [id, modesOf(serving)])),
  };
}

/** By hand from the table of mobility.md 3.2. */
function modeOf(type: number): string {
  if (type === 715) return "demand_responsive";
  if (type === 717) return "taxi";
  if ([12, 109, 300, 403, 405].includes(type)) return "rapid_transit";
  if (type === 0 || (type >= 900 && type <= 906)) return "tram";
  if ([1, 400, 401, 402, 404].includes(type)) return "metro";
  if (type === 2 || (type >= 100 && type <= 117)) return "rail";
  if (type === 3 || type === 11 || type === 800 || (type >= 700 && type <= 716)) return "bus";
  if (type >= 200 && type <= 209) return "coach";
  if (type === 4 || (type >= 1000 && type <= 1021) || type === 1200) return "ferry";
  if ((type >= 5 && type <= 7) || type === 907 || type === 1701) return "cable_transport";
  if (type >= 1300 && type <= 1402) return "cable_transport";
  if (type >= 1500 && type <= 1507) return "taxi";
  if (type >= 1600 && type <= 1603) return "car_share";
  return type === 1604 ? "bicycle" : "other";
}

async function eachRow(
  path: string,
  file: string,
  onRow: (cell: (column: string) => string) => void,
): Promise<void> {
  const zip = await yauzl.openPromise(path);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== file && !entry.fileName.endsWith(`/${file}`)) continue;
    const options = { bom: true, trim: true, skip_empty_lines: true, relax_column_count: true };
    const rows = (await zip.openReadStreamPromise(entry)).pipe(parse(options));
    let places: Map<string, number> | undefined;
    for await (const row of rows as AsyncIterable<string[]>) {
      if (!places) places = new Map(row.map((name, place) => [name, place]));
      else onRow((column) => row[places!.get(column) ?? -1]?.trim() ?? "");
    }
    break;
  }
}

if (import.meta.main) {
  const input = process.argv.slice(2);
  const paths = input.length > 0 ? input : listFeeds().map((name) => feedPath(name));
  for (const path of paths) console.log(`${path}\n  ${summary(await countFeed(path))}`);
}

/** Where a recorded feed lies. */
export function feedPath(name: string): string {
  return new URL(`${name}/gtfs.zip`, FEEDS).pathname;
}

/** One line of figures. */
export function summary(count: FeedCount): string {
  const modes = [...count.modes].sort().join(" ");
  return `${count.stations.size} stations (${count.unserved} without trips), ${count.stops} stops, ${count.routes.size} routes, ${count.operators.size} operators, ${count.stop_times} stop times; ${modes}`;
}
