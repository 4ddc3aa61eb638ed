/**
 * An extract of 11 kB had 100,000 toilets on one point. Each search near it made an object of every
 * one, merged, named and sorted them, and then showed 200: 1.2 s of the thread that serves, 7,000
 * times a plain search. A city's 30,000 car parks cost 31 ms a search that answered one of them.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Finder, PlaceQuestion } from "#app/places/place-finder.ts";
import { tileFinder } from "#app/places/place-finders.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { createPlaceSearches } from "#app/places/place-search.ts";
import type { SearchReply } from "#app/search-reply.ts";
import type { ServicesBodyValue } from "#api/services.ts";
import type { Trail } from "#kit/trail.ts";
import { createBasePlaces, inFrontOf } from "#world/places/base-places.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import { type OpenBase, openBase } from "#upstream/bases/open-bases.ts";
import type { PbfNode } from "../../sandbox/pbf/encode.ts";
import { aBasePack } from "../support/bases.ts";
import { createWatchedClock } from "../support/lookup.ts";
import { carParks, DENSE_AT } from "../../trials/density/places.ts";
import { NO_FILTERS } from "../support/places.ts";

const LIMIT = 20;

/** Toilets on one point, with a corner far away on either side. */
function heap(count: number): PbfNode[] {
  const at = (id: number, [lat, lon]: [number, number], tags: Record<string, string>): PbfNode => ({
    type: "node",
    id,
    lat7: Math.round(lat * 1e7),
    lon7: Math.round(lon * 1e7),
    tags,
  });
  return [
    at(1, [46.9, 9.2], {}),
    at(2, [47.3, 9.8], {}),
    ...Array.from({ length: count }, (_, n) =>
      at(n + 10, [DENSE_AT.lat + (n % 2) / 1e7, DENSE_AT.lon], { amenity: "toilets" }),
    ),
  ];
}

function searchesOf(base: OpenBase) {
  const statement = { id: "x", data_at: null, licence: "ODbL-1.0", attribution: "" };
  const bases = createBasePlaces(() => [{ ...base, statement, pages: new OnePage(base) }]);
  const clock = createWatchedClock();
  const in_front = inFrontOf(createTiles(), bases, clock.now);
  const ask = () => Promise.resolve({ failure: null, cache: "hit", calls: 0, raw: 0 } as const);
  const finderOf = (wanted: PlaceQuestion["kinds"], most?: number): Finder =>
    tileFinder({
      key: "openstreetmap",
      kinds: ({ kinds }) => kinds.filter((kind) => wanted.includes(kind)),
      together: ({ kinds }) => kinds,
      ask,
      tiles: in_front,
      fresh_ms: 1_000,
      ...(most === undefined ? {} : { most: () => most }),
    });
  const countries = () => Promise.resolve(() => ["FR"]);
  const timezones = () => Promise.resolve(() => "Europe/Paris");
  const { services, parking } = createPlaceSearches({
    finders: [finderOf(["toilets", "water", "wifi", "aed"]), finderOf(["parking"], LIMIT)],
    clock,
    countries,
    openStates: createOpenStates({ countries, timezones }),
    maps: { id: "maps", name: "Maps" },
  });
  const question = {
    ...{ ...DENSE_AT, types: ["toilets" as const], country: undefined, language: undefined },
    ...{ radius: 10_000, limit: LIMIT, debug: false, ...NO_FILTERS },
  };
  const input = {
    question,
    deadline_ms: clock.now() + 3_000,
    signal: new AbortController().signal,
    now_ms: clock.now(),
  };
  return { services: () => services(input), parking: () => parking(input) };
}

/** How many places a search makes: each is read from its JSON. */
async function madeBy(t: TestContext, search: () => Promise<unknown>) {
  const parsed = t.mock.method(JSON, "parse");
  const { body } = (await search()) as SearchReply & { body: ServicesBodyValue };
  const made = parsed.mock.callCount();
  parsed.mock.restore();
  return { body, made };
}

test("of thousands of toilets on one point 64 are imported, and the rest counted with the reason", async (t) => {
  const base = openBase(await aBasePack("heap", heap(5_000)))!;
  assert.equal(base.counts["toilets"], 64);
  const { trail } = base.meta.sections["services"] as { trail: Trail };
  assert.deepEqual(
    trail.dropped.map(({ reason, count }) => [reason, count]),
    [["crowded", 4_936]],
  );
  const { body, made } = await madeBy(t, searchesOf(base).services);
  assert.deepEqual([body.total, body.results.length], [64, LIMIT]);
  assert.ok(made <= 64, `${made} made`);
});

test("a search for car parks makes what it shows, however many are in the circle", async (t) => {
  const base = openBase(await aBasePack("parks", [...carParks(5_000).nodes()]))!;
  const { body, made } = await madeBy(t, searchesOf(base).parking);
  assert.deepEqual([body.total, body.results.length], [LIMIT, LIMIT]);
  assert.ok(made <= 2 * LIMIT, `${made} made`);
});
