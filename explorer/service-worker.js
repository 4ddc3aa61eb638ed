/**
 * The service worker of the map page (docs/explorer.md, Kept in the browser): it keeps the files of the page, and tiles
 * of the base map that were seen. It answers no question of the API, no stream, no other page and no
 * address of another origin: those go past it. The service fills in what it keeps.
 */

/**
 * `version`: of the page and all its settings; `base`: folder of its files; `files`: those that it names.
 * @type {{ isOn: boolean, version: string, base: string, files: string[] }}
 */
const { isOn, version, base, files } = JSON.parse("{{offline}}");

/** @type {any} */
const worker = self;
const PAGE = "/";
const PREFIX = "vicinity-";
const PAGES = `${PREFIX}page-`;
const TILES = `${PREFIX}tiles`;
/** So long a page waits for the service, before it is the one that is kept, ms. */
const WAIT_MS = 4_000;
/** Tiles that are kept, the newest of them, in all and each. */
const TILES_MOST = 300;
const TILES_BYTES = 24 * 1024 * 1024;
const TILE_BYTES = 256 * 1024;
/** New tiles between two removals of the oldest. */
const TRIM_EVERY = 16;
/** Addresses that a page may name as seen. */
const SEEN_MOST = 400;

const TILE = /^\/tiles\/\d{1,2}\/\d{1,5}\/\d{1,5}\.mvt$/;
const VERSION = /^\?v=\w{1,40}$/;
const LISTS = new Set(["/tiles/index.json", "/tiles/labels.json"]);

let come = 0;

/** @typedef {(work: Promise<unknown>) => void} Later work that the worker stays for @typedef {(request: Request, later: Later) => Promise<Response>} Answer */

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  if (isOn) event.waitUntil(fill());
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(isOn ? takeOver() : leave());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const answer = isOn ? answerTo(event.request) : null;
  if (answer === null) return;
  const later = (/** @type {Promise<unknown>} */ work) => event.waitUntil(work);
  event.respondWith(answer(event.request, later));
});

/** What the page has loaded before there was a worker. */
worker.addEventListener("message", (/** @type {any} */ event) => {
  if (isOn && Array.isArray(event.data?.seen)) event.waitUntil(readSeen(event.data.seen));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});

/** All files of this version, or none: what is missing leaves the worker of before in its place. */
async function fill() {
  const cache = await caches.open(PAGES + version);
  const read = async (/** @type {string} */ path) => {
    const response = await fetch(path, path === PAGE ? { cache: "no-cache" } : {});
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    // A service of another version, in the middle of its exchange.
    if (path === PAGE && !(await response.clone().text()).includes(base))
      throw new Error("another version");
    await cache.put(path, response);
  };
  await Promise.all([PAGE, ...files].map(read));
}

/** The version of before stays, for pages of it that are still open; older ones go. */
async function takeOver() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  const [before] = names.filter((name) => name !== PAGES + version).slice(-1);
  await Promise.all(
    names.filter((name) => name !== PAGES + version && name !== before).map(remove),
  );
  await worker.clients.claim();
}

/** Switched off: nothing stays, and from the next load on there is no worker. */
async function leave() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map(remove));
  await worker.registration.unregister();
}

/** @param {string} name */
function remove(name) {
  return caches.delete(name);
}

/** What answers a request; null: it goes past the worker. @param {Request} request @returns {Answer | null} */
function answerTo({ method, mode, url, headers }) {
  const { origin, pathname, search } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return null;
  if (headers.has("authorization") || headers.has("range")) return null;
  if (mode === "navigate") return pathname === PAGE ? openPage : null;
  if (pathname.startsWith(`${base}/`) || pathname.startsWith("/assets/")) return readFile;
  if (TILE.test(pathname)) return VERSION.test(search) ? readTile : null;
  return LISTS.has(pathname) ? readList : null;
}

/** The page of the service, and the one that is kept where none comes. @type {Answer} */
async function openPage(request, later) {
  const kept = await caches.match(PAGE, { cacheName: PAGES + version, ignoreSearch: true });
  const asked = fetch(request);
  // Its failure is no error of the worker.
  later(asked.catch(() => null));
  if (!kept) return asked;
  const response = await Promise.race([asked.catch(() => kept), pause(WAIT_MS).then(() => kept)]);
  // The pages were switched off.
  if (response.status === 404 || response.status === 410) await leave();
  return isRefused(response) ? kept : response;
}

/** A file of some version, whose address names its content. @type {Answer} */
async function readFile(request, later) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200 && new URL(request.url).pathname.startsWith(`${base}/`)) {
    const copy = response.clone();
    later(caches.open(PAGES + version).then((cache) => cache.put(request, copy)));
  }
  return response;
}

/** A tile, whose address names the version of its base. @type {Answer} */
async function readTile(request, later) {
  const cache = await caches.open(TILES);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  const isLasting = !/no-store/.test(response.headers.get("cache-control") ?? "no-store");
  if ((response.status === 200 || response.status === 204) && isLasting)
    later(keepTile(cache, request, response.clone()));
  return response;
}

/** @param {Cache} cache @param {Request} request @param {Response} response */
async function keepTile(cache, request, response) {
  const { status, headers } = response;
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength > TILE_BYTES) return;
  const type = headers.get("content-type");
  const kept_headers = {
    ...(type ? { "content-type": type } : {}),
    "x-bytes": `${bytes.byteLength}`,
  };
  const body = status === 204 ? null : bytes;
  await cache.put(request, new Response(body, { status, headers: kept_headers }));
  come += 1;
  if (come % TRIM_EVERY === 1) await trim(cache);
}

/** The oldest go. @param {Cache} cache */
async function trim(cache) {
  let bytes = 0;
  const newest_first = (await cache.keys()).toReversed();
  for (const [n, key] of newest_first.entries()) {
    const kept = await cache.match(key, { ignoreVary: true });
    bytes += Number(kept?.headers.get("x-bytes") ?? 0);
    if (n >= TILES_MOST || bytes > TILES_BYTES) await cache.delete(key, { ignoreVary: true });
  }
}

/** The list of bases and the names of cities: the newest that comes, else the last. @type {Answer} */
async function readList(request, later) {
  const { pathname } = new URL(request.url);
  const cache = await caches.open(PAGES + version);
  const kept = () => cache.match(pathname, { ignoreVary: true });
  const response = await fetch(request).catch(() => null);
  if (response?.status === 200) {
    const copy = response.clone();
    later(cache.put(pathname, copy));
  }
  if (response !== null && !isRefused(response)) return response;
  return (await kept()) ?? response ?? Response.error();
}

/** @param {unknown[]} paths */
async function readSeen(paths) {
  const later = (/** @type {Promise<unknown>} */ work) => void work.catch(() => null);
  for (const path of paths.slice(0, SEEN_MOST)) {
    if (typeof path !== "string" || !path.startsWith("/")) continue;
    const request = new Request(path);
    const answer = answerTo(request);
    // One after another, mostly out of the cache of the browser.
    if (answer !== null) await answer(request, later).catch(() => null);
  }
}

/** The page that is open comes to the front, else one is opened. @param {unknown} path of the page */
async function showPage(path) {
  const [open] = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open) return open.focus();
  if (typeof path === "string" && path.startsWith("/?")) return worker.clients.openWindow(path);
}

/** What was asked for is there, and not given now. @param {Response} response */
function isRefused({ status }) {
  return status === 429 || status >= 500;
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
