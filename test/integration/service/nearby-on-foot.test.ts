/**
 * Ways on foot of GET /v1/nearby and of departures over real sockets, by an imported grid of streets
 * with a river and one bridge: how long a way may be is bounded from both sides without a search.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { findOperation } from "#api/operations.ts";
import { NearbyGeoJson, type NearbyGeoJsonValue } from "#api/nearby.ts";
import type { WalkBody } from "#api/walk.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { importGtfs } from "#transit/index.ts";
import type { PbfObject } from "../../../sandbox/pbf/encode.ts";
import { aBasePack } from "../../support/bases.ts";
import { zipOf } from "../../support/zip.ts";
import { type Body, closeAll, createClient, createFolder, start, type Started } from "./support.ts";

/** Of two bases that cover a point the newer one answers, so that the simulated world's does not. */
const NEWEST_S = Date.UTC(2027, 0, 1) / 1_000;

/** The middle of the simulated city. */
const START = { lat: 48.8566, lon: 2.3522 };
const METRES_PER_DEGREE = 111_195.0797;
const SCALE = Math.cos((START.lat * Math.PI) / 180);
/** Streets lie so far apart, and no further from the middle than this; the river is the row of blocks from here on. */
const [BLOCK_M, EDGE_M, RIVER_M, BRIDGE_M] = [50, 600, 75, 300];

function pointOf(east_m: number, north_m: number): Location {
  return {
    lat: START.lat + north_m / METRES_PER_DEGREE,
    lon: START.lon + east_m / (METRES_PER_DEGREE * SCALE),
  };
}

const northOf = ({ lat }: Location): number => (lat - START.lat) * METRES_PER_DEGREE;
const eastOf = ({ lon }: Location): number => (lon - START.lon) * METRES_PER_DEGREE * SCALE;

/** Rows 25 metres off the middle; between those on both banks one bridge. */
function listStreets(): PbfObject[] {
  const nodes: PbfObject[] = [];
  const ways: PbfObject[] = [];
  const point = (east_m: number, north_m: number, tags: Record<string, string> = {}): number => {
    const { lat, lon } = pointOf(east_m, north_m);
    const at = { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
    nodes.push({ type: "node", id: nodes.length + 1, ...at, tags });
    return nodes.length;
  };
  const way = (...refs: number[]): void => {
    ways.push({ type: "way", id: ways.length + 1, refs, tags: { highway: "residential" } });
  };
  const steps = Array.from({ length: (2 * EDGE_M) / BLOCK_M }, (_, i) => i * BLOCK_M - EDGE_M + 25);
  const grid = steps.map((north_m) => steps.map((east_m) => point(east_m, north_m)));
  grid.forEach((row, j) => {
    way(...row);
    if (j === 0) return;
    row.forEach((node, i) => {
      const isWater = steps[j - 1] === RIVER_M;
      if (!isWater || steps[i] === BRIDGE_M - 25) way(grid[j - 1]![i]!, node);
    });
  });
  for (const north_m of [-60, 60, 160, 260])
    point(0, north_m, { amenity: "toilets", name: `Toilets ${north_m}` });
  for (const corner of [-2_000, 2_000]) point(corner, corner);
  return [...nodes, ...ways];
}

const NEAR_BANK = pointOf(BRIDGE_M - 25, RIVER_M);
const FAR_BANK = pointOf(BRIDGE_M - 25, RIVER_M + BLOCK_M);

const beeline_m = (a: Location, b: Location): number => distance_m(a.lat, a.lon, b.lat, b.lon);
const block_m = (a: Location, b: Location): number =>
  Math.abs(eastOf(a) - eastOf(b)) + Math.abs(northOf(a) - northOf(b));

/** Least and most metres of a way from the middle; in the water both banks are possible. */
function boundsTo(point: Location): [number, number] {
  const over = (metres: typeof beeline_m): number =>
    metres(START, NEAR_BANK) + BLOCK_M + metres(FAR_BANK, point);
  const north_m = northOf(point);
  const here: [number, number] = [beeline_m(START, point), block_m(START, point)];
  const across: [number, number] = [over(beeline_m), over(block_m)];
  if (north_m < RIVER_M) return here;
  return north_m > RIVER_M + BLOCK_M ? across : [here[0], across[1]];
}

/** From a point in a block to its street, and along it, at both ends. */
const TO_STREET_M = 3 * BLOCK_M;

function timetable(): Buffer {
  const stop = (id: string, north_m: number): string => {
    const { lat, lon } = pointOf(-10, north_m);
    return `${id},${id},${lat},${lon}`;
  };
  const times = ["10:31", "10:35", "10:40", "10:50", "11:10"];
  const trips = times.flatMap((time, i) => [
    `T${i},South,1,${time}:00,${time}:00`,
    `T${i},North,2,${time}:30,${time}:30`,
    `T${i},End,3,12:00:00,12:00:00`,
  ]);
  return zipOf({
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\nM,M,https://m.example/,Europe/Paris\n",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20260101,20261231\n",
    "routes.txt":
      "route_id,agency_id,route_short_name,route_long_name,route_type\nR1,M,1,Line one,3\n",
    "stops.txt": `stop_id,stop_name,stop_lat,stop_lon\n${stop("South", -40)}\n${stop("North", 160)}\n${stop("End", 900)}\n`,
    "trips.txt": `route_id,service_id,trip_id\n${times.map((_, i) => `R1,W,T${i}`).join("\n")}\n`,
    "stop_times.txt": `trip_id,stop_id,stop_sequence,arrival_time,departure_time\n${trips.join("\n")}\n`,
  });
}

const client = createClient();
let started: Started;

before(async () => {
  const data_dir = await createFolder();
  const store = openAdminStorage({ data_dir, mode: "sandbox" });
  if ("problem" in store) return assert.fail(store.problem);
  await store.bases.put("grid", await aBasePack("grid", listStreets(), NEWEST_S));
  const identity = { feed_id: "grid", region: null, now_ms: Date.UTC(2026, 10, 24) };
  const feed = await importGtfs({ bytes: timetable() }, identity);
  if (!feed.ok) return assert.fail(feed.problem);
  store.transit.putFeed("grid", feed.pack, {
    ...{ imported_at_ms: identity.now_ms, etag: null, last_modified: null },
  });
  store.close();
  const maps = { adapter: "openstreetmap" };
  const settings = { sources: { openbase: { gazetteer: false }, gtfs: {}, maps } };
  started = await start({ data_dir, settings, cities: "paris", still: true });
});
after(() => closeAll(client, started));

type Item = { id: string; location: Location; distance: number; walk: WalkBody | null | undefined };

function listItems({ results }: Body): Item[] {
  return [
    ...[...results.stations, ...results.places].map(({ id, location, walk, ...item }) => ({
      ...{ id, location, walk, distance: item.distance_meters },
    })),
    ...results.vehicles.map(({ source_id: id, source }) => ({
      ...{ id, location: source.location!, walk: source.walk, distance: source.distance_meters! },
    })),
  ];
}

const QUESTION = { ...START, include: "stations,vehicles,places", radius: 180, limit: 100 };
const ask = async (more: object = {}): Promise<Body> =>
  await client.nearby(started.service, { ...QUESTION, ...more });

const isGeoJson = Compile(NearbyGeoJson);

async function askGeoJson(more: Record<string, string | number>): Promise<NearbyGeoJsonValue> {
  const query = new URLSearchParams(
    Object.entries({ ...QUESTION, ...more, format: "geojson" }).map(([k, v]) => [k, String(v)]),
  );
  const body: unknown = await client.json(`${started.service.url}/v1/nearby?${query.toString()}`);
  assert.ok(isGeoJson.Check(body), JSON.stringify([...isGeoJson.Errors(body)].slice(0, 3)));
  return body;
}

const secondsOf = ({ walk }: Pick<Item, "walk">): number => walk?.seconds ?? Infinity;

describe("GET /v1/nearby", () => {
  test("stations, vehicles and places have ways along the streets, over the bridge where they must", async () => {
    const body = await ask({ walk: true });
    const items = listItems(body);
    const { stations, vehicles, places } = body.results;
    assert.ok(stations.length > 0 && vehicles.length > 0 && places.length > 0);
    let over = 0;
    for (const { id, location, distance, walk } of items) {
      assert.ok(walk, `${id} has no way`);
      const [least_m, most_m] = boundsTo(location);
      assert.ok(walk.meters >= least_m - 1, `${id}: ${walk.meters} of at least ${least_m}`);
      assert.ok(walk.meters <= most_m + TO_STREET_M, `${id}: ${walk.meters} of ${most_m}`);
      assert.ok(walk.meters >= distance - 1);
      assert.ok(Math.abs(walk.seconds - walk.meters / 1.33) <= 1.5);
      if (northOf(location) > RIVER_M + BLOCK_M) over++;
    }
    assert.ok(over > 0 && over < items.length, `${over} of ${items.length} across the river`);
    const { walking } = body;
    assert.deepEqual([walking!.reached, walking!.base!.id], [items.length, "grid"]);
  });

  test("the nearest on foot come first, page by page, in JSON and in GeoJSON", async () => {
    const straight = listItems(await ask({ walk: true }));
    const whole = await ask({ sort: "walk" });
    assert.deepEqual(
      listItems(whole)
        .map(({ id }) => id)
        .toSorted(),
      straight.map(({ id }) => id).toSorted(),
    );
    for (const list of [whole.results.stations, whole.results.places]) {
      const seconds = list.map(({ walk }) => secondsOf({ walk }));
      assert.deepEqual(
        seconds,
        seconds.toSorted((a, b) => a - b),
      );
    }
    const pages: string[] = [];
    for (let offset = 0; offset < straight.length; offset += 7) {
      const { features, meta } = await askGeoJson({ sort: "walk", limit: 7, offset });
      assert.equal(meta!.total, straight.length);
      pages.push(...features.map(({ id }) => id!));
    }
    const all = await askGeoJson({ sort: "walk" });
    assert.deepEqual(
      pages,
      all.features.map(({ id }) => id),
    );
    const walks = all.features.map(({ properties }) =>
      "source" in properties ? properties.source.walk : properties.walk,
    );
    const seconds = walks.map((walk) => walk!.seconds);
    assert.deepEqual(
      seconds,
      seconds.toSorted((a, b) => a - b),
    );
    assert.deepEqual(all.meta!.walking, whole.walking);
  });

  test("within a time what is known to be farther is left out of lists, counts and units", async () => {
    const all = await ask({ walk: true });
    const near = await ask({ within_minutes: 4 });
    const expected = listItems(all).filter(({ walk }) => walk!.seconds <= 240);
    assert.ok(expected.length > 0 && expected.length < all.total);
    assert.deepEqual(
      listItems(near).map(({ id }) => id),
      expected.map(({ id }) => id),
    );
    assert.equal(near.total, expected.length);
    const { reached, not_reached, unknown } = near.walking!;
    assert.deepEqual([reached, reached + not_reached, unknown], [near.total, all.total, 0]);
  });

  test("what asks for no ways is byte for byte as without them", async () => {
    const query = new URLSearchParams(Object.entries(QUESTION).map(([k, v]) => [k, String(v)]));
    const url = `${started.service.url}/v1/nearby?${query.toString()}`;
    const [plain, spelt] = [
      await client.call(url),
      await client.call(`${url}&walk=false&speed=1.33`),
    ];
    assert.doesNotMatch(plain.text, /"walk/);
    assert.equal(spelt.text, plain.text);
    const walked = await client.call(`${url}&walk=true`);
    const { walking: _, ...body } = JSON.parse(walked.text, (name, value: unknown) =>
      name === "walk" ? undefined : value,
    ) as Record<string, unknown>;
    assert.deepEqual(body, JSON.parse(plain.text));
  });

  test("where no street is near there are no ways, and the answer says why", async () => {
    const away = pointOf(0, EDGE_M + 200);
    const [plain, body] = [await ask(away), await ask({ ...away, sort: "walk" })];
    assert.ok(listItems(body).length > 0);
    assert.deepEqual(new Set(listItems(body).map(({ walk }) => walk)), new Set([null]));
    assert.deepEqual(
      listItems(body).map(({ id }) => id),
      listItems(plain).map(({ id }) => id),
    );
    assert.deepEqual([body.status, body.total], [plain.status, plain.total]);
    assert.equal(body.walking!.reason, "start_off_network");
    assert.ok(body.notices!.some(({ message }) => message.startsWith("No street is within")));
  });
});

describe("GET /v1/departures/nearby", () => {
  const schema = Compile(
    findOperation("getDeparturesNearby").success.content["application/json"].schema,
  );

  async function askDepartures(more: string) {
    const at = `lat=${START.lat}&lon=${START.lon}&radius=400&within=120&limit=100`;
    const body: unknown = await client.json(
      `${started.service.url}/v1/departures/nearby?${at}${more}`,
    );
    assert.ok(schema.Check(body), JSON.stringify([...schema.Errors(body)].slice(0, 3)));
    return body;
  }

  test("each says when to leave by the way to its station; what is missed stays and says so", async () => {
    const plain = await askDepartures("");
    const { walking, ...body } = await askDepartures("&walk=true");
    const { departures } = body.results;
    const names = ["South", "North"];
    const own = departures.filter(({ station }) => names.includes(station.name ?? ""));
    assert.equal(own.length, 10);
    assert.equal(walking!.base!.id, "grid");
    for (const { station, walk, planned_at, expected_at, status, ...departure } of own) {
      const [least_m, most_m] = boundsTo(station.location);
      assert.ok(walk!.meters >= least_m - 1 && walk!.meters <= most_m + TO_STREET_M, station.id);
      const at_ms = Date.parse(expected_at ?? planned_at ?? "");
      const left_s = (at_ms - Date.parse(body.local_time!)) / 1_000 - walk!.seconds;
      assert.equal(status, "scheduled");
      // Local time has no fractions of a second.
      assert.ok([0, 1].includes(left_s - departure.leave_in_seconds!), `${left_s}`);
      assert.equal(departure.missed, departure.leave_in_seconds! < 0 ? true : undefined);
    }
    const missed = own.filter((each) => each.missed);
    assert.deepEqual(
      [
        missed.length > 0,
        missed.length < own.length,
        missed.some((each) => each.walk!.meters > 500),
      ],
      [true, true, true],
    );
    // Those of the simulated timetables may have newer live data by now.
    const bare = own.map((departure) => {
      const { walk: _, leave_in_seconds: __, missed: ___, ...others } = departure;
      const { platform_step_free: ____, ...each } = others;
      return each;
    });
    assert.deepEqual(
      bare,
      plain.results.departures.filter(({ station }) => names.includes(station.name ?? "")),
    );
  });

  test("who walks more quickly may leave later", async () => {
    const slow = (await askDepartures("&speed=0.5")).results.departures;
    const quick = (await askDepartures("&speed=2.5")).results.departures;
    const differences = slow.flatMap(({ leave_in_seconds }, i) =>
      leave_in_seconds === null ? [] : [quick[i]!.leave_in_seconds! - leave_in_seconds!],
    );
    assert.ok(differences.length > 0 && differences.every((seconds) => seconds > 0));
  });
});
