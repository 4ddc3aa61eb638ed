/** The service worker of the page: what it keeps, what it answers, and what goes past it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";
import { createContext, Script } from "node:vm";
import { FakeCaches } from "../../support/fake-caches.ts";

const FILE = new URL("../../../explorer/service-worker.js", import.meta.url);
const TEXT = readFileSync(FILE, "utf8");
const ORIGIN = "https://here.example";
const BASE = "/assets/0123456789ab";
const TILE = "/tiles/14/8298/5636.mvt?v=1";

type RequestOf = { method?: string; mode?: string; headers?: Record<string, string> };
type Settings = { isOn: boolean; version: string; base: string; files: string[] };
type Given = { settings?: Partial<Settings>; caches?: FakeCaches };

/** A worker in a browser of which all is written here. `serve`: the service; `requested`: what came to it. */
function openWorker({ settings, caches = new FakeCaches() }: Given = {}) {
  const handlers = new Map<string, (event: object) => void>();
  const requested: string[] = [];
  const work: Promise<unknown>[] = [];
  const noted = { claimed: 0, unregistered: 0 };
  const service = {
    serve: (path: string): Response | Promise<Response> =>
      path === "/" ? new Response(`<html>${BASE}/`) : new Response(path, { headers: LASTING }),
  };
  const all = { isOn: true, version: "v1", base: BASE, files: [`${BASE}/app.js`], ...settings };
  const text = TEXT.replace("{{offline}}", () => JSON.stringify(JSON.stringify(all)).slice(1, -1));
  const self = {
    addEventListener: (name: string, handler: (event: object) => void) =>
      handlers.set(name, handler),
    skipWaiting: () => {},
    clients: { claim: () => void (noted.claimed += 1), matchAll: () => [] },
    registration: { unregister: () => void (noted.unregistered += 1) },
  };
  const input = {
    ...{ self, caches, URL, Response, Promise, setTimeout: () => 0, location: { origin: ORIGIN } },
    // What a `new` function returns in place of the new object.
    Request: function Request(path: string) {
      return toRequest(path);
    },
    async fetch(request: string | { url: string }): Promise<Response> {
      const { pathname, search } = new URL(
        typeof request === "string" ? request : request.url,
        ORIGIN,
      );
      requested.push(pathname + search);
      return await service.serve(pathname + search);
    },
  };
  new Script(text).runInContext(createContext(input));
  const waitUntil = (one: Promise<unknown>): void => void work.push(one);
  const settle = async (): Promise<void> => {
    for (let n = 0; n < work.length; n += 1) await work[n];
    await setImmediate();
    work.length = 0;
  };
  return {
    ...{ caches, requested, noted, service },
    async send(name: string, event: object = {}): Promise<void> {
      handlers.get(name)!({ waitUntil, ...event });
      await settle();
    },
    /** null: it goes past the worker. */
    async fetch(path: string, request: RequestOf = {}): Promise<Response | null> {
      let answer: Promise<Response> | null = null;
      const respondWith = (one: Promise<Response>): void => void (answer = one);
      handlers.get("fetch")!({ request: toRequest(path, request), respondWith, waitUntil });
      const response = await (answer as Promise<Response> | null);
      await settle();
      return response;
    },
  };
}

const LASTING = { "cache-control": "public, max-age=31536000, immutable" };

function toRequest(path: string, { method = "GET", mode = "cors", headers = {} }: RequestOf = {}) {
  return { url: new URL(path, ORIGIN).href, method, mode, headers: new Headers(headers) };
}

async function openReady(given: Given = {}) {
  const worker = openWorker(given);
  await worker.send("install");
  await worker.send("activate");
  worker.requested.length = 0;
  return worker;
}

const away = (): Promise<Response> => Promise.reject(new TypeError("no network"));

test("questions, streams, keys, other pages and other origins go past it", async () => {
  const worker = await openReady();
  const paths = [
    "/v1/nearby?lat=1&lon=2",
    "/v1/nearby/stream?bbox=1,2,3,4",
    "/v1/tiles/14/1/1.mvt",
    "/mcp",
    "/openapi.json",
    "/admin/plans",
    "/service-worker.js",
    "/tiles/14/8298/5636.mvt",
    `${TILE}&token=svc_live_x`,
    "https://tiles.example/tiles/14/8298/5636.mvt?v=1",
  ];
  for (const path of paths) assert.equal(await worker.fetch(path), null, path);
  for (const path of ["/docs", "/status", "/quality?source=x", "/v1/me"])
    assert.equal(await worker.fetch(path, { mode: "navigate" }), null, path);
  assert.equal(await worker.fetch(TILE, { headers: { authorization: "Bearer x" } }), null);
  assert.equal(await worker.fetch(TILE, { headers: { range: "bytes=0-1" } }), null);
  assert.equal(await worker.fetch(`${BASE}/app.js`, { method: "POST" }), null);
  assert.deepEqual(worker.requested, []);
});

test("the page is the service's while that answers, and without it the last one", async () => {
  const worker = await openReady();
  const open = async () => {
    const response = await worker.fetch("/?at=1,2", { mode: "navigate" });
    return [response!.status, await response!.text()];
  };
  worker.service.serve = () => new Response("new");
  assert.deepEqual(await open(), [200, "new"]);
  for (const status of [429, 503]) {
    worker.service.serve = () => new Response("busy", { status });
    assert.deepEqual(await open(), [200, `<html>${BASE}/`], String(status));
  }
  worker.service.serve = away;
  assert.deepEqual(await open(), [200, `<html>${BASE}/`]);
  assert.equal(await (await worker.fetch(`${BASE}/app.js`))!.text(), `${BASE}/app.js`);
  assert.equal(worker.noted.unregistered, 0);
});

test("pages that are switched off take the worker away", async () => {
  const worker = await openReady();
  worker.service.serve = () => new Response("{}", { status: 404 });
  const response = await worker.fetch("/", { mode: "navigate" });
  assert.equal(response!.status, 404);
  assert.equal(worker.noted.unregistered, 1);
  assert.deepEqual(await worker.caches.keys(), []);
});

test("what cannot be read whole is not installed", async () => {
  const worker = openWorker();
  worker.service.serve = (path) =>
    path === "/" ? new Response(`<html>${BASE}/`) : new Response("gone", { status: 404 });
  await assert.rejects(worker.send("install"), /app\.js: 404/);
  const other = openWorker();
  other.service.serve = () => new Response("<html>/assets/ffffffffffff/");
  await assert.rejects(other.send("install"), /another version/);
});

test("errors, and what must not be stored, are passed on and not kept", async () => {
  const worker = await openReady();
  const answers: [string, Response][] = [
    [`${BASE}/other.js`, new Response("", { status: 404 })],
    [TILE, new Response("", { status: 503, headers: LASTING })],
    [TILE, new Response("part", { headers: { "cache-control": "no-store" } })],
    [TILE, new Response("undated")],
    [TILE, new Response("x".repeat(300_000), { headers: LASTING })],
    ["/tiles/index.json", new Response("", { status: 500 })],
  ];
  for (const [path, answer] of answers) {
    worker.service.serve = () => answer.clone();
    assert.equal((await worker.fetch(path))!.status, answer.status, path);
    worker.service.serve = away;
    const again = await worker.fetch(path).catch(() => null);
    assert.ok(again === null || again.type === "error", path);
  }
});

test("a tile that was seen is there without the service, and the oldest go", async () => {
  const worker = await openReady();
  for (let x = 0; x < 340; x += 1) await worker.fetch(`/tiles/14/${x}/0.mvt?v=1`);
  const store = worker.caches.stores.get("vicinity-tiles")!;
  const { length } = store.paths();
  assert.ok(length <= 316 && length >= 300, String(length));
  worker.service.serve = away;
  const last = await worker.fetch("/tiles/14/339/0.mvt?v=1");
  assert.equal(await last!.text(), "/tiles/14/339/0.mvt?v=1");
  await assert.rejects(worker.fetch("/tiles/14/0/0.mvt?v=1"));
});

test("the list of bases is the newest that came", async () => {
  const worker = await openReady();
  for (const text of ["1", "2"]) {
    worker.service.serve = () => new Response(text);
    assert.equal(await (await worker.fetch("/tiles/index.json"))!.text(), text);
  }
  worker.service.serve = away;
  assert.equal(await (await worker.fetch("/tiles/index.json"))!.text(), "2");
});

test("the version of before stays for its open pages, older ones go, and switched off nothing stays", async () => {
  const caches = new FakeCaches();
  for (const version of ["a", "b", "c"]) {
    const base = `/assets/00000000000${version}`;
    const worker = openWorker({ caches, settings: { version, base, files: [`${base}/app.js`] } });
    worker.service.serve = (path) => new Response(`${base}/ ${path}`);
    await worker.send("install");
    await worker.send("activate");
    assert.equal(worker.noted.claimed, 1);
    worker.service.serve = away;
    const page = await worker.fetch("/", { mode: "navigate" });
    assert.equal(await page!.text(), `${base}/ /`);
    if (version === "b")
      assert.ok((await worker.fetch("/assets/00000000000a/app.js"))!.ok, "of an open page");
  }
  assert.deepEqual(await caches.keys(), ["vicinity-page-b", "vicinity-page-c"]);
  await caches.open("vicinity-answers");
  await caches.open("of another program");
  const off = openWorker({ caches, settings: { isOn: false, files: [] } });
  await off.send("install");
  await off.send("activate");
  assert.deepEqual(off.requested, []);
  assert.equal(off.noted.unregistered, 1);
  assert.deepEqual(await caches.keys(), ["of another program"]);
  assert.equal(await off.fetch("/", { mode: "navigate" }), null);
});

test("of what a page names as loaded, its own files and tiles are kept", async () => {
  const worker = await openReady();
  const seen = [`${BASE}/late.js`, TILE, "/v1/nearby?lat=1", "//evil.example/x", 7, "x", "/docs"];
  await worker.send("message", { data: { seen } });
  assert.deepEqual(worker.requested, [`${BASE}/late.js`, TILE]);
  await worker.send("message", { data: "nothing" });
  worker.service.serve = away;
  assert.ok((await worker.fetch(`${BASE}/late.js`))!.ok);
});
