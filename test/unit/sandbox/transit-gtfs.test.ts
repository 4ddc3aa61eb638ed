// The simulated GTFS archives: what they hold is the truth, however they are written.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { start } from "./reader.ts";
import {
  type CsvRow,
  feedIdsOf,
  fetchGtfs,
  type Gtfs,
  keysOf,
  modeOf,
  readCsv,
  stationsAt,
  type TrueStation,
} from "./transit-reader.ts";

describe("GTFS archives", () => {
  let sandbox: Sandbox;
  let feeds: Map<string, Gtfs>;
  let truth: TrueStation[];
  before(async () => {
    sandbox = await start();
    feeds = new Map();
    for (const id of feedIdsOf(sandbox)) feeds.set(id, await fetchGtfs(sandbox, id));
    truth = (await Promise.all(sandbox.cities().map((at) => stationsAt(sandbox, at)))).flat();
  });
  after(() => sandbox.close());
  const feed = (id: string): Gtfs => feeds.get(id)!;
  const stopsOf = (id: string): CsvRow[] => feed(id).table("stops.txt");

  test("rolled up to their stations they are those of the truth, station by station", () => {
    const expected = keysOf(truth, "gtfs");
    const matches = new Map<string, Rolled>();
    for (const [id, gtfs] of feeds)
      for (const [key, station] of rollUp(gtfs)) matches.set(`${id} ${key}`, station);
    assert.deepEqual([...matches.keys()].toSorted(), [...expected.keys()].toSorted());
    // A station in two feeds is served by the lines of both.
    for (const station of truth) {
      const seen = station.sources
        .filter(({ source }) => source === "gtfs")
        .map(({ network_id, source_id }) => matches.get(`${network_id} ${source_id}`)!);
      const modes = new Set(seen.flatMap((each) => [...each.modes]));
      assert.deepEqual(modes, new Set(station.modes), station.name);
      const routes = new Set(seen.flatMap((each) => [...each.routes]));
      assert.equal(routes.size, station.routes, station.name);
      assert.deepEqual(
        new Set(seen.flatMap((each) => [...each.operators])),
        new Set(station.operators),
      );
      for (const { wheelchair } of seen) assert.equal(wheelchair, station.wheelchair, station.name);
      for (const { lat, lon } of seen) {
        assert.ok(Math.abs(lat - station.location.lat) < 0.0001, station.name);
        assert.ok(Math.abs(lon - station.location.lon) < 0.0002, station.name);
      }
    }
    assert.ok(truth.some(({ sources }) => sources.filter((s) => s.source === "gtfs").length === 2));
  });

  test("every reference leads somewhere, but for the parents of two careless feeds", () => {
    const careless: string[] = [];
    for (const [id, gtfs] of feeds) {
      const keys = (file: string, column: string): Set<string> =>
        new Set(gtfs.table(file).map((row) => row[column] ?? ""));
      const [stops, routes] = [keys("stops.txt", "stop_id"), keys("routes.txt", "route_id")];
      const trips = keys("trips.txt", "trip_id");
      assert.ok(
        gtfs.table("trips.txt").every((row) => routes.has(row["route_id"]!)),
        id,
      );
      for (const row of gtfs.table("stop_times.txt"))
        assert.ok(trips.has(row["trip_id"]!) && stops.has(row["stop_id"]!), id);
      const lost = gtfs
        .table("stops.txt")
        .filter(({ parent_station }) => parent_station && !stops.has(parent_station));
      if (lost.length > 0) careless.push(id);
      assert.equal(stops.size, gtfs.table("stops.txt").length, `${id}: stop_id repeats`);
    }
    assert.deepEqual(careless, ["berlin", "cape-town"]);
  });

  test("the catalogue lists them all with boxes that hold their stops", async () => {
    const response = await fetch(sandbox.upstreams()["mobilitydb"]!.url);
    const text = Buffer.from(await response.arrayBuffer());
    const etag = response.headers.get("etag")!;
    const again = await fetch(response.url, { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
    const rows = readCsv(text);
    assert.ok(
      rows.some((row) => Object.values(row).every((value) => value === "")),
      "a blank row",
    );
    assert.ok(text.includes('"Known as ""the city\'s feed"",\nupdated on Mondays"'));
    const urlOf = (id: string): string => `${sandbox.url}/upstreams/gtfs/${id}.zip`;
    const schedules = rows.filter((row) => row["data_type"] === "gtfs");
    for (const id of feeds.keys()) {
      const [row, ...more] = schedules.filter((r) => r["urls.direct_download"] === urlOf(id));
      assert.ok(row && more.length === 0 && row["status"] === "active", id);
      const bound = (name: string): number => Number(row[`location.bounding_box.${name}`]);
      for (const { stop_lat, stop_lon } of stopsOf(id).filter((stop) => stop["stop_lat"] !== "")) {
        assert.ok(Number(stop_lat) >= bound("minimum_latitude"), id);
        assert.ok(Number(stop_lat) <= bound("maximum_latitude"), id);
        assert.ok(Number(stop_lon) >= bound("minimum_longitude"), id);
        assert.ok(Number(stop_lon) <= bound("maximum_longitude"), id);
      }
    }
    assert.deepEqual(
      new Set(schedules.map((row) => row["status"])),
      new Set(["active", "deprecated", "inactive", "development"]),
    );
    const live = rows.filter((row) => row["data_type"] === "gtfs-rt");
    const files = sandbox.gtfsFeeds().flatMap(({ realtime = {} }) => {
      const { auth: _, ...addresses } = realtime;
      return Object.values(addresses);
    });
    assert.deepEqual(
      live.map((row) => row["urls.direct_download"]!).toSorted(),
      [...new Set(files)].toSorted(),
    );
    const ids = new Set(schedules.map((row) => row["id"]));
    for (const row of live) {
      assert.match(row["entity_type"]!, /^(tu|vp|sa)(\|(tu|vp|sa))*$/);
      assert.ok(row["static_reference"]!.split("|").some((id) => ids.has(id)));
    }
  });
});

type Rolled = {
  lat: number;
  lon: number;
  modes: Set<string>;
  routes: Set<string>;
  operators: Set<string>;
  wheelchair: string;
};

/** mobility.md 3.1 and 3.3, by hand. */
function rollUp(gtfs: Gtfs): Map<string, Rolled> {
  const stops = new Map(gtfs.table("stops.txt").map((row) => [row["stop_id"]!, row]));
  const routes = new Map(gtfs.table("routes.txt").map((row) => [row["route_id"]!, row]));
  const agencies = gtfs.table("agency.txt");
  const routeOf = new Map(
    gtfs.table("trips.txt").map((row) => [row["trip_id"]!, routes.get(row["route_id"]!)!]),
  );
  const rolled = new Map<string, Rolled>();
  for (const { trip_id, stop_id } of gtfs.table("stop_times.txt")) {
    const route = routeOf.get(trip_id!)!;
    const stop = stops.get(stop_id!)!;
    const top = stops.get(stop["parent_station"] ?? "") ?? stop;
    const key = top["stop_id"]!;
    const agency =
      agencies.find((row) => row["agency_id"] && row["agency_id"] === route["agency_id"]) ??
      agencies[0]!;
    const station = rolled.get(key) ?? {
      lat: Number(top["stop_lat"]),
      lon: Number(top["stop_lon"]),
      modes: new Set(),
      routes: new Set(),
      operators: new Set(),
      wheelchair: wheelchairOf(top, stops),
    };
    station.modes.add(modeOf(Number(route["route_type"])));
    station.routes.add(route["route_id"]!);
    station.operators.add(agency["agency_name"]!);
    rolled.set(key, station);
  }
  return rolled;
}

function wheelchairOf(top: CsvRow, stops: Map<string, CsvRow>): string {
  const word = (value: string | undefined): string =>
    value === "1" ? "yes" : value === "2" ? "no" : "unknown";
  const own = word(top["wheelchair_boarding"]);
  const children = [...stops.values()]
    .filter((row) => row["parent_station"] === top["stop_id"])
    .filter((row) => ["", "0"].includes(row["location_type"] ?? ""))
    .map((row) => word(row["wheelchair_boarding"]));
  if (own !== "unknown" || children.length === 0) return own;
  if (children.includes("yes")) return "yes";
  return children.every((value) => value === "no") ? "no" : "unknown";
}
