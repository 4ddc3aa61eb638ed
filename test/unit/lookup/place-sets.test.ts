/** Places that are held: registers packed as sets, and tiles of open data. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import { hitsAmong } from "#core/places/place-hits.ts";
import type { Place } from "#core/places/place.ts";
import { createPlaceBudget } from "#core/places/select.ts";
import { tileAt, tilesOf } from "#kit/tiles.ts";
import { PlaceSetBuilder } from "#world/places/place-set.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import type { Circle } from "#world/system-entry.ts";
import { anyId, forAll, HERE, moved } from "../../support/domain.ts";
import {
  anyCircle,
  anyKind,
  aPlace,
  circleWithNeighbours,
  idsOf,
  options,
} from "../../support/places.ts";
import { tries } from "../../support/size.ts";

function bruteForce(places: readonly Place[], { lat, lon, radius_m }: Circle): Place[] {
  return places.filter((place) => distance_m(lat, lon, place.lat, place.lon) <= radius_m);
}

test("a set finds what brute force finds, at the same distance, as it was given", () => {
  let match = 0;
  forAll(
    fc.property(circleWithNeighbours, fc.array(anyId), ([circle, points], names) => {
      const builder = new PlaceSetBuilder();
      const places = points.map((point, i) =>
        aPlace(`${i}`, { ...point, name: names[i] ?? "", attributes: { i, deep: { names } } }),
      );
      for (const place of places) builder.add(place);
      const set = builder.finish(7);
      assert.deepEqual([set.count, set.fetched_at_ms], [places.length, 7]);
      const result = set.search(circle, options());
      const expected = bruteForce(places, circle);
      match += expected.length;
      assert.deepEqual(idsOf(result), idsOf(expected.map((place) => ({ place }))));
      for (const { place, distance_m: metres } of result) {
        assert.deepEqual(place, places[Number(place.external_id)]);
        assert.equal(metres, distance_m(circle.lat, circle.lon, place.lat, place.lon));
      }
    }),
    1000,
  );
  assert.ok(match > tries(1_000), `only ${match} were there to be found`);
});

test("a set of thousands, larger than its first columns and bytes, is whole", () => {
  const builder = new PlaceSetBuilder();
  const places = Array.from({ length: 5000 }, (_, i) =>
    aPlace(`é${i}`, { ...moved(HERE, (i % 100) * 50, i * 2), name: "é".repeat(i % 90) }),
  );
  for (const place of places) builder.add(place);
  const huge = aPlace("huge", { name: "x".repeat(3_000_000) });
  builder.add(huge);
  const set = builder.finish(0);
  assert.equal(set.count, 5001);
  const all = set.search({ ...HERE, radius_m: 30_000 }, options());
  assert.equal(all.length, 5001);
  assert.deepEqual(
    [...all].find(({ place }) => place.external_id === "huge")?.place.name?.length,
    3_000_000,
  );
  const circle = { ...HERE, radius_m: 1000 };
  assert.deepEqual(
    idsOf(set.search(circle, options())),
    idsOf(bruteForce([...places, huge], circle).map((place) => ({ place }))),
  );
});

test("an empty set finds nothing", () => {
  const set = new PlaceSetBuilder().finish(1);
  const match = set.search({ ...HERE, radius_m: 10_000 }, options());
  assert.deepEqual([set.count, match.length], [0, 0]);
});

test("tiles find what brute force finds among what was put, kind by kind", () => {
  forAll(
    fc.property(
      circleWithNeighbours,
      fc.array(anyKind, { minLength: 1 }),
      ([circle, points], kinds) => {
        const tiles = createTiles();
        const places = points.map((point, i) =>
          aPlace(`${i}`, { ...point, kind: kinds[i % kinds.length]! }),
        );
        const under = tilesOf(circle.lat, circle.lon, circle.radius_m);
        for (const tile of under) tiles.put(["aed", "toilets", "water", "wifi"], [tile], places, 5);
        for (const kind of new Set(kinds)) {
          const expected = bruteForce(places, circle).filter((place) => place.kind === kind);
          assert.deepEqual(
            idsOf(tiles.search([kind], circle, options())),
            idsOf(expected.map((place) => ({ place }))),
          );
          assert.equal(tiles.oldest(kind, circle), 5);
        }
      },
    ),
    400,
  );
});

test("places outside the tiles that were read, or of other kinds, are kept nowhere", () => {
  const tiles = createTiles();
  const here = tileAt(HERE.lat, HERE.lon);
  const far = moved(HERE, 20_000);
  const places = [aPlace("here"), aPlace("far", far), aPlace("other", { kind: "aed" })];
  tiles.put(["toilets"], [here], places, 1);
  assert.equal(tiles.count(), 1);
  assert.deepEqual(
    tiles.get("toilets", here)?.places.map(({ external_id }) => external_id),
    ["here"],
  );
  assert.equal(tiles.get("toilets", tileAt(far.lat, far.lon)), null);
  assert.equal(tiles.get("aed", here), null);
});

test("a tile without a place is known to have none; one that was not read is not known", () => {
  const tiles = createTiles();
  const here = tileAt(HERE.lat, HERE.lon);
  tiles.put(["toilets"], [here], [], 1);
  const known_tile = tiles.get("toilets", here)!;
  assert.deepEqual([known_tile.places, known_tile.fetched_at_ms], [[], 1]);
  assert.equal(tiles.get("wifi", here), null);
  const wide = { ...HERE, radius_m: 10_000 };
  assert.equal(tiles.oldest("toilets", wide), null);
  tiles.put(["toilets"], tilesOf(wide.lat, wide.lon, wide.radius_m), [], 9);
  tiles.put(["toilets"], [here], [], 3);
  assert.equal(tiles.oldest("toilets", wide), 3);
});

test("a newer reading replaces the older one whole; the store is bounded", () => {
  const tiles = createTiles(50);
  const here = tileAt(HERE.lat, HERE.lon);
  tiles.put(["toilets"], [here], [aPlace("gone"), aPlace("stays")], 1);
  tiles.put(["toilets"], [here], [aPlace("stays")], 2);
  assert.deepEqual(
    idsOf(tiles.search(["toilets"], { ...HERE, radius_m: 10 }, options())).length,
    1,
  );
  forAll(
    fc.property(fc.array(anyCircle, { maxLength: 20 }), (circles) => {
      for (const { lat, lon } of circles) {
        const crowd = Array.from({ length: 9 }, (_, i) => aPlace(`${i}`, { lat, lon }));
        tiles.put(["toilets"], [tileAt(lat, lon)], crowd, 1);
        assert.ok(tiles.count() <= 50);
      }
    }),
    50,
  );
});

test("within: the edge belongs to the circle, before any rounding", () => {
  const place = aPlace("a", moved(HERE, 100));
  const metres = distance_m(HERE.lat, HERE.lon, place.lat, place.lon);
  const within = (radius_m: number) =>
    hitsAmong([place], { ...HERE, radius_m }, createPlaceBudget()).length;
  assert.equal(within(metres), 1);
  assert.equal(within(metres - 1e-6), 0);
});
