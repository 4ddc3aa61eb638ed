// The urban services of the simulated world, and what the truth says about them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { listPlugs } from "../../../sandbox/world/chargers.ts";
import { SERVICE_TYPES } from "../../../sandbox/world/service-model.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { BASE_MS, start } from "./reader.ts";
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

  test("what one question finds together is spaced apart, and some things are next door", () => {
    let neighbours = 0;
    for (const city of world.cities) {
      const all = world.listServices(city);
      for (const [i, one] of all.entries())
        for (const other of all.slice(i + 1)) {
          if (family(one.service_type) !== family(other.service_type)) continue;
          const apart_m = metres(one, other);
          assert.ok(apart_m >= 60, `${city.id}: ${one.service_type} at ${apart_m} m`);
          if (apart_m < 85) neighbours += 1;
        }
    }
    assert.ok(neighbours > 300, String(neighbours));
  });

  test("the seed decides, and nothing else", () => {
    const again = createWorld(1);
    const other = createWorld(2);
    const [paris] = world.cities;
    assert.deepEqual(again.listServices(paris!), world.listServices(paris!));
    assert.notDeepEqual(other.listServices(paris!), world.listServices(paris!));
    assert.equal(world.listServices(paris!), world.listServices(paris!), "remembered");
  });

  test("many have no name, no name occurs twice, all are in the city's script", () => {
    for (const city of world.cities)
      for (const [type, all] of Map.groupBy(world.listServices(city), (s) => s.service_type)) {
        const names = all.map(({ name }) => name).filter(Boolean);
        assert.equal(new Set(names).size, names.length, `${city.id} ${type}`);
        if (type === "drinking_water") assert.ok(names.length < all.length / 2);
        if (city.id === "tokyo")
          assert.ok(
            names.every((name) => /[\p{Script=Han}\p{Script=Katakana}]/u.test(name)),
            names.join(),
          );
      }
  });

  test("plugs change with the minutes, broken ones stay broken", () => {
    const chargers = world
      .listServices(world.cities[0]!)
      .filter((each) => each.charging !== undefined);
    const states = (now_ms: number) =>
      chargers.map((each) => listPlugs(each, now_ms).map(({ status }) => status));
    assert.deepEqual(states(BASE_MS), states(BASE_MS));
    assert.notDeepEqual(states(BASE_MS), states(BASE_MS + 600_000));
    const broken = (now_ms: number) =>
      states(now_ms).map((each) => each.map((status) => status === "OUTOFORDER"));
    assert.deepEqual(broken(BASE_MS), broken(BASE_MS + 600_000));
    assert.ok(broken(BASE_MS).flat().some(Boolean));
  });
});

const family = (type: string): string => (type === "fountain" ? "drinking_water" : type);

describe("truth of services", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());

  test("every city has all types, each thing with a source that lists it", async () => {
    const known = new Set(sandbox.sources.map(({ id }) => id));
    for (const city of sandbox.cities()) {
      const things = await servicesAt(sandbox, city);
      assert.deepEqual(
        [...new Set(things.map(({ service_type }) => service_type))].toSorted(),
        [...SERVICE_TYPES].toSorted(),
      );
      for (const { sources, access } of things) {
        assert.ok(sources.length > 0);
        assert.ok(
          sources.every(({ source, network_id }) => known.has(source) && network_id === ""),
        );
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

  test("registries overlap as planned", async () => {
    const cities = sandbox.cities().map((city) => servicesAt(sandbox, city));
    const things = (await Promise.all(cities)).flat();
    const share = (type: string, one: string, two: string): number => {
      const listed = things.filter(
        (t) => t.service_type === type && t.sources.some(({ source }) => source === one),
      );
      const both = listed.filter((t) => t.sources.some(({ source }) => source === two));
      return both.length / listed.length;
    };
    const within = (value: number, low: number, high: number): void =>
      assert.ok(value >= low && value <= high, `${value} not in ${low}..${high}`);
    within(share("aed", "openaedmap", "openstreetmap"), 1, 1);
    within(share("aed", "openstreetmap", "openaedmap"), 0.85, 1);
    within(share("toilets", "refuge_restrooms", "openstreetmap"), 0.55, 0.8);
    within(share("locker", "inpost", "openstreetmap"), 0.4, 0.9);
    within(share("charging", "openchargemap", "openstreetmap"), 0.6, 0.9);
    within(share("charging", "ocpi", "openchargemap"), 0.5, 0.9);
  });
});
