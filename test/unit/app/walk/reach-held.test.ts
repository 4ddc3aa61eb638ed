/** What /v1/reach takes as held: nothing that was not read is 0, and nothing is asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFindHeldType, type HeldDeps } from "#app/places/held.ts";
import { createFindMobility } from "#app/walk/reach-mobility.ts";
import { createFindServices } from "#app/walk/reach-services.ts";
import { createFindTransit } from "#app/walk/reach-transit.ts";
import type { TransitFinder } from "#app/transit/transit-finder.ts";
import { LIMITS } from "#api/limits.ts";
import { REACH_FAMILIES, type ReachFamily } from "#api/reach.ts";
import type { Place } from "#core/places/place.ts";
import { tilesOf } from "#kit/tiles.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import { deploy } from "../../../support/answers.ts";
import { aShard, aStation, aVehicle, HERE, moved, NOW_MS } from "../../../support/domain.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { aPlace, tilesAlone } from "../../../support/places.ts";

const CIRCLE = { ...HERE, radius_m: 800 };
const QUERY = { now_ms: NOW_MS, signal: new AbortController().signal };
const MOBILITY = ["stations", "vehicles"] as const;

async function mobility(
  setup: Parameters<typeof deploy>[0],
  families: readonly ReachFamily[] = MOBILITY,
) {
  const deployment = deploy(setup);
  const stored = await createFindMobility(deployment)(families, CIRCLE, QUERY);
  assert.deepEqual(deployment.feeds.refreshed, [], "a system was asked");
  return { ...stored, woken: deployment.feeds.woken };
}

const SYSTEM = {
  stations: [aStation("a", { ...moved(HERE, 300) }), aStation("b", { ...moved(HERE, 100) })],
  vehicles: [aVehicle("v", { location: moved(HERE, 50), name: "Bike 7" })],
};

test("stations and vehicles are listed by beeline, with the ids and names of /v1/nearby", async () => {
  const { families, gaps, woken } = await mobility({ shards: [aShard(SYSTEM)] });
  const [stations, vehicles] = MOBILITY.map((family) => families.get(family)!);
  assert.deepEqual(
    stations!.items.map(({ distance_meters }) => Math.round(distance_meters)),
    [100, 300],
  );
  assert.equal(stations!.items[0]!.describe().name, "Station b");
  assert.match(stations!.items[0]!.describe().id, /^svc_station_/);
  assert.equal(vehicles!.items.length, 1);
  assert.equal(typeof vehicles!.items[0]!.describe().id, "string");
  assert.deepEqual(vehicles!.items[0]!.location.lat.toFixed(5), moved(HERE, 50).lat.toFixed(5));
  assert.deepEqual(gaps.unread, []);
  assert.deepEqual(woken, ["sys"]);
});

test("a system that was never read leaves its families unknown, and is named", async () => {
  const { families, gaps } = await mobility({ unloaded: ["late"] });
  assert.deepEqual([...families.values()], [null, null]);
  assert.deepEqual(gaps.unread, [{ name: "late", problem: null }]);
});

test("one that was read next to one that was not is counted, and the other is named", async () => {
  const { families, gaps } = await mobility({ shards: [aShard(SYSTEM)], unloaded: ["late"] });
  assert.equal(families.get("stations")!.items.length, 2);
  assert.equal(gaps.unread!.length, 1);
});

test("a system that fails is a failure with its reason", async () => {
  const health = () => ({
    ...({ status: "error", reason: "http_500" } as const),
    ...{ last_success_at_ms: null, last_attempt_at_ms: NOW_MS },
  });
  const { families, gaps } = await mobility({ unloaded: ["broken"], health });
  assert.equal(families.get("stations"), null);
  assert.deepEqual(
    gaps.requested!.map(({ status, reason }) => [status, reason]),
    [["error", "http_500"]],
  );
});

test("vehicles of an hour ago are none that are known; those of some minutes have their age", async () => {
  const gone = await mobility({ shards: [aShard({ ...SYSTEM, doc_age_s: 4_000 })] });
  assert.equal(gone.families.get("vehicles"), null);
  assert.equal(gone.families.get("stations")!.items.length, 2);
  assert.equal(
    gone.gaps.requested!.some(({ status }) => status === "error"),
    true,
  );
  const old = await mobility({ shards: [aShard({ ...SYSTEM, doc_age_s: 700 })] });
  assert.equal(old.families.get("vehicles")!.items.length, 1);
  assert.match(old.gaps.notices![0]!.message, /its data are 11 minutes old/);
});

test("where a system offers no vehicles there are none; without any system nothing is known", async () => {
  const { vehicles: _, ...docked } = SYSTEM;
  const { families } = await mobility({ shards: [aShard(docked)] });
  assert.deepEqual(families.get("vehicles"), { items: [], within_m: null });
  const none = await mobility({});
  assert.deepEqual([...none.families.values()], [null, null]);
  assert.deepEqual(none.gaps.unserved, ["shared mobility"]);
  assert.equal((await mobility({}, ["toilets"])).families.size, 0);
});

test("more than are looked at are cut where the last one is", async () => {
  const most = LIMITS.walk.candidates_max;
  const stations = Array.from({ length: most + 20 }, (_, i) => aStation(`s${i}`, moved(HERE, i)));
  const { families } = await mobility({ shards: [aShard({ ...SYSTEM, stations })] });
  const { items, within_m } = families.get("stations")!;
  assert.equal(items.length, most);
  assert.ok(Math.abs(within_m! - (most - 1)) < 1);
});

function services(places: readonly Place[] | null, change: Partial<HeldDeps> = {}) {
  const tiles = createTiles();
  const kinds = ["toilets", "water", "aed"] as const;
  if (places) tiles.put(kinds, tilesOf(HERE.lat, HERE.lon, 1_000), places, NOW_MS);
  const find = createFindHeldType({
    ...{ registries: [], tiles: tilesAlone(tiles), tileKinds: () => kinds, tile_ms: 1_000 },
    published: (place) => place,
    ...change,
  });
  const families = ["toilets", "drinking_water", "aed", "wifi"] as const;
  return createFindServices(find)(families, CIRCLE, QUERY);
}

test("types that tiles hold are counted, one that they do not hold yet is unknown, one of no source too", async () => {
  const { families, gaps } = await services([aPlace("1"), aPlace("2", moved(HERE, 20))]);
  assert.equal(families.get("toilets")!.items.length, 2);
  assert.deepEqual(families.get("aed")!.items, []);
  assert.equal(families.get("wifi"), null);
  assert.deepEqual([gaps.unstored, gaps.unheld], [["wifi"], []]);
  const unread = await services(null);
  assert.deepEqual([...unread.families.values()], [null, null, null, null]);
  assert.deepEqual(unread.gaps.unheld, ["aed", "toilets", "drinking_water"]);
});

test("drinking water is what is known to be potable", async () => {
  const water = (id: string, drinking_water?: string): Place =>
    aPlace(id, { kind: "water", attributes: drinking_water ? { drinking_water } : {} });
  const { families } = await services([water("1", "yes"), water("2"), water("3", "no")]);
  assert.equal(families.get("drinking_water")!.items.length, 1);
});

test("a base that ends within the circle is said to", async () => {
  const partly = { source_id: "openstreetmap", status: "ok", reason: null, partly: true } as const;
  const { gaps } = await services([], { endingIn: () => [partly] });
  assert.deepEqual(gaps.requested, [partly]);
});

test("timetables that are none, or know nothing here, leave stations unknown", async () => {
  const clock = createManualClock(NOW_MS);
  const ask = (finders: readonly TransitFinder[]) =>
    createFindTransit({ clock, finders })(REACH_FAMILIES, CIRCLE, QUERY);
  const remote: TransitFinder = {
    ...{ provider: "navitia", key: "navitia", covers: () => true },
    find: () => assert.fail("a source was asked"),
  };
  const none = await ask([remote]);
  assert.equal(none.families.get("transit"), null);
  assert.deepEqual(none.gaps, { unstored: ["public transport"] });
  const elsewhere = await ask([
    remote,
    { ...remote, provider: "gtfs", isHeld: true, covers: () => false },
  ]);
  assert.equal(elsewhere.families.get("transit"), null);
  assert.deepEqual(elsewhere.gaps.uncovered, ["the timetable data"]);
});
