/** The GeoJSON form is the JSON form in another notation (§4.9, RFC 7946; decisions, GeoJSON). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ask, askGeoJson, deploy, rankOf, type Wish } from "../../support/answers.ts";
import {
  anyId,
  aShard,
  aStation,
  aVehicle,
  forAllAsync,
  HERE,
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
      const { status, message, total, radius, limit } = json;
      const expected = { status, total, radius, limit, offset: wish.offset };
      assert.deepEqual(meta, message === undefined ? expected : { ...expected, message });
    }),
    100,
  );
});

test("meta says what the JSON form says at the top, also when nothing was found", async () => {
  const { features, meta } = await askGeoJson(deploy());
  assert.deepEqual(features, []);
  assert.equal(meta!.status, "empty");
  assert.match(meta!.message!, /No source covers/);
});
