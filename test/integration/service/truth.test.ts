/**
 * The service in sandbox mode says exactly what is there: in every simulated city, over real
 * sockets, held against GET /__sandbox/truth.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, test } from "node:test";
import { sized } from "../../support/size.ts";
import { expectAll, type Expected, type Truth } from "./expected.ts";
import {
  alignToMinute,
  type Body,
  type Client,
  type Started,
  type Station,
  type Vehicle,
  serviceFor,
} from "./support.ts";

const RADIUS_M = 400;
const METRES_PER_DEGREE = 111_195;

/** The shipped world, and one that was never used before. */
for (const seed of sized([1], [1, randomInt(2 ** 32)]))
  describe(`seed ${seed}`, () => {
    const variables = { SANDBOX_SEED: String(seed) };
    const served = serviceFor({
      cities: "all",
      variables,
      timetables: false,
      still: true,
    });
    const { client } = served;

    test("the first query in every city finds what is there", async () => {
      await checkWorld(client, served.started, seed, 0);
    });

    test("every station of every city is listed once with all its observations", async (t) => {
      t.diagnostic(`seed ${seed}: ${await checkIdentity(client, served.started)}`);
    });

    test("held data has followed the world an hour later", async () => {
      await checkWorld(client, served.started, seed, 3600);
    });
  });

async function checkWorld(client: Client, { service }: Started, seed: number, least_s: number) {
  const sandbox = service.sandbox!;
  const now_ms = await alignToMinute(client, sandbox.url, least_s);
  const seen = { stations: 0, vehicles: 0, sides: new Set<number>() };
  for (const city of sandbox.cities()) {
    for (const point of pointsOf(city)) {
      const match = await checkPoint(client, service, { ...point, seed, now_ms });
      seen.stations += match.stations;
      seen.vehicles += match.vehicles;
      if (city.country === "FJ") for (const side of match.sides) seen.sides.add(side);
    }
  }
  assert.ok(sandbox.now() - now_ms < 58_000, "the minute was over before all was asked");
  // Otherwise this test would show nothing.
  assert.ok(seen.stations > 300 && seen.vehicles > 600, JSON.stringify(seen));
  assert.deepEqual(seen.sides, new Set([-1, 1]), "both sides of the antimeridian");
}

/** Circles of 400 m whose inscribed squares cover everything within 3.1 km of the centre; of a sample, its middle. */
const STEP_M = 560;
const STEPS = sized([0, 1], [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]);
const LEAST_MERGED = sized(40, 1_000);

/** Stations by their observers, over the whole of every city: the measure of merging. */
async function checkIdentity(client: Client, { service }: Started): Promise<string> {
  const counts = { circles: 0, stations: 0, merged: 0 };
  for (const { lat, lon } of service.sandbox!.cities())
    for (const north of STEPS)
      for (const east of STEPS) {
        const at = moved({ lat, lon }, north * STEP_M, east * STEP_M);
        const match = await checkSources(client, service, at);
        counts.circles++;
        counts.stations += match.length;
        counts.merged += match.filter((sources) => sources.includes(" ")).length;
      }
  assert.ok(counts.merged > LEAST_MERGED, JSON.stringify(counts));
  return JSON.stringify(counts);
}

async function checkSources(client: Client, service: Started["service"], at: Point) {
  const where = `lat=${at.lat}&lon=${at.lon}&radius=${RADIUS_M}`;
  const { things } = await client.json<{ things: Truth[] }>(
    `${service.sandbox!.url}/__sandbox/truth?${where}`,
  );
  const stations = things.filter((thing) => thing.kind === "station" && thing.is_installed);
  const body = await client.nearby(service, { ...at, radius: RADIUS_M, include: "stations" });
  const matches = body.results.stations.map(({ provenance }) => joined(provenance!));
  assert.equal(body.total, stations.length, `${where}: total`);
  assert.deepEqual(
    matches.toSorted(),
    stations.map(({ sources }) => joined(sources)).sort(),
    where,
  );
  return matches;
}

function joined(sources: readonly { source_id: string }[]): string {
  return sources
    .map(({ source_id }) => source_id)
    .sort()
    .join(" ");
}

type Point = { lat: number; lon: number };

/** The centre, three places further out, and the seam where there is one. */
function pointsOf({ lat, lon }: Point): Point[] {
  const at = (north_m: number, east_m: number): Point => moved({ lat, lon }, north_m, east_m);
  const around = [at(0, 0), at(550, 350), at(-900, 60), at(200, -1300)];
  if (Math.abs(lon) < 179) return around;
  return [...around, { lat, lon: 180 }, { lat, lon: -180 }, at(0, 300), at(300, 400)];
}

function moved({ lat, lon }: Point, north_m: number, east_m: number): Point {
  const east = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  return { lat: lat + north_m / METRES_PER_DEGREE, lon: wrap(lon + east_m / east) };
}

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

type Request = Point & { seed: number; now_ms: number };

async function checkPoint(client: Client, service: Started["service"], request: Request) {
  const { lat, lon, seed, now_ms } = request;
  const where = `lat=${lat}&lon=${lon}&radius=${RADIUS_M}`;
  const truth = await client.json<{ things: Truth[] }>(
    `${service.sandbox!.url}/__sandbox/truth?${where}`,
  );
  const expected = expectAll(truth.things, seed, now_ms);
  const pages = await readPages(client, service, { lat, lon, radius: RADIUS_M }, 37);
  const items = pages.flatMap(toItems);
  checkPages(pages, expected.length);
  checkSame(items, expected, where);
  await checkWhole(client, service, request, items);
  return {
    stations: expected.filter((thing) => thing.kind === "station").length,
    vehicles: expected.filter((thing) => thing.kind === "vehicle").length,
    sides: new Set(expected.map((thing) => Math.sign(thing.location.lon))),
  };
}

async function readPages(
  client: Client,
  service: Started["service"],
  query: { lat: number; lon: number; radius: number },
  limit: number,
): Promise<Body[]> {
  const pages: Body[] = [];
  do {
    pages.push(await client.nearby(service, { ...query, limit, offset: pages.length * limit }));
  } while (pages.length * limit < pages[0]!.total);
  return pages;
}

function checkPages(pages: readonly Body[], total: number): void {
  for (const page of pages) {
    assert.equal(page.total, total, "total");
    assert.equal(page.status, total > 0 ? "success" : "empty");
    assert.deepEqual(page.results.places, []);
    assert.deepEqual(page.results.lines, []);
  }
}

/** An item of an answer in the words of the expectation, with the id that orders it. */
type Item = Expected & { id: string };

function toItems(body: Body): Item[] {
  const items = [
    ...body.results.stations.map(fromStation),
    ...body.results.vehicles.map(fromVehicle),
  ];
  return items.toSorted(byRank);
}

function byRank(a: Item, b: Item): number {
  return a.distance_dm - b.distance_dm || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
}

function fromStation(station: Station): Item {
  const { availability } = station;
  return {
    kind: "station",
    id: station.id,
    source_id: station.provenance![0]!.source_id,
    network_id: station.network.id,
    location: station.location,
    distance_dm: Math.round(station.distance_meters * 10),
    mode: station.mode ?? "none",
    sources: station.provenance!.map(({ source_id }) => source_id).sort(),
    entity_type: station.entity_type ?? null,
    service_status: station.service_status!.state,
    capabilities: station.capabilities!,
    action_state: station.action_state as Expected["action_state"],
    counts: {
      name: station.name,
      capacity: station.capacity,
      vehicles: availability.vehicles,
      disabled_vehicles: availability.disabled_vehicles,
      docks: availability.docks,
      is_installed: availability.is_installed,
      is_renting: availability.is_renting,
      is_returning: availability.is_returning,
      last_reported: Date.parse(availability.last_reported ?? "") / 1000,
    },
  };
}

function fromVehicle(vehicle: Vehicle): Item {
  const { source } = vehicle;
  return {
    kind: "vehicle",
    id: vehicle.source_id,
    source_id: vehicle.source_id,
    network_id: vehicle.network_id,
    location: source.location!,
    distance_dm: Math.round(source.distance_meters! * 10),
    mode: source.mode ?? "none",
    sources: vehicle.provenance!.map(({ source_id }) => source_id).sort(),
    entity_type: source.entity_type,
    service_status: source.service_status.state,
    capabilities: source.capabilities,
    action_state: source.action_state as Expected["action_state"],
  };
}

function checkSame(items: readonly Item[], expected: readonly Expected[], where: string): void {
  const matches = new Map(items.map((item) => [item.source_id, item]));
  assert.equal(matches.size, items.length, `${where}: a thing is on two pages`);
  const wanted = expected.map((thing) => thing.source_id);
  assert.deepEqual([...matches.keys()].sort(), wanted.toSorted(), where);
  for (const thing of expected)
    assert.deepEqual(
      likeThat(matches.get(thing.source_id)!, thing),
      { ...thing, id: matches.get(thing.source_id)?.id },
      `${where}: ${thing.source_id}`,
    );
  for (const [at, item] of items.entries())
    assert.ok(at === 0 || byRank(items[at - 1]!, item) < 0, `${where}: order at ${at}`);
}

/** Only the name of a thing that is gone is known: its last counts mean nothing. */
function likeThat(item: Item, { counts }: Expected): Item {
  const entries = Object.keys(counts ?? {});
  if (entries.length !== 1) return item;
  return { ...item, counts: { name: item.counts!["name"] } };
}

/** One answer with as much as the plan allows is the beginning of the pages put together. */
async function checkWhole(
  client: Client,
  service: Started["service"],
  { lat, lon }: Point,
  items: readonly Item[],
): Promise<void> {
  const whole = await client.nearby(service, { lat, lon, radius: RADIUS_M, limit: 100 });
  assert.deepEqual(toItems(whole), items.slice(0, 100));
}
