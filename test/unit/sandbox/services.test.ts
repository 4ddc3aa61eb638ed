// The urban services of the simulated world, and what the truth says about them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { SERVICE_TYPES } from "../../../sandbox/world/service-model.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { start } from "./reader.ts";
import { cityOf, metres, servicesAt } from "./services-reader.ts";

const world = createWorld(1);

describe("services of the world", () => {
  test("every city has several of each type near its centre, some more than a page", () => {
    const crowded = new Set<string>();
    for (const city of world.cities)
      for (const type of SERVICE_TYPES) {
        const all = world.listServices(city).filter((each) => each.service_type === type);
        const near = all.filter((each) => metres(city, each) <= 1500);
        assert.ok(metres(city, all[0]!) <= 400, `${city.id} ${type}: the nearest`);
        assert.ok(near.length >= 6, `${city.id} ${type}: ${near.length}`);
        assert.ok(
          all.every((each) => metres(city, each) <= 4600),
          `${city.id} ${type}: too far`,
        );
        if (near.length > 20) crowded.add(`${city.id} ${type}`);
      }
    assert.ok(crowded.has("paris parking") && crowded.has("paris charging"), [...crowded].join());
    assert.ok(crowded.size >= 4 && crowded.size < world.cities.length * 2);
  });

  test("the seed decides, and nothing else", () => {
    const again = createWorld(1);
    const other = createWorld(2);
    const [paris] = world.cities;
    assert.deepEqual(again.listServices(paris!), world.listServices(paris!));
    assert.notDeepEqual(other.listServices(paris!), world.listServices(paris!));
    assert.equal(world.listServices(paris!), world.listServices(paris!), "remembered");
  });
});

describe("truth of services", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  test("every city has all types, each thing with a source that lists it", async () => {
    const ids = new Set(sandbox.sources.map(({ id }) => id));
    for (const city of sandbox.cities()) {
      const things = await servicesAt(sandbox, city);
      assert.deepEqual(
        [...new Set(things.map(({ service_type }) => service_type))].toSorted(),
        [...SERVICE_TYPES].toSorted(),
      );
      for (const { sources, access } of things) {
        assert.ok(sources.length > 0);
        assert.ok(sources.every(({ source, network_id }) => ids.has(source) && network_id === ""));
        assert.ok(access === "public" || access === "customers");
      }
    }
  });

  test("the circle cuts, and the nearest come first", async () => {
    const madrid = cityOf(sandbox, "Madrid");
    const [wide, narrow] = [
      await servicesAt(sandbox, madrid, 3000),
      await servicesAt(sandbox, madrid, 700),
    ];
    assert.deepEqual(
      narrow,
      wide.filter(({ distance_m }) => distance_m <= 700),
    );
    assert.ok(
      narrow.length > 8 && narrow.every((t, i) => t.distance_m >= (narrow[i - 1]?.distance_m ?? 0)),
    );
    for (const { location, distance_m } of narrow)
      assert.ok(Math.abs(metres(madrid, location) - distance_m) < 0.5);
  });
});
