/** The page: what is asked when, and where each answer is shown. */
import { ABORTED, call } from "./data/api.js";
import {
  askAddress,
  askNearby,
  askServices,
  askSources,
  askTransport,
  askWeather,
  PAGE_SIZE,
} from "./data/asks.js";
import { inOrder, toMobility, toServices, toTransit } from "./data/items.js";
import { openMap } from "./map/map.js";
import { byId, h, line } from "./page/dom.js";
import { capital, distance } from "./page/format.js";
import { readSettings } from "./page/settings.js";
import { readState, writeState } from "./page/state.js";
import { watchTheme } from "./page/theme.js";
import { createAnswer } from "./panel/answer.js";
import { createCredits } from "./panel/credits.js";
import { createDetail } from "./panel/detail.js";
import { createFilters } from "./panel/filters.js";
import { createList } from "./panel/list.js";
import { createNotices } from "./panel/notices.js";
import { createRequest } from "./panel/request.js";
import { createSearch } from "./panel/search.js";
import { createSheet } from "./panel/sheet.js";
import { createSummary } from "./panel/summary.js";
import { createWeather } from "./panel/weather.js";

/** @typedef {import("./data/items.js").Item} Item @typedef {import("./data/api.js").Call} Call */

const REFRESH_MS = 15_000;
const SOON_MS = 2500;

const settings = readSettings();
const state = readState(location.search, settings.start);
/** @type {{ nearby: Call[], services: Call | null, transport: Call | null, sources: any[], address: string | null }} */
const known = { nearby: [], services: null, transport: null, sources: [], address: null };
/** @type {Map<string, Call>} */
const calls = new Map();
/** @type {Item[]} */
let items = [];
let pending = new AbortController();
let waiting = 0;
let map = /** @type {Awaited<ReturnType<typeof openMap>> | null} */ (null);

const say = (/** @type {string} */ text) => (byId("live").textContent = text);

const sheet = createSheet();
const list = createList({ select, hover: (item) => hover(item, "list"), more: () => void more() });
const detail = createDetail({
  state,
  close: () => select(null),
  show: (answer) => request.show(answer.id, [...calls.values(), answer]),
});
const answer = createAnswer({ state });
const request = createRequest({ toggled: () => map?.refit() });
const notices = createNotices({ retry: () => void ask(), widen: (metres) => setRadius(metres) });
const summary = createSummary({ radius: setRadius });
const credits = createCredits(settings);
const weather = createWeather(settings);
createFilters({ state, changed: () => void ask() });
createSearch({ at: () => state.at, chosen: (point, label) => pick(point, { label, fly: true }) });
const toggle = watchTheme((theme) => {
  map?.setTheme(theme);
  const button = byId("theme");
  const sun =
    "M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m11.4 0 1.4 1.4M4.9 4.9l1.4 1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z";
  const moon = "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.500 10.500Z";
  button.replaceChildren(line(theme === "dark" ? sun : moon));
});
byId("theme").addEventListener("click", toggle);

performance.mark("vicinity-ready");
await start();

async function start() {
  listen();
  if (state.at) void ask();
  else void askWorld();
  zoomButtons();
  map = await openMap({
    container: byId("map"),
    settings,
    at: state.at,
    radius: state.radius,
    zoom: state.zoom,
    theme: document.documentElement.dataset["theme"] === "dark" ? "dark" : "light",
    handlers: {
      pick: (point) => pick(point),
      select,
      hover: (item) => hover(item, "map"),
      zoomed(zoom) {
        state.zoom = zoom;
        keepAddress();
      },
    },
  }).catch((error) => {
    // Without a map the list is still whole.
    notices.set("map", {
      kind: "error",
      text: `The map cannot be drawn here: ${error?.message ?? error}`,
    });
    return null;
  });
  map?.map.once("idle", () => performance.mark("vicinity-map"));
  map?.showSystems(known.sources);
  show();
}

/** Ahead of the map, which may be long in coming and is not needed for any of it. */
function listen() {
  setInterval(() => void refresh(), REFRESH_MS);
  for (const event of ["online", "offline"]) addEventListener(event, () => noteConnection());
  addEventListener("popstate", () => location.reload());
  document.addEventListener("visibilitychange", () => void refresh());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.selected !== null) select(null);
    const typing =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === "/" && !typing) {
      event.preventDefault();
      byId("q").focus();
    }
  });
}

/** @param {{ lat: number, lon: number }} point @param {{ label?: string | null, fly?: boolean }} [how] */
function pick(point, { label = null, fly = false } = {}) {
  state.at = point;
  state.selected = null;
  known.address = label;
  detail.close();
  sheet.back();
  map?.move(point, { fly, fit: fly });
  map?.things.select(null);
  keepAddress();
  void ask();
}

/** @param {number} metres */
function setRadius(metres) {
  state.radius = metres;
  keepAddress();
  map?.setRadius(metres);
  void ask();
}

function keepAddress() {
  history.replaceState(null, "", writeState(state));
}

/** Everything about the point; what an earlier question still waits for is dropped. */
async function ask() {
  pending.abort();
  pending = new AbortController();
  const { signal } = pending;
  keepAddress();
  const { at, radius } = state;
  if (!at) return;
  noteConnection();
  const asks = {
    nearby: askNearby(state),
    services: askServices(state),
    transport: askTransport(state),
  };
  known.nearby = asks.nearby ? known.nearby.slice(0, 1) : [];
  if (!asks.services) known.services = null;
  if (!asks.transport) known.transport = null;
  waiting = Object.values(asks).filter((one) => one !== null).length;
  show();
  void askAround(at, radius, signal);
  await Promise.all([
    take(asks.nearby, signal, (done) => (known.nearby = [done])),
    take(asks.services, signal, (done) => (known.services = done)),
    take(asks.transport, signal, (done) => (known.transport = done)),
  ]);
  if (signal.aborted) return;
  performance.mark("vicinity-answer");
  say(summary.text());
  answer.changed();
  // Sources that were woken by the question answer the next one.
  if (known.nearby[0]?.body?.status === "partial")
    setTimeout(() => !signal.aborted && void refresh(), SOON_MS);
}

/** @param {import("./data/api.js").Ask | null} one @param {AbortSignal} signal @param {(done: Call) => void} keep */
async function take(one, signal, keep) {
  if (one === null) return;
  const done = await call(one, signal);
  if (done.problem === ABORTED) return;
  calls.set(done.id, done);
  waiting -= 1;
  keep(done);
  show();
}

/** Asks for what is shown next to the results: sources, weather, the name of the place. @param {{ lat: number, lon: number }} at @param {number} radius @param {AbortSignal} signal */
async function askAround(at, radius, signal) {
  await Promise.all([
    readSources(askSources(at, radius), signal),
    known.address === null ? readAddress(at, signal) : null,
    settings.weather === null ? null : readWeather(settings.weather, at, signal),
  ]);
}

/** @param {import("./data/api.js").Ask} one @param {AbortSignal} [signal] */
async function readSources(one, signal) {
  const done = await call(one, signal);
  if (done.problem !== null) return;
  calls.set(done.id, done);
  known.sources = done.body.sources;
  show();
}

/** @param {{ lat: number, lon: number }} at @param {AbortSignal} signal */
async function readAddress(at, signal) {
  const done = await call(askAddress(at), signal);
  if (done.problem === ABORTED) return;
  known.address = done.problem === null ? nameOf(done.body.results ?? []) : "";
  show();
}

/** @param {string} template @param {{ lat: number, lon: number }} at @param {AbortSignal} signal */
async function readWeather(template, at, signal) {
  const done = await call(askWeather(template, at), signal);
  if (done.problem !== ABORTED) weather.show(done);
}

/** What a person would call the spot: rather a street than a code. @param {any[]} candidates */
function nameOf(candidates) {
  const best = candidates.find(({ type }) => type !== "unknown") ?? candidates[0];
  return best?.name || best?.label || "";
}

/** Without a point: what there is in the world. */
async function askWorld() {
  show();
  await readSources({ id: "sources", title: "Sources", path: "/v1/sources", query: {} });
}

/** Only what moves, and only while the page is visible. */
async function refresh() {
  if (document.hidden || !navigator.onLine || waiting > 0) return;
  const { signal } = pending;
  const pages = Math.max(1, known.nearby.length);
  const asks = Array.from({ length: pages }, (_, n) => askNearby(state, { offset: n * PAGE_SIZE }));
  const done = await Promise.all(asks.flatMap((one) => (one ? [call(one, signal)] : [])));
  // A page that was asked for meanwhile stays; the next turn asks for it as well.
  if (signal.aborted || done.length === 0 || known.nearby.length > pages) return;
  for (const one of done) calls.set(one.id, one);
  known.nearby = done;
  show();
}

/** The next page of shared mobility. */
async function more() {
  // One that did not come is asked for again.
  const toPages = () => known.nearby.filter(({ problem }) => problem === null);
  const { length } = toPages();
  const next = askNearby(state, { offset: length * PAGE_SIZE });
  if (!next) return;
  const done = await call(next, pending.signal);
  const pages = toPages();
  // A double click asks for the same page twice.
  if (done.problem === ABORTED || pages.length !== length) return;
  calls.set(done.id, done);
  known.nearby = [...pages, done];
  show();
}

/** All that is known, on the list and on the map. */
function show() {
  const bound = new Set(
    known.sources.filter(({ terms }) => terms?.map === "own").map(({ id }) => id),
  );
  const of = (/** @type {Call | null} */ one) => (one?.problem === null ? one.body : null);
  const mobility = known.nearby.flatMap((one) => toMobility(of(one)));
  items = inOrder([
    ...mobility,
    ...toServices(of(known.services), bound),
    ...toTransit(of(known.transport)),
  ]);
  const all = [...known.nearby, known.services, known.transport].filter((one) => one !== null);
  const first = of(known.nearby[0] ?? null);
  const unseen = first ? Math.max(0, first.total - mobility.length) : 0;
  summary.show({ state, items, unseen, waiting, address: known.address, calls: all });
  notices.update({ calls: all, items, state, waiting, sources: known.sources });
  list.show({ items, unseen, waiting, selected: state.selected, asked: state.at !== null });
  map?.things.show(items);
  map?.showSystems(known.sources);
  credits.show(known.sources, all, items);
  request.show(
    null,
    [...calls.values()].filter(({ id }) => all.some((one) => one.id === id) || id === "sources"),
  );
  const chosen = items.find(({ id }) => id === state.selected);
  if (chosen) openDetail(chosen);
}

/** @param {Item | null} item */
function select(item) {
  const before = state.selected;
  state.selected = item?.id ?? null;
  keepAddress();
  map?.things.select(state.selected);
  list.mark(state.selected);
  if (item) {
    openDetail(item);
    map?.reveal(item);
    say(`${item.name}, ${distance(item.distance)}`);
    return;
  }
  detail.close();
  sheet.back();
  if (before !== null) list.focus(before);
}

/** @param {Item} item */
function openDetail(item) {
  sheet.detail();
  detail.open(item, known.sources);
}

/** @param {Item | null} item @param {"list" | "map"} from */
function hover(item, from) {
  map?.things.hover(item?.id ?? null);
  if (from === "map") list.hover(item?.id ?? null);
}

function noteConnection() {
  const text = "You are offline. What is shown is the last that came.";
  notices.set("line", navigator.onLine ? null : { kind: "error", text });
  if (navigator.onLine && [...calls.values()].some(({ problem }) => problem !== null))
    void refresh();
}

function zoomButtons() {
  for (const [name, by, d] of /** @type {const} */ ([
    ["in", 1, "M12 6v12M6 12h12"],
    ["out", -1, "M6 12h12"],
  ])) {
    const label = capital(`zoom ${name}`);
    const onclick = () => map?.map.zoomTo(map.map.getZoom() + by, { duration: 250 });
    byId("zoom").append(h("button", { type: "button", "aria-label": label, onclick }, line(d)));
  }
}
