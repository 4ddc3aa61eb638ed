/** What the page keeps of its answers, and which tiles are in view. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FakeCaches } from "../../support/fake-caches.ts";
import { tries } from "../../support/size.ts";

type Ask = { id: string; title: string; path: string; query: Record<string, string | number> };
type Page = Ask & { body: object };
type Answers = {
  keep(ask: Ask, pages: object[]): Promise<void>;
  find(ask: Ask): Promise<{ pages: Page[]; at_ms: number } | null>;
};
type AnswersClass = new (given: { stores: FakeCaches; now: () => number }) => Answers;
type View = { west: number; south: number; east: number; north: number };

const load = async <T>(path: string): Promise<T> =>
  (await import(new URL(`../../../explorer/offline/${path}`, import.meta.url).href)) as T;
const { Answers } = await load<{ Answers: AnswersClass }>("answers.js");
const { listTiles } = await load<{
  listTiles(template: string, view: View, zoom: number, zoom_max: number): string[];
}>("tiles-in-view.js");

const toAsk = (lat: number): Ask => ({
  ...{ id: "nearby", title: "", path: "/v1/nearby", query: { lat, lon: 2 } },
});
const DAY_MS = 86_400_000;

function openAnswers() {
  const time = { now_ms: 1_000_000 };
  const stores = new FakeCaches();
  return { time, stores, answers: new Answers({ stores, now: () => time.now_ms }) };
}

test("an answer is found by its question, with the time at which it came", async () => {
  const { answers, time } = openAnswers();
  const page = { ...toAsk(1), body: { total: 3 } };
  await answers.keep(toAsk(1), [page]);
  time.now_ms += 720_000;
  assert.deepEqual(await answers.find(toAsk(1)), { pages: [page], at_ms: 1_000_000 });
  assert.equal(await answers.find(toAsk(2)), null);
  assert.equal(await answers.find({ ...toAsk(1), id: "services" }), null);
});

test("one of an unknown age, or too old to say something, is none", async () => {
  const { answers, time } = openAnswers();
  await answers.keep(toAsk(1), [{ body: {} }]);
  time.now_ms -= 1;
  assert.equal(await answers.find(toAsk(1)), null, "the clock was set back");
  time.now_ms += 15 * DAY_MS;
  assert.equal(await answers.find(toAsk(1)), null);
});

test("it is written once a minute, and the oldest of too many go", async () => {
  const { answers, time, stores } = openAnswers();
  await answers.keep(toAsk(1), [{ body: { n: 1 } }]);
  time.now_ms += 59_000;
  await answers.keep(toAsk(1), [{ body: { n: 2 } }]);
  assert.deepEqual((await answers.find(toAsk(1)))?.pages, [{ body: { n: 1 } }]);
  for (let lat = 2; lat <= 80; lat += 1) await answers.keep(toAsk(lat), [{ body: {} }]);
  assert.equal(stores.stores.get("vicinity-answers")!.paths().length, 60);
  assert.equal(await answers.find(toAsk(1)), null);
  assert.ok(await answers.find(toAsk(80)));
});

test("of a long answer the first pages are kept, and all of them have a bound in bytes", async () => {
  const { answers } = openAnswers();
  const page = { body: { text: "x".repeat(900_000) } };
  await answers.keep(toAsk(0), [page, page, page, page]);
  assert.equal((await answers.find(toAsk(0)))?.pages.length, 2);
  await answers.keep(toAsk(0.5), [{ body: { text: "x".repeat(3_000_000) } }]);
  assert.equal(await answers.find(toAsk(0.5)), null);
  for (let lat = 1; lat <= 16; lat += 1) await answers.keep(toAsk(lat), [page]);
  assert.equal(await answers.find(toAsk(1)), null);
  assert.ok(await answers.find(toAsk(16)));
});

test("a store that is full, forbidden or damaged keeps nothing and harms nothing", async () => {
  const { answers, stores } = openAnswers();
  stores.isFull = true;
  await answers.keep(toAsk(1), [{ body: {} }]);
  assert.equal(await answers.find(toAsk(1)), null);
  stores.isFull = false;
  await answers.keep(toAsk(2), [{ body: {} }]);
  const store = stores.stores.get("vicinity-answers")!;
  const [key = ""] = store.paths();
  for (const text of ["", "{", "null", "[]", "[null]", '[{"body":1}]', "{}"]) {
    await store.put(key, new Response(text, { headers: { "x-at": "1000000" } }));
    assert.equal(await answers.find(toAsk(2)), null, text);
  }
  await store.put(key, new Response("[{}]"));
  assert.equal(await answers.find(toAsk(2)), null);
  stores.open = () => Promise.reject(new DOMException("no", "SecurityError"));
  await answers.keep(toAsk(3), [{ body: {} }]);
  assert.equal(await answers.find(toAsk(3)), null);
});

test("the tiles of a view are those that hold its corners, and few of them", () => {
  const corner = { west: 2.35, south: 48.85, east: 2.35, north: 48.85 };
  assert.deepEqual(listTiles("/t/{z}/{x}/{y}", corner, 15.7, 14), ["/t/14/8298/5637"]);
  assert.deepEqual(listTiles("/t/{z}/{x}/{y}", { ...corner, west: -180, east: 180 }, 14, 14), []);
  const part = fc.double({ min: 0, max: 0.02, noNaN: true });
  const view = fc.tuple(
    fc.integer({ min: -400, max: 400 }),
    fc.integer({ min: -89, max: 88 }),
    part,
  );
  const within = fc.property(
    view,
    fc.double({ min: 0, max: 20, noNaN: true }),
    ([lon, lat, by], z) => {
      const box = { west: lon, south: lat, east: lon + by, north: lat + by };
      const tiles = listTiles("{z} {x} {y}", box, z, 14);
      assert.ok(tiles.length >= 1 && tiles.length <= 64, String(tiles.length));
      for (const tile of tiles) {
        const [zoom = 0, x = 0, y = 0] = tile.split(" ").map(Number);
        assert.ok(zoom <= 14 && x >= 0 && x < 2 ** zoom && y >= 0 && y < 2 ** zoom, tile);
      }
    },
  );
  fc.assert(within, { numRuns: tries(100) });
});
