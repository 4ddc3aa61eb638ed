/** One list of stations and vehicles, ordered, cut into pages (§4.9, R12, R13; decisions, Global nearby). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import {
  ask,
  askGeoJson,
  deploy,
  type Deployment,
  PLAN,
  rankOf,
  type Wish,
} from "../../support/answers.ts";
import {
  anyId,
  aShard,
  aStation,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  pointWithin,
  type SystemSketch,
} from "../../support/domain.ts";

const UNLIMITED = { ...PLAN, nearby_limit_max: 1000, nearby_offset_max: null };

/** Places that repeat, so that equal distances are common. */
const place = fc.oneof(
  fc.constantFrom(HERE, moved(HERE, 100), moved(HERE, -100), moved(HERE, 399.9)),
  pointWithin(HERE, 600),
);

const system = (id: string): fc.Arbitrary<SystemSketch> => {
  const things = fc.uniqueArray(fc.tuple(anyId, place), {
    maxLength: 12,
    selector: ([name]) => name,
  });
  return fc.tuple(things, things).map(([stations, vehicles]) => ({
    id,
    stations: stations.map(([name, location]) => aStation(name, location)),
    vehicles: vehicles.map(([name, location]) => aVehicle(name, { location })),
  }));
};
const scene = fc.tuple(system("a"), system("b:c"), system("ü"));

const idsOf = async (deployment: Deployment, wish: Wish) =>
  rankOf(await ask(deployment, { plan: UNLIMITED, ...wish })).map(({ id }) => id);

test("R12, R13: what is within the radius, by distance to a tenth of a metre, then by id bytes", async () => {
  await forAllAsync(
    fc.asyncProperty(scene, fc.integer({ min: 1, max: 400 }), async (sketches, radius) => {
      const deployment = deploy({ shards: sketches.map(aShard) });
      const { features } = await askGeoJson(deployment, { plan: UNLIMITED, radius });
      const list = features.map(({ properties }) =>
        "source" in properties
          ? { metres: properties.source.distance_meters!, id: properties.source_id }
          : { metres: properties.distance_meters, id: properties.id },
      );
      const sorted = list.toSorted(
        (a, b) => a.metres - b.metres || Buffer.from(a.id).compare(Buffer.from(b.id)),
      );
      assert.deepEqual(list, sorted);
      const expected = sketches.flatMap(({ stations, vehicles }) => [
        ...stations!.map(({ lat, lon }) => distance_m(HERE.lat, HERE.lon, lat, lon)),
        ...vehicles!.map(({ location }) =>
          distance_m(HERE.lat, HERE.lon, location!.lat, location!.lon),
        ),
      ]);
      const within = expected.filter((metres) => metres <= radius).sort((a, b) => a - b);
      assert.deepEqual(
        list.map(({ metres }) => metres),
        within.map((metres) => Math.floor(metres * 10 + 0.5) / 10),
      );
    }),
  );
});

// Proves §4.9 pages
test("§4.9: raising the limit extends the list; the shorter answer is its beginning", async () => {
  const limit = fc.integer({ min: 1, max: 60 });
  await forAllAsync(
    fc.asyncProperty(scene, limit, limit, async (sketches, a, b) => {
      const deployment = deploy({ shards: sketches.map(aShard) });
      const short = await idsOf(deployment, { limit: Math.min(a, b) });
      const long = await idsOf(deployment, { limit: Math.max(a, b) });
      assert.deepEqual(long.slice(0, short.length), short);
      assert.equal(short.length, Math.min(a, b, long.length));
    }),
  );
});

// Proves §4.9 pages; §4.9 total
test("§4.9: pages partition the list, and each states the same total", async () => {
  await forAllAsync(
    fc.asyncProperty(scene, fc.integer({ min: 1, max: 7 }), async (sketches, limit) => {
      const deployment = deploy({ shards: sketches.map(aShard) });
      const all = await idsOf(deployment, { limit: 1000 });
      const pages: string[] = [];
      for (let offset = 0; offset < all.length + limit; offset += limit) {
        const body = await ask(deployment, { plan: UNLIMITED, limit, offset });
        assert.equal(body.total, all.length);
        pages.push(...rankOf(body).map(({ id }) => id));
      }
      assert.deepEqual(pages, all);
    }),
  );
});

test("the order does not depend on which system came first, nor on the order of its rows", async () => {
  await forAllAsync(
    fc.asyncProperty(scene, fc.nat({ max: 50 }), async (sketches, limit) => {
      const turned = [sketches[2], sketches[0], sketches[1]].map((sketch) => ({
        ...sketch,
        stations: sketch.stations!.toReversed(),
        vehicles: sketch.vehicles!.toReversed(),
      }));
      const one = await ask(deploy({ shards: sketches.map(aShard) }), { limit: limit + 1 });
      const other = await ask(deploy({ shards: turned.map(aShard) }), { limit: limit + 1 });
      assert.deepEqual(other, one);
    }),
  );
});

test("§4.9: an offset beyond the end is an empty page of a success, with the true total", async () => {
  const deployment = deploy({ shards: [aShard({ stations: [aStation("a"), aStation("b")] })] });
  for (const offset of [2, 3, 1000]) {
    const body = await ask(deployment, { offset });
    assert.deepEqual([body.status, body.total, body.message], ["success", 2, undefined]);
    assert.deepEqual(rankOf(body), []);
    assert.deepEqual(body.available_actions, []);
  }
});

test("R10: available_actions are those of the page, unique, by intent, then mode", async () => {
  const shard = aShard({
    stations: [aStation("near")],
    vehicles: [
      aVehicle("car", { own_mode: "car", location: moved(HERE, 20) }),
      aVehicle("moped", { own_mode: "moped", location: moved(HERE, 30) }),
    ],
  });
  const deployment = deploy({ shards: [shard] });
  const actions = async (wish: Wish) =>
    (await ask(deployment, wish)).available_actions.map(({ id }) => id);
  assert.deepEqual(await actions({}), [
    "explore:bicycle",
    "explore:moped",
    "explore:car",
    "pickup:bicycle",
    "pickup:moped",
    "pickup:car",
    "return:bicycle",
    "park:bicycle",
  ]);
  assert.deepEqual(await actions({ offset: 1, limit: 1 }), ["explore:car", "pickup:car"]);
});

test("ten thousand vehicles on one spot are ordered by id, and in no time to speak of", async () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `v${(i * 7919) % 10_000}`);
  const shard = aShard({ vehicles: names.map((name) => aVehicle(name)) });
  const deployment = deploy({ shards: [shard] });
  const begun = process.threadCpuUsage();
  const ids = await idsOf(deployment, { limit: 1000 });
  const expected = names.map((name) => `sys:${name}`).sort();
  assert.deepEqual(ids, expected.slice(0, 1000));
  const spent = process.threadCpuUsage(begun);
  assert.ok(spent.user + spent.system < 5_000_000, "ties must not cost their square");
});
