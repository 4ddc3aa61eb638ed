/** The world: which systems a circle concerns, what is not known yet, and what a new shard changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Box } from "#kit/geo.ts";
import { boxTouchesCircle, reachOf, wrapLon } from "#kit/geo.ts";
import { createWorld } from "#world/world.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import {
  anAlert,
  anyPoint,
  aShard,
  aStation,
  forAll,
  HERE,
  moved,
  NOW_S,
} from "../../support/domain.ts";

const CIRCLE = { ...HERE, radius_m: 400 };

/** Boxes of every width: towns, countries, nearly the whole globe, across the seam or not. */
const anyBox: fc.Arbitrary<Box> = fc
  .tuple(
    anyPoint,
    fc.double({ min: 0, max: 5, noNaN: true }),
    fc.oneof(
      fc.constantFrom(0, 359.9, 359.98, 360),
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.double({ min: 0, max: 360, noNaN: true }),
    ),
  )
  .map(([{ lat, lon }, height, width]) => {
    const north = Math.min(90, lat + height);
    if (width >= 360) return { south: lat, north, west: -180, east: 180 };
    return { south: lat, north, west: wrapLon(lon), east: wrapLon(wrapLon(lon) + width) };
  });

test("R14: exactly the systems whose box touches the circle, in order of registration", () => {
  const boxes = fc.array(fc.option(anyBox), { maxLength: 12 });
  const radius = fc.double({ min: 1, max: 20_000, noNaN: true });
  forAll(
    fc.property(boxes, anyPoint, radius, fc.nat(), (input, point, radius_m, pick) => {
      const box = input[pick % Math.max(1, input.length)];
      const east = box && box.east < box.west ? box.east + 360 : (box?.east ?? 0);
      const lon = box ? wrapLon(box.west + (east - box.west) * ((pick % 101) / 100)) : 0;
      const near = box ? { lat: box.north, lon } : point;
      const world = createWorld();
      input.forEach((_, i) => world.register({ source_id: `s${i}`, country: null }));
      input.forEach((each, i) => world.setBox(`s${i}`, each));
      for (const centre of [point, near]) {
        const entries: SystemEntry[] = [];
        world.covering({ ...centre, radius_m }, entries);
        const expected = input.flatMap((each, i) =>
          each && boxTouchesCircle(each, centre, reachOf(centre.lat, radius_m)) ? [`s${i}`] : [],
        );
        assert.deepEqual(
          entries.map(({ source_id }) => source_id),
          expected,
        );
      }
    }),
    500,
  );
});

test("a box concerns the systems whose box touches it, as a loop over all of them finds", () => {
  const boxes = fc.array(fc.option(anyBox), { maxLength: 12 });
  let touched = 0;
  forAll(
    fc.property(boxes, anyBox, fc.nat(), (input, drawn, pick) => {
      const world = createWorld();
      input.forEach((_, i) => world.register({ source_id: `s${i}`, country: null }));
      input.forEach((each, i) => world.setBox(`s${i}`, each));
      const picked = input[pick % Math.max(1, input.length)];
      const touching = picked && {
        ...drawn,
        west: picked.east,
        south: picked.south,
        north: picked.south,
      };
      for (const box of touching ? [drawn, { ...touching, east: touching.west }] : [drawn]) {
        const entries: SystemEntry[] = [];
        world.coveringBox(box, entries);
        const expected = input.flatMap((each, i) => (each && doTouch(each, box) ? [`s${i}`] : []));
        const ids = entries.map(({ source_id }) => source_id);
        assert.deepEqual(ids, expected);
        touched += ids.length;
      }
    }),
  );
  assert.ok(touched > 50, `${touched}`);
});

/** With their edges, to a tenth of a millimetre; longitudes 180 and -180 are one. */
function doTouch(a: Box, b: Box): boolean {
  const edge = 1e-9;
  if (a.south > b.north + edge || b.south > a.north + edge) return false;
  const spans = ({ west, east }: Box): [number, number][] =>
    [-360, 0, 360].map((turn) => [west + turn, (east < west ? east + 360 : east) + turn]);
  return spans(a).some(([west, east]) =>
    spans(b).some(([from, to]) => west <= to + edge && from <= east + edge),
  );
}

test("a box that moves is found at its new place, one that vanishes is not found", () => {
  const world = createWorld();
  world.register({ source_id: "a", country: null });
  const covering = () => {
    const entries: SystemEntry[] = [];
    world.covering(CIRCLE, entries);
    return entries.length;
  };
  const around = (lat: number, lon: number) => ({
    south: lat - 0.1,
    north: lat + 0.1,
    west: lon - 0.1,
    east: lon + 0.1,
  });
  assert.equal(covering(), 0);
  world.setBox("a", around(0, 0));
  assert.equal(covering(), 0);
  world.setBox("a", around(HERE.lat, HERE.lon));
  assert.equal(covering(), 1);
  world.setBox("a", null);
  assert.equal(covering(), 0);
});

test("a system is unsurveyed until its box or shard is known; a stated country narrows it", () => {
  const world = createWorld();
  for (const [source_id, country] of [
    ["fr", "FR"],
    ["de", "DE"],
    ["anywhere", null],
  ] as const)
    world.register({ source_id, country });
  const names = (countries: string[]) =>
    world.unsurveyed(countries).map(({ source_id }) => source_id);
  assert.equal(world.isSurveyed(), false);
  assert.deepEqual(names(["FR"]), ["fr", "anywhere"]);
  assert.deepEqual(names([]), ["anywhere"]);
  world.setBox("anywhere", null);
  world.setBox("anywhere", null);
  assert.deepEqual(names(["FR", "DE"]), ["fr", "de"]);
  world.put(aShard({ id: "fr", stations: [aStation("s")] }));
  world.setBox("de", null);
  assert.equal(world.isSurveyed(), true);
});

test("a world of no systems is surveyed, registers each once, and ignores strangers' shards", () => {
  const world = createWorld();
  assert.equal(world.isSurveyed(), true);
  world.register({ source_id: "a", country: "FR" });
  world.register({ source_id: "a", country: "DE" });
  world.put(aShard({ id: "stranger", stations: [aStation("s")] }));
  world.setBox("stranger", null);
  assert.deepEqual(
    world.list().map(({ source_id, country }) => [source_id, country]),
    [["a", "FR"]],
  );
  assert.equal(world.find("stranger"), undefined);
});

test("R7: when the stations change under the same alerts, the closure stays with its station", () => {
  const world = createWorld();
  world.register({ source_id: "sys", country: null });
  const alerts = [anAlert("x", { station_ids: ["closed"] })];
  const closed = () => {
    const { closures, shard } = world.find("sys")!;
    const rows = Array.from({ length: shard!.statics.count }, (_, row) => row);
    return rows.filter((row) => closures!.isStationClosed(row, NOW_S));
  };
  const north = aStation("closed", moved(HERE, 2000));
  world.put(aShard({ stations: [north], alerts }));
  assert.deepEqual(closed(), [0]);
  const south = aStation("new", moved(HERE, -2000));
  world.put(aShard({ stations: [south, north], alerts }));
  assert.deepEqual(closed(), [1]);
});
