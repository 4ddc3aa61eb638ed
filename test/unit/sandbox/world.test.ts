// The world is a pure function of seed and time, and lively enough to test a service with.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance } from "../../../sandbox/geo.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { BASE_MS } from "./reader.ts";

const scenesOf = (seed: number, now_ms: number): string => {
  const world = createWorld(seed);
  return JSON.stringify(world.operators.map((operator) => world.getScene(operator, now_ms)));
};

test("same seed, same world; another seed, another world", () => {
  assert.equal(scenesOf(7, BASE_MS), scenesOf(7, BASE_MS));
  assert.notEqual(scenesOf(7, BASE_MS), scenesOf(8, BASE_MS));
});

test("a world of some cities holds them as the whole world has them", () => {
  const [whole, part] = [createWorld(7), createWorld(7, ["sydney", "berlin"])];
  const { cities, operators } = part;
  assert.deepEqual(cities.map(({ id }) => id).sort(), ["berlin", "sydney"]);
  assert.equal(
    operators.length,
    whole.operators.filter(({ city }) => city.id === "berlin" || city.id === "sydney").length,
  );
  for (const operator of operators) {
    const same = whole.operators.find(({ id }) => id === operator.id);
    assert.ok(same);
    assert.deepEqual(part.getScene(operator, BASE_MS), whole.getScene(same, BASE_MS));
  }
});

test("the past can be asked for after the future, and has not changed", () => {
  const world = createWorld(3);
  const all = (now_ms: number): string =>
    JSON.stringify(world.operators.map((o) => world.getScene(o, now_ms)));
  const before = all(BASE_MS);
  assert.notEqual(all(BASE_MS + 86_400_000), before);
  assert.equal(all(BASE_MS), before);
});

test("a system that was replaced lists its successor's docks, with nothing to rent, for ever", () => {
  for (const seed of [1, 2, 3]) {
    const world = createWorld(seed);
    const old = world.operators.find(({ successor }) => successor !== undefined);
    const living = world.operators.find(({ id }) => id === old?.successor);
    assert.ok(old && living);
    assert.deepEqual(old.name, living.name);
    const [listed, docks] = [world.listPlaces(old), world.listPlaces(living)];
    const at = ({ lat, lon, capacity }: (typeof docks)[number]) => ({ lat, lon, capacity });
    assert.deepEqual(listed.map(at), docks.map(at));
    assert.equal(new Set([...listed, ...docks].map(({ id }) => id)).size, 2 * docks.length);
    const say = (hour: number): string[] =>
      world
        .getScene(old, BASE_MS + hour * 3_600_000)
        .stations.map(({ available, is_installed, is_renting, is_returning, docks: free }) =>
          JSON.stringify({ available, is_installed, is_renting, is_returning, free }),
        );
    assert.deepEqual(
      new Set([0, 7, 15].flatMap(say)),
      new Set([
        '{"available":0,"is_installed":true,"is_renting":false,"is_returning":false,"free":0}',
      ]),
    );
    const { stations } = world.getScene(living, BASE_MS);
    assert.ok(stations.every((station) => station.is_renting && station.is_returning));
    assert.ok(stations.some(({ available }) => available > 0));
    // No other operator is near.
    const others = world.operators.filter((other) => other !== old && other !== living);
    for (const { city, reach_m } of others)
      assert.ok(distance(city, living.city) > reach_m * 1.1 + 1_000);
  }
});

test("a vehicle's id changes when it moves, and only then", () => {
  const world = createWorld(1);
  const operator = world.operators.find(({ id }) => id === "paris-zigzag");
  assert.ok(operator);
  const seen = new Map<string, string>();
  const idsByIndex = new Map<number, Set<string>>();
  for (let minute = 0; minute < 240; minute += 1)
    for (const vehicle of world.getScene(operator, BASE_MS + minute * 60_000).vehicles) {
      const at: string = `${vehicle.lat},${vehicle.lon}`;
      assert.equal(seen.get(vehicle.id) ?? at, at);
      seen.set(vehicle.id, at);
      idsByIndex.set(vehicle.index, (idsByIndex.get(vehicle.index) ?? new Set()).add(vehicle.id));
    }
  assert.equal(new Set(seen.values()).size, seen.size, "two trips ended on the same spot");
  const trips = [...idsByIndex.values()].filter((ids) => ids.size > 1);
  assert.ok(trips.length > idsByIndex.size * 0.9, "in four hours nearly every vehicle is ridden");
});

test("ids rotate in every fleet, docked or not", () => {
  const world = createWorld(1);
  for (const operator of world.operators.filter(({ fleet }) => fleet !== null)) {
    const idsAt = (hours: number): Map<number, string> =>
      new Map(
        world.getScene(operator, BASE_MS + hours * 3_600_000).vehicles.map((v) => [v.index, v.id]),
      );
    const [now, later] = [idsAt(0), idsAt(4)];
    const remaining = [...now].filter(([index, id]) => later.get(index) === id);
    assert.deepEqual(remaining, [], operator.id);
  }
});

test("every state that the service must distinguish occurs in every pool of docks, at any hour", () => {
  const world = createWorld(1);
  const pools = world.operators.filter(({ stations }) => stations?.model === "pool");
  for (const operator of pools.filter(({ stations }) => !stations?.always_open))
    for (const hour of [0, 7, 15]) {
      const now_ms = BASE_MS + hour * 3_600_000;
      const { stations } = world.getScene(operator, now_ms);
      const has = (what: string, fits: (s: (typeof stations)[number]) => boolean): void =>
        assert.ok(
          stations.some(fits),
          `${operator.id} has no station that is ${what} at +${hour} h`,
        );
      has("not installed", (s) => !s.is_installed);
      has("not renting", (s) => s.is_installed && !s.is_renting && s.is_returning);
      has("not returning", (s) => s.is_installed && s.is_renting && !s.is_returning);
      has("closed", (s) => s.is_installed && !s.is_renting && !s.is_returning);
      has("empty", (s) => s.is_renting && s.available === 0);
      has("full", (s) => s.is_returning && s.docks === 0);
      has("silent for a day", (s) => s.last_reported_s < now_ms / 1000 - 86_400);
      has(
        "plainly open",
        (s) => s.is_renting && s.is_returning && s.available > 0 && (s.docks ?? 0) > 0,
      );
    }
});

test("distance is on a sphere of 6 371 008.8 m", () => {
  const quarter = (Math.PI / 2) * 6_371_008.8;
  assert.ok(Math.abs(distance({ lat: 0, lon: 0 }, { lat: 90, lon: 0 }) - quarter) < 1e-6);
  assert.ok(distance({ lat: -16.8, lon: 179.999 }, { lat: -16.8, lon: -179.999 }) < 220);
});
