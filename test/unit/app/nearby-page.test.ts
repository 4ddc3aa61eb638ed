/** Ways on foot in /v1/nearby (docs/walking.md): members, order, and what a time on foot leaves out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LIMITS } from "#api/limits.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { WalkBody } from "#api/walk.ts";
import { createNearby } from "#app/nearby.ts";
import { createFindRetained } from "#app/places/held.ts";
import type { Place } from "#core/places/place.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { hash32 } from "#kit/ids.ts";
import { tilesOf } from "#kit/tiles.ts";
import type { Walks } from "#ports/walks.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import {
  deploy,
  PLAN,
  readBody,
  readGeoJson,
  type Setup,
  toBytes,
  toInput,
  type Wish,
} from "../../support/answers.ts";
import {
  anyId,
  aShard,
  aStation,
  aStatus,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  NOW_MS,
  pointWithin,
} from "../../support/domain.ts";
import { FAKE_BASE, type FakeWay, fakeWalks, walksOfBase } from "../../support/fake-walks.ts";
import { aPlace, tilesAlone } from "../../support/places.ts";

const { candidates_max, speed_default } = LIMITS.walk;
const UNLIMITED = { ...PLAN, nearby_limit_max: 1000, nearby_offset_max: null };
const ALL = { plan: UNLIMITED, include: ["stations", "vehicles", "places"] } as const;

/** The use case over a world, places and ways of a test's own. */
function deployOnFoot(walks: Walks | undefined, setup: Setup & { places?: readonly Place[] } = {}) {
  const deployment = deploy(setup);
  const tiles = createTiles();
  const kinds = ["wifi", "toilets"] as const;
  tiles.put([...kinds], tilesOf(HERE.lat, HERE.lon, 1000), setup.places ?? [], NOW_MS);
  const findRetained = createFindRetained({
    registries: [],
    tiles: tilesAlone(tiles),
    tileKinds: () => kinds,
    tile_ms: 86_400_000,
    published: (place) => place,
  });
  const nearby = createNearby({
    ...deployment,
    countries: () => Promise.resolve(() => ["FR"]),
    findRetained,
    findLines: () => null,
    ...(walks && { walks }),
  });
  const reply = async (wish: Wish = {}) => nearby(toInput(deployment, { ...ALL, ...wish }));
  return {
    reply,
    ask: async (wish: Wish = {}) => readBody(await reply(wish)),
    askGeoJson: async (wish: Wish = {}) => readGeoJson(await reply({ ...wish, format: "geojson" })),
  };
}

type Item = { id: string; distance: number; location: Location; walk?: WalkBody | null };

/** All results of an answer, in no order. */
function listItems({ results }: NearbyBodyValue): Item[] {
  const own = ({ walk }: { walk?: WalkBody | null }) => (walk === undefined ? {} : { walk });
  return [
    ...[...results.stations, ...results.places].map((item) => ({
      ...{ id: item.id, distance: item.distance_meters, location: item.location },
      ...own(item),
    })),
    ...results.vehicles.map(({ source_id: id, source }) => ({
      ...{ id, distance: source.distance_meters!, location: source.location! },
      ...own(source),
    })),
  ];
}

const byDistance = (a: Item, b: Item): number =>
  a.distance - b.distance || Buffer.from(a.id).compare(Buffer.from(b.id));
const secondsOf = ({ walk }: Item): number => walk?.seconds ?? 1e9;
const onFoot = (a: Item, b: Item): number => secondsOf(a) - secondsOf(b) || byDistance(a, b);

const spot = fc.oneof(
  fc.constantFrom(HERE, moved(HERE, 100), moved(HERE, -100), moved(HERE, 399.9)),
  pointWithin(HERE, 450),
);
const things = fc.uniqueArray(fc.tuple(anyId, spot), { maxLength: 12, selector: ([id]) => id });
const town = fc.record({
  stations: things,
  vehicles: things,
  places: fc.array(spot, { maxLength: 12 }),
});
type Town = typeof town extends fc.Arbitrary<infer T> ? T : never;

/** A way that depends on the place alone: often as long as another's, sometimes none. */
function wayAt(location: Location): FakeWay {
  const at = `${location.lat.toFixed(7)} ${location.lon.toFixed(7)}`;
  const dice = Number.parseInt(hash32(at).slice(0, 6), 36);
  if (dice % 9 === 0) return "not_reached";
  if (dice % 9 === 1) return "target_off_network";
  const beeline_m = distance_m(HERE.lat, HERE.lon, location.lat, location.lon);
  const meters = Math.ceil((beeline_m * (1 + (dice % 13) / 8)) / 40) * 40;
  return { meters, step_free: [true, false, null][dice % 3]! };
}

const setupOf = ({ stations, vehicles, places }: Town) => ({
  shards: [
    aShard({
      stations: stations.map(([id, at]) => aStation(id, at)),
      vehicles: vehicles.map(([id, location]) => aVehicle(id, { location })),
    }),
  ],
  places: places.map((at, i) => aPlace(`${i}`, { kind: i % 2 ? "wifi" : "toilets", ...at })),
});

/** What the answer must list, by the definition alone; `plain`: all results without ways. */
function expectList(plain: readonly Item[], { sort, within_minutes, speed = speed_default }: Wish) {
  const within_s = within_minutes === undefined ? Infinity : within_minutes * 60;
  const counts = { reached: 0, not_reached: 0, unknown: 0 };
  const kept = plain.toSorted(byDistance).flatMap((item): Item[] => {
    const way = wayAt(item.location);
    const { lat, lon } = item.location;
    const isFar = distance_m(HERE.lat, HERE.lon, lat, lon) > within_s * speed;
    const seconds = typeof way === "string" ? 0 : Math.ceil(way.meters / speed);
    if (isFar || way === "not_reached" || seconds > within_s) {
      counts.not_reached++;
      return within_s === Infinity ? [{ ...item, walk: null }] : [];
    }
    if (typeof way === "string") {
      counts.unknown++;
      return [{ ...item, walk: null }];
    }
    counts.reached++;
    return [{ ...item, walk: { meters: way.meters, seconds, step_free: way.step_free } }];
  });
  return { kept: sort === "walk" ? kept.toSorted(onFoot) : kept, counts };
}

const anyWish = fc.record({
  sort: fc.constantFrom("distance" as const, "walk" as const),
  within_minutes: fc.constantFrom(undefined, 1, 3, 4.5, 30),
  speed: fc.constantFrom(speed_default, 0.7, 2.5),
  walk: fc.constant(true),
});

test("a time on foot keeps what it must, the order is that of ways, and pages are runs of one list", async () => {
  let [left_out, reordered] = [0, 0];
  await forAllAsync(
    fc.asyncProperty(town, anyWish, fc.integer({ min: 1, max: 9 }), async (sketch, wish, limit) => {
      const { ask, askGeoJson } = deployOnFoot(fakeWalks(wayAt), setupOf(sketch));
      const plain = listItems(await ask({ limit: 1000 }));
      const { kept, counts } = expectList(plain, wish);
      const whole = await ask({ ...wish, limit: 1000 });
      const order = wish.sort === "walk" ? onFoot : byDistance;
      assert.deepEqual(listItems(whole).toSorted(order), kept);
      assert.equal(whole.total, kept.length);
      const { reached, not_reached, unknown } = whole.walking!;
      assert.deepEqual({ reached, not_reached, unknown }, counts);
      assert.equal(whole.walking!.speed_meters_per_second, wish.speed);
      // The three lists of JSON, and the one of GeoJSON, have that order.
      for (const list of [whole.results.stations, whole.results.places] as { id: string }[][]) {
        const ids = new Set(list.map(({ id }) => id));
        assert.deepEqual(
          list.map(({ id }) => id),
          kept.map(({ id }) => id).filter((id) => ids.has(id)),
        );
      }
      const pages: string[] = [];
      for (let offset = 0; offset < kept.length + limit; offset += limit) {
        const body = await askGeoJson({ ...wish, limit, offset });
        const ids = body.features.map(({ properties }) =>
          "source" in properties ? properties.source_id : properties.id,
        );
        assert.equal(body.meta!.total, kept.length);
        assert.equal(ids.length, Math.min(limit, Math.max(0, kept.length - offset)));
        const cut = body.meta!.notices?.find((notice) => notice.cut !== null)?.cut ?? null;
        assert.equal(cut !== null, ids.length > 0 && offset + ids.length < kept.length);
        if (cut) assert.deepEqual([cut.shown, cut.total], [ids.length, kept.length]);
        pages.push(...ids);
      }
      assert.deepEqual(
        pages,
        kept.map(({ id }) => id),
      );
      if (kept.length < plain.length) left_out++;
      if (
        pages.join() !==
        kept
          .toSorted(byDistance)
          .map(({ id }) => id)
          .join()
      )
        reordered++;
    }),
    100,
  );
  assert.ok(left_out > 15 && reordered > 15, `${left_out} left out, ${reordered} in another order`);
});

test("JSON and GeoJSON say the same: walks of each result, walking of the answer", async () => {
  await forAllAsync(
    fc.asyncProperty(town, anyWish, async (sketch, wish) => {
      const { ask, askGeoJson } = deployOnFoot(fakeWalks(wayAt), setupOf(sketch));
      const json = await ask(wish);
      const { features, meta } = await askGeoJson(wish);
      const walks = features.map(({ properties }) =>
        "source" in properties
          ? [properties.source_id, properties.source.walk]
          : [properties.id, properties.walk],
      );
      const expected = new Map(listItems(json).map(({ id, walk }) => [id, walk]));
      assert.deepEqual(new Map(walks as [string, WalkBody | null][]), expected);
      assert.deepEqual(meta!.walking, json.walking);
      assert.deepEqual(meta!.notices, json.notices);
    }),
    30,
  );
});

test("ways are an addition: without them the rest of the answer is what it was", async () => {
  await forAllAsync(
    fc.asyncProperty(town, fc.nat({ max: 5 }), async (sketch, offset) => {
      const { ask } = deployOnFoot(fakeWalks(wayAt), setupOf(sketch));
      const plain = await ask({ limit: 9, offset });
      const { walking, ...body } = await ask({ limit: 9, offset, walk: true });
      assert.ok(walking);
      const stripped = JSON.parse(
        JSON.stringify(body, (name, value: unknown) => (name === "walk" ? undefined : value)),
      ) as object;
      assert.deepEqual(stripped, plain);
    }),
    30,
  );
});

test("a question that asks for none looks for none, and has the same bytes", async () => {
  const never: Walks = { pin: () => assert.fail("ways were looked for") };
  const setup = setupOf({
    stations: [["s", moved(HERE, 10)]],
    vehicles: [["v", moved(HERE, 20)]],
    places: [moved(HERE, 30)],
  });
  for (const wish of [{}, { format: "geojson" }, { offset: 1 }, { debug: true }] as Wish[]) {
    const [one, other] = [
      await deployOnFoot(never, setup).reply(wish),
      await deployOnFoot(undefined, setup).reply(wish),
    ];
    assert.ok(one.kind === "ok" && other.kind === "ok");
    assert.equal(toBytes(one).toString(), toBytes(other).toString());
    assert.doesNotMatch(toBytes(one).toString(), /"walk/);
  }
});

test("streets of a base are waited for until the answer must be on its way, and no longer", async () => {
  const pinned = walksOfBase("base_unreadable");
  const signals: (AbortSignal | undefined)[] = [];
  const walks: Walks = {
    pin(_, signal) {
      signals.push(signal);
      return pinned.pin({ ...HERE, radius_m: 1 });
    },
  };
  const setup = setupOf({ stations: [], vehicles: [], places: [HERE] });
  await deployOnFoot(walks, setup).ask({ walk: true });
  assert.ok(signals.length === 1 && signals[0] instanceof AbortSignal);
});

const reasons = {
  outside_bases: /No imported base covers this point/,
  base_without_walking: /they need a new import/,
  base_unreadable: /cannot be read/,
} as const;

for (const [reason, words] of Object.entries(reasons) as [keyof typeof reasons, RegExp][])
  test(`${reason}: no way, never the beeline, the status that it was, and one notice`, async () => {
    const setup = setupOf({ stations: [["s", moved(HERE, 90)]], vehicles: [], places: [HERE] });
    for (const walks of [walksOfBase(reason), ...(reason === "outside_bases" ? [undefined] : [])]) {
      const { ask } = deployOnFoot(walks, setup);
      const body = await ask({ sort: "walk", within_minutes: 2 });
      assert.deepEqual(
        listItems(body).map(({ walk }) => walk),
        [null, null],
      );
      assert.deepEqual(body.walking, {
        ...{ profile: "foot", speed_meters_per_second: speed_default, within_meters: 159 },
        ...{ reached: 0, not_reached: 0, unknown: 2, step_free_unknown: 0, reason, base: null },
      });
      assert.deepEqual([body.status, body.total], [(await ask()).status, 2]);
      const [notice, ...others] = body.notices!;
      assert.match(notice!.message, words);
      assert.deepEqual([notice!.cut, others], [null, []]);
    }
  });

test("what is farther by beeline than is walked in the time is known not to be reached, also without a base", async () => {
  const setup = setupOf({ stations: [["s", moved(HERE, 300)]], vehicles: [], places: [HERE] });
  const { ask } = deployOnFoot(undefined, setup);
  const body = await ask({ within_minutes: 2 });
  assert.deepEqual([body.total, body.results.stations.length], [1, 0]);
  assert.deepEqual([body.walking!.not_reached, body.walking!.unknown], [1, 1]);
});

test("filters, and counts of debug, are of what a time on foot keeps", async () => {
  const shard = aShard({
    id: "a",
    stations: [
      aStation("near", moved(HERE, 50)),
      aStation("silent", moved(HERE, 60)),
      // In the west, so that the columns of the search begin with them.
      aStation("far", moved(HERE, 0, -300)),
      aStation("far and silent", moved(HERE, 0, -310)),
      aStation("farther and silent", moved(HERE, 0, -320)),
    ],
    statuses: [aStatus("near"), aStatus("far")],
    vehicles: [
      aVehicle("v", { location: moved(HERE, 70) }),
      aVehicle("w", { location: moved(HERE, 320) }),
    ],
  });
  const straight = fakeWalks(({ lat, lon }) => ({
    meters: distance_m(HERE.lat, HERE.lon, lat, lon),
    step_free: null,
  }));
  const { ask } = deployOnFoot(straight, { shards: [shard] });
  const body = await ask({ within_minutes: 2, min_vehicles: 1, debug: true });
  assert.deepEqual([body.total, body.summary], [3, { unknown_vehicles: 1 }]);
  const [source] = body.debug!.sources;
  assert.deepEqual([source!.raw_count, source!.matched_count], [7, 3]);
  assert.deepEqual(body.debug!.resolution, { unresolved: 3, merged: 0, possible_match: 0 });
  const { fresh, stale, unknown } = body.debug!.realtime as Record<string, number>;
  assert.equal(fresh! + stale! + unknown!, 3);
  const all = await ask({ walk: true, min_vehicles: 1, debug: true });
  assert.deepEqual([all.total, all.summary], [7, { unknown_vehicles: 3 }]);
  assert.equal(all.debug!.sources[0]!.matched_count, 7);
});

/** In a row to the north, 0.5 m apart, each with a way of its own. */
function crowd(count: number, wayTo: (n: number) => FakeWay) {
  const stations = Array.from({ length: count }, (_, n) =>
    aStation(`${n}`, moved(HERE, 20 + n / 2)),
  );
  const walks = fakeWalks(({ lat }) =>
    wayTo(Math.round((distance_m(HERE.lat, HERE.lon, lat, HERE.lon) - 20) * 2)),
  );
  return deployOnFoot(walks, { shards: [aShard({ stations, vehicles: null })] });
}

const nameOf = ({ name }: { name: string }): number => Number(name.replace("Station ", ""));

test(`no more than ${candidates_max} are looked at; an answer that it may change says so`, async () => {
  const more = candidates_max + 20;
  // The farther, the shorter the way: what was not looked at might come first.
  const { ask } = crowd(more, (n) => ({ meters: 1_480 - 2 * n, step_free: true }));
  const body = await ask({ sort: "walk", limit: 10 });
  assert.deepEqual(
    body.results.stations.map(nameOf),
    Array.from({ length: 10 }, (_, i) => candidates_max - 1 - i),
  );
  assert.equal(body.total, more);
  assert.equal(body.walking!.reached, candidates_max);
  const messages = body.notices!.map(({ message }) => message);
  assert.deepEqual(messages, [
    `Shown are the nearest 10 of ${more} on foot, up to 7 minutes away; offset=10 continues.`,
    `Ways on foot are looked for to the nearest ${candidates_max} alone: beyond 269 metres some may be nearer on foot than what is shown; a smaller radius shows all.`,
  ]);
  // The list ends with what was looked at.
  for (const [offset, shown] of [
    [candidates_max - 5, 5],
    [candidates_max + 5, 0],
  ] as const) {
    const last = await ask({ sort: "walk", limit: 10, offset });
    assert.deepEqual([last.total, last.results.stations.length], [more, shown]);
    assert.match(last.notices!.at(-1)!.message, /beyond 269 metres some may be missing/);
    assert.equal(last.notices!.length, 1);
  }
});

test("where what was not looked at cannot change a page, nothing is said of it", async () => {
  const { ask } = crowd(candidates_max + 20, (n) => ({ meters: 20 + n / 2, step_free: true }));
  const body = await ask({ sort: "walk", limit: 10 });
  assert.deepEqual(body.results.stations.map(nameOf), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal(body.notices!.length, 1);
  assert.match(body.notices![0]!.message, /offset=10 continues/);
  const within = await ask({ within_minutes: 2 });
  assert.equal(within.notices!.length, 1, "160 m are less than the 269 m that were looked at");
});

test("nothing among what was looked at is no nothing", async () => {
  const { ask } = crowd(candidates_max + 20, () => "not_reached");
  const body = await ask({ within_minutes: 30, include: ["stations"] });
  assert.deepEqual([body.status, body.total], ["partial", 0]);
  assert.match(body.message!, /some may be missing/);
  const few = await crowd(20, () => "not_reached").ask({ within_minutes: 30 });
  assert.deepEqual([few.status, few.total], ["empty", 0]);
  assert.match(
    few.message!,
    /Nothing was found within 400 metres that is reached on foot in 30 minutes/,
  );
});

test("the base that answered is named, with the bound and the pace of its ways", async () => {
  const setup = setupOf({ stations: [["s", moved(HERE, 90)]], vehicles: [], places: [] });
  const walks = fakeWalks(() => ({ meters: 120.4, step_free: null }));
  const { ask } = deployOnFoot(walks, setup);
  const body = await ask({ profile: "step_free", speed: 1 });
  assert.deepEqual(body.results.stations[0]!.walk, { meters: 120, seconds: 121, step_free: null });
  assert.deepEqual(body.walking, {
    ...{ profile: "step_free", speed_meters_per_second: 1, within_meters: 1_500 },
    ...{ reached: 1, not_reached: 0, unknown: 0, step_free_unknown: 1, base: FAKE_BASE },
  });
});
