/** The GeoJSON form is the JSON form in another notation (§4.9, RFC 7946; decisions, GeoJSON). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { toFeatureCollection } from "#app/geojson.ts";
import { ask, askGeoJson, deploy, rankOf, type Wish } from "../../support/answers.ts";
import {
  anyId,
  aShard,
  aStation,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  pointWithin,
} from "../../support/domain.ts";

test("a point is [longitude, latitude]", async () => {
  const shard = aShard({ stations: [aStation("s")] });
  const { features, query_origin } = await askGeoJson(deploy({ shards: [shard] }));
  assert.deepEqual(features[0]!.geometry, { type: "Point", coordinates: [2.35, 48.85] });
  assert.deepEqual(query_origin, { lat: 48.85, lon: 2.35 });
});

const things = fc.uniqueArray(fc.tuple(anyId, pointWithin(HERE, 450)), {
  maxLength: 12,
  selector: ([id]) => id,
});
const page = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  offset: fc.nat({ max: 12 }),
  radius: fc.integer({ min: 1, max: 400 }),
});
const round7 = (degrees: number) => Math.round(degrees * 1e7) / 1e7;

// Proves §4.9 geojson
test("item by item it is the JSON form: same page, same order, nothing lost but the duplicate location", async () => {
  await forAllAsync(
    fc.asyncProperty(things, things, page, async (stations, vehicles, wish: Wish) => {
      const shard = aShard({
        stations: stations.map(([id, location]) => aStation(id, location)),
        vehicles: vehicles.map(([id, location]) => aVehicle(id, { location })),
      });
      const deployment = deploy({ shards: [shard] });
      const json = await ask(deployment, wish);
      const { features, available_actions, meta } = await askGeoJson(deployment, wish);
      const items = new Map<string, unknown>();
      const places = new Map<string, unknown>();
      for (const { location, ...rest } of json.results.stations) {
        items.set(rest.id, rest);
        places.set(rest.id, [round7(location.lon), round7(location.lat)]);
      }
      for (const vehicle of json.results.vehicles) {
        const { location, ...source } = vehicle.source;
        items.set(vehicle.source_id, { ...vehicle, source });
        places.set(vehicle.source_id, [round7(location!.lon), round7(location!.lat)]);
      }
      const ids = features.map(({ properties }) =>
        "source_id" in properties ? properties.source_id : properties.id,
      );
      assert.deepEqual(
        ids,
        rankOf(json).map(({ id }) => id),
      );
      features.forEach(({ properties, geometry }, i) => {
        assert.deepEqual(properties, items.get(ids[i]!));
        assert.deepEqual(geometry!.coordinates, places.get(ids[i]!));
      });
      assert.deepEqual(available_actions, json.available_actions);
      const { status, message, total, radius, limit, notices } = json;
      assert.deepEqual(meta, {
        ...{ status, total, radius, limit, offset: wish.offset },
        ...(message === undefined ? {} : { message }),
        ...(notices === undefined ? {} : { notices }),
      });
    }),
    100,
  );
});

test("meta says what the JSON form says at the top, also when nothing was found", async () => {
  const { features, meta } = await askGeoJson(deploy());
  assert.deepEqual(features, []);
  assert.equal(meta!.status, "empty");
  assert.match(meta!.message!, /No source of shared mobility is configured/);
});

test("families without a place that were asked for are lists in meta, also when empty", async () => {
  const deployment = deploy({ shards: [aShard({ stations: [aStation("s")] })] });
  for (const [include, expected] of [
    [["stations"], {}],
    [["stations", "alerts"], { alerts: [] }],
    [["stations", "lines"], { lines: [] }],
    [["lines", "alerts"], { lines: [], alerts: [] }],
    [["vehicles", "alerts"], { alerts: [] }],
  ] as const) {
    const { meta } = await askGeoJson(deployment, { include: [...include] });
    const own = Object.entries(meta!).filter(([name]) => name === "lines" || name === "alerts");
    assert.deepEqual(Object.fromEntries(own), expected);
  }
});

test("a place is a feature in its rank; lines and alerts are in meta", () => {
  const at = { lat: 48.85, lon: 2.35 };
  const place = { id: "p", type: "service", location: at, distance_meters: 20 };
  const station = { id: "s", location: at, distance_meters: 10 };
  const vehicle = { source_id: "v", source: { location: at, distance_meters: 30 } };
  const { features, meta } = toFeatureCollection(
    {
      status: "success",
      query_origin: at,
      radius: 400,
      total: 3,
      limit: 100,
      results: {
        places: [place],
        lines: [{ id: "l" }],
        stations: [station],
        vehicles: [vehicle],
        alerts: [{ id: "a" }],
      },
      available_actions: [],
      debug: { coverage: "success" },
    } as unknown as NearbyBodyValue,
    { offset: 0, include: ["stations", "lines", "alerts"], sort: "distance" },
  ) as unknown as { features: { id: string; properties: object }[]; meta: Record<string, unknown> };
  assert.deepEqual(
    features.map(({ id }) => id),
    ["s", "p", "v"],
  );
  const { location: _, ...properties } = place;
  assert.deepEqual(features[1]!.properties, properties);
  assert.deepEqual(
    [meta["lines"], meta["alerts"], meta["debug"]],
    [[{ id: "l" }], [{ id: "a" }], { coverage: "success" }],
  );
});

// Proves §4.9 debug
test("debug adds its block to meta", async () => {
  const deployment = deploy({ shards: [aShard({ stations: [aStation("s")] })] });
  const json = await ask(deployment, { debug: true });
  const { meta } = await askGeoJson(deployment, { debug: true });
  assert.deepEqual(meta!.debug, json.debug);
  assert.equal((await askGeoJson(deployment)).meta!.debug, undefined);
});

test("a page that ends before the list does says where, and how to go on", async () => {
  const stations = [10, 20, 30].map((metres, i) => aStation(`s${i}`, moved(HERE, metres)));
  const deployment = deploy({ shards: [aShard({ stations })] });
  const { notices, message } = await ask(deployment, { limit: 1, offset: 1 });
  assert.equal(message, undefined);
  assert.deepEqual(
    notices!.map((notice) => [notice.message, notice.cut]),
    [
      [
        "Shown are 2 to 2 of 3, up to 20 metres away; offset=2 continues.",
        { shown: 1, total: 3, within_m: 20 },
      ],
    ],
  );
  assert.equal((await ask(deployment, { limit: 3 })).notices, undefined);
  assert.equal((await ask(deployment, { limit: 2, offset: 1 })).notices, undefined);
  assert.equal((await ask(deployment, { offset: 7 })).notices, undefined);
});
