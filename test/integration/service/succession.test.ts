/**
 * A newer system on the docks of one that was replaced, both published under one name: the docks of
 * the living one are shown as they are, whatever the feed of the old one still says of them.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createWorld } from "../../../sandbox/world/world.ts";
import type { Truth } from "./expected.ts";
import { alignToMinute, type Body, type Station, serviceFor } from "./support.ts";

const OLD = "sydney-quayside";
const NEW = "sydney-quayside-next";
const { lat, lon } = createWorld(1).operators.find(({ id }) => id === NEW)!.city;
const SITE = { lat, lon, radius: 400 };

describe("docks taken over by a newer system", () => {
  const served = serviceFor({ cities: "all" });
  const { client } = served;
  before(async () => {
    await served.started.service.feeds.surveyed();
  });

  /** The docks and the answer, `least_s` later: longer than a live file lives, or counts are older. */
  async function read(least_s: number): Promise<{ docks: Truth[]; body: Body }> {
    const { url } = served.started.service.sandbox!;
    await alignToMinute(client, url, least_s);
    const where = `lat=${lat}&lon=${lon}&radius=${SITE.radius}`;
    const { things } = await client.json<{ things: Truth[] }>(`${url}/__sandbox/truth?${where}`);
    const query = { ...SITE, include: "stations", limit: 100, debug: true };
    return { docks: things, body: await client.nearby(served.started.service, query) };
  }

  test("are published twice and exist once", async () => {
    const { docks } = await read(300);
    assert.ok(docks.length >= 8, String(docks.length));
    for (const { sources } of docks)
      assert.deepEqual(
        sources.map(({ network_id }) => network_id),
        [NEW, OLD],
      );
    const names = served.started.service
      .sandbox!.gbfsSystems()
      .filter(({ id }) => [OLD, NEW].includes(id));
    assert.equal(new Set(names.map(({ name }) => name)).size, 1);
    assert.equal(names.length, 2);
  });

  for (const [when, least_s] of [
    ["minutes later", 300],
    ["an hour later", 3600],
  ] as const)
    test(`are shown as the living system has them, ${when}`, async () => {
      const { docks, body } = await read(least_s);
      assert.equal(body.status, "success");
      const merged = body.results.stations.filter(({ provenance }) => provenance!.length > 1);
      assert.deepEqual(merged.map(sayState), []);
      const stations = bySource(body.results.stations);
      assert.equal(body.total, 2 * docks.length);
      assert.equal(stations.size, body.total);
      for (const dock of docks) checkDock(dock, stations);
      assert.ok(
        docks.some(({ available }) => available > 0),
        "otherwise this shows nothing",
      );
      assert.deepEqual(body.debug!.resolution, {
        unresolved: 0,
        merged: 0,
        possible_match: 2 * docks.length,
      });
    });

  test("name each other as possible matches, with reasons", async () => {
    const { docks, body } = await read(300);
    const ids = new Map(body.results.stations.map((each) => [each.id, sourcesOf(each)]));
    assert.equal(body.debug!.entities.length, 2 * docks.length);
    for (const { id, near_misses } of body.debug!.entities) {
      const twins = docks.find(({ sources }) =>
        sources.some((one) => ids.get(id) === one.source_id),
      );
      const others = twins!.sources.filter(({ source_id }) => source_id !== ids.get(id));
      assert.deepEqual(
        near_misses.map((each) => (each as { source_id: string }).source_id),
        others.map(({ source_id }) => source_id),
      );
      assert.match(JSON.stringify(near_misses), /"succession \+0"/);
    }
  });
});

const sayState = ({ name, service_status, availability }: Station): string =>
  `${name}: ${service_status!.state}, ${availability.vehicles} vehicles`;

const sourcesOf = ({ provenance }: Station): string =>
  provenance!.map(({ source_id }) => source_id).join(" ");

const bySource = (stations: readonly Station[]): Map<string, Station> =>
  new Map(stations.map((station) => [sourcesOf(station), station]));

function checkDock(dock: Truth, stations: ReadonlyMap<string, Station>): void {
  const [living, retired] = dock.sources.map(({ source_id }) => stations.get(source_id));
  assert.ok(living && retired, `${dock.name}: each source has a station of its own`);
  assert.deepEqual(factsOf(living), {
    name: dock.name,
    location: dock.location,
    capacity: dock.capacity,
    resolution_status: "possible_match",
    service_status: "operational",
    pickup: dock.available > 0 ? "available_now" : "unavailable_now",
    vehicles: dock.available,
    docks: dock.docks,
    is_renting: true,
    is_returning: true,
  });
  assert.deepEqual(factsOf(retired), {
    name: dock.name.toUpperCase(),
    location: dock.location,
    capacity: dock.capacity,
    resolution_status: "possible_match",
    service_status: "unavailable",
    pickup: "unavailable_now",
    vehicles: 0,
    docks: 0,
    is_renting: false,
    is_returning: false,
  });
}

const factsOf = (station: Station) => ({
  name: station.name,
  location: station.location,
  capacity: station.capacity,
  resolution_status: station.resolution_status,
  service_status: station.service_status!.state,
  pickup: station.action_state!.pickup,
  vehicles: station.availability.vehicles,
  docks: station.availability.docks,
  is_renting: station.availability.is_renting,
  is_returning: station.availability.is_returning,
});
