/** The three ways of finding places, as a question sees them: lookups, tiles, registers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Finder, Finding, PlaceQuestion } from "#app/places/place-finder.ts";
import { aroundFinder, registryFinder, tileFinder } from "#app/places/place-finders.ts";
import type { UnopenedBase } from "#osm/base/other-version.ts";
import { distance_m } from "#kit/geo.ts";
import { hitsOf, noHits } from "#core/places/place-hits.ts";
import type { Place } from "#core/places/place.ts";
import { tilesOf } from "#kit/tiles.ts";
import type { AroundQuery } from "#providers/lookup.ts";
import type { LookupReply } from "#upstream/lookup/ask-source.ts";
import type { TileQuestion, TileReply } from "#upstream/lookup/tile-lookup.ts";
import { PlaceSetBuilder } from "#world/places/place-set.ts";
import type { PlaceBase } from "#world/places/base-places.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import { forAllAsync, HERE, moved, NOW_MS } from "../../support/domain.ts";
import { aPlace, options, travelled, tilesAlone } from "../../support/places.ts";

const question = (change: Partial<PlaceQuestion> = {}): PlaceQuestion => ({
  circle: { ...HERE, radius_m: 1000 },
  kinds: ["toilets"],
  country: "FR",
  language: null,
  maps_limit: 20,
  filtered: false,
  unfound: [],
  now_ms: NOW_MS,
  ...options(),
  keyed: false,
  freshness: null,
  signal: new AbortController().signal,
  ...change,
});

const namesOf = ({ places }: Finding): string[] =>
  Array.from(places, ({ place }) => place.external_id).sort();
const rest = (finding: Finding): object => ({ ...finding, places: undefined });
const NONE = { places: undefined };

const storedOf = (value: Place[], raw = value.length) => ({
  value,
  raw,
  fetched_at_ms: NOW_MS - 5,
  good_until_ms: NOW_MS + 10_000,
});

function around(
  reply: LookupReply<Place[]>,
  more: Partial<Parameters<typeof aroundFinder>[0]> = {},
): { finder: Finder; queries: AroundQuery[] } {
  const queries: AroundQuery[] = [];
  const finder = aroundFinder({
    key: "refuge",
    kind: "toilets",
    ask: (query) => (queries.push(query), Promise.resolve(reply)),
    toQuery: ({ circle, country }) => ({ ...circle, limit: 9, language: null, country }),
    ...more,
  });
  return { finder, queries };
}

const NEAR = aPlace("near", moved(HERE, 500));
const FRINGE = aPlace("fringe", moved(HERE, 1020));
const FAR = aPlace("far", moved(HERE, 1040));

test("around: what lies in the circle and on its fringe, with distances from the question's point", async () => {
  const { finder, queries } = around({
    status: "ok",
    cache: "miss",
    stored: storedOf([FAR, NEAR, FRINGE], 7),
  });
  const finding = await finder.find(question());
  assert.deepEqual(namesOf(finding), ["fringe", "near"]);
  for (const { place, distance_m: metres } of finding.places)
    assert.equal(metres, distance_m(HERE.lat, HERE.lon, place.lat, place.lon));
  assert.deepEqual(rest(finding), {
    ...NONE,
    key: "refuge",
    name: "refuge",
    held_at_ms: null,
    cut: null,
    status: "ok",
    reason: null,
    raw: 7,
    calls: 1,
    cache: "miss",
    good_until_ms: NOW_MS + 10_000,
  });
  assert.deepEqual(queries, [{ ...HERE, radius_m: 1000, limit: 9, language: null, country: "FR" }]);
});

test("around: a hit is no call; a failure is one, with what is held or with nothing", async () => {
  const hit = await around({ status: "ok", cache: "hit", stored: storedOf([NEAR]) }).finder.find(
    question(),
  );
  assert.deepEqual([hit.calls, hit.cache], [0, "hit"]);
  const failure = { status: "timeout", reason: "deadline" } as const;
  const rescued = await around({ ...failure, rescue: storedOf([NEAR]) }).finder.find(question());
  assert.deepEqual([namesOf(rescued), rescued.cache, rescued.raw], [["near"], "hit", 1]);
  const none = await around({ ...failure, rescue: null }).finder.find(question());
  assert.deepEqual([namesOf(none), none.cache, none.raw], [[], "miss", 0]);
  assert.deepEqual([rescued.held_at_ms, none.held_at_ms], [NOW_MS - 5, null]);
  for (const finding of [rescued, none])
    assert.deepEqual(
      [finding.status, finding.reason, finding.good_until_ms],
      ["timeout", "deadline", null],
    );
});

test("around: asked for its kind alone, and where it has something to say", () => {
  const reply: LookupReply<Place[]> = { status: "ok", cache: "hit", stored: storedOf([]) };
  const { finder } = around(reply, { covers: ({ country }) => country === "FR" });
  assert.deepEqual(finder.kindsFor(question({ kinds: ["wifi", "toilets"] })), ["toilets"]);
  assert.deepEqual(finder.kindsFor(question({ kinds: ["wifi"] })), []);
  assert.deepEqual(finder.kindsFor(question({ country: "DE" })), []);
  const { name, kindsFor } = finder.elsewhere!;
  const requests = [{}, { country: "DE" }, { country: "DE", kinds: ["wifi" as const] }];
  assert.deepEqual(
    requests.map((each) => kindsFor(question(each))),
    [[], ["toilets"], []],
  );
  assert.equal(name, finder.key);
});

// Proves §4.6 maps category
test("around: at most n of the nearest inside, whatever the order of the source", async () => {
  const metres = fc.array(fc.integer({ min: 0, max: 1060 }), { maxLength: 40 });
  await forAllAsync(
    fc.asyncProperty(metres, fc.integer({ min: 1, max: 10 }), async (all, most) => {
      const places = all.map((each, i) => aPlace(`${i}`, travelled(HERE, each, i)));
      const { finder } = around(
        { status: "ok", cache: "hit", stored: storedOf(places) },
        { most: ({ maps_limit }) => maps_limit },
      );
      const { places: matching_places } = await finder.find(question({ maps_limit: most }));
      const inside = Array.from(matching_places.metres).filter((each) => each <= 1000);
      const expected = places
        .map(({ lat, lon }) => distance_m(HERE.lat, HERE.lon, lat, lon))
        .filter((each) => each <= 1000)
        .sort((a, b) => a - b)
        .slice(0, most);
      assert.deepEqual(
        inside.sort((a, b) => a - b),
        expected,
      );
    }),
    200,
  );
});

test("around: published under another name where there is one", async () => {
  const reply: LookupReply<Place[]> = { status: "ok", cache: "hit", stored: storedOf([NEAR]) };
  const { finder } = around(reply, { as: (place) => ({ ...place, source_id: "maps" }) });
  const { places } = await finder.find(question());
  assert.equal(places.placeAt(0).source_id, "maps");
});

function tiled(
  reply: Partial<TileReply>,
  at_ms: number | null = NOW_MS,
  endsIn?: (circle: PlaceQuestion["circle"]) => boolean,
) {
  const tiles = createTiles();
  const requested: TileQuestion[] = [];
  if (at_ms !== null)
    tiles.put(["toilets", "wifi"], tilesOf(HERE.lat, HERE.lon, 3000), [NEAR, FRINGE, FAR], at_ms);
  const finder = tileFinder({
    key: "openstreetmap",
    tiles: tilesAlone(tiles),
    ...(endsIn && { endsIn }),
    fresh_ms: 86_400_000,
    kinds: ({ kinds }) => kinds.filter((kind) => kind !== "parking"),
    together: ({ kinds }) => kinds,
    ask(what) {
      requested.push(what);
      return Promise.resolve({ failure: null, cache: "hit", calls: 0, raw: 0, ...reply });
    },
  });
  return { finder, requested };
}

test("tiles: asked with the fringe, for all kinds and for its own; good as long as the oldest tile", async () => {
  const { finder, requested } = tiled({ calls: 1, raw: 9, cache: "miss" }, NOW_MS - 1000);
  const finding = await finder.find(question({ kinds: ["toilets", "parking"] }));
  assert.deepEqual(requested, [
    { ...HERE, radius_m: 1030, kinds: ["toilets", "parking"] },
    { ...HERE, radius_m: 1030, kinds: ["toilets"] },
  ]);
  assert.deepEqual(namesOf(finding), ["fringe", "near"]);
  assert.deepEqual(rest(finding), {
    ...NONE,
    key: "openstreetmap",
    name: "openstreetmap",
    held_at_ms: null,
    cut: null,
    partly: false,
    status: "ok",
    reason: null,
    raw: 9,
    calls: 1,
    cache: "miss",
    good_until_ms: NOW_MS - 1000 + 86_400_000,
  });
});

test("tiles: what is held may end within the circle, by the radius that is asked for", async () => {
  const { finder } = tiled({}, NOW_MS, ({ radius_m }) => radius_m > 1000);
  const partly = async (radius_m: number) =>
    (await finder.find(question({ circle: { ...HERE, radius_m } }))).partly;
  assert.deepEqual([await partly(1000), await partly(1001)], [false, true]);
});

test("tiles: a failure shows what is held, as a failure; without any it shows nothing", async () => {
  const failure = { status: "unavailable", reason: "http_429" } as const;
  for (const [at_ms, names] of [
    [NOW_MS, ["fringe", "near"]],
    [null, []],
  ] as const) {
    const finding = await tiled({ failure, cache: "miss" }, at_ms).finder.find(question());
    assert.deepEqual(namesOf(finding), names);
    assert.deepEqual([finding.status, finding.reason], ["unavailable", "http_429"]);
    assert.equal(finding.good_until_ms, null);
  }
});

test("tiles: a base that lacks a page is what failed, unless the tiles were asked in its place", async () => {
  const failure = { status: "unavailable", reason: "not_configured" } as const;
  const lost = { id: "ch", reason: "damaged" };
  const unopened = { id: "old", reason: "earlier_version" } as unknown as UnopenedBase;
  const found = async (base: boolean, reply: Partial<TileReply>) => {
    const requested: unknown[] = [];
    const pinned = {
      search: () => hitsOf([{ place: NEAR, distance_m: 1 }]),
      oldest: () => NOW_MS,
      ...{ base: base ? ({} as PlaceBase) : null, lost },
      [Symbol.dispose]: () => undefined,
    };
    const finder = tileFinder({
      ...{ key: "openstreetmap", fresh_ms: 1_000, tiles: { pin: () => Promise.resolve(pinned) } },
      ...{ kinds: ({ kinds }) => kinds, together: ({ kinds }) => kinds },
      unopenedAt: () => unopened,
      ask: (what) => {
        requested.push(what);
        return Promise.resolve({ failure: null, cache: "miss", calls: 1, raw: 1, ...reply });
      },
    });
    const finding = await finder.find(question());
    const { key, status, reason, good_until_ms } = finding;
    return [key, status, reason, good_until_ms, requested.length, namesOf(finding).length];
  };
  const damaged = ["openbase:ch", "unavailable", "damaged", null];
  // A part of the circle is missing: what the base has around it is shown.
  assert.deepEqual(await found(true, {}), [...damaged, 0, 1]);
  assert.deepEqual(await found(false, { failure }), [...damaged, 2, 1]);
  const whole = ["openstreetmap", "ok", null, NOW_MS + 1_000];
  assert.deepEqual(await found(false, {}), [...whole, 2, 1]);
});

const HOUR_MS = 3_600_000;

function registered(
  age_ms: number | null,
  health: { status: "ok" | "error"; reason: string | null },
): Finder {
  const builder = new PlaceSetBuilder();
  for (const place of [NEAR, FRINGE, FAR]) builder.add({ ...place, kind: "aed" });
  const set = age_ms === null ? null : builder.finish(NOW_MS - age_ms);
  return registryFinder({
    key: "openaedmap",
    kind: "aed",
    fresh_ms: HOUR_MS,
    set: () => set,
    health: () => health,
  });
}

test("a register: young, it is complete whatever its last attempt came to; old, it is as healthy as that", async () => {
  const bad = { status: "error", reason: "http_500" } as const;
  const good = { status: "ok", reason: null } as const;
  for (const [age_ms, health, status, good_until_ms] of [
    [0, good, "ok", NOW_MS + HOUR_MS],
    [HOUR_MS, bad, "ok", NOW_MS],
    [HOUR_MS + 1, bad, "error", null],
    [HOUR_MS + 1, good, "ok", null],
  ] as const) {
    const finding = await registered(age_ms, health).find(question({ kinds: ["aed"] }));
    assert.deepEqual(namesOf(finding), ["fringe", "near"]);
    assert.deepEqual([finding.status, finding.good_until_ms], [status, good_until_ms]);
    assert.deepEqual([finding.calls, finding.cache, finding.raw], [0, "hit", 2]);
  }
});

test("a register that is not loaded is a failure, not a nothing; another kind is not its matter", async () => {
  const finder = registered(null, { status: "error", reason: "http_500" });
  assert.deepEqual(await finder.find(question({ kinds: ["aed"] })), {
    key: "openaedmap",
    name: "openaedmap",
    held_at_ms: null,
    status: "error",
    reason: "http_500",
    places: noHits(),
    raw: 0,
    calls: 0,
    cache: "miss",
    good_until_ms: null,
  });
  assert.deepEqual(finder.kindsFor(question({ kinds: ["aed", "wifi"] })), ["aed"]);
  assert.deepEqual(finder.kindsFor(question()), []);
});
