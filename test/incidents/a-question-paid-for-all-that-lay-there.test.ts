/**
 * A question cost what lay where it was asked. Around a feed of 100,000 vehicles in one circle a legacy
 * route took 45 ms of the serving thread, since it made an object of each; one station by its id took
 * 90 ms, since the whole circle was listed to find it; 5,000 zones took 46 ms, since the facts of each
 * were parsed to count it. A text was searched in each base in turn with the whole bound of a question.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listZones } from "#app/zone-items.ts";
import { type BaseReply, findByName } from "#app/places/base-geocoding.ts";
import { Budget } from "#kit/budget.ts";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { exceededByPack, modeMask, openZones, packZones } from "#stations/shards.ts";
import { createWorld } from "#world/world.ts";
import { itemId } from "#world/found.ts";
import { oneGeocoder } from "../support/geocoding-bases.ts";
import {
  aShard,
  aStatics,
  aStation,
  aType,
  aVehicle,
  HERE,
  moved,
  NOW_MS,
} from "../support/domain.ts";

const CIRCLE = { ...HERE, radius_m: 400 };

/** As many points `step_m` apart in a square around HERE. */
function lattice<T>(count: number, step_m: number, make: (i: number, at: typeof HERE) => T): T[] {
  const side = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, i) =>
    make(
      i,
      moved(HERE, (Math.floor(i / side) - side / 2) * step_m, ((i % side) - side / 2) * step_m),
    ),
  );
}

test("a feed with more in a square of 500 m than a question can look at is refused", () => {
  const boundOf = (count: number, step_m: number): string | null => {
    const stations = lattice(count, step_m, (i, at) => aStation(`s${i}`, at));
    const statics = aStatics({ stations });
    return exceededByPack(statics.buffer, statics);
  };
  const { dense_rows } = FEED_BOUNDS;
  assert.equal(boundOf(dense_rows, 0.5), null);
  assert.equal(boundOf(3 * dense_rows, 2), "too_dense");
  assert.equal(boundOf(2 * dense_rows, 20), null);
  assert.equal(boundOf(dense_rows + 1, 0), "too_dense");
});

function crowd() {
  const types = [aType("b")];
  const vehicles = lattice(3_000, 5, (i, at) =>
    aVehicle(`v${i}`, { location: at, is_reserved: i % 2 === 0 }),
  );
  const world = createWorld();
  world.register({ source_id: "s", country: null });
  world.put(aShard({ id: "s", types, vehicles }));
  return { world, systems: [world.find("s")!] };
}

const VEHICLES = { stations: false, vehicles: true, modes: modeMask(["bicycle"]), now_ms: NOW_MS };

test("one item is found wherever it ranks, and no other becomes an object", () => {
  const { world, systems } = crowd();
  const all = world.search(systems, { circle: CIRCLE, ...VEHICLES });
  assert.equal(all.items.length, 3_000);
  const page = { from: 0, to: 1 };
  for (const at of [0, 1_500, 2_999]) {
    const wanted = all.items[at]!;
    const query = { circle: CIRCLE, ...VEHICLES, page, only: itemId(wanted) };
    const { items, count } = world.search(systems, query);
    assert.deepEqual([items.map(itemId), count], [[itemId(wanted)], 3_000]);
  }
  const none = world.search(systems, { circle: CIRCLE, ...VEHICLES, page, only: "s:nothing" });
  assert.deepEqual([none.items.length, none.count], [0, 3_000]);
});

test("free vehicles are chosen before the page, so that the page has all of them that are nearest", () => {
  const { world, systems } = crowd();
  const page = { from: 0, to: 100 };
  const query = { circle: CIRCLE, ...VEHICLES, page, free: true };
  const { items, count } = world.search(systems, query);
  assert.deepEqual([items.length, count], [100, 1_500]);
  assert.ok(items.every((item) => Number(itemId(item).replace(/\D/g, "")) % 2 === 1));
});

test("zones are counted without reading the facts of each; those that are shown are the nearest", () => {
  const rules = [{ type_ids: ["b"], ride_start_allowed: false }].map((rule) => ({
    ...{ ride_end_allowed: null, ride_through_allowed: null, maximum_speed_kph: null },
    ...{ station_parking: null, ...rule },
  }));
  const zones = Array.from({ length: 5_000 }, (_, i) => {
    const at = moved(HERE, 10 + (i % 300), 0);
    const corner = (n: number, e: number): number[] => {
      const { lat, lon } = moved(at, n, e);
      return [lon, lat];
    };
    const ring = [corner(0, -1), corner(0, 1), corner(1, 1), corner(0, -1)];
    return { name: `z${i}`, rules: i % 2 === 0 ? rules : [], polygons: [[ring]] };
  });
  const opened = openZones(packZones({ zones, global_rules: [] }));
  let reads = 0;
  const counted = {
    ...opened,
    get facts() {
      reads++;
      return opened.facts;
    },
  };
  const shard = { ...aShard({ id: "s", types: [aType("b")] }), zones: counted };
  const [match] = listZones([{ shard } as never], CIRCLE, ["bicycle"]);
  assert.deepEqual([match?.total, match?.zones.length], [2_500, 50]);
  assert.ok(reads <= 50, `${reads} facts were read`);
  const distances = match!.zones.map(
    (zone) => (zone as { distance_meters: number }).distance_meters,
  );
  assert.ok(Math.max(...distances) < 20, `${Math.max(...distances)} m`);
});

test("many bases together look at no more than one, and each gets its share", async () => {
  const bounds = { looks: 1_000, keeps: 100 };
  for (const count of [1, 3, 10]) {
    const shares: number[] = [];
    const question = {
      bestMeanings: () => [null],
      retrieve(_: unknown, own_budget: Budget) {
        shares.push(own_budget.take(10_000));
        return [];
      },
      readPlaces: () => () => [],
      rank: () => [],
    };
    const statistics = { documents: 1, frequencyOf: () => 0 };
    const page = { begin: () => question, statistics, weightsBy: () => () => 0 };
    const geocoder = { page };
    const bases = Array.from({ length: count }, (_, i) => ({
      ...{ statement: { id: `b${i}` } as never, covers: () => true },
      ...oneGeocoder(geocoder as never),
    }));
    const input = { list: () => bases, gazetteer: () => null, isPending: () => false };
    const budget = new Budget(bounds);
    const query = { q: "Weg", language: null, country: null, near: null };
    const reply: BaseReply = await findByName(input, query, { operation: "geocode", budget });
    assert.equal(reply.status, "ok");
    assert.equal(shares.length, count);
    assert.ok(shares.reduce((sum, share) => sum + share, 0) <= bounds.looks, shares.join());
    assert.ok(Math.min(...shares) >= Math.floor(bounds.looks / count), shares.join());
    assert.equal(budget.isSpent, true);
  }
});

test("what a base does not take is left to those after it", () => {
  const budget = new Budget({ looks: 100, keeps: 0 });
  budget.share(2, (own) => own.take(10));
  assert.equal(
    budget.share(1, (own) => own.take(1_000)),
    90,
  );
  assert.equal(budget.isSpent, true);
});
