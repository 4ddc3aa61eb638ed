/** include=places: what is held, in one list with stations and vehicles (decisions, Global nearby). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createFindRetained, type FindRetained, type HeldDeps } from "#app/places/held.ts";
import { createFindPlaceById } from "#app/nearby-one.ts";
import { createNearby } from "#app/nearby.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import type { Nearby } from "#app/answer-types.ts";
import { LIMITS } from "#api/limits.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { placeId } from "#core/places/place-results.ts";
import type { Location } from "#kit/geo.ts";
import { tileAt, tilesOf } from "#kit/tiles.ts";
import { PlaceSetBuilder, type PlaceSet } from "#world/places/place-set.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import { deploy, PLAN, rankOf, readBody, toInput, type Wish } from "../../support/answers.ts";
import {
  anyId,
  aShard,
  aStation,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  NOW_MS,
  pointWithin,
} from "../../support/domain.ts";
import { aPlace, anyKind, tilesAlone } from "../../support/places.ts";

const DAY_MS = 86_400_000;
const UNLIMITED = { ...PLAN, nearby_limit_max: 1000, nearby_offset_max: null };
const CIRCLE = { ...HERE, radius_m: 400 };
const NOTHING = { items: [], total: 0, counted_m: null, unheld: [], partly: [] };
const TILES: PlaceKind[] = ["aed", "toilets", "water", "wifi"];

function setOf(places: readonly Place[], fetched_at_ms = NOW_MS): PlaceSet {
  const builder = new PlaceSetBuilder();
  for (const place of places) builder.add(place);
  return builder.finish(fetched_at_ms);
}

/** Parking and charging carry the name of the maps provider (§4.7). */
const published = (place: Place): Place => ({
  ...place,
  source_id: "maps",
  source_type: "partner_api",
});

type Town = {
  /** Of the open map; absent: its tiles were never asked for. */
  tiles?: readonly Place[];
  tileKinds?: PlaceKind[];
  tiles_at_ms?: number;
  /** Of a register of defibrillators; null: not loaded yet; absent: there is none. */
  aeds?: PlaceSet | null;
};

function storedOf(town: Town, more: Partial<HeldDeps> = {}): FindRetained {
  const { tiles: places, tileKinds = TILES, tiles_at_ms = NOW_MS, aeds } = town;
  const tiles = createTiles();
  const around = tilesOf(HERE.lat, HERE.lon, 1000);
  if (places) tiles.put(tileKinds, around, places, tiles_at_ms);
  const registries: HeldDeps["registries"] =
    aeds === undefined ? [] : [{ kind: "aed", set: () => aeds, fresh_ms: 2 * DAY_MS }];
  return createFindRetained({
    registries,
    tiles: tilesAlone(tiles),
    tileKinds: () => tileKinds,
    tile_ms: 2 * DAY_MS,
    published,
    ...more,
  });
}

type Deployment = ReturnType<typeof deploy>;

function nearbyOf(deployment: Deployment, findHeld: FindRetained | null): Nearby {
  const countries = (): Promise<() => string[]> => Promise.resolve(() => ["FR"]);
  return createNearby({ ...deployment, countries, findRetained: findHeld, findLines: () => null });
}

function deployHeld(findHeld: FindRetained | null, shards: Parameters<typeof deploy>[0] = {}) {
  const deployment = deploy(shards);
  const nearby = nearbyOf(deployment, findHeld);
  return async (wish: Wish = {}): Promise<NearbyBodyValue> =>
    readBody(
      await nearby(
        toInput(deployment, {
          plan: UNLIMITED,
          include: ["stations", "vehicles", "places"],
          ...wish,
        }),
      ),
    );
}

test("a deployment that knows no place without asking has none to find", async () => {
  assert.equal(await storedOf({ tileKinds: [] })(CIRCLE, { now_ms: NOW_MS }), null);
  const body = await deployHeld(null)();
  assert.deepEqual([body.status, body.results.places], ["partial", []]);
});

test("a type that is not held here is named, and makes the answer partial; no source is asked", async () => {
  const find = storedOf({ aeds: null });
  const types = ["aed", "toilets", "drinking_water", "fountain", "wifi"];
  assert.deepEqual(await find(CIRCLE, { now_ms: NOW_MS }), { ...NOTHING, unheld: types });
  const body = await deployHeld(find)();
  assert.deepEqual([body.status, body.total], ["partial", 0]);
  assert.match(body.message!, /aed, toilets, drinking_water, fountain, wifi/);
});

test("what bases have is waited for as long as the question has time", async () => {
  const signals: AbortSignal[] = [];
  const deployment = deploy({});
  const late = Promise.withResolvers<null>();
  const nearby = nearbyOf(deployment, (_, { signal }) => {
    signals.push(signal!);
    signal!.addEventListener("abort", () => late.resolve(null));
    return late.promise;
  });
  const pending = nearby(toInput(deployment, { include: ["places"] }));
  await deployment.clock.advance(1_949);
  assert.equal(signals[0]!.aborted, false);
  await deployment.clock.advance(1);
  assert.equal(signals[0]!.aborted, true);
  assert.equal(readBody(await pending).status, "partial");
});

test("held and empty is empty: tiles that were read have what they have", async () => {
  const find = storedOf({ tiles: [], aeds: setOf([]) });
  assert.deepEqual(await find(CIRCLE, { now_ms: NOW_MS }), NOTHING);
  assert.equal((await deployHeld(find)()).status, "empty");
});

test("a map whose data end within the circle is named, and makes the answer partial", async () => {
  const tiles = createTiles();
  tiles.put(["wifi"], tilesOf(HERE.lat, HERE.lon, 1000), [], NOW_MS);
  const kinds = { tileKinds: () => ["wifi" as const], tile_ms: DAY_MS };
  const map = {
    ...{ source_id: "openstreetmap", name: "OpenStreetMap", reason: null, partly: true },
    status: "ok" as const,
  };
  const requests: number[] = [];
  const endingIn = ({ radius_m }: { radius_m: number }) => (requests.push(radius_m), [map]);
  const find = createFindRetained({
    registries: [],
    tiles: tilesAlone(tiles),
    ...kinds,
    published,
    endingIn,
  });
  const body = await deployHeld(find)();
  assert.equal(body.status, "partial");
  assert.match(body.message!, /OpenStreetMap covers a part of the circle only/);
  assert.equal(requests.length, 1);
  const whole = createFindRetained({
    registries: [],
    tiles: tilesAlone(tiles),
    ...kinds,
    published,
    endingIn: () => [],
  });
  assert.equal((await deployHeld(whole)()).status, "empty");
});

test("a tile of the circle that is missing, or too old, makes its kinds unheld", async () => {
  const tiles = createTiles();
  const kinds = { tileKinds: () => ["wifi" as const], tile_ms: DAY_MS };
  const find = createFindRetained({
    registries: [],
    tiles: tilesAlone(tiles),
    ...kinds,
    published,
  });
  // Where four tiles meet there are more under the circle than the one the point lies in.
  const corner = { lat: 48.85, lon: HERE.lon, radius_m: 400 };
  const under = tilesOf(corner.lat, corner.lon, corner.radius_m);
  assert.ok(under.length > 1);
  const place = aPlace("1", { kind: "wifi", ...moved(corner, 10) });
  tiles.put(["wifi"], [tileAt(place.lat, place.lon)], [place], NOW_MS);
  assert.deepEqual(await find(corner, { now_ms: NOW_MS }), { ...NOTHING, unheld: ["wifi"] });
  tiles.put(["wifi"], under, [place], NOW_MS);
  assert.equal((await find(corner, { now_ms: NOW_MS + DAY_MS }))!.items.length, 1);
  assert.deepEqual(await find(corner, { now_ms: NOW_MS + DAY_MS + 1 }), {
    ...NOTHING,
    unheld: ["wifi"],
  });
});

test("a register leads over the open map; too old it still shows, but what it lacks is not known", async () => {
  const one = aPlace("r", { kind: "aed", source_id: "openaedmap" });
  const other = aPlace("node/1", { kind: "aed" });
  const find = storedOf({ tiles: [other], tileKinds: ["toilets", "aed"], aeds: setOf([one]) });
  const [item, ...rest] = (await find(CIRCLE, { now_ms: NOW_MS }))!.items;
  assert.deepEqual([item!.id, rest.length], [placeId(one), 0]);
  const alone = storedOf({ aeds: setOf([one]), tileKinds: [] });
  assert.deepEqual((await alone(CIRCLE, { now_ms: NOW_MS + 2 * DAY_MS }))!.unheld, []);
  const old = (await alone(CIRCLE, { now_ms: NOW_MS + 2 * DAY_MS + 1 }))!;
  assert.deepEqual([old.items.length, old.unheld], [1, ["aed"]]);
});

test("without include=places there are none, and they are not counted", async () => {
  const ask = deployHeld(storedOf({ tiles: [aPlace("1")], aeds: setOf([]) }));
  const body = await ask({ include: ["stations"] });
  assert.deepEqual([body.status, body.total, body.results.places], ["empty", 0, []]);
  const alone = await ask({ include: ["places"] });
  assert.deepEqual([alone.status, alone.total], ["success", 1]);
});

test("a place is the service result of §2.3, water by its potability", async () => {
  const waters = [
    aPlace("1", { kind: "water", attributes: { drinking_water: "yes" } }),
    aPlace("2", { kind: "water", attributes: { drinking_water: "no" }, ...moved(HERE, 50) }),
  ];
  const { results } = await deployHeld(storedOf({ tiles: waters, aeds: setOf([]) }))();
  const places = results.places as { type: string; service_type: string; id: string }[];
  assert.deepEqual(
    places.map(({ type, service_type, id }) => [type, service_type, id]),
    [
      ["service", "drinking_water", placeId(waters[0]!)],
      ["service", "fountain", placeId(waters[1]!)],
    ],
  );
});

test("a place says whether it is open and until when; the answer is cacheable until then", async () => {
  // It is a Monday, 15:46:40 in Paris.
  const tiles = [
    aPlace("1", { kind: "wifi", opening: { text: "Mo-Fr 08:00-15:47" } }),
    aPlace("2", { kind: "toilets", ...moved(HERE, 50) }),
    aPlace("3", {
      ...{ kind: "aed", ...moved(HERE, 60) },
      opening: { weekly: [{ day: 1, from_min: 480, to_min: 720 }] },
    }),
  ];
  const tileKinds: PlaceKind[] = ["wifi", "toilets", "aed"];
  const deployment = deploy({});
  const nearby = nearbyOf(deployment, storedOf({ tiles, tileKinds }));
  const ask = async (wish: Wish) => {
    const reply = await nearby(toInput(deployment, { plan: UNLIMITED, ...wish }));
    assert.ok(reply.kind === "ok");
    return { places: readBody(reply).results.places as Visible[], max_age_s: reply.max_age_s };
  };
  const all = await ask({ include: ["places"] });
  assert.deepEqual(
    all.places.map(({ attributes: { usable } }) => [usable.state, usable.until]),
    [
      ["open", "2026-09-21T15:47:00+02:00"],
      ["unknown", null],
      ["closed", "2026-09-22T08:00:00+02:00"],
    ],
  );
  assert.ok(all.places.every((place) => !("opening" in place)));
  assert.equal(all.max_age_s, 20);
  const later = await ask({ include: ["places"], offset: 1 });
  assert.equal(later.places.length, 2);
  assert.equal(later.max_age_s, LIMITS.cache_max_age_s, "of those that are shown");
});

type Visible = {
  attributes: { usable: { state: string; until: string | null } } & Record<string, unknown>;
};

test("hours cost nothing where no place is asked for: the answer is there at once", () => {
  const deployment = deploy({ shards: [aShard({ stations: [aStation("s")] })] });
  const openStates = () => assert.fail("hours were asked for");
  const findHeld = storedOf({ tiles: [aPlace("1")], aeds: setOf([]) });
  const nearby = nearbyOf({ ...deployment, openStates }, findHeld);
  const reply = nearby(toInput(deployment, { include: ["stations"] }));
  assert.ok(!(reply instanceof Promise) && reply.kind === "ok");
});

test("parking and charging are published as the maps provider's, other kinds as their source's", async () => {
  const tileKinds: PlaceKind[] = ["toilets", "parking", "charging"];
  const tiles = tileKinds.map((kind, i) => aPlace(kind, { kind, ...moved(HERE, i * 50) }));
  const { items } = (await storedOf({ tiles, tileKinds })(CIRCLE, { now_ms: NOW_MS }))!;
  assert.deepEqual(
    items.map(({ service_type, source_id }) => [service_type, source_id]),
    [
      ["toilets", "openstreetmap"],
      ["parking", "maps"],
      ["charging", "maps"],
    ],
  );
});

test("a place is found by its id in any crowd; what may have it is named where it is not", async () => {
  const crowd = Array.from({ length: 3_000 }, (_, i) =>
    aPlace(`${i}`, { kind: "wifi", ...moved(HERE, 1 + i / 75) }),
  );
  const [near, far] = [crowd[2_000]!, crowd[2_999]!];
  const find = storedOf({ tiles: crowd, tileKinds: ["wifi"] });
  const findOne = (at: Location, only: string) =>
    find({ ...at, radius_m: 50 }, { now_ms: NOW_MS, only });
  for (const place of [near, far]) {
    const { items, ...rest } = (await findOne(place, placeId(place)))!;
    assert.deepEqual(
      items.map(({ id, distance_meters }) => [id, distance_meters]),
      [[placeId(place), 0]],
    );
    assert.deepEqual(rest, { total: 1, counted_m: null, unheld: [], partly: [] });
  }
  assert.equal((await findOne(moved(near, 3), placeId(near)))!.items[0]!.distance_meters, 3);
  // It cannot be said that it is not there: not all were looked through.
  const beyond = (await findOne(HERE, placeId(far)))!;
  assert.deepEqual([beyond.items, beyond.total, beyond.counted_m], [[], 0, 8]);
  const none = await storedOf({ tiles: crowd.slice(0, 9), tileKinds: ["wifi"] })(CIRCLE, {
    ...{ now_ms: NOW_MS, only: placeId(far) },
  });
  assert.deepEqual(none, NOTHING);
});

test("a place by its id has what others know of it, and is there though another leads it", async () => {
  const [own, other] = [
    aPlace("r", { kind: "aed" }),
    aPlace("m", { kind: "aed", ...moved(HERE, 5) }),
  ];
  const find = storedOf({ tiles: [other], tileKinds: ["aed"], aeds: setOf([own]) });
  const idsOf = async (place: Place): Promise<string[]> => {
    const found = await find({ ...HERE, radius_m: 50 }, { now_ms: NOW_MS, only: placeId(place) });
    return found!.items.map(({ id }) => id);
  };
  assert.deepEqual(await idsOf(own), [placeId(own)]);
  assert.deepEqual(await idsOf(other), [placeId(other)]);
  const { items } = (await find(CIRCLE, { now_ms: NOW_MS }))!;
  assert.deepEqual(
    items.map(({ id }) => id),
    [placeId(own)],
    "they are one",
  );
});

test("GET /v1/places/{id}: not there is null only where all that may have it was looked through", async () => {
  const deployment = deploy({});
  const here = aPlace("1", { kind: "wifi" });
  const open = (more: Partial<HeldDeps> = {}) => {
    const findRetained = storedOf({ tiles: [here], tileKinds: ["wifi"] }, more);
    const find = createFindPlaceById({
      ...{ world: deployment.world, nearby: nearbyOf(deployment, findRetained) },
      renderNearby: createRenderNearby(),
    });
    const { remaining_units, deadline_ms, now_ms } = toInput(deployment, {});
    const address = { narrow: "198.51.100.1", wide: "198.51.100.0" };
    const caller = { kind: "anonymous", plan: UNLIMITED, address } as const;
    return (id: string) => find({ id, at: HERE }, { caller, remaining_units, deadline_ms, now_ms });
  };
  const one = await open()(placeId(here));
  assert.ok(one !== null && one !== "point" && one.found);
  const gone = placeId(aPlace("gone"));
  assert.equal(await open()(gone), null);
  const unsure = await open({ askedAround: () => ["parking"] })(gone);
  assert.ok(unsure !== null && unsure !== "point" && !unsure.found);
  assert.equal(unsure.body.status, "partial");
  assert.match(unsure.body.message!, /services not yet known here: parking/);
});

test("car parks and charging stations are not cut at 20: pages list all that is counted", async () => {
  const tileKinds: PlaceKind[] = ["parking", "charging"];
  const tiles = tileKinds.flatMap((kind) =>
    Array.from({ length: 30 }, (_, i) =>
      aPlace(`${kind} ${i}`, { kind, ...moved(HERE, kind === "parking" ? 0 : 200, i * 10) }),
    ),
  );
  const ask = deployHeld(storedOf({ tiles, tileKinds }, { published: (place) => place }));
  const listed = new Set<string>();
  for (const offset of [0, 50]) {
    const { total, results } = await ask({ include: ["places"], limit: 50, offset });
    assert.equal(total, 60);
    for (const { id } of results.places) listed.add(id);
  }
  assert.equal(listed.size, 60);
});

/** Positions that repeat, so that stated distances are often equal across the families. */
const spot = fc.oneof(
  fc.constantFrom(HERE, moved(HERE, 100), moved(HERE, -100), moved(HERE, 399.9)),
  pointWithin(HERE, 500),
);
const scene = fc.record({
  stations: fc.uniqueArray(fc.tuple(anyId, spot), { maxLength: 10, selector: ([id]) => id }),
  vehicles: fc.uniqueArray(fc.tuple(anyId, spot), { maxLength: 10, selector: ([id]) => id }),
  places: fc.array(fc.tuple(anyKind, spot), { maxLength: 20 }),
});

/** The list of §4.9 restored, places included. */
function listOf(body: NearbyBodyValue): string[] {
  const places = (body.results.places as { distance_meters: number; id: string }[]).map(
    ({ distance_meters, id }) => ({ distance: distance_meters, id }),
  );
  return [...rankOf(body), ...places]
    .sort((a, b) => a.distance - b.distance || Buffer.from(a.id).compare(Buffer.from(b.id)))
    .map(({ id }) => id);
}

test("§4.9: pages partition one list of stations, vehicles and places; each states the same total", async () => {
  let mixed = 0;
  await forAllAsync(
    fc.asyncProperty(scene, fc.integer({ min: 1, max: 9 }), async (sketch, limit) => {
      // Ids of its vehicles come before those of places, others after.
      const shard = aShard({
        id: limit % 2 ? "a" : "sys",
        stations: sketch.stations.map(([id, at]) => aStation(id, at)),
        vehicles: sketch.vehicles.map(([id, location]) => aVehicle(id, { location })),
      });
      const places = sketch.places.map(([kind, at], i) => aPlace(`${i}`, { kind, ...at }));
      const ask = deployHeld(storedOf({ tiles: places, aeds: setOf([]) }), { shards: [shard] });
      const all = await ask({ limit: 1000 });
      const list = listOf(all);
      assert.equal(all.total, list.length);
      assert.equal(new Set(list).size, list.length);
      if (all.results.places.length && all.results.stations.length) mixed++;
      const pages: string[] = [];
      for (let offset = 0; offset < list.length + limit; offset += limit) {
        const body = await ask({ limit, offset });
        assert.equal(body.total, list.length);
        const page = listOf(body);
        assert.equal(page.length, Math.min(limit, Math.max(0, list.length - offset)));
        pages.push(...page);
      }
      assert.deepEqual(pages, list);
      // The places of each page keep their own order.
      const { places: listed_places } = all.results as { places: { id: string }[] };
      const ids = new Set(listed_places.map(({ id }) => id));
      assert.deepEqual(
        listed_places.map(({ id }) => id),
        list.filter((id) => ids.has(id)),
      );
    }),
    100,
  );
  assert.ok(mixed > 30, `only ${mixed} mixed scenes`);
});

test("equal stated distances: a place at 100 m comes before what is at 100.1 m, after 99.9 m", async () => {
  const metres = [99.9, 100, 100.1];
  const shard = aShard({
    stations: metres.map((each) => aStation(`${each}`, moved(HERE, each))),
    vehicles: null,
  });
  const tiles = [aPlace("p", moved(HERE, 100))];
  const ask = deployHeld(storedOf({ tiles, aeds: setOf([]) }), { shards: [shard] });
  const counts: number[][] = [];
  for (const limit of [1, 2, 3, 4]) {
    const { stations, places } = (await ask({ limit })).results;
    counts.push([stations.length, places.length]);
  }
  // At 100 m exactly the ids decide: both begin with svc_, and "place" comes before "station".
  assert.deepEqual(counts, [
    [1, 0],
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
});
