/** The pages as files: what may be fetched, how it is kept, and under which policy. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { test } from "node:test";
import { createAsset } from "#http/pages/asset.ts";
import { buildPages, type PagesConfig } from "#http/pages/page-site.ts";
import { stubServer } from "../support/server.ts";
import { call } from "../support/call.ts";
import { noFault } from "../support/faults.ts";

const failed = (error: unknown): void => noFault("pages", error);

const CONFIG: PagesConfig = {
  mode: "sandbox",
  version: "1.1.0",
  style: null,
  style_hosts: [],
  embed_origins: [],
  start: null,
  cities: [{ id: "x", name: "</html>\"&'", lat: 1, lon: 2, read: () => ({ features: [] }) }],
  salt: "1",
  weather: null,
  offline: true,
  units: "metric",
  reference: { key: null, changelog: false },
};
const pages = buildPages(CONFIG, failed);
const { app } = stubServer({ pages });
const get = (url: string, headers: Record<string, string> = {}) =>
  call(app, { method: "GET", url, headers });
const assets = [...pages.assets.keys()];

test("the pages answer as HTML under a policy without unsafe words", async () => {
  for (const path of ["/", "/status", "/quality", "/docs"]) {
    const reply = await get(path);
    assert.equal(reply.statusCode, 200, path);
    assert.equal(reply.headers["content-type"], "text/html; charset=utf-8");
    const policy = String(reply.headers["content-security-policy"]);
    assert.doesNotMatch(policy, /unsafe/);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types (?:vicinity|'none')$/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(reply.headers["x-content-type-options"], "nosniff");
    assert.equal(reply.headers["referrer-policy"], "no-referrer");
    assert.equal(reply.headers["cross-origin-opener-policy"], "same-origin");
    assert.match(String(reply.headers["permissions-policy"]), /geolocation=\(self\)/);
    assert.doesNotMatch(reply.payload, /<script>|\son[a-z]+=|style="|\{\{/);
  }
});

test("what browsers and crawlers ask for by its usual name is there", async () => {
  const icon = await get("/favicon.ico");
  assert.deepEqual([icon.statusCode, icon.headers["content-type"]], [200, "image/svg+xml"]);
  assert.match(icon.payload, /^<svg /);
  const robots = await get("/robots.txt");
  assert.deepEqual(
    [robots.statusCode, robots.headers["content-type"]],
    [200, "text/plain; charset=utf-8"],
  );
  assert.match(robots.payload, /^User-agent: \*\nDisallow: \/v1\/$/m);
});

test("settings are escaped into their attribute", async () => {
  const { payload: body } = await get("/");
  assert.ok(body.includes("&lt;/html&gt;\\&quot;&amp;&#39;"));
});

test("every asset answers with its type, for ever, in three codings with a tag each", async () => {
  assert.ok(assets.length >= 40, `${assets.length} assets`);
  const types = new Set<string>();
  for (const path of assets) {
    const plain = await get(path);
    assert.equal(plain.statusCode, 200, path);
    assert.match(path, /^\/assets\/[0-9a-f]{12}\//);
    types.add(String(plain.headers["content-type"]));
    assert.match(String(plain.headers["cache-control"]), /immutable/);
    const tag = createHash("sha256").update(plain.rawPayload).digest("base64url").slice(0, 22);
    assert.equal(plain.headers["etag"], `"${tag}"`);
    if (plain.rawPayload.length < 1024 || plain.rawPayload.length > 200_000) continue;
    const br = await get(path, { "accept-encoding": "br" });
    assert.deepEqual(brotliDecompressSync(br.rawPayload), plain.rawPayload, path);
    const gzip = await get(path, { "accept-encoding": "gzip" });
    assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload, path);
    const tags = [plain, br, gzip].map(({ headers }) => headers["etag"]);
    assert.equal(new Set(tags).size, 3, path);
    assert.equal(br.headers["vary"], "Accept-Encoding");
    const condition = { "accept-encoding": "gzip", "if-none-match": String(gzip.headers["etag"]) };
    const entry = await get(path, condition);
    assert.equal(entry.statusCode, 304);
    assert.equal(entry.payload, "");
  }
  assert.ok(types.has("text/javascript; charset=utf-8") && types.has("text/css; charset=utf-8"));
});

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

test("a browser that asks for a page that is not there gets links, and a program the error", async () => {
  const page = await get("/nowhere<b>", { accept: BROWSER });
  assert.equal(page.statusCode, 404);
  assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
  assert.equal(page.headers["cache-control"], "no-store");
  assert.match(String(page.headers["content-security-policy"]), /default-src 'none'/);
  assert.ok(page.headers["x-request-id"]);
  assert.ok(!page.payload.includes("nowhere"), page.payload);
  const links = [...page.payload.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
  assert.deepEqual(links, ["/", "/docs", "/openapi.json", "/status"]);
  for (const link of links) assert.equal((await get(link)).statusCode, 200, link);
  const head = await call(app, { method: "HEAD", url: "/nowhere", headers: { accept: BROWSER } });
  assert.deepEqual([head.statusCode, head.payload], [404, ""]);
  for (const accept of ["*/*", "application/json", ""]) {
    const error = await get("/nowhere", { accept });
    assert.equal(error.statusCode, 404);
    assert.match(error.payload, /^\{"error":\{"code":"not_found"/);
  }
  const post = await call(app, { method: "POST", url: "/nowhere", headers: { accept: BROWSER } });
  assert.match(post.payload, /^\{"error"/);
  const without = await call(stubServer().app, { url: "/nowhere", headers: { accept: BROWSER } });
  assert.match(without.payload, /"not_found"/);
});

type Worker = { isOn: boolean; version: string; base: string; files: string[] };

/** What the service filled into the worker. */
function readWorker(text: string): Worker {
  const [, literal = ""] = /JSON\.parse\(("(?:[^"\\]|\\.)*")\)/.exec(text) ?? [];
  return JSON.parse(JSON.parse(literal) as string) as Worker;
}

test("the service worker is above all pages, is always read again, and may fetch from here alone", async () => {
  const reply = await get("/service-worker.js");
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal(reply.headers["cache-control"], "no-cache");
  assert.equal(reply.headers["content-security-policy"], "default-src 'none'; connect-src 'self'");
  const { isOn, base, files } = readWorker(reply.payload);
  assert.equal(isOn, true);
  const { payload: page } = await get("/");
  for (const path of files) assert.ok(pages.assets.has(path) && page.includes(path), path);
  const names = files.map((path) => path.replace(`${base}/`, ""));
  for (const name of ["app.js", "styles.css", "map/map.js", "manifest.webmanifest"])
    assert.ok(names.includes(name), name);
  assert.ok(!names.some((name) => name.startsWith("city/") || name.startsWith("docs/")));
});

test("another setting of the page is another worker, and switched off it keeps nothing", async () => {
  const make = async (change: object) => {
    const made = buildPages({ ...CONFIG, ...change }, failed);
    const reply = await call(stubServer({ pages: made }).app, { url: "/service-worker.js" });
    return readWorker(reply.payload);
  };
  const [same, again, other, off] = await Promise.all([
    ...[make({}), make({}), make({ start: { lat: 1, lon: 2 } }), make({ offline: false })],
  ]);
  assert.equal(same!.version, again!.version);
  assert.notEqual(same!.version, other!.version);
  assert.deepEqual([off!.isOn, off!.files], [false, []]);
});

test("the manifest has what installing needs, and its icons are as large as it says", async () => {
  const path = assets.find((each) => each.endsWith("/manifest.webmanifest")) as string;
  const reply = await get(path);
  assert.equal(reply.headers["content-type"], "application/manifest+json");
  const manifest = JSON.parse(reply.payload) as Record<string, string> & {
    icons: { src: string; sizes: string; type: string; purpose: string }[];
  };
  const { id, start_url, scope, display } = manifest;
  assert.deepEqual([id, start_url, scope, display], ["/", "/", "/", "standalone"]);
  for (const key of ["name", "short_name", "description", "theme_color", "background_color"])
    assert.ok(manifest[key], key);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await get(path.replace("manifest.webmanifest", src));
    assert.equal(icon.headers["content-type"], type, src);
    if (type !== "image/png") continue;
    const { rawPayload: png } = icon;
    assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes, src);
  }
  const purposes = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
  for (const wanted of ["192x192 any", "512x512 any", "512x512 maskable"])
    assert.ok(purposes.includes(wanted), wanted);
});

test("HEAD has the head alone, other methods get 405, unknown paths 404", async () => {
  const head = await call(app, { method: "HEAD", url: "/" });
  assert.equal(head.statusCode, 200);
  assert.equal(head.payload, "");
  assert.ok(Number(head.headers["content-length"]) > 500);
  for (const url of ["/", "/status", assets[0] as string]) {
    const posted = await call(app, { method: "POST", url });
    assert.equal(posted.statusCode, 405, url);
    assert.equal(posted.headers["allow"], "GET, HEAD, OPTIONS");
    assert.equal((await call(app, { method: "OPTIONS", url })).statusCode, 204);
  }
});

test("no path leads out of the list", async () => {
  const version = (assets[0] as string).split("/")[2];
  const tries = [
    "/assets/",
    `/assets/${version}/../../package.json`,
    `/assets/${version}/%2e%2e/%2e%2e/package.json`,
    `/assets/${version}/..%2f..%2fpackage.json`,
    `/assets/${version}//etc/passwd`,
    `/assets/${version}/explorer/app.js`,
    `/assets/${version}/app.js%00`,
    `/assets/${version}/app.js/`,
    "/assets/000000000000/app.js",
    "/index.html",
    "/assets/__proto__",
  ];
  for (const url of tries) assert.equal((await get(url)).statusCode, 404, url);
  assert.equal((await get(`/assets/${version}/app.js?x=1`)).statusCode, 200);
});

test("with pages off there are none, and the API does not mention them", async () => {
  const bare = stubServer();
  assert.equal((await call(bare.app, { url: "/" })).statusCode, 404);
  const { payload: body } = await get("/openapi.json");
  assert.doesNotMatch(body, /"\/(status|docs|assets)/);
});

test("the origins of a style are let in, and no other", async () => {
  const styled = buildPages(
    {
      mode: "live",
      version: "1",
      style: "https://tiles.example/style.json?key=1",
      start: null,
      style_hosts: ["https://glyphs.example"],
      embed_origins: [],
      cities: [],
      salt: "",
      weather: null,
      offline: true,
      units: "metric",
      reference: { key: null, changelog: false },
    },
    failed,
  );
  const reply = await call(stubServer({ pages: styled }).app, { url: "/" });
  const policy = String(reply.headers["content-security-policy"]);
  assert.match(policy, /connect-src 'self' https:\/\/tiles\.example https:\/\/glyphs\.example;/);
  assert.match(policy, /script-src 'self';/);
});

test("pages of the allowed origins alone may show /embed, and no other page is shown by any", async () => {
  const embed_origins = ["https://town.example", "https://*.shop.example:8443"];
  const { app: allowing } = stubServer({ pages: buildPages({ ...CONFIG, embed_origins }, failed) });
  const headersOf = async (url: string, to = allowing) => (await call(to, { url })).headers;
  const framed = await headersOf("/embed");
  assert.match(
    String(framed["content-security-policy"]),
    /; frame-ancestors https:\/\/town\.example https:\/\/\*\.shop\.example:8443;/,
  );
  assert.equal(framed["x-frame-options"], undefined);
  const others = ["/", "/docs", "/status", "/quality"].map((path) => headersOf(path));
  for (const headers of [...(await Promise.all(others)), await headersOf("/embed", app)]) {
    assert.match(String(headers["content-security-policy"]), /; frame-ancestors 'none';/);
    assert.equal(headers["x-frame-options"], "DENY");
  }
});

test("the first caller is given what was compressed ahead", async () => {
  const asset = createAsset(
    {
      type: "text/plain",
      policy: [],
      cache: "no-store",
      read: () => Buffer.from("this text repeats itself many times. ".repeat(100)),
    },
    failed,
  );
  await asset.shrink();
  const { headers, body } = await asset.answer({ "accept-encoding": "br" });
  assert.match(headers[headers.indexOf("etag") + 1] as string, /-br11"$/);
  assert.equal(brotliDecompressSync(body as Buffer).length, 3700);
  const tiny = createAsset(
    { type: "", policy: [], cache: "", read: () => Buffer.from("x") },
    failed,
  );
  await tiny.shrink();
  assert.equal((await tiny.answer({ "accept-encoding": "br" })).body?.length, 1);
});
