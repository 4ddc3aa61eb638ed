/** The page: how state, answers, panel and map meet. */
import { call } from "./data/api.js";
import { createAround } from "./data/around.js";
import { askWorld } from "./data/asks.js";
import { inOrder, toMobility, toServices, toTransit } from "./data/items.js";
import { createSession } from "./data/session.js";
import { choose, toGroups } from "./data/wishes.js";
import { byId } from "./page/dom.js";
import { distance } from "./page/format.js";
import { labelPage } from "./page/labels.js";
import { readSettings } from "./page/settings.js";
import { readState, writeState } from "./page/state.js";
import { loadTexts, t } from "./page/texts.js";
import { toast } from "./page/toast.js";
import { createAnswer } from "./panel/answer.js";
import { createCredits } from "./panel/credits.js";
import { createDetail } from "./panel/detail.js";
import { createFilters } from "./panel/filters.js";
import { createIntro } from "./panel/intro.js";
import { createList } from "./panel/list.js";
import { createMenu } from "./panel/menu.js";
import { createNotices } from "./panel/notices.js";
import { createRequest } from "./panel/request.js";
import { createSearch } from "./panel/search.js";
import { createSheet } from "./panel/sheet.js";
import { createSummary } from "./panel/summary.js";
import { createWeather } from "./panel/weather.js";
import { addZoom } from "./panel/zoom.js";

/** @typedef {import("./data/items.js").Item} Item */

/** A slow line brings the list before the map's library, which is most of the page. */
const MAP_WAIT_MS = 3_000;
/** Zoom below which a city is a dot. */
const WORLD_ZOOM = 9.5;

const settings = readSettings();
await loadTexts(settings.assets);
labelPage();

const state = readState(location.search, settings.start);
/** All that is known, and of it what is wanted. @type {{ all: Item[], shown: Item[] }} */
let items = { all: [], shown: [] };
let map = /** @type {Awaited<ReturnType<typeof import("./map/map.js").openMap>> | null} */ (null);
let isMapComing = false;
let isWorldAsked = false;
/** The map has been drawn, or could not be: before, the start sees to it. */
let isStarted = false;
/** A thing named by the address that has not come yet. */
let isSought = state.selected !== null;

const say = (/** @type {string} */ text) => (byId("live").textContent = text);

const session = createSession({ state, changed: show, settled });
const around = createAround({
  state,
  settings,
  session,
  weather: (done) => weather.show(done),
  changed: show,
});
const sheet = createSheet({ moved: () => map?.refit() });
const list = createList({ select, hover: (item) => hover(item, "list") });
const detail = createDetail({
  state,
  close: () => select(null),
  show: (answer) => request.show(answer.id, [...session.calls.values(), answer]),
  report: toast,
});
const answer = createAnswer({ state, sources: () => around.known.sources });
const request = createRequest({ toggled: () => map?.refit() });
const notices = createNotices({ retry, widen: setRadius });
const summary = createSummary({ radius: setRadius });
const credits = createCredits(settings);
const weather = createWeather(settings);
const filters = createFilters({
  state,
  kinds() {
    keepAddress("push");
    void ask();
  },
  wishes() {
    keepAddress("push");
    show();
  },
});
const intro = createIntro({
  settings,
  go: ({ name, ...point }) => pick(point, { label: name, fly: true }),
});
createSearch({
  at: () => state.at,
  chosen: (point, name) => pick(point, { label: name, fly: true }),
});
createMenu({ themed: (theme) => map?.setTheme(theme), about: () => intro.open(), report: toast });

performance.mark("vicinity-ready");
listen();
addZoom((by) => map?.map.zoomTo(map.map.getZoom() + by, { duration: 250 }));
const first = state.at ? ask() : around.askWorld();
await Promise.race([first, new Promise((resolve) => setTimeout(resolve, MAP_WAIT_MS))]);
await drawMap();
isStarted = true;

/** Loads and draws the map; what failed is tried again with everything else. */
async function drawMap() {
  if (isMapComing || map !== null) return;
  isMapComing = true;
  try {
    // A browser never again asks for a module that it failed to fetch: they are fetched first.
    await Promise.all(settings.map.map(fetchWhole));
    const { openMap } = await import("./map/map.js");
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
          keepAddress("replace");
          if (zoom < WORLD_ZOOM) void showWorld();
        },
      },
    });
  } catch (error) {
    // Without a map the list is still whole.
    const problem = error instanceof Error ? error.message : String(error);
    const lines = [t("map.failed", { problem })];
    notices.set("map", {
      kind: "error",
      lines,
      action: { label: t("notice.retry"), run: () => void drawMap() },
    });
    return;
  } finally {
    isMapComing = false;
  }
  notices.set("map", null);
  map.map.once("idle", () => performance.mark("vicinity-map"));
  map.things.select(state.selected);
  if (state.zoom !== null && state.zoom < WORLD_ZOOM) void showWorld();
  show();
}

/** From afar, every known system is a dot; they are asked for once. */
async function showWorld() {
  if (isWorldAsked) return;
  isWorldAsked = true;
  const { problem, body } = await call(askWorld(), session.signal());
  if (problem === null) map?.showSystems(body.sources);
  else isWorldAsked = false;
}

/** Brings a file into the cache of the browser. @param {string} url */
async function fetchWhole(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(t("call.status", { status: String(response.status) }));
  await response.arrayBuffer();
}

/** Ahead of the map, which may be long in coming and is not needed for any of it. */
function listen() {
  addEventListener("offline", show);
  addEventListener("online", retry);
  addEventListener("popstate", followAddress);
  document.addEventListener("visibilitychange", () => void session.refresh());
  document.addEventListener("keydown", (event) => {
    const isPopover = document.querySelector(":popover-open") !== null;
    if (event.key === "Escape" && state.selected !== null && !isPopover) select(null);
    const isTyping =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      byId("q").focus();
    }
  });
}

/** @param {{ lat: number, lon: number }} point @param {{ label?: string | null, fly?: boolean }} [how] */
function pick(point, { label: name = null, fly = false } = {}) {
  state.at = point;
  keepAddress("push");
  goTo(point, { name, fly });
}

/** Shows another point; its address is that of the page already. @param {{ lat: number, lon: number }} point @param {{ name: string | null, fly: boolean }} how */
function goTo(point, { name, fly }) {
  state.selected = null;
  isSought = false;
  around.known.address = name;
  detail.close();
  sheet.back();
  map?.move(point, { fly, fit: fly });
  map?.things.select(null);
  keepAddress("replace");
  void ask();
}

/** @param {number} metres */
function setRadius(metres) {
  state.radius = metres;
  keepAddress("push");
  map?.setRadius(metres);
  void ask();
}

/** `push`: a step that Back undoes. @param {"push" | "replace"} how */
function keepAddress(how) {
  const address = writeState(state);
  if (address === location.pathname + location.search) return;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** Back and forward: the state of the address, without loading the page again. */
function followAddress() {
  const before = { at: state.at, radius: state.radius, kinds: [...state.kinds].join() };
  Object.assign(state, readState(location.search, settings.start));
  filters.mark();
  isSought = state.selected !== null;
  const isMoved = JSON.stringify(before.at) !== JSON.stringify(state.at);
  if (before.radius !== state.radius) map?.setRadius(state.radius);
  if (isMoved && state.at) {
    around.known.address = null;
    map?.move(state.at, { fly: true, fit: true });
  }
  map?.things.select(state.selected);
  if (state.selected === null) {
    detail.close();
    sheet.back();
  }
  if (isMoved || before.radius !== state.radius || before.kinds !== [...state.kinds].join())
    void ask();
  else show();
}

/** Asks for everything about the point; what an earlier question still waits for is dropped. */
async function ask() {
  if (!state.at) return;
  const asked = session.ask();
  void around.ask(state.at);
  await asked;
}

/** Asks again for all that failed, and for what is shown around it. */
function retry() {
  if (isStarted) void drawMap();
  if (!state.at) return void around.askWorld();
  void session.retry();
  void around.ask(state.at);
}

/** All lanes have answered or failed. */
function settled() {
  performance.mark("vicinity-answer");
  say(summary.text());
  answer.changed();
  if (!isSought || items.all.some(({ id }) => id === state.selected)) return;
  const isWhole = Object.values(session.lanes).every(
    ({ failed, pages, isWanted }) => !isWanted || (failed === null && pages.length > 0),
  );
  if (!isWhole) return;
  isSought = false;
  notices.set("sought", {
    kind: "note",
    lines: [t("notice.sought")],
    close: () => notices.set("sought", null),
  });
}

/** Sources whose terms bind what they say to their own map. */
function boundSources() {
  return new Set(
    around.known.sources.filter(({ terms }) => terms?.map === "own").map(({ id }) => id),
  );
}

/** All that is known, on the list and on the map. */
function show() {
  const { lanes } = session;
  const colors = new Map(
    around.known.sources.flatMap(({ id, color }) => (color ? [[id, color]] : [])),
  );
  const bound = boundSources();
  const of = (/** @type {keyof typeof lanes} */ id, /** @type {(body: any) => Item[]} */ read) => {
    const { pages, isStale: stale, at_ms: read_at_ms } = lanes[id];
    const found = pages.flatMap(({ body }) => read(body));
    return stale ? found.map((item) => ({ ...item, stale, read_at_ms })) : found;
  };
  const all = inOrder(
    unique([
      ...of("nearby", (body) => toMobility(body, colors)),
      ...of("services", (body) => toServices(body, bound)),
      ...of("transport", toTransit),
    ]),
  );
  const shown = choose(all, state);
  items = { all, shown };
  const isLoading = session.isLoading();
  const wanted = Object.values(lanes).filter(({ isWanted }) => isWanted);
  const total = Math.max(
    all.length,
    wanted.reduce((sum, { pages }) => sum + (pages[0]?.body.total ?? 0), 0),
  );
  summary.show({
    state,
    shown,
    found: total,
    hidden: all.length - shown.length,
    isLoading,
    hasFailed: wanted.some(({ failed }) => failed !== null),
    address: around.known.address,
    lanes,
  });
  const others = [...around.known.failed.values()].filter(({ id }) => id !== "weather");
  notices.update({ lanes, others, items: all, state, isLoading, sources: around.known.sources });
  filters.offer(all);
  intro.show(around.known.sources);
  list.show({
    groups: session.isHeld()
      ? []
      : state.sort === "kind"
        ? toGroups(shown)
        : [{ kind: null, items: shown, usable: 0 }],
    isLoading: isLoading && state.at !== null,
    selected: state.selected,
    place: JSON.stringify([state.at, state.radius, state.sort]),
  });
  map?.things.show(shown);
  map?.showSystems(around.known.sources);
  credits.show(
    around.known.sources,
    wanted.flatMap(({ pages }) => pages),
    all,
  );
  request.show(null, requestsShown());
  const chosen = all.find(({ id }) => id === state.selected);
  if (chosen) openDetail(chosen);
}

/** Things move while pages come: one may be on two of them. @param {Item[]} things */
function unique(things) {
  return [...new Map(things.map((item) => [item.id, item])).values()];
}

/** The newest call of each question that the view is made of. */
function requestsShown() {
  const wanted = new Set(
    Object.values(session.lanes).flatMap(({ pages, failed }) => [
      ...pages,
      ...(failed ? [failed] : []),
    ]),
  );
  return [...session.calls.values()].filter((one) => wanted.has(one) || one.id === "sources");
}

/** @param {Item | null} item */
function select(item) {
  const before = state.selected;
  state.selected = item?.id ?? null;
  isSought = false;
  keepAddress(before === null && item !== null ? "push" : "replace");
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
  detail.open(item, around.known.sources);
}

/** @param {Item | null} item @param {"list" | "map"} from */
function hover(item, from) {
  map?.things.hover(item?.id ?? null);
  if (from === "map") list.hover(item?.id ?? null);
}
