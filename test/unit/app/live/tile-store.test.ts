/** What is kept of tiles, shared, waited for and refused, and the layers that others look up. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";
import type { LookedUp, LookUp } from "#app/live/tiles/looked-up.ts";
import type { TileTurns } from "#app/live/tiles/live-tiles.ts";
import { Generations } from "#app/live/tiles/tile-systems.ts";
import { openZones, packZones, type Shard } from "#stations/shards.ts";
import { deploy, type Setup } from "../../../support/answers.ts";
import { aShard, aStation, aVehicle, HERE, moved } from "../../../support/domain.ts";
import { drawTile, tilesOf, toTileNumbers } from "../../../support/live-tiles.ts";
import { areaOf, readMvt } from "../../../support/mvt.ts";

const shardAt = (id: string, lat = HERE.lat): Shard =>
  aShard({ id, stations: [aStation("a", { lat, lon: HERE.lon })], mode_hint: "bicycle" });

const tileAt = (z: number, at = HERE) => {
  const { x, y } = toTileNumbers(at.lat, at.lon, z);
  return { z, x: Math.floor(x), y: Math.floor(y) };
};
const AT = tileAt(15);

const open = (setup: Setup = {}) =>
  deploy({ refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }), ...setup });

test("a tile is drawn once for what is published, and again when something of it changes", async () => {
  const deployment = open({ shards: [shardAt("one"), shardAt("far", 10)] });
  let drawings = 0;
  const store = tilesOf(deployment, {
    turns: { take: (work) => (drawings++, work()) },
  });
  const first = await drawTile(store, deployment, AT);
  const second = await drawTile(store, deployment, AT);
  assert.equal(drawings, 1);
  assert.equal(second.bytes, first.bytes);
  await deployment.world.put(shardAt("far", 11));
  await drawTile(store, deployment, AT);
  assert.equal(drawings, 1, "another system is published elsewhere");
  await deployment.world.put(shardAt("one", HERE.lat + 1e-4));
  const third = await drawTile(store, deployment, AT);
  assert.equal(drawings, 2);
  assert.notEqual(third.version, first.version);
  await deployment.clock.advance(5_000);
  const later = await drawTile(store, deployment, AT);
  assert.equal(drawings, 3, "states depend on the time");
  assert.equal(later.version, third.version, "the same bytes have the same tag");
});

test("a tile may be kept as long as the freshest document lasts, and not where one is lost", async () => {
  const young = open({ shards: [shardAt("one")] });
  assert.equal((await drawTile(tilesOf(young), young, AT)).max_age_s, 30);
  await young.clock.advance(40_000);
  assert.equal((await drawTile(tilesOf(young), young, AT)).max_age_s, 15);
  const vehicles = [aVehicle("v", { location: HERE })];
  const lost = aShard({ id: "lost", vehicles, doc_age_s: 4_000, mode_hint: "scooter" });
  const old = open({ shards: [shardAt("one"), lost] });
  const tile = await drawTile(tilesOf(old), old, AT);
  assert.equal(tile.max_age_s, null);
  assert.equal(tile.objects, 1);
  const sources = readMvt(tile.bytes)
    .get("sources")!
    .features.map(({ properties }) => properties);
  assert.deepEqual(
    sources.map((each) => [each["source_id"], each["state"], each["as_of"] !== undefined]),
    [
      ["one", "fresh", true],
      ["lost", "lost", true],
    ],
  );
});

test("a tile wakes its systems and waits for one that was never read, no longer than its time", async () => {
  const deployment = deploy({ shards: [shardAt("one")], unloaded: ["late"] });
  const store = tilesOf(deployment);
  const waiting = drawTile(store, deployment, AT);
  await setImmediate();
  assert.deepEqual(
    deployment.feeds.refreshed.map(({ source_id }) => source_id),
    ["late"],
  );
  await deployment.clock.advance(1_949);
  await deployment.clock.advance(1);
  const tile = await waiting;
  assert.equal(tile.max_age_s, null);
  assert.deepEqual(new Set(deployment.feeds.woken), new Set(["one", "late"]));
  const states = readMvt(tile.bytes)
    .get("sources")!
    .features.map(({ properties }) => properties);
  assert.deepEqual(
    states.map((each) => each["state"]),
    ["fresh", "waiting"],
  );
});

test("a tile of a country wakes nothing and waits for nothing", async () => {
  const deployment = deploy({ shards: [shardAt("one")], unloaded: ["late"] });
  const tile = await drawTile(tilesOf(deployment), deployment, tileAt(4));
  assert.deepEqual(deployment.feeds.woken, []);
  assert.deepEqual(deployment.feeds.refreshed, []);
  assert.equal(tile.objects, 1);
  assert.equal(tile.max_age_s, null, "one has not been read");
  assert.deepEqual([...readMvt(tile.bytes).keys()], ["stations", "sources"]);
});

test("vehicles that are not known are no count, and none is not 0", async () => {
  const vehicles = [aVehicle("v", { location: HERE })];
  const gone = aShard({ id: "gone", vehicles, doc_age_s: 4_000, mode_hint: "scooter" });
  const deployment = open({ shards: [gone] });
  const tile = await drawTile(tilesOf(deployment), deployment, tileAt(12));
  assert.equal(tile.objects, 0);
  assert.deepEqual([...readMvt(tile.bytes).keys()], ["sources"]);
});

test("where nothing is, a tile has no bytes", async () => {
  const deployment = open({ shards: [shardAt("one")] });
  const tile = await drawTile(tilesOf(deployment), deployment, { z: 15, x: 0, y: 0 });
  assert.deepEqual([tile.bytes.length, tile.objects, tile.max_age_s], [0, 0, 30]);
});

/** Turns that hold work back until they are let go. */
function heldTurns(): TileTurns & { go(): void; taken: number } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const turns = {
    taken: 0,
    go: resolve,
    async take<T>(work: () => Promise<T>): Promise<T> {
      turns.taken++;
      await promise;
      return await work();
    },
  };
  return turns;
}

test("a hundred callers of a tile share one drawing", async () => {
  const deployment = open({ shards: [shardAt("one")] });
  const turns = heldTurns();
  const store = tilesOf(deployment, { turns });
  const drawn = Array.from({ length: 100 }, () => drawTile(store, deployment, AT));
  await setImmediate();
  turns.go();
  const tiles = await Promise.all(drawn);
  assert.equal(turns.taken, 1);
  assert.equal(new Set(tiles.map(({ bytes }) => bytes)).size, 1);
});

test("where too many wait, a tile is refused, and drawn when it is requested again", async () => {
  const deployment = open({ shards: [shardAt("one")] });
  let isFull = true;
  const store = tilesOf(deployment, {
    turns: { take: (work) => (isFull ? Promise.resolve("full") : work()) },
  });
  await assert.rejects(drawTile(store, deployment, AT), /full/);
  isFull = false;
  assert.equal((await drawTile(store, deployment, AT)).objects, 1);
});

const FOUND: LookedUp = {
  things: [
    { location: HERE, properties: [["id", "here"]] },
    { location: moved(HERE, 5_000), properties: [["id", "elsewhere"]] },
  ],
  isWhole: true,
  lacks: false,
  until_ms: Infinity,
};

test("what throws in a layer costs that tile, for all who share it, and no other", async () => {
  const deployment = open({ shards: [shardAt("one")] });
  let isBroken = true;
  const stops: LookUp = () =>
    isBroken ? Promise.reject(new TypeError("broken")) : Promise.resolve(FOUND);
  const store = tilesOf(deployment, { stops });
  const layers = ["stations", "stops"] as const;
  const [one, other] = [1, 2].map(() => drawTile(store, deployment, AT, layers));
  const plain = drawTile(store, deployment, AT);
  await assert.rejects(one!, /broken/);
  await assert.rejects(other!, /broken/);
  assert.equal((await plain).objects, 1);
  isBroken = false;
  assert.equal((await drawTile(store, deployment, AT, layers)).objects, 2);
});

test("stops and places are looked up once a minute, and only what lies in the tile is drawn", async () => {
  const deployment = open({ shards: [shardAt("one")] });
  let looks = 0;
  const lookUp: LookUp = () => (looks++, Promise.resolve(FOUND));
  const store = tilesOf(deployment, { stops: lookUp, places: lookUp });
  const layers = ["stops", "places"] as const;
  const tile = await drawTile(store, deployment, AT, layers);
  for (const name of layers)
    assert.deepEqual(
      readMvt(tile.bytes)
        .get(name)!
        .features.map(({ properties }) => properties["id"]),
      ["here"],
    );
  await deployment.clock.advance(20_000);
  await drawTile(store, deployment, AT, layers);
  assert.equal(looks, 2);
  await deployment.clock.advance(41_000);
  await drawTile(store, deployment, AT, layers);
  assert.equal(looks, 4);
});

test("a circle with too much in it is looked up in quarters, and what is missing is not kept", async () => {
  const deployment = open();
  const radii: number[] = [];
  const lookUp: LookUp = ({ radius_m }) => {
    radii.push(radius_m);
    return Promise.resolve({ ...FOUND, isWhole: radii.length > 5, lacks: radii.length <= 5 });
  };
  const store = tilesOf(deployment, { stops: lookUp });
  const tile = await drawTile(store, deployment, AT, ["stops"]);
  assert.equal(tile.objects, 1);
  assert.ok(radii.length > 5 && radii.length <= 85, `${radii.length} circles`);
  assert.ok(Math.min(...radii) < radii[0]! / 1.9);
  const failing = tilesOf(deployment, {
    places: () => Promise.resolve({ ...FOUND, lacks: true }),
  });
  assert.equal((await drawTile(failing, deployment, AT, ["places"])).max_age_s, null);
});

test("below zoom 14 the other layers are absent, and nothing is looked up", async () => {
  const deployment = open({ shards: [shardAt("one")] });
  const lookUp: LookUp = () => Promise.reject(new Error("looked up"));
  const store = tilesOf(deployment, { stops: lookUp, places: lookUp });
  const tile = await drawTile(store, deployment, tileAt(13), ["stops", "places", "zones"]);
  assert.equal(tile.bytes.length, 0);
});

const square = (reach_m: number): number[][] =>
  [
    [-1, -1],
    [-1, 1],
    [1, 1],
    [1, -1],
    [-1, -1],
  ].map(([north, east]) => {
    const { lat, lon } = moved(HERE, north! * reach_m, east! * reach_m);
    return [lon, lat];
  });

const rule = {
  type_ids: [],
  ride_start_allowed: null,
  ride_end_allowed: false,
  ride_through_allowed: true,
  maximum_speed_kph: 12,
  station_parking: null,
};

function withZones(zones: Parameters<typeof packZones>[0]["zones"]): Shard {
  return { ...shardAt("one"), zones: openZones(packZones({ zones, global_rules: [] })) };
}

test("zones are cut at a margin around the tile, holes stay open, and rules are theirs", async () => {
  const zones = [
    { name: "All", rules: [rule], polygons: [[square(3_000), square(30)]] },
    {
      name: null,
      rules: [rule, { ...rule, type_ids: ["x"], ride_end_allowed: true }],
      polygons: [[square(8)]],
    },
    { name: "Far", rules: [rule], polygons: [[square(10).map(([lon, lat]) => [lon! + 1, lat!])]] },
  ];
  const deployment = open({ shards: [withZones(zones)] });
  const store = tilesOf(deployment);
  const tile = await drawTile(store, deployment, AT, ["zones"]);
  const [small, all, ...others] = readMvt(tile.bytes).get("zones")!.features;
  assert.deepEqual(others, []);
  const stated = { ride_through_allowed: true, maximum_speed_kph: 12, network_id: "one" };
  assert.deepEqual(all!.properties, { name: "All", ride_end_allowed: false, ...stated });
  assert.deepEqual(small!.properties, { ...stated, by_type: true });
  const [outer, hole] = all!.parts;
  assert.equal(areaOf(outer!), (4096 + 128) ** 2, "the zone goes on beyond the margin");
  // 40,075 km around the equator, 2 ** 15 tiles of 4,096 units; a degree of longitude is shorter here.
  const unit_m = (40_075_017 / 2 ** 15 / 4096) * Math.cos((HERE.lat * Math.PI) / 180);
  const side = 60 / unit_m;
  assert.ok(Math.abs(areaOf(hole!) / -(side * side) - 1) < 0.02, `${areaOf(hole!)}`);
  const east = { ...AT, x: AT.x + 40 };
  assert.equal((await drawTile(store, deployment, east, ["zones"])).objects, 0);
});

test("a zone over the antimeridian is drawn on both sides, however it is written", async () => {
  const ring = (west: number, east: number): number[][] => [
    [west, 10],
    [east, 10],
    [east, 10.2],
    [west, 10.2],
    [west, 10],
  ];
  const polygons = [[ring(179.9, 180.1)]];
  const shard = withZones([{ name: "Seam", rules: [rule], polygons }]);
  const deployment = open({
    shards: [{ ...shard, box: { south: 9, north: 11, west: 179, east: -179 } }],
  });
  const store = tilesOf(deployment);
  for (const lon of [179.95, -179.95]) {
    const tile = await drawTile(store, deployment, tileAt(14, { lat: 10.1, lon }), ["zones"]);
    assert.equal(tile.objects, 1, `at ${lon}`);
  }
});

test("counts are made again when the vehicles alone are others, or too old to be shown", async () => {
  const vehicles = [aVehicle("v", { location: HERE })];
  const one = aShard({ id: "one", vehicles, mode_hint: "scooter" });
  const two = aShard({
    id: "one",
    vehicles: [...vehicles, aVehicle("w", { location: moved(HERE, 5) })],
    mode_hint: "scooter",
  });
  const deployment = open({ shards: [one] });
  const store = tilesOf(deployment);
  const count = async (): Promise<unknown> => {
    const { bytes } = await drawTile(store, deployment, tileAt(9));
    return readMvt(bytes).get("vehicles")?.features[0]!.properties["count"];
  };
  assert.equal(await count(), 1);
  await deployment.world.put({ ...one, vehicles: two.vehicles });
  assert.equal(await count(), 2);
  await deployment.clock.advance(3_700_000);
  assert.equal(await count(), undefined);
});

test("within the hole of a zone there is no zone", async () => {
  const zones = [{ name: "Ring", rules: [rule], polygons: [[square(9_000), square(5_000)]] }];
  const deployment = open({ shards: [withZones(zones)] });
  const tile = await drawTile(tilesOf(deployment), deployment, AT, ["zones"]);
  assert.deepEqual([tile.objects, tile.bytes.length], [0, 0]);
});

test("what a kept tile remembers of shards are numbers, so that those that were replaced can go", async () => {
  const { world, clock } = open({ shards: [shardAt("one")] });
  const generations = new Generations();
  const first = generations.of(world.list(), clock.now());
  assert.ok(first.every((each) => typeof each !== "object" || each === null));
  assert.deepEqual(generations.of(world.list(), clock.now()), first);
  await world.put(shardAt("one", HERE.lat + 1e-4));
  assert.notDeepEqual(generations.of(world.list(), clock.now()), first);
});

test("a caller whose block has turns left is drawn for where the one before it had none", async () => {
  const deployment = open({ shards: [shardAt("one")] });
  const blocks: (string | null)[] = [];
  const turns: TileTurns = {
    take: async (work, block) => {
      blocks.push(block);
      await setImmediate();
      return block === "crowded" ? "full" : await work();
    },
  };
  const store = tilesOf(deployment, { turns });
  const now_ms = deployment.clock.now();
  const time = { now_ms, deadline_ms: now_ms + 2_000 };
  const request = { ...AT, layers: ["stations"] as const, ...time };
  const [crowded, other] = await Promise.all(
    ["crowded", "quiet"].map((block) => store.draw({ ...request, block })),
  );
  assert.equal(crowded, "full");
  assert.notEqual(other, "full");
  assert.deepEqual(blocks, ["crowded", "quiet"]);
});
