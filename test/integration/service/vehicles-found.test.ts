/**
 * Vehicles can be found and unlocked: each of the simulated ones has a name, a type, battery or range
 * where they are published, and links; none is counted twice. Held against GET /__sandbox/truth.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { saysOfLevel } from "../../../sandbox/gbfs/context.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import type { Truth } from "./expected.ts";
import {
  alignToMinute,
  type Body,
  createClient,
  createFolder,
  start,
  type Started,
  closeAll,
} from "./support.ts";

const SEED = 1;
const RADIUS_M = 800;
/** Longer than any live file of the simulator lives. */
const OLD_S = 300;
const client = createClient();
let started: Started;

before(async () => {
  const data_dir = await createFolder();
  started = await start({ data_dir, variables: { SANDBOX_SEED: String(SEED) }, timetables: false });
});
after(() => closeAll(client, started));

type TrueVehicle = Truth & {
  form_factor: string;
  propulsion: string;
  range_m: number | null;
  charge: number | null;
};

/** All that is within the circle around the middle of each city, and what truly is. */
async function* readCities() {
  const { service } = started;
  for (const { lat, lon } of service.sandbox!.cities()) {
    // Each city has a minute of its own, which a busy machine may need, and what was read of an
    // earlier one is too old to answer with.
    await alignToMinute(client, service.sandbox!.url, OLD_S);
    const where = { lat, lon, radius: RADIUS_M };
    const { things } = await client.json<{ things: TrueVehicle[] }>(
      `${service.sandbox!.url}/__sandbox/truth?lat=${lat}&lon=${lon}&radius=${RADIUS_M}`,
    );
    const stations: Body["results"]["stations"] = [];
    const vehicles: Body["results"]["vehicles"] = [];
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const body = await client.nearby(service, { ...where, limit: 100, offset });
      total = body.total;
      stations.push(...body.results.stations);
      vehicles.push(...body.results.vehicles);
    }
    yield { where, things, stations, vehicles };
  }
}

test("every vehicle has a name, and type, level, plan and links where they are published", async () => {
  const operators = new Map(createWorld(SEED).operators.map((each) => [each.id, each]));
  const seen = { typed: 0, levels: new Set<string>(), app_links: 0 };
  for await (const { things, vehicles } of readCities()) {
    const truth = new Map(
      things.flatMap((thing) => thing.sources.map(({ source_id }) => [source_id, thing] as const)),
    );
    for (const { source, source_id, network_id } of vehicles) {
      const thing = truth.get(source_id)!;
      const operator = operators.get(network_id)!;
      assert.ok(source.name && source.brand, source_id);
      assert.ok(source.name.startsWith(source.brand), source.name);
      if (operator.versions[0] === "1.0") continue;
      seen.typed++;
      const { form_factor, propulsion, name } = source.vehicle_type!;
      assert.deepEqual([form_factor, propulsion], [thing.form_factor, thing.propulsion]);
      assert.ok(name && source.name.endsWith(name), source.name);
      assert.equal(source.pricing_plan_id, `${operator.id}-standard`);
      const id = source_id.slice(operator.id.length + 1);
      assert.match(source.rental_uris!.web!, new RegExp(`/vehicles/${id}$`));
      if (source.rental_uris!.ios!.startsWith(`${operator.id}://`)) seen.app_links++;
      if (thing.range_m === null) {
        assert.ok(!("range_m" in source) && !("battery" in source), source_id);
        continue;
      }
      const says = saysOfLevel(operator);
      seen.levels.add(says);
      assert.equal(source.range_m, thing.range_m);
      assert.equal(
        source.battery,
        says === "range" ? undefined : Math.round(thing.charge! * 100),
        `${source_id} of ${says}`,
      );
    }
  }
  // Otherwise this test would show little.
  assert.ok(seen.typed > 100 && seen.app_links > 20, JSON.stringify(seen));
  assert.ok(seen.levels.size >= 2, [...seen.levels].join());
});

test("what an aggregator publishes once more is merged by its id, and under another may be the same", async () => {
  const seen = { merged: 0, possible_match: 0 };
  for await (const { things, vehicles } of readCities()) {
    const truth = new Map(
      things.flatMap((thing) => thing.sources.map(({ source_id }) => [source_id, thing] as const)),
    );
    for (const { source_id, provenance, resolution_status, ...vehicle } of vehicles) {
      const { sources } = truth.get(source_id)!;
      const known_sources = sources.filter(({ apart }) => !apart);
      const own = known_sources.some((each) => each.source_id === source_id)
        ? known_sources
        : [{ source_id }];
      assert.deepEqual(
        provenance!.map((each) => each.source_id),
        own.map((each) => each.source_id),
      );
      if (own.length > 1) {
        assert.equal(resolution_status, "merged", source_id);
        assert.equal(vehicle.resolution_confidence, 0.95);
        seen.merged++;
      } else if (sources.length > 1) {
        assert.equal(resolution_status, "possible_match", source_id);
        assert.equal(vehicle.resolution_confidence, 0.5);
        seen.possible_match++;
      }
    }
  }
  // Otherwise this test would show little.
  assert.ok(seen.merged >= 10 && seen.possible_match >= 4, JSON.stringify(seen));
});

test("a vehicle at a virtual station is linked to it, and none is counted twice", async () => {
  let linked = 0;
  for await (const { where, things, stations, vehicles } of readCities()) {
    const byId = new Map(stations.map((station) => [station.id, station]));
    const virtual = new Map(
      things.flatMap((thing) =>
        thing.kind === "vehicle" && thing.docked_at_virtual === true
          ? [[thing.sources[0]!.source_id, thing.docked_at!]]
          : [],
      ),
    );
    const counted = new Map<string, number>();
    for (const { source, source_id } of vehicles) {
      assert.equal(source.station_id !== undefined, virtual.has(source_id), source_id);
      if (source.station_id === undefined) continue;
      linked++;
      const station = byId.get(source.station_id);
      // It may be parked within the circle at a station whose centre is outside.
      if (!station) continue;
      assert.equal(station.vehicles_listed, true, station.name);
      assert.ok(station.provenance!.some((each) => each.source_id === virtual.get(source_id)));
      counted.set(station.id, (counted.get(station.id) ?? 0) + 1);
    }
    for (const station of stations)
      if (station.vehicles_listed) assert.ok(counted.has(station.id) || isAtEdge(station));
    // Without the counts of those stations, every vehicle is there once.
    const physical = things.filter(
      ({ kind, docked_at, docked_at_virtual }) =>
        kind === "vehicle" && docked_at !== null && docked_at_virtual !== true,
    );
    const listed = new Set(vehicles.map(({ source_id }) => source_id));
    for (const { sources } of physical) assert.ok(!listed.has(sources[0]!.source_id));
    const alone = await client.nearby(started.service, { ...where, include: "stations" });
    assert.ok(alone.results.stations.every((station) => !("vehicles_listed" in station)));
  }
  assert.ok(linked > 20, `${linked} vehicles at virtual stations`);
});

/** Its vehicles may lie outside. */
function isAtEdge({ distance_meters }: { distance_meters: number }): boolean {
  return distance_meters > RADIUS_M - 50;
}

test("stations carry links, address, hours and what they are for, where it is published", async () => {
  const operators = new Map(createWorld(SEED).operators.map((each) => [each.id, each]));
  let checked = 0;
  for await (const { stations } of readCities())
    for (const { network, name, ...station } of stations) {
      const operator = operators.get(network.id);
      if (!operator || operator.versions[0] === "1.0") continue;
      checked++;
      assert.ok(station.address, name);
      assert.match(station.rental_uris!.web!, /\/stations\//);
      assert.equal(station.opening_hours, operator.versions[0] === "3.0" ? "24/7" : undefined);
      if (operator.stations?.model !== "bays")
        assert.ok((station.vehicle_types?.length ?? 0) > 0, name);
    }
  assert.ok(checked > 20, `${checked} stations`);
});

test("GeoJSON carries the same members", async () => {
  const [city] = started.service.sandbox!.cities();
  const query = `lat=${city!.lat}&lon=${city!.lon}&radius=${RADIUS_M}&format=geojson&include=vehicles`;
  const { features } = await client.json<{
    features: { properties: { source: Record<string, unknown> } }[];
  }>(`${started.service.url}/v1/nearby?${query}`);
  assert.ok(features.length > 0);
  for (const { properties } of features) assert.ok(properties.source["brand"]);
});
