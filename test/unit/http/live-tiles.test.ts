/** GET /v1/tiles over a socket: validators, codings, prices, and what of the address is wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { LiveTile, LiveTiles, TileRequest } from "#app/live/live-types.ts";
import { call, type Called } from "../../support/call.ts";
import { type StubOptions, stubServer } from "../../support/server.ts";

const BYTES = new Uint8Array(5_000).map((_, i) => i % 7);
const TILE: LiveTile = { version: "v1", bytes: BYTES, objects: 3, max_age_s: 12 };
const EMPTY: LiveTile = { version: "v0", bytes: new Uint8Array(0), objects: 0, max_age_s: 30 };
const PATH = "/v1/tiles/14/8298/5636.mvt";

type Draw = (request: TileRequest) => LiveTile | "full";

/** Calls a server whose tiles are these; `units`: what was recorded, call by call. */
function open(draw: Draw = () => TILE, options: StubOptions = {}) {
  const requested: TileRequest[] = [];
  const units: number[] = [];
  const liveTiles: LiveTiles = {
    draw: (request) => {
      requested.push(request);
      return Promise.try(() => draw(request));
    },
  };
  const meter = {
    record: (_caller: unknown, _operation: unknown, count: number) => {
      units.push(count);
      return Promise.resolve(true);
    },
  };
  const { app, lines } = stubServer({ liveTiles, gate: { meter }, ...options });
  const ask = (url = PATH, headers: Record<string, string> = {}, method = "GET"): Promise<Called> =>
    call(app, { url, headers, method });
  return { ask, requested, units, lines };
}

test("a tile leaves with its type, a strong tag and the life of what is in it, and costs a unit", async () => {
  const { ask, requested, units } = open();
  const { statusCode, headers, rawPayload } = await ask(`${PATH}?layers=zones,stations`);
  assert.equal(statusCode, 200);
  assert.deepEqual(new Uint8Array(rawPayload), BYTES);
  assert.equal(headers["content-type"], "application/vnd.mapbox-vector-tile");
  assert.equal(headers["etag"], '"v1"');
  assert.equal(headers["cache-control"], "public, max-age=12");
  assert.match(headers["vary"]!, /Accept-Encoding/);
  assert.deepEqual(units, [1]);
  const [{ z, x, y, layers, block, deadline_ms, now_ms }] = requested as [TileRequest];
  assert.deepEqual({ z, x, y }, { z: 14, x: 8298, y: 5636 });
  assert.deepEqual([...layers].sort(), ["stations", "zones"]);
  assert.deepEqual([block, deadline_ms - now_ms], ["127.0.0.0/24", 2_000]);
});

test("without `layers` a tile has stations and vehicles", async () => {
  const { ask, requested } = open();
  await ask();
  assert.deepEqual(requested[0]!.layers, ["stations", "vehicles"]);
});

test("who has the tile already gets 304, which costs nothing, until it changes", async () => {
  let tile = TILE;
  const { ask, units } = open(() => tile);
  const { statusCode, headers, rawPayload } = await ask(PATH, { "if-none-match": '"v0", "v1"' });
  assert.deepEqual([statusCode, rawPayload.length, units], [304, 0, []]);
  assert.deepEqual([headers["etag"], headers["cache-control"]], ['"v1"', "public, max-age=12"]);
  tile = { ...TILE, version: "v2" };
  const changed = await ask(PATH, { "if-none-match": '"v1"' });
  assert.deepEqual([changed.statusCode, changed.headers["etag"]], [200, '"v2"']);
  assert.deepEqual(units, [1]);
});

test("a tile is compressed as requested, with a tag of its own for each coding", async () => {
  const { ask } = open();
  const br = await ask(PATH, { "accept-encoding": "br" });
  const gzip = await ask(PATH, { "accept-encoding": "gzip" });
  assert.deepEqual(new Uint8Array(brotliDecompressSync(br.rawPayload)), BYTES);
  assert.deepEqual(new Uint8Array(gunzipSync(gzip.rawPayload)), BYTES);
  assert.deepEqual([br.headers["etag"], gzip.headers["etag"]], ['"v1-br"', '"v1-gzip"']);
  const again = await ask(PATH, { "accept-encoding": "br", "if-none-match": '"v1-br"' });
  assert.equal(again.statusCode, 304);
  const other = await ask(PATH, { "accept-encoding": "gzip", "if-none-match": '"v1-br"' });
  assert.equal(other.statusCode, 200);
});

test("an empty tile is 200 without bytes, and free", async () => {
  const { ask, units } = open(() => EMPTY);
  const { statusCode, headers, rawPayload } = await ask(PATH, { "accept-encoding": "br" });
  assert.deepEqual([statusCode, rawPayload.length, headers["content-length"]], [200, 0, "0"]);
  assert.equal(headers["content-encoding"], undefined);
  assert.deepEqual(units, [0]);
});

test("a tile that lacks something is kept by no cache", async () => {
  const { ask } = open(() => ({ ...TILE, max_age_s: null }));
  const { headers } = await ask();
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["etag"], '"v1"');
});

test("HEAD is answered as GET, without the bytes", async () => {
  const { ask } = open();
  const { statusCode, headers, rawPayload } = await ask(PATH, {}, "HEAD");
  assert.deepEqual([statusCode, rawPayload.length], [200, 0]);
  assert.deepEqual([headers["content-length"], headers["etag"]], [String(BYTES.length), '"v1"']);
});

const WRONG: [path: string, names: RegExp][] = [
  ["/v1/tiles/19/0/0.mvt", /^z must/],
  ["/v1/tiles/99/0/0.mvt", /^z must/],
  ["/v1/tiles/0/1/0.mvt", /^x must be a whole number from 0 to 0 at zoom 0/],
  ["/v1/tiles/14/16384/0.mvt", /^x must/],
  ["/v1/tiles/14/16383/16384.mvt", /^y must/],
  ["/v1/tiles/a/0/0.mvt", /z/],
  ["/v1/tiles/1/-1/0.mvt", /x/],
  ["/v1/tiles/1/1/0.5.mvt", /y/],
  [`${PATH}?layers=trains`, /layers/],
];

for (const [path, names] of WRONG)
  test(`GET ${path} is 400, and says what is wrong`, async () => {
    const { ask, requested, units } = open();
    const { statusCode, json } = await ask(path);
    assert.equal(statusCode, 400);
    assert.match((json() as { error: { message: string } }).error.message, names);
    assert.deepEqual([requested, units], [[], []]);
  });

test("the last zoom and the last tile of a zoom are there", async () => {
  const { ask } = open();
  assert.equal((await ask("/v1/tiles/18/262143/262143.mvt")).statusCode, 200);
  assert.equal((await ask("/v1/tiles/0/0/0.mvt")).statusCode, 200);
});

test("where too many wait it is overloaded; what throws costs that tile alone; both cost nothing", async () => {
  const { ask, units, lines } = open(({ z }) => {
    if (z === 3) throw new TypeError("broken");
    return z === 2 ? "full" : TILE;
  });
  assert.equal((await ask("/v1/tiles/2/1/1.mvt")).statusCode, 503);
  assert.equal((await ask("/v1/tiles/3/1/1.mvt")).statusCode, 500);
  assert.equal((await ask()).statusCode, 200);
  assert.deepEqual(units, [1]);
  const failed = lines.filter((line) => JSON.stringify(line).includes("broken"));
  assert.match(JSON.stringify(failed), /live-tiles\.test\.ts/);
});
