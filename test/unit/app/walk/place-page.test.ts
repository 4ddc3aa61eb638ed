/**
 * The page of a search for places with ways on foot, held against one that walks to all of them: what
 * is kept, every count of it, and the order.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toPlacePage } from "#app/places/place-page.ts";
import type { WalkWish } from "#app/walk/walking.ts";
import { hitsOf, type PlaceHit } from "#core/places/place-hits.ts";
import { displayNameOf } from "#core/places/place-naming.ts";
import type { Place } from "#core/places/place.ts";
import { type OpenItem, placeId } from "#core/places/place-results.ts";
import type { ServiceToken } from "#core/places/place-tokens.ts";
import { createPlaceBudget } from "#core/places/select.ts";
import { isForWheelchairs, keepUsable, type Wish } from "#core/places/usable-filter.ts";
import { LIMITS } from "#api/limits.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { hash32 } from "#kit/ids.ts";
import { createTurn } from "#kit/run/turn.ts";
import { forAllAsync, HERE } from "../../../support/domain.ts";
import { type FakeWay, fakeWalks } from "../../../support/fake-walks.ts";
import { naively } from "../../../support/naive-places.ts";
import { aPlace, travelled } from "../../../support/places.ts";
import { sized } from "../../../support/size.ts";

const RADIUS_M = 400;
const SOURCES = ["a", "b"] as const;
const { candidates_max } = LIMITS.walk;

/** A way that the place alone decides: never shorter than the beeline, often as long as another's. */
function wayAt({ lat, lon }: Location): FakeWay {
  const dice = Number.parseInt(hash32(`${lat} ${lon}`).slice(0, 6), 36);
  if (dice % 9 === 0) return "not_reached";
  if (dice % 9 === 1) return "target_off_network";
  const beeline_m = distance_m(HERE.lat, HERE.lon, lat, lon);
  const meters = Math.ceil((beeline_m * (1 + (dice % 13) / 8)) / 40) * 40;
  return { meters, step_free: [true, false, null][dice % 3]! };
}

const foundOf = (places: readonly Place[]): PlaceHit[] =>
  places.map((place) => ({
    place,
    distance_m: distance_m(HERE.lat, HERE.lon, place.lat, place.lon),
  }));

const BY_WHEELCHAIR: Wish<OpenItem> = {
  ...({ count: "wheelchair", filter: "wheelchair" } as const),
  fact: "wheelchair",
  fits: ({ attributes }) => isForWheelchairs(attributes),
};
const sketch = fc.record({
  kind: fc.constantFrom("water" as const, "water" as const, "toilets" as const),
  source_id: fc.constantFrom(...SOURCES),
  at: fc
    .tuple(fc.integer({ min: 0, max: 4_300 }), fc.integer({ min: 0, max: 628 }))
    .map(([decimetres, angle]) => travelled(HERE, decimetres / 10, angle / 100)),
  drinking_water: fc.constantFrom("yes", "no", "unknown"),
  wheelchair: fc.constantFrom("yes", "no", "unknown"),
});
const world = fc.array(sketch, { minLength: 6, maxLength: 40 }).map((rows) =>
  rows.map(({ kind, source_id, at, drinking_water, wheelchair }, n) =>
    aPlace(`${n}`, {
      ...{ kind, source_id, ...at },
      attributes: kind === "water" ? { drinking_water, wheelchair } : { wheelchair },
    }),
  ),
);
type Request = {
  tokens: readonly ServiceToken[];
  wishes: readonly Wish<OpenItem>[];
  limit: number;
  within_s: number | null;
  sorts: boolean;
  speed: number;
};
const request: fc.Arbitrary<Request> = fc.record({
  tokens: fc.constantFrom<ServiceToken[]>(
    ["drinking_water"],
    ["drinking_water", "toilets"],
    ["fountain"],
    ["fountain", "drinking_water", "toilets"],
    ["toilets"],
  ),
  wishes: fc.constantFrom([], [BY_WHEELCHAIR]),
  limit: fc.constantFrom(1, 2, 4, 200),
  within_s: fc.constantFrom(null, 60, 180, 270, 1_800),
  sorts: fc.boolean(),
  speed: fc.constantFrom(1.33, 0.7),
});

async function pageOf(
  places: readonly Place[],
  { within_s, sorts, speed, ...query }: Request,
  more: { strict?: true; facilities_max?: number } = {},
) {
  const { strict = false } = more;
  const wish: WalkWish = { profile: "foot", speed, within_s, sorts, ...(strict && { strict }) };
  return await toPlacePage(
    SOURCES.map((id) => hitsOf(foundOf(places.filter(({ source_id }) => source_id === id)))),
    {
      selecting: {
        ...{ ...query, radius_m: RADIUS_M, language: null, budget: createPlaceBudget() },
        ...{ toId: placeId, toName: displayNameOf, ...more },
      },
      ...{ limit_max: 200, start: HERE, walks: fakeWalks(wayAt), wish, turn: createTurn({}) },
    },
  );
}

/** Seconds to a place; null: not known; Infinity: more than may be. */
function secondsTo(at: Location, { within_s, speed }: Request): number | null {
  const most_s = within_s ?? Infinity;
  if (distance_m(HERE.lat, HERE.lon, at.lat, at.lon) > most_s * speed) return Infinity;
  const way = wayAt(at);
  if (typeof way === "string") return way === "not_reached" ? Infinity : null;
  const seconds = Math.ceil(way.meters / speed);
  return seconds > most_s ? Infinity : seconds;
}

/** The same by the definition: all that fits, each walked to, then what is kept, counted and cut. */
function expectPage(places: readonly Place[], query: Request) {
  const { tokens, wishes, limit, within_s, sorts } = query;
  const sources = SOURCES.map((id) => foundOf(places.filter(({ source_id }) => source_id === id)));
  const question = { radius_m: RADIUS_M, limit: Infinity, language: null };
  const all = naively(sources, { ...question, tokens, wishes });
  const mayStay = ({ location }: Pick<OpenItem, "location">): boolean =>
    within_s === null || secondsTo(location, query) !== Infinity;
  const kept = all.items.filter(mayStay);
  const isLast = ({ service_type }: OpenItem): boolean => !tokens.includes(service_type);
  const keyOf = (item: OpenItem): number =>
    (isLast(item) ? 1e9 : 0) + Math.min(secondsTo(item.location, query) ?? Infinity, 1e6);
  const water = naively(sources, { ...question, tokens: ["fountain"], wishes: [] }).items;
  const isBad = ({ attributes }: OpenItem): boolean => attributes["drinking_water"] === "no";
  const asksWater = tokens.some((token) => token !== "toilets");
  return {
    ids: (sorts ? kept.toSorted((a, b) => keyOf(a) - keyOf(b)) : kept)
      .slice(0, limit)
      .map(({ id }) => id),
    total: kept.length,
    by_token: Object.fromEntries(
      tokens.map((token) => [
        token,
        kept.filter(({ service_type }) => service_type === token).length,
      ]),
    ),
    unknown: keepUsable(kept, wishes).unknown,
    uncertain: kept.filter(isLast).length,
    undrinkable: asksWater ? water.filter((item) => isBad(item) && mayStay(item)).length : 0,
  };
}

test("a page is that of all that fits, each walked to", async () => {
  const seen = { left_out: 0, sorted: 0, cut: 0, bad: 0 };
  await forAllAsync(
    fc.asyncProperty(world, request, async (places, query) => {
      const wanted = places.filter(
        ({ kind }) =>
          (kind === "toilets" && query.tokens.includes("toilets")) ||
          (kind === "water" && query.tokens.some((token) => token !== "toilets")),
      );
      const expected = expectPage(wanted, query);
      const page = await pageOf(wanted, query);
      const { items, walks, walking, uncounted, cuts, total, by_token, unknown } = page;
      const { uncertain, undrinkable } = page;
      const ids = items.map(({ id }) => id);
      assert.deepEqual(
        { ids, total, by_token: { ...by_token }, unknown, uncertain, undrinkable },
        expected,
      );
      for (const [i, item] of items.entries()) {
        const seconds = secondsTo(item.location, { ...query, within_s: null });
        assert.equal(walks![i]?.seconds ?? null, seconds === Infinity ? null : seconds);
      }
      assert.equal(uncounted, null);
      assert.equal(cuts.length, ids.length < total ? 1 : 0);
      const { reached, not_reached, unknown: unsure } = walking!;
      if (query.within_s !== null) assert.equal(reached + unsure, total);
      else if (query.sorts) assert.equal(reached + unsure + not_reached, total);
      else assert.equal(reached + unsure + not_reached, ids.length);
      if (query.within_s !== null && not_reached > 0) seen.left_out++;
      if (query.sorts && ids.length > 1) seen.sorted++;
      if (ids.length < total) seen.cut++;
      if (undrinkable > 0) seen.bad++;
    }),
    600,
  );
  for (const [what, times] of Object.entries(seen))
    assert.ok(times > sized(5, 40), `${what}: ${times}`);
});

test("of a time on foot a result says whether it is known, the head names the first that is, strict shows those alone", async () => {
  const seen = { unknown: 0, none: 0, later: 0 };
  await forAllAsync(
    fc.asyncProperty(world, request, async (places, drawn) => {
      const query = { ...drawn, tokens: ["toilets" as const], within_s: 270, limit: 200 };
      const wanted = places.filter(({ kind }) => kind === "toilets");
      const page = await pageOf(wanted, query);
      const isKnown = (item: OpenItem, i: number): boolean =>
        page.walks![i] !== null && query.wishes.every((wish) => wish.fits(item) === true);
      for (const [i, item] of page.items.entries()) {
        assert.equal(item.match, isKnown(item, i) ? "known" : "unknown");
        assert.equal(item.unknown!.includes("within_minutes"), page.walks![i] === null);
      }
      const known = page.items.filter(isKnown);
      assert.equal(page.nearest_known?.id, known[0]?.id);
      const strict = await pageOf(wanted, query, { strict: true });
      assert.deepEqual(
        strict.items.map(({ id }) => id),
        known.map(({ id }) => id),
      );
      assert.equal(strict.total, known.length);
      assert.ok(strict.unknown.left_out! >= page.total - known.length);
      seen.unknown += page.total - known.length;
      seen.none += known.length === 0 && page.total > 0 ? 1 : 0;
      seen.later += known[0] && known[0] !== page.items[0] ? 1 : 0;
    }),
    300,
  );
  for (const [what, times] of Object.entries(seen))
    assert.ok(times > sized(0, 10), `${what}: ${times}`);
});

test("a time on foot goes before the cut of car parks", async () => {
  const lot = Array.from({ length: 40 }, (_, n) =>
    aPlace(`${n}`, { kind: "parking", source_id: "a", lat: HERE.lat + (n + 1) * 4e-5 }),
  );
  const query = { tokens: ["parking" as const], wishes: [], limit: 20, speed: 1.33, sorts: true };
  const all = await pageOf(lot, { ...query, within_s: 270 });
  const two = await pageOf(lot, { ...query, within_s: 270 }, { facilities_max: 2 });
  assert.ok(all.total > 2);
  assert.deepEqual(
    two.items.map(({ id }) => id),
    all.items.slice(0, 2).map(({ id }) => id),
  );
  assert.equal(two.total, 2);
  assert.match(two.cuts[0]!.message, /^at most 2 places of parking are named; some beyond/);
});

test(`of more than ${candidates_max} the nearest are walked to, and the answer says that more may be missing`, async () => {
  const row = Array.from({ length: 700 }, (_, n) =>
    aPlace(`${n}`, { lat: HERE.lat + (n + 1) * 4e-6, source_id: "a" }),
  );
  const query = { tokens: ["toilets" as const], wishes: [], limit: 200, speed: 1.33 };
  const page = await pageOf(row, { ...query, within_s: 1_800, sorts: false });
  const { walking, total } = page;
  assert.equal(walking!.reached + walking!.unknown + walking!.not_reached, candidates_max);
  assert.equal(total, walking!.reached + walking!.unknown);
  assert.match(page.uncounted!.message, /^ways on foot are looked for to the nearest 500 alone/);
  // By a time in which no more than these can be reached there is nothing to say.
  const short = await pageOf(row, { ...query, within_s: 150, sorts: false });
  assert.equal(short.uncounted, null);
  // Of an order alone all are counted, and it is said among the cuts.
  const sorted = await pageOf(row, { ...query, limit: 400, within_s: null, sorts: true });
  assert.deepEqual([sorted.total, sorted.uncounted], [700, null]);
  assert.deepEqual(
    sorted.cuts.map(({ message }) => message.split(" ").slice(0, 3).join(" ")),
    ["ways on foot", "shown are the"],
  );
});

test("undrinkable water beyond what is walked to is said to be uncounted", async () => {
  const heap = Array.from({ length: candidates_max + 20 }, (_, n) =>
    aPlace(`${n}`, {
      ...{ kind: "water", source_id: "a", lat: HERE.lat + (n + 1) * 4e-6 },
      attributes: { drinking_water: "no" },
    }),
  );
  const query = { tokens: ["drinking_water" as const], wishes: [], limit: 20, speed: 1.33 };
  const page = await pageOf(heap, { ...query, within_s: 1_800, sorts: false });
  assert.ok(page.undrinkable > 0 && page.undrinkable <= candidates_max);
  assert.match(page.uncounted!.message, /nearest 500 alone/);
});
