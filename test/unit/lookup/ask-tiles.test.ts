/** Tiles of open data are fetched once for all neighbours, and a failure is never a zero. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { boxOfTile, tileAt, tilesOf } from "#kit/tiles.ts";
import type { BoxLookup, BoxQuery, LookupSettings, ReadAnswer } from "#providers/lookup.ts";
import type { Freshness } from "#upstream/lookup/ask-source.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { policyOf } from "#upstream/lookup/lookup-policy.ts";
import { createAskTiles, type TileReply } from "#upstream/lookup/tile-lookup.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import { forAllAsync, HERE, moved } from "../../support/domain.ts";
import {
  type Call,
  createDesk,
  PROVIDER,
  REFUSED,
  TIMEOUT_MS,
  toBody,
  turn,
} from "../../support/lookup.ts";
import { anyCircle, aPlace, idsOf, options, travelled } from "../../support/places.ts";

const DAY_MS = 86_400_000;
const POLICY = policyOf({ store: "all" }, { cache_s: 86_400 });

/** Asks with its question as a body, and is answered with a list of places. */
const BOXES: BoxLookup<LookupSettings> = {
  id: "source.boxes",
  provider: PROVIDER,
  keyOf: (query) => JSON.stringify(query),
  request: (query, { url, timeout_ms }) => ({ url, timeout_ms, body: JSON.stringify(query) }),
  read({ body }): ReadAnswer<Place[]> {
    const value = JSON.parse(new TextDecoder().decode(body)) as Place[];
    return { ok: true, value, raw: value.length };
  },
};

const queryOf = (call: Call): BoxQuery => JSON.parse(call.request.body!) as BoxQuery;

/** What a map with these places says to a question. */
function inBoxes(places: readonly Place[], { kinds, boxes }: BoxQuery): Place[] {
  return places.filter(
    ({ lat, lon, kind }) =>
      kinds.includes(kind) &&
      boxes.some(
        ({ south, north, west, east }) =>
          lat >= south && lat <= north && lon >= west && lon <= east,
      ),
  );
}

function bench(places: readonly Place[] = []) {
  const desk = createDesk();
  const { clock, line } = desk;
  const tiles = createTiles();
  const settings = { url: "https://source.example", timeout_ms: TIMEOUT_MS };
  const ask_tiles = createAskTiles(BOXES, { settings, policy: POLICY }, { ...desk.deps, tiles });
  line.always((call) => toBody(inBoxes(places, queryOf(call)), clock.now()));
  return {
    clock,
    line,
    tiles,
    answer: (call: Call) => call.answer(toBody(inBoxes(places, queryOf(call)), clock.now())),
    async ask(
      at: { lat: number; lon: number; radius_m?: number; kinds?: PlaceKind[] },
      how: { freshness?: Freshness; signal?: AbortSignal; within_ms?: number } = {},
    ): Promise<TileReply> {
      const { freshness = null, signal, within_ms = 60_000 } = how;
      using deadline = createDeadline(clock, clock.now() + within_ms, signal);
      const question = { radius_m: 1000, kinds: ["toilets" as const], ...at };
      return await ask_tiles(question, { signal: deadline.signal, keyed: false, freshness });
    },
  };
}

const textOf = ({ failure, cache, calls, raw }: TileReply): string =>
  `${failure?.reason ?? "ok"} ${cache}, ${calls} calls, ${raw} things`;

test("the first asks, the next does not, and neither does any neighbour half a kilometre away", async () => {
  const { ask } = bench([aPlace("1")]);
  assert.equal(textOf(await ask(HERE)), "ok miss, 1 calls, 1 things");
  assert.equal(textOf(await ask(HERE)), "ok hit, 0 calls, 0 things");
  await forAllAsync(
    fc.asyncProperty(anyCircle, async (circle) => {
      const { ask: askThere, line } = bench();
      await askThere(circle);
      for (let bearing = 0; bearing < 6.28; bearing += 0.5)
        for (const metres of [300, 490]) {
          const nearby = travelled(circle, metres, bearing);
          const reply = await askThere({ ...circle, ...nearby });
          assert.equal(textOf(reply), "ok hit, 0 calls, 0 things");
        }
      assert.equal(line.calls.length, 1);
    }),
    200,
  );
});

test("only tiles that were read whole are held: those inside the boxes that were asked for", async () => {
  await forAllAsync(
    fc.asyncProperty(anyCircle, async (circle) => {
      const { ask, line, tiles } = bench();
      await ask(circle);
      const { boxes } = queryOf(line.calls[0]!);
      for (const tile of tilesOf(circle.lat, circle.lon, circle.radius_m + 12_000)) {
        const { south, north, west, east } = boxOfTile(tile);
        const read = boxes.some(
          (box) => box.south <= south && box.north >= north && box.west <= west && box.east >= east,
        );
        if (!read) assert.equal(tiles.get("toilets", tile), null);
      }
    }),
    200,
  );
});

test("any circle: what is found there is what brute force finds on the map, the seam and poles included", async () => {
  await forAllAsync(
    fc.asyncProperty(
      anyCircle,
      fc.array(
        fc.tuple(
          fc.double({ min: 0, max: 3, noNaN: true }),
          fc.double({ min: 0, max: 7, noNaN: true }),
        ),
        { maxLength: 20 },
      ),
      async ({ radius_m, ...point }, ways) => {
        const places = ways.map(([share, bearing], i) =>
          aPlace(`${i}`, travelled(point, share * radius_m, bearing)),
        );
        const { ask, line, tiles } = bench(places);
        await ask({ ...point, radius_m });
        assert.equal(line.calls.length, 1);
        const expected = places.filter(
          (place) => distance_m(point.lat, point.lon, place.lat, place.lon) <= radius_m,
        );
        assert.deepEqual(
          idsOf(tiles.search(["toilets"], { ...point, radius_m }, options())),
          idsOf(expected.map((place) => ({ place }))),
        );
      },
    ),
    300,
  );
});

test("all kinds of a question are one call; only those that are missing are asked for", async () => {
  const { ask, line } = bench();
  await ask({ ...HERE, kinds: ["toilets", "wifi"] });
  assert.deepEqual(queryOf(line.calls[0]!).kinds, ["toilets", "wifi"]);
  const reply = await ask({ ...HERE, kinds: ["toilets", "wifi", "aed"] });
  assert.equal(textOf(reply), "ok partial, 1 calls, 0 things");
  assert.deepEqual(queryOf(line.calls[1]!).kinds, ["aed"]);
});

test("a larger circle asks for what lies beyond the smaller one, and says that it had a part", async () => {
  const { ask, line } = bench();
  await ask({ ...HERE, radius_m: 500 });
  assert.equal(textOf(await ask({ ...HERE, radius_m: 10_000 })), "ok partial, 1 calls, 0 things");
  assert.equal(line.calls.length, 2);
});

test("questions in the air share: the same one makes no call, an overlapping one only for the rest", async () => {
  const { ask, line, tiles, answer } = bench([aPlace("1")]);
  line.always(null);
  const replies = [
    ask(HERE),
    ...Array.from({ length: 98 }, () => ask(HERE)),
    ask(moved(HERE, 200)),
  ];
  await turn();
  assert.equal(line.calls.length, 1);
  const wider = ask({ ...HERE, radius_m: 8_000 });
  await turn();
  assert.equal(line.calls.length, 2);
  answer(line.calls[1]!);
  await turn();
  assert.equal(tiles.count(), 0, "the rest has landed, the middle has not");
  answer(line.calls[0]!);
  const all = await Promise.all(replies);
  assert.equal(
    all.reduce((sum, { calls }) => sum + calls, 0),
    1,
  );
  for (const { failure, raw } of all) assert.deepEqual([failure, raw], [null, 1]);
  // Its box has the middle in it, which is not its own to keep.
  assert.equal(textOf(await wider), "ok miss, 1 calls, 2 things");
  assert.equal(tiles.count(), 1);
});

test("a failed call leaves nothing held, and is reported as a failure, not as nothing", async () => {
  const { ask, line, tiles } = bench([aPlace("1")]);
  line.always(() => REFUSED);
  assert.equal(textOf(await ask(HERE)), "http_400 miss, 1 calls, 0 things");
  for (const tile of tilesOf(HERE.lat, HERE.lon, 1000))
    assert.equal(tiles.get("toilets", tile), null);
  assert.equal(tiles.oldest("toilets", { ...HERE, radius_m: 1000 }), null);
  assert.equal(textOf(await ask(HERE)), "http_400 miss, 1 calls, 0 things", "and is not kept");
});

test("a failure leaves what was held before as it was", async () => {
  const { ask, line, tiles, clock } = bench([aPlace("1")]);
  await ask(HERE);
  const before_ms = tiles.oldest("toilets", { ...HERE, radius_m: 1000 });
  line.always(() => REFUSED);
  await clock.advance(3 * DAY_MS);
  assert.equal(textOf(await ask(HERE)), "http_400 miss, 1 calls, 0 things");
  assert.equal(tiles.oldest("toilets", { ...HERE, radius_m: 1000 }), before_ms);
  assert.equal(tiles.search(["toilets"], { ...HERE, radius_m: 1000 }, options()).length, 1);
});

test("one failure among several requests is the question's failure", async () => {
  const { ask, line, answer } = bench();
  line.always(null);
  const small = ask({ ...HERE, radius_m: 500 });
  await turn();
  const wide = ask({ ...HERE, radius_m: 10_000 });
  await turn();
  answer(line.calls[1]!);
  line.calls[0]!.answer(REFUSED);
  assert.equal((await small).failure?.reason, "http_400");
  assert.equal((await wide).failure?.reason, "http_400");
});

test("data from outside the requested area is kept under no tile", async () => {
  const { ask, line, tiles, clock } = bench();
  const far = moved(HERE, 50_000);
  line.always(() =>
    toBody([aPlace("here"), aPlace("far", far), aPlace("x", { kind: "aed" })], clock.now()),
  );
  await ask(HERE);
  assert.equal(tiles.count(), 1);
  assert.equal(tiles.get("toilets", tileAt(far.lat, far.lon)), null);
  assert.equal(tiles.get("aed", tileAt(HERE.lat, HERE.lon)), null);
  await ask({ ...far, radius_m: 100 });
  assert.equal(line.calls.length, 2, "the neighbourhood of what was sent unasked is still unknown");
});

test("after a day tiles are shown while they are renewed, once and in the background; then asked", async () => {
  const { ask, line, clock, answer } = bench();
  await ask(HERE);
  await clock.advance(DAY_MS);
  assert.equal(textOf(await ask(HERE)), "ok hit, 0 calls, 0 things");
  await turn();
  assert.equal(line.calls.length, 1);
  await clock.advance(1);
  line.always(null);
  const gone = new AbortController();
  const hits = await Promise.all([ask(HERE), ask(HERE, { signal: gone.signal }), ask(HERE)]);
  for (const hit of hits) assert.equal(textOf(hit), "ok hit, 0 calls, 0 things");
  gone.abort();
  await turn();
  assert.deepEqual([line.calls.length, line.calls[1]!.aborted], [2, null]);
  answer(line.calls[1]!);
  await clock.advance(2 * DAY_MS - 1);
  assert.equal(textOf(await ask(HERE)), "ok hit, 0 calls, 0 things");
  await turn();
  line.calls[2]!.answer(REFUSED);
  await clock.advance(2);
  line.always((call) => toBody(inBoxes([], queryOf(call)), clock.now()));
  assert.equal(textOf(await ask(HERE)), "ok miss, 1 calls, 0 things");
});

test("a renewal outlives the callers that joined it and left", async () => {
  const { ask, line, clock, answer, tiles } = bench([aPlace("1")]);
  await ask(HERE);
  await clock.advance(DAY_MS + 1);
  line.always(null);
  await ask(HERE);
  await clock.advance(DAY_MS);
  const person = new AbortController();
  const reply = ask(HERE, { signal: person.signal });
  await turn();
  person.abort();
  assert.equal((await reply).failure?.reason, "aborted");
  assert.deepEqual([line.calls.length, line.calls[1]!.aborted], [2, null]);
  answer(line.calls[1]!);
  await turn();
  assert.equal(tiles.oldest("toilets", { ...HERE, radius_m: 1000 }), clock.now());
});

test("revalidate: read again unless read within 5 s; accept_valid_cache: never in the background", async () => {
  const { ask, line, clock } = bench();
  await ask(HERE);
  await clock.advance(5_000);
  assert.equal((await ask(HERE, { freshness: "revalidate" })).cache, "hit");
  await clock.advance(1);
  assert.equal((await ask(HERE, { freshness: "revalidate" })).cache, "miss");
  await clock.advance(DAY_MS);
  assert.equal((await ask(HERE, { freshness: "accept_valid_cache" })).cache, "hit");
  await clock.advance(1);
  assert.equal((await ask(HERE, { freshness: "accept_valid_cache" })).cache, "miss");
  assert.equal(line.calls.length, 3);
});

test("revalidate does not take the answer of a request that was begun before", async () => {
  const { ask, line, clock, answer } = bench();
  line.always(null);
  const early = ask(HERE);
  await clock.advance(1);
  const late = ask(HERE, { freshness: "revalidate" });
  await turn();
  assert.equal(line.calls.length, 2);
  for (const call of line.calls) answer(call);
  assert.deepEqual([(await early).failure, (await late).failure], [null, null]);
});

test("a caller whose time is up gets a timeout, and the tiles still arrive; one that is gone calls the request off", async () => {
  const { ask, line, clock, tiles, answer } = bench([aPlace("1")]);
  line.always(null);
  const late = ask(HERE, { within_ms: 100 });
  await clock.advance(100);
  assert.equal(textOf(await late), "deadline miss, 1 calls, 0 things");
  assert.equal(line.calls[0]!.aborted, null);
  answer(line.calls[0]!);
  await turn();
  assert.equal(tiles.count(), 1);
  assert.equal((await ask(HERE)).cache, "hit");
  const person = new AbortController();
  const gone = ask(moved(HERE, 90_000), { signal: person.signal });
  await turn();
  person.abort();
  assert.equal((await gone).failure?.reason, "aborted");
  assert.notEqual(line.calls[1]!.aborted, null);
  assert.equal(clock.pending(), 0);
});
