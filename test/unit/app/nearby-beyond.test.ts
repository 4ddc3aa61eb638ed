/** What an answer of /v1/nearby without stations and vehicles says of the nearest one outside its circle. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";
import { defaultsOf } from "#api/primitives.ts";
import { createFindIntended } from "#app/nearby-beyond.ts";
import { MOST_BEYOND_ROWS } from "#world/beyond.ts";
import {
  deploy,
  readBody,
  readGeoJson,
  type Setup,
  toInput,
  type Wish,
} from "../../support/answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  NOW_MS,
} from "../../support/domain.ts";

const NEARBY_DEFAULTS = defaultsOf(NEARBY_PARAMETERS);

async function ask(setup: Setup, wish: Wish = {}) {
  const deployment = deploy(setup);
  const reply = await deployment.nearby(toInput(deployment, wish));
  const body = wish.format === "geojson" ? readGeoJson(reply).meta! : readBody(reply);
  return { beyond: body.beyond, total: body.total, woken: deployment.feeds.woken };
}

const at = (id: string, north_m: number, east_m = 0) => aStation(id, moved(HERE, north_m, east_m));

test("the nearest outside an empty circle is named, and no system is woken for it", async () => {
  const stations = aShard({ id: "a", stations: [at("far", 900), at("near", 0, 520)] });
  const vehicles = aShard({
    ...{ id: "b", stations: [] },
    vehicles: [aVehicle("v", { location: moved(HERE, -2_000) })],
  });
  const { beyond, total, woken } = await ask({ shards: [stations, vehicles] });
  assert.equal(total, 0);
  assert.deepEqual([beyond?.kind, beyond?.distance_meters, beyond?.bearing], ["station", 520, 90]);
  assert.match(beyond!.id, /^svc_station_/);
  assert.ok(distance_m(HERE.lat, HERE.lon, beyond!.lat, beyond!.lon) > 519);
  // Boxes are grown by 2 km: the other system is not touched by the circle.
  assert.deepEqual(woken, ["a"]);
  const alone = await ask({ shards: [stations, vehicles] }, { include: ["vehicles"] });
  const { kind, id, distance_meters, bearing } = alone.beyond!;
  assert.deepEqual([kind, id, distance_meters, bearing], ["vehicle", id, 2_000, 180]);
  const drawn = await ask({ shards: [stations] }, { format: "geojson" });
  assert.equal(drawn.beyond?.bearing, 90);
});

test("it fits the question: modes and filters", async () => {
  const shard = aShard({
    ...{ id: "a", stations: [at("here", 100), at("none", 600), at("some", 0, -1_500)] },
    statuses: [
      ...[aStatus("here", { vehicles: 1 }), aStatus("none", { vehicles: 0 })],
      aStatus("some", { vehicles: 9 }),
    ],
  });
  const filtered = await ask({ shards: [shard] }, { min_vehicles: 3 });
  assert.deepEqual([filtered.total, filtered.beyond?.distance_meters], [0, 1_500]);
  assert.equal(filtered.beyond?.bearing, 270);
  assert.deepEqual((await ask({ shards: [shard] }, { modes: ["scooter"] })).beyond, null);
});

test("strict filters alone may empty the circle: the next is one that is known to fit", async () => {
  const shard = aShard({
    ...{ id: "a", stations: [at("silent", 100), at("quiet", 600), at("some", 0, 1_500)] },
    statuses: [aStatus("some", { vehicles: 9 })],
  });
  const wish = { min_vehicles: 3 };
  assert.equal((await ask({ shards: [shard] }, wish)).beyond, undefined);
  const { total, beyond } = await ask({ shards: [shard] }, { ...wish, strict: true });
  assert.deepEqual([total, beyond?.distance_meters], [0, 1_500]);
});

test("an intent that nothing in the circle allows: the nearest outside that does, or may", () => {
  const stations = [at("empty", 100), at("far", 0, 900), at("silent", 600), at("gone", 500)];
  const statuses = [
    ...[aStatus("empty", { vehicles: 0 }), aStatus("gone", { vehicles: 0 })],
    aStatus("far", { vehicles: 4 }),
  ];
  const find = createFindIntended(
    deploy({ shards: [aShard({ id: "a", stations, statuses })] }).world,
  );
  const question = { ...NEARBY_DEFAULTS, ...HERE, include: ["stations"] as const };
  const around = { intent: "pickup", radius_m: 400, now_ms: NOW_MS };
  const metres = (strict: boolean, more: object = {}) =>
    find({ ...question, ...more }, { ...around, strict })?.distance_meters;
  assert.equal(metres(false), 600);
  assert.equal(metres(true), 900);
  assert.equal(metres(true, { modes: ["scooter"] }), undefined);
  assert.equal(find({ ...question, modes: ["scooter"] }, { ...around, strict: true }), null);
  assert.equal(find({ ...question, include: ["alerts"] }, { ...around, strict: true }), undefined);
  // Of a crowd that does not allow it no more than a bound is looked at.
  const crowd = Array.from({ length: 500 }, (_, i) => at(`s${i}`, 450 + i / 10));
  const empty = crowd.map(({ id }) => aStatus(id, { vehicles: 0 }));
  const shard = aShard({
    ...{ id: "a", stations: [...crowd, at("far", 900)] },
    statuses: [...empty, aStatus("far", { vehicles: 4 })],
  });
  const crowded = createFindIntended(deploy({ shards: [shard] }).world);
  assert.equal(crowded(question, { ...around, strict: true }), null);
});

test("where something is there it is absent, and null where nothing is known or too much is", async () => {
  assert.equal(
    (await ask({ shards: [aShard({ id: "a", stations: [at("x", 10)] })] })).beyond,
    undefined,
  );
  assert.equal((await ask({})).beyond, null);
  assert.equal(
    (await ask({ shards: [aShard({ id: "a", stations: [at("x", 10_100)] })] })).beyond,
    null,
  );
  assert.equal((await ask({}, { include: ["alerts"] })).beyond, undefined);
  const crowd = Array.from({ length: MOST_BEYOND_ROWS + 1 }, (_, i) =>
    at(`s${i}`, 420 + (i % 100)),
  );
  assert.equal((await ask({ shards: [aShard({ id: "a", stations: crowd })] })).beyond, null);
});

test("of things anywhere it is the one that is nearest", async () => {
  const place = fc.tuple(
    fc.double({ min: -9_000, max: 9_000, noNaN: true }),
    fc.double({ min: -9_000, max: 9_000, noNaN: true }),
  );
  await forAllAsync(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 20 }), async (places) => {
      const stations = places.map(([north, east], i) => at(`s${i}`, north, east));
      const { beyond, total } = await ask(
        { shards: [aShard({ id: "a", stations })] },
        { radius: 100 },
      );
      const metres = stations.map(({ lat, lon }) => distance_m(HERE.lat, HERE.lon, lat, lon));
      const least = Math.min(...metres);
      if (total > 0) assert.equal(beyond, undefined);
      else if (least > 10_000) assert.equal(beyond, null);
      else
        assert.ok(
          Math.abs(beyond!.distance_meters - least) <= 0.06,
          `${beyond?.distance_meters} ${least}`,
        );
    }),
    100,
  );
});
