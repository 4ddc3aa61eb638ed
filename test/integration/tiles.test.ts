/** Tiles over HTTP: which there are, how they are kept, and what many requests cost. */
import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { buildPages } from "#http/pages/page-site.ts";
import { TilePages } from "#http/pages/tile-pages.ts";
import { Turns } from "#http/pages/page-turns.ts";
import type { BaseMapRow, BaseMaps, DrawnTile, PinnedTile } from "#ports/base-maps.ts";
import { call } from "../support/call.ts";
import { pinnedTile, stubServer } from "../support/server.ts";
import { noFault } from "../support/faults.ts";

const failed = (error: unknown): void => noFault("pages", error);

const pages = buildPages(
  {
    mode: "sandbox",
    version: "1.1.0",
    style: null,
    style_hosts: [],
    embed_origins: [],
    start: null,
    cities: [],
    salt: "1",
    weather: null,
    offline: true,
    units: "metric",
    reference: { key: null, changelog: false },
  },
  failed,
);

const ROW: BaseMapRow = {
  ...{ id: "li", box: [47, 9, 48, 10], version: "1", data_as_of: "2021-01-06" },
  attribution: "© OpenStreetMap contributors",
};

/** Tiles whose bytes say which they are; those in column 0 are empty. */
function createMaps(rows: BaseMapRow[] = [ROW]): BaseMaps & { made: string[]; rows: BaseMapRow[] } {
  const made: string[] = [];
  return {
    made,
    rows,
    list: () => rows,
    covers: (lat, lon) =>
      rows.some(({ box: [s, w, n, e] }) => lat > s && lat < n && lon > w && lon < e),
    pin: (z, x, y) =>
      Promise.resolve(
        pinnedTile(() => {
          made.push(`${z}/${x}/${y}`);
          return x === 0 ? null : new TextEncoder().encode(`tile ${z}/${x}/${y} `.repeat(200));
        }),
      ),
  };
}

function serve(maps: BaseMaps) {
  const { app } = stubServer({ pages, maps });
  return (
    url: string,
    headers: Record<string, string> = {},
    method: "GET" | "HEAD" | "POST" = "GET",
  ) => call(app, { method, url, headers });
}

test("the index names the bases, their bounds and the address of their tiles", async () => {
  const other: BaseMapRow = {
    ...{ id: "mc.pmtiles", box: [43, 7, 44, 8], version: "2", data_as_of: null },
    attribution: "© Maps of M.",
  };
  const get = serve(createMaps([ROW, other]));
  const reply = await get("/tiles/index.json");
  assert.equal(reply.statusCode, 200);
  const index = JSON.parse(reply.payload);
  assert.deepEqual(index.bounds, [7, 43, 10, 48]);
  assert.deepEqual(index.bases, [
    { id: "li", bounds: [9, 47, 10, 48], data_as_of: "2021-01-06" },
    { id: "mc.pmtiles", bounds: [7, 43, 8, 44], data_as_of: null },
  ]);
  assert.match(index.tiles[0], /^\/tiles\/\{z\}\/\{x\}\/\{y\}\.mvt\?v=[0-9a-f]{12}$/);
  assert.deepEqual([index.tilejson, index.minzoom, index.maxzoom], ["3.0.0", 0, 14]);
  assert.equal(index.attribution, "© OpenStreetMap contributors, © Maps of M.");
  const again = await get("/tiles/index.json", { "if-none-match": String(reply.headers["etag"]) });
  assert.equal(again.statusCode, 304);
});

test("without a base there are no tiles, and the page can read that", async () => {
  const get = serve(createMaps([]));
  const { payload } = await get("/tiles/index.json");
  const { tiles, bounds, attribution, bases } = JSON.parse(payload);
  assert.deepEqual(
    { tiles, bounds, attribution, bases },
    { tiles: [], bounds: null, attribution: null, bases: [] },
  );
});

test("cities of the world are those that no base covers, and new ones with another base", async () => {
  type City = [rank: number, name: string, lat: number, lon: number];
  type Labels = { countries: [number, string][]; cities: City[]; covered: City[] };
  const maps = createMaps();
  const get = serve(maps);
  const addressOf = async () =>
    JSON.parse((await get("/tiles/index.json")).payload).labels as string;
  const url = await addressOf();
  const reply = await get(url, { "accept-encoding": "br" });
  assert.equal(reply.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.ok(reply.rawPayload.length < 60_000, "it costs more than it is worth");
  const labels = JSON.parse(brotliDecompressSync(reply.rawPayload).toString()) as Labels;
  const codes = labels.countries.map(([, code]) => code);
  // A base of one country would else hide its neighbours.
  assert.ok(codes.includes("CH") && codes.includes("LI"));
  assert.ok(!labels.cities.some(([, name]) => name === "Vaduz"));
  assert.ok(
    labels.covered.some(([, name]) => name === "Vaduz"),
    "from afar it is named",
  );
  assert.deepEqual(labels.countries[0], [0, "RU", 61.7, 99.73]);
  assert.equal(
    (await get(url.replace(/\?.*/, ""))).headers["cache-control"],
    "public, max-age=300",
  );
  // France, and no Liechtenstein.
  maps.rows[0] = { ...ROW, id: "fr", box: [42, -5, 51, 8] };
  const next = await addressOf();
  assert.notEqual(next, url);
  const other = JSON.parse((await get(next)).payload) as Labels;
  assert.ok(other.cities.some(([, name]) => name === "Vaduz"));
  assert.ok(!other.cities.some(([, name]) => name === "Paris" || name === "Lyon"));
});

test("a tile has its type, its coding and a tag, and is kept for ever under its version", async () => {
  const maps = createMaps();
  const get = serve(maps);
  const index = JSON.parse((await get("/tiles/index.json")).payload);
  const [template] = index.tiles as [string];
  const url = template.replace("{z}", "14").replace("{x}", "8625").replace("{y}", "5747");
  const plain = await get(url);
  assert.equal(plain.statusCode, 200);
  assert.equal(plain.headers["content-type"], "application/vnd.mapbox-vector-tile");
  assert.equal(plain.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(plain.headers["cross-origin-resource-policy"], "same-origin");
  assert.match(plain.payload, /^tile 14\/8625\/5747 /);
  const gzip = await get(url, { "accept-encoding": "gzip" });
  assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload);
  const br = await get(url, { "accept-encoding": "gzip, br" });
  assert.deepEqual(brotliDecompressSync(br.rawPayload), plain.rawPayload);
  assert.equal(br.headers["vary"], "Accept-Encoding");
  const tags = [plain, gzip, br].map(({ headers }) => headers["etag"]);
  assert.equal(new Set(tags).size, 3);
  assert.deepEqual(maps.made, ["14/8625/5747"]);
  const bare = await get(url.replace(/\?.*/, ""));
  assert.equal(bare.headers["cache-control"], "public, max-age=300");
  const old = await get(url.replace(/v=.*/, "v=0123456789ab"));
  assert.equal(old.headers["cache-control"], "public, max-age=300");
});

test("a caller that has a tile is answered without making it; a new version is another tile", async () => {
  const maps = createMaps();
  const get = serve(maps);
  const { headers } = await get("/tiles/14/8625/5747.mvt", { "accept-encoding": "gzip" });
  const condition = { "if-none-match": String(headers["etag"]), "accept-encoding": "gzip" };
  assert.equal((await get("/tiles/14/8600/5700.mvt", condition)).statusCode, 304);
  assert.deepEqual(maps.made, ["14/8625/5747"]);
  maps.rows[0] = { ...ROW, version: "2" };
  const changed = await get("/tiles/14/8625/5747.mvt", condition);
  assert.equal(changed.statusCode, 200);
  assert.notEqual(changed.headers["etag"], headers["etag"]);
  assert.equal(maps.made.length, 2);
});

test("a tile in which there is nothing is 204, and is made once", async () => {
  const maps = createMaps();
  const get = serve(maps);
  for (let n = 0; n < 3; n += 1) {
    const reply = await get("/tiles/3/0/1.mvt");
    assert.equal(reply.statusCode, 204);
    assert.equal(reply.payload, "");
    assert.equal(reply.headers["cache-control"], "public, max-age=300");
  }
  assert.deepEqual(maps.made, ["3/0/1"]);
});

test("what is no tile is 404 and is not looked for", async () => {
  const maps = createMaps();
  const get = serve(maps);
  const wrong = [
    "/tiles/15/1/1.mvt",
    "/tiles/3/8/1.mvt",
    "/tiles/3/1/8.mvt",
    "/tiles/03/1/1.mvt",
    "/tiles/3/01/1.mvt",
    "/tiles/3/+1/1.mvt",
    "/tiles/3/1e0/1.mvt",
    "/tiles/3/-1/1.mvt",
    "/tiles/3/1.0/1.mvt",
    "/tiles/3/1/1.pbf",
    "/tiles/3/1/1",
    "/tiles/3/1/1/1.mvt",
    "/tiles/3/1/99999999999999999999.mvt",
    "/tiles/",
    "/tiles/index.html",
    "/tiles/__proto__",
  ];
  for (const url of wrong) assert.equal((await get(url)).statusCode, 404, url);
  assert.deepEqual(maps.made, []);
  assert.equal((await get("/tiles/3/1/1.mvt", {}, "POST")).statusCode, 405);
  assert.equal((await get("/tiles/index.json", {}, "POST")).statusCode, 405);
  const head = await get("/tiles/3/1/1.mvt", {}, "HEAD");
  assert.deepEqual([head.statusCode, head.payload], [200, ""]);
});

test("requests for one tile at once make it once, and a failed one is tried again", async () => {
  let fails = true;
  const maps = createMaps();
  const get = serve({
    ...maps,
    pin(z, x, y) {
      if (fails) throw new Error("planted");
      return maps.pin(z, x, y);
    },
  });
  assert.equal((await get("/tiles/5/4/4.mvt")).statusCode, 500);
  fails = false;
  assert.equal((await get("/tiles/5/4/4.mvt")).statusCode, 200);
  const tiles = new TilePages(maps, { onFault: failed });
  const answers = [1, 2, 3].map(() => tiles.answer("/tiles/6/5/5.mvt", "", {}));
  for (const each of await Promise.all(answers)) assert.ok("status" in each && each.status === 200);
  assert.deepEqual(maps.made, ["5/4/4", "6/5/5"]);
});

test("one is made at a time, and too many that wait are refused", async () => {
  const running: (() => void)[] = [];
  const tiles = new TilePages(
    {
      list: () => [ROW],
      covers: () => false,
      pin: () =>
        Promise.resolve(
          pinnedTile(
            () => new Promise((resolve) => void running.push(() => resolve(new Uint8Array(10)))),
          ),
        ),
    },
    { onFault: failed },
  );
  const ends: (string | number)[] = [];
  for (let x = 1; x <= 300; x += 1)
    void tiles
      .answer(`/tiles/10/${x}/1.mvt`, "", {})
      .then((each) => ends.push("code" in each ? each.code : each.status));
  let most = 0;
  while (ends.length < 300) {
    await setImmediate();
    most = Math.max(most, running.length);
    running.shift()?.();
  }
  assert.equal(most, 1);
  assert.equal(ends.filter((each) => each === "overloaded").length, 300 - 1 - 256);
  assert.equal(ends.filter((each) => each === 200).length, 257);
});

test("a turn that fails is passed on", async () => {
  const turns = new Turns({ most: 10, keyed_share: 0 }, failed);
  const fail = turns.take(() => Promise.reject(new Error("planted")), "a");
  const next = turns.take(() => 7, "a");
  await assert.rejects(fail, /planted/);
  assert.equal(await next, 7);
});

test("between two turns others have their time, also after one that failed", async () => {
  const pauses: (() => void)[] = [];
  const turns = new Turns(
    { most: 10, keyed_share: 0 },
    failed,
    () => new Promise((resolve) => void pauses.push(resolve)),
  );
  const done: number[] = [];
  const works = [1, 2, 3].map((n) =>
    turns.take(() => {
      done.push(n);
      if (n === 1) throw new Error("planted");
    }, "a"),
  );
  await assert.rejects(works[0]!, /planted/);
  for (const most of [1, 2, 3]) {
    for (let n = 0; n < 5; n++) await setImmediate();
    assert.equal(done.length, most);
    assert.equal(pauses.length, 1);
    pauses.shift()!();
  }
  await Promise.all(works.slice(1));
});

test("a tile without a part of a base is not kept, and one of nothing else is refused", async () => {
  const maps = createMaps();
  const lacking = (bytes: Uint8Array | null, lacks: DrawnTile["lacks"]): PinnedTile => ({
    draw: () => Promise.resolve({ bytes, lacks }),
    [Symbol.dispose]: () => undefined,
  });
  let pin: (z: number, x: number, y: number) => PinnedTile = () =>
    lacking(new Uint8Array(8), "time");
  const get = serve({ ...maps, pin: (z, x, y) => Promise.resolve(pin(z, x, y)) });
  const { tiles } = JSON.parse((await get("/tiles/index.json")).payload) as { tiles: [string] };
  const url = tiles[0].replace("{z}/{x}/{y}", "5/4/4");
  const part = await get(url);
  assert.deepEqual(
    [part.statusCode, part.headers["cache-control"], part.headers["etag"]],
    [200, "no-store", undefined],
  );
  pin = () => lacking(null, "unreadable");
  const none = await get(url);
  assert.equal(none.statusCode, 503);
  assert.equal(JSON.parse(none.payload).error.code, "provider_unavailable");
  pin = () => lacking(null, "time");
  assert.equal(JSON.parse((await get(url)).payload).error.code, "overloaded");
  // As soon as it can be read it is whole, and kept.
  pin = () => lacking(new Uint8Array(9), null);
  const whole = await get(url);
  assert.match(String(whole.headers["cache-control"]), /immutable/);
  assert.ok(whole.headers["etag"]);
  pin = () => lacking(null, "unreadable");
  assert.equal((await get(url)).payload.length, whole.payload.length);
});

test("pages that a tile waits for keep no other tile waiting", async () => {
  const maps = createMaps();
  const slow = Promise.withResolvers<void>();
  const get = serve({
    ...maps,
    pin: async (z, x, y) => {
      if (x === 7) await slow.promise;
      return await maps.pin(z, x, y);
    },
  });
  const waits = get("/tiles/5/7/4.mvt");
  assert.equal((await get("/tiles/5/8/4.mvt")).statusCode, 200);
  assert.deepEqual(maps.made, ["5/8/4"]);
  slow.resolve();
  assert.equal((await waits).statusCode, 200);
});
