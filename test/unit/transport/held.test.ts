/** Rental stations as transport stations, and the lines of /v1/nearby: both from what is held. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gbfsFinder } from "#app/transit/gbfs.ts";
import { createFindLines } from "#app/transit/line-items.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import { deploy, type Setup } from "../../support/answers.ts";
import {
  anAlert,
  aShard,
  aStation,
  aType,
  aVehicle,
  HERE,
  moved,
  NOW_MS,
} from "../../support/domain.ts";
import { CENTRE, heldOf, packOf, questionOf, routeOf } from "../../support/transit.ts";

async function find(setup: Setup, radius_m = 1000) {
  const deployment = deploy(setup);
  const finder = gbfsFinder(deployment);
  const found = await finder.find(questionOf(deployment.clock, radius_m));
  return { deployment, found, stations: found.groups.flat() };
}

describe("gbfs", () => {
  for (const [mode, expected] of [
    ["bicycle", "bicycle"],
    ["scooter", "scooter"],
    ["moped", "shared_mobility"],
    ["car", "car_share"],
  ] as const)
    test(`${mode} is ${expected}`, async () => {
      const shard = aShard({ stations: [aStation("s")], types: [aType("t", { mode })] });
      const { stations } = await find({ shards: [shard] });
      assert.deepEqual(
        stations.map(({ modes }) => modes),
        [[expected]],
      );
    });

  test("rental stations have no routes, no counts, live data where there are any", async () => {
    const { stations, found, deployment } = await find({
      shards: [aShard({ id: "velib", name: "Vélib", stations: [aStation("s", { name: "Here" })] })],
    });
    assert.equal(stations.length, 1);
    const { lat, lon, name, ...rest } = stations[0]!;
    assert.deepEqual([name, lat, lon], ["Here", HERE.lat, HERE.lon]);
    assert.deepEqual(rest, {
      modes: ["bicycle"],
      operators: [{ id: "velib", name: "Vélib" }],
      routes: [],
      realtime: true,
      alerts: false,
      wheelchair: "unknown",
      fetched_at_ms: NOW_MS - 5000,
      source: {
        provider: "gbfs",
        region: null,
        source_id: "s",
        operator_id: "velib",
        feed_id: "velib",
      },
    });
    const { status, calls, cache, raw } = found;
    assert.deepEqual(
      { status, calls, cache, raw },
      { status: "ok", calls: 0, cache: "hit", raw: 1 },
    );
    assert.deepEqual(deployment.feeds.woken, ["velib"]);
  });

  test("a file that a publisher does not offer is no live data", async () => {
    const silent = aShard({ stations: [aStation("s")], statuses: null });
    assert.equal((await find({ shards: [silent] })).stations[0]!.realtime, false);
    const warns = aShard({ stations: [aStation("s")], alerts: [anAlert("a")] });
    assert.equal((await find({ shards: [warns] })).stations[0]!.alerts, true);
  });

  test("vehicles are none, and neither is what lies outside", async () => {
    const stations = [aStation("in"), aStation("out", moved(HERE, 1010))];
    const shard = aShard({ stations, vehicles: [aVehicle("v")] });
    const { stations: matching_stations } = await find({ shards: [shard] });
    assert.deepEqual(
      matching_stations.map(({ source }) => source.source_id),
      ["in"],
    );
  });

  test("a system that may be here and was not surveyed yet is no empty answer", async () => {
    const { found } = await find({ unsurveyed: [{ source_id: "new", country: "FR" }] });
    const { status, reason, good_until_ms } = found;
    assert.deepEqual([status, reason, good_until_ms], ["unavailable", "not_surveyed", null]);
    const elsewhere = await find({ unsurveyed: [{ source_id: "new", country: "PT" }] });
    assert.equal(elsewhere.found.status, "ok");
  });

  test("an old count does not matter here", async () => {
    const { found, deployment } = await find({
      shards: [aShard({ stations: [aStation("s")], fetched_age_s: 9_999 })],
    });
    assert.deepEqual([found.status, found.raw], ["ok", 1]);
    assert.deepEqual(deployment.feeds.refreshed, []);
  });
});

describe("lines", () => {
  const findAt = (radius_m: number, ...packs: [string, Uint8Array | null][]) =>
    searchAt(radius_m, ...packs).items;
  const searchAt = (radius_m: number, ...packs: [string, Uint8Array | null][]) =>
    createFindLines(() => packs.map(([id, pack]) => heldOf(id, pack)))(
      { ...CENTRE, radius_m },
      NOW_MS,
    );
  const idAt = (feed_id: string, source_id: string): string =>
    transitId({ provider: "gtfs", region: null, source_id, operator_id: null, feed_id });

  test("each route once, with its stations in range, sorted, and who runs it", () => {
    const pack = packOf("a", [
      { id: "1", metres: 0, routes: [0, 1] },
      { id: "2", metres: 100 },
      { id: "3", metres: 500 },
    ]);
    assert.deepEqual(findAt(200, ["a", pack], ["lost", null]), [
      {
        id: "a:r0",
        short_name: "r0",
        long_name: null,
        mode: "bus",
        operators: [{ id: "o", name: "Operator" }],
        station_ids: [idAt("a", "1"), idAt("a", "2")].toSorted(),
      },
      {
        id: "a:r1",
        short_name: "r1",
        long_name: null,
        mode: "metro",
        color: "FF0000",
        text_color: "FFFFFF",
        operators: [],
        station_ids: [idAt("a", "1")],
      },
    ]);
    assert.deepEqual(findAt(0.5, ["a", packOf("a", [{ id: "1", metres: 9 }])]), []);
  });

  test("a stop that two feeds know has the id that transport shows it under", () => {
    const packs = ["b", "a"].map((id): [string, Uint8Array] => [
      id,
      packOf(id, [{ id: "1", metres: 0 }]),
    ]);
    assert.deepEqual(
      findAt(100, ...packs).map(({ station_ids }) => station_ids),
      [[idAt("a", "1")], [idAt("a", "1")]],
    );
  });

  test("the same route id in two feeds is two lines, in one order", () => {
    const packs = ["b", "a"].map((id): [string, Uint8Array] => [
      id,
      packOf(id, [{ id: "1", metres: 0 }]),
    ]);
    const ids = findAt(100, ...packs).map(({ id }) => id);
    assert.deepEqual(ids, ["a:r0", "b:r0"]);
    assert.deepEqual(
      findAt(100, ...packs.toReversed()).map(({ id }) => id),
      ids,
    );
  });

  test("of more stations than are looked at, the nearest, and up to where these are all", () => {
    const stations = Array.from({ length: 1_001 }, (_, i) => ({ id: `${i}`, metres: i / 10 }));
    const packs: [string, Uint8Array] = ["a", packOf("a", stations)];
    const { within_m } = searchAt(200, packs);
    assert.ok(within_m !== null && Math.abs(within_m - 99.9) < 0.2, `${within_m}`);
    assert.equal(searchAt(200, ["a", packOf("a", stations.slice(1))]).within_m, null);
  });

  test("at most two hundred, by id", () => {
    const routes = Array.from({ length: 300 }, (_, i) => routeOf(`${1000 + i}`));
    const all = routes.map((_, i) => i).toReversed();
    const pack = packOf("a", [{ id: "1", metres: 0, routes: all.toReversed() }], { routes });
    const { items, total } = searchAt(100, ["a", pack]);
    const ids = items.map(({ id }) => id);
    assert.deepEqual([ids.length, total], [200, 300]);
    assert.deepEqual([ids[0], ids.at(-1)], ["a:1000", "a:1199"]);
  });
});
