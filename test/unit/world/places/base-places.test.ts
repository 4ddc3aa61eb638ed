/** Bases in front of tiles: which one answers where, and that the others are not asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PlaceKind } from "#core/places/place.ts";
import { type PlaceHit, type PlaceHits, hitsOf, noHits } from "#core/places/place-hits.ts";
import {
  createBasePlaces,
  type HeldTiles,
  inFrontOf,
  type PlaceBase,
} from "#world/places/base-places.ts";
import type { Tiles } from "#world/places/place-tiles.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import { aPlace, options } from "../../../support/places.ts";

const NOW_MS = 1_000;
const TILES_MS = 7;
const found = (id: string): PlaceHits => hitsOf([{ place: aPlace(id), distance_m: 1 }]);

const statementOf = (id: string): PlaceBase["statement"] => ({
  id,
  data_at: null,
  licence: "ODbL-1.0",
  attribution: "© OpenStreetMap contributors",
});

/** Covers the latitudes from `south` to `north`. */
function aBase(id: string, south: number, north: number, requests: string[] = []): PlaceBase {
  return {
    statement: statementOf(id),
    covers: (lat) => lat >= south && lat <= north,
    coversCircle: ({ lat, radius_m }) =>
      lat - radius_m / 111_000 >= south && lat + radius_m / 111_000 <= north,
    pages: new OnePage({
      rows: null,
      search(kinds: readonly PlaceKind[], { radius_m }: { radius_m: number }) {
        requests.push(`${id} ${kinds.join()} ${radius_m}`);
        return found(id);
      },
    }),
  };
}

function withTiles(list: () => readonly PlaceBase[], requests: string[] = []): HeldTiles {
  const tiles: Pick<Tiles, "search" | "oldest"> = {
    search(kinds, { radius_m }) {
      requests.push(`tiles ${kinds.join()} ${radius_m}`);
      return found("tiles");
    },
    oldest: () => TILES_MS,
  };
  return inFrontOf(tiles, createBasePlaces(list), () => NOW_MS);
}

const at = (lat: number) => ({ lat, lon: 0, radius_m: 900 });
const idsOf = (list: Iterable<PlaceHit>): string[] =>
  Array.from(list, ({ place }) => place.external_id);

test("where a base covers the centre it answers for the whole circle, and no tile is searched", async () => {
  const requests: string[] = [];
  const stored = withTiles(() => [aBase("a", 0, 10, requests)], requests);
  using inside = await stored.pin(at(10));
  assert.deepEqual(idsOf(inside.search(["toilets"], at(10), options())), ["a"]);
  assert.equal(inside.oldest("toilets", at(10)), NOW_MS);
  using outside = await stored.pin(at(10.001));
  assert.deepEqual(idsOf(outside.search(["aed"], at(10.001), options())), ["tiles"]);
  assert.equal(outside.oldest("aed", at(10.001)), TILES_MS);
  assert.deepEqual(requests, ["a toilets 900", "tiles aed 900"]);
});

test("a base that has nothing there answers with nothing: the tiles are no second opinion", async () => {
  const empty: PlaceBase = {
    statement: statementOf("a"),
    covers: () => true,
    coversCircle: () => true,
    pages: new OnePage({ search: noHits, rows: null }),
  };
  using pinned = await withTiles(() => [empty]).pin(at(0));
  assert.deepEqual(idsOf(pinned.search(["toilets"], at(0), options())), []);
});

test("bases of now count: one that came or went is seen by the next question", () => {
  let list: readonly PlaceBase[] = [];
  const bases = createBasePlaces(() => list);
  assert.equal(bases.isEmpty(), true);
  assert.equal(bases.find(at(5)), undefined);
  list = [aBase("a", 0, 10)];
  assert.equal(bases.isEmpty(), false);
  assert.equal(bases.find(at(5))?.statement.id, "a");
  list = [aBase("b", 0, 10), ...list];
  assert.equal(bases.find(at(5))?.statement.id, "b");
  assert.equal(bases.find(at(50)), undefined);
  list = [];
  assert.equal(bases.find(at(5)), undefined);
});

test("of any bases, the first that covers the point answers, alone", async () => {
  const ranges = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat({ max: 6 })), {
    maxLength: 6,
  });
  const kind = fc.constantFrom<PlaceKind>("toilets", "water", "wifi");
  await fc.assert(
    fc.asyncProperty(ranges, kind, fc.integer({ min: -10, max: 16 }), async (rows, wanted, lat) => {
      const requests: string[] = [];
      const list = rows.map(([south, span], n) => aBase(`${n}`, south, south + span, requests));
      const first = rows.findIndex(([south, span]) => lat >= south && lat <= south + span);
      const stored = withTiles(() => list, requests);
      const expected = first === -1 ? "tiles" : `${first}`;
      using pinned = await stored.pin(at(lat));
      assert.deepEqual(idsOf(pinned.search([wanted], at(lat), options())), [expected]);
      assert.deepEqual(requests, [`${expected} ${wanted} 900`]);
    }),
  );
});

test("the base that answers may end within the circle; where none answers nothing ends", () => {
  const bases = createBasePlaces(() => [aBase("a", 0, 10), aBase("b", 5, 20)]);
  assert.equal(bases.endsIn(at(7)), false);
  assert.equal(bases.endsIn(at(9.999)), true, "what b covers beyond is not searched");
  assert.equal(bases.endsIn(at(0)), true);
  assert.equal(bases.endsIn(at(30)), false);
});

/** A base of two pages, the second north of the latitude 5; `lost`: those that cannot be read. */
function aPagedBase(id: string, lost: readonly number[]): PlaceBase {
  const base = aBase(id, 0, 10);
  const cell = { z: 1, x: 0, y: 0 };
  const page = { search: () => found(id), rows: null };
  return {
    ...base,
    pages: {
      rows: [0, 1].map(() => ({ level: "ground" as const, cell })),
      at: ({ lat }) => (lat < 5 ? 0 : 1),
      around: ({ lat, radius_m }) =>
        [0, 1].filter((n) =>
          n === 0 ? lat - radius_m / 111_000 < 5 : lat + radius_m / 111_000 > 5,
        ),
      ofTile: () => [],
      pin: (numbers) =>
        Promise.resolve({
          pages: numbers.flatMap((number) => (lost.includes(number) ? [] : { number, cell, page })),
          missing: numbers.flatMap((number) =>
            lost.includes(number) ? { number, cell, reason: "damaged" as const } : [],
          ),
          [Symbol.dispose]: () => undefined,
        }),
    },
  };
}

test("where a page is missing another base answers, else the tiles; around it the base does, in part", async () => {
  const lost = { id: "a", reason: "damaged" };
  const answerAt = async (bases: readonly PlaceBase[], lat: number) => {
    using pinned = await withTiles(() => bases).pin(at(lat));
    const ids = idsOf(pinned.search(["toilets"], at(lat), options()));
    return [ids, pinned.base?.statement.id ?? null, pinned.lost];
  };
  const broken = aPagedBase("a", [1]);
  assert.deepEqual(await answerAt([broken], 3), [["a"], "a", null]);
  assert.deepEqual(await answerAt([broken], 4.999), [["a"], "a", lost]);
  assert.deepEqual(await answerAt([broken], 5.001), [["tiles"], null, lost]);
  assert.deepEqual(await answerAt([broken], 7), [["tiles"], null, lost]);
  assert.deepEqual(await answerAt([broken, aBase("b", 6, 8)], 7), [["b"], "b", null]);
  assert.deepEqual(await answerAt([aPagedBase("a", [0, 1])], 3), [["tiles"], null, lost]);
  // Once that is known, the base is not named where it does not answer: this one is in the north.
  const cell = { z: 1, x: 1, y: 0 };
  const failing = { ...aBase("a", -10, 10), listFailed: () => [{ cell }] };
  const bases = createBasePlaces(() => [failing, aBase("b", 6, 8)]);
  const names = [7, 3, -3].map((lat) => bases.answeringAt({ lat, lon: 1 })?.statement.id ?? null);
  assert.deepEqual(names, ["b", null, "a"]);
});
