/** The page: how state, answers, panel and map meet. */
import { call, fetchWhole, pause } from "./data/api.js";
import { createAround, listCalls } from "./data/around.js";
import { askWorld } from "./data/asks.js";
import { readItems } from "./data/items.js";
import { createNextDepartures } from "./data/next-departures.js";
import { createSession } from "./data/session.js";
import { choose, toGroups } from "./data/wishes.js";
import { openLastAnswers } from "./offline/last-answers.js";
import { createOwn } from "./own/later.js";
import { byId } from "./page/dom.js";
import { awayWords } from "./page/foot.js";
import { followKeys } from "./page/keys.js";
import { labelPage } from "./page/labels.js";
import { readSettings } from "./page/settings.js";
import { keepState, questionOf, reachOf, readState } from "./page/state.js";
import { loadTexts, t } from "./page/texts.js";
import { currentTheme } from "./page/theme.js";
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
/** What moves is not waited for longer than this, where a map never rests. */
const LIVE_WAIT_MS = 5_000;
/** So long what the address names may come with what moves, before it is said to be gone. */
const SOUGHT_WAIT_MS = 8_000;

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
/** What moves around the circle; it comes after the map. */
let live = /** @type {import("./live/live.js").Live | null} */ (null);
/** Ends when it is known what moves, or that nothing will be. @type {PromiseWithResolvers<void>} */
const { promise: liveSettled, resolve: noteLive } = Promise.withResolvers();
let outside = /** @type {import("./live/outside.js").Outside | null} */ (null);
/** A thing named by the address that has not come yet. */
let isSought = state.selected !== null;

const say = (/** @type {string} */ text) => (byId("live").textContent = text);

const last = openLastAnswers(settings.offline);
const session = createSession({ state, changed: show, settled, last });
const departures = createNextDepartures({ state, session, changed: show });
const around = createAround({
  state,
  settings,
  session,
  last,
  weather: (done) => weather.show(done),
  changed: show,
  begin: (point) => goTo(point, { name: null, fly: true }),
});
/** The way on foot to the chosen thing, which may come before the map. */
let line = /** @type {import("./panel/way.js").Line | null} */ (null);
const sheet = createSheet({ moved: () => map?.refit() });
const filters = createFilters({
  state,
  kinds() {
    keepState(state, "push");
    void ask();
  },
  wishes() {
    keepState(state, "push");
    show();
  },
});
const list = createList({
  sort: filters.sort,
  select,
  hover: (item) => hover(item, "list"),
  order(by) {
    state.by = by;
    keepState(state, "push");
    show();
  },
});
const detail = createDetail({
  state,
  close: () => select(null),
  draw(next) {
    line = next;
    map?.showWay(next);
  },
  show: (answer) => request.show(answer.id, [...session.calls.values(), answer]),
  report: toast,
});
const own = createOwn({
  ...{ assets: settings.assets, state, last, slot: detail.slot, report: toast },
  address: () => around.known.address,
  follow: followAddress,
  after: Promise.race([liveSettled, pause(LIVE_WAIT_MS)]),
});
const answer = createAnswer({ state, sources: () => around.known.sources });
const request = createRequest({ toggled: () => map?.refit() });
const notices = createNotices({ retry, widen: setBound });
const summary = createSummary({ bound: setBound, wheelchair: () => filters.flip("wheelchair") });
const credits = createCredits(settings);
const weather = createWeather({
  ...{ settings, at: () => state.at, sources: () => around.known.sources },
  ...{ opened: sheet.lower, say },
});
const intro = createIntro({ settings, go: ({ name, ...point }) => flyTo(point, name) });
const { assets } = settings;
createSearch({ assets, at: () => state.at, chosen: flyTo, only: filters.only, say });
createMenu({ themed: (theme) => map?.setTheme(theme), about: () => intro.open(), report: toast });

performance.mark("vicinity-ready");
listen();
addZoom((by) => map?.map.zoomTo(map.map.getZoom() + by, { duration: 250 }));
const first = state.at ? ask() : around.askWorld();
await Promise.race([first, new Promise((resolve) => setTimeout(resolve, MAP_WAIT_MS))]);
await drawMap();
isStarted = true;
await liveSettled;
const { keepPage } = await import("./offline/registration.js");
await keepPage({ settings, map: map?.map ?? null });

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
      radius: reachOf(state),
      zoom: state.zoom,
      theme: currentTheme(),
      handlers: {
        pick: (point) => pick(point),
        select,
        hover: (item) => hover(item, "map"),
        zoomed(zoom) {
          state.zoom = zoom;
          keepState(state, "replace");
          if (zoom < WORLD_ZOOM) void showWorld();
        },
      },
    });
  } catch (error) {
    // Without a map the list is still whole.
    const problem = error instanceof Error ? error.message : String(error);
    noteLive();
    const action = { label: t("notice.retry"), run: () => void drawMap() };
    notices.set("map", { kind: "error", lines: [t("map.failed", { problem })], action });
    return;
  } finally {
    isMapComing = false;
  }
  notices.set("map", null);
  const rested = map.map.once("idle").then(() => performance.mark("vicinity-map"));
  void Promise.race([rested, pause(LIVE_WAIT_MS)]).then(drawLive);
  map.things.select(state.selected);
  map.showWay(line);
  if (state.zoom !== null && state.zoom < WORLD_ZOOM) void showWorld();
  show();
}

/** What moves in the view comes last, since the list and its map are whole without it. */
async function drawLive() {
  if (live !== null || map === null) return;
  const { openLive } = await import("./live/open.js");
  const given = { map, state, theme: currentTheme(), assets: settings.assets, found: show };
  const changed = (/** @type {boolean} */ isListTouched) => (isListTouched ? show() : drawThings());
  ({ live, outside } = await openLive({ ...given, changed }));
  void live.settled.then(noteLive);
}

function drawThings() {
  map?.things.show(live === null ? items.shown : live.merge(items));
}

/** From afar, every known system is a dot; they are asked for once. */
async function showWorld() {
  if (isWorldAsked) return;
  isWorldAsked = true;
  const { problem, body } = await call(askWorld(), session.signal());
  if (problem === null) map?.showSystems(body.sources);
  else isWorldAsked = false;
}

/** Ahead of the map, which may be long in coming and is not needed for any of it. */
function listen() {
  addEventListener("offline", show);
  addEventListener("online", retry);
  addEventListener("popstate", followAddress);
  document.addEventListener("visibilitychange", () => void session.refresh());
  followKeys(() => void (state.selected !== null && select(null)));
}

/** @param {{ lat: number, lon: number }} point @param {{ label?: string | null, fly?: boolean }} [how] */
function pick(point, { label: name = null, fly = false } = {}) {
  state.at = point;
  keepState(state, "push");
  goTo(point, { name, fly });
}

/** @param {{ lat: number, lon: number }} point @param {string | null} name */
function flyTo(point, name) {
  pick(point, { label: name, fly: true });
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
  keepState(state, "replace");
  void ask();
}

/** @param {import("./panel/summary.js").Bound} bound */
function setBound(bound) {
  Object.assign(state, bound);
  keepState(state, "push");
  map?.setRadius(reachOf(state));
  void ask();
}

/** Back and forward: the state of the address, without loading the page again. */
function followAddress() {
  const before = { at: state.at, radius: reachOf(state), question: questionOf(state) };
  Object.assign(state, readState(location.search, settings.start));
  filters.mark();
  isSought = state.selected !== null;
  const isMoved = JSON.stringify(before.at) !== JSON.stringify(state.at);
  if (before.radius !== reachOf(state)) map?.setRadius(reachOf(state));
  if (isMoved && state.at) {
    around.known.address = null;
    map?.move(state.at, { fly: true, fit: true });
  }
  map?.things.select(state.selected);
  if (state.selected === null) {
    detail.close();
    sheet.back();
  }
  if (before.question !== questionOf(state)) void ask();
  else show();
}

/** Asks for everything about the point; what an earlier question still waits for is dropped. */
async function ask() {
  if (!state.at) return;
  live?.look();
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
  detail.retry();
}

/** All lanes have answered or failed. */
function settled() {
  performance.mark("vicinity-answer");
  say(summary.text());
  answer.changed();
  void departures.look();
  // What lies outside the circle comes with what moves.
  void Promise.race([liveSettled, pause(SOUGHT_WAIT_MS)]).then(seek);
}

/** Looks for what the address names, and says so where it is nowhere. */
function seek() {
  if (!isSought || items.all.some(({ id }) => id === state.selected)) return;
  const found = live?.find(state.selected);
  if (found) return select(found);
  if (!session.isWhole()) return;
  isSought = false;
  const close = () => notices.set("sought", null);
  notices.set("sought", { kind: "partial", lines: [t("notice.sought")], close });
}

/** All that is known, on the list and on the map. */
function show() {
  const { lanes } = session;
  const read = readItems(lanes, around.known.sources, state.by, departures.of);
  const all = live === null ? read : read.map((item) => live?.refresh(item) ?? item);
  // An address of before may name a vehicle by its other id.
  const other = read.find(({ raw }) => raw.svc_id && raw.svc_id === state.selected);
  if (other) state.selected = other.id;
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
    groups: session.isHeld() ? [] : toGroups(shown, state.sort),
    isLoading: isLoading && state.at !== null,
    selected: state.selected,
    place: JSON.stringify([state.at, state.radius, state.minutes, state.sort, state.by]),
    by: state.by,
    wishes: state.wishes,
  });
  drawThings();
  map?.setOutline(around.outline());
  map?.showSystems(around.known.sources);
  credits.show(
    [...around.known.sources, ...(live?.sources() ?? [])],
    wanted.flatMap(({ pages }) => pages),
    live === null ? all : [...all, ...live.samples()],
  );
  request.show(null, listCalls(session, state));
  const chosen = all.find(({ id }) => id === state.selected) ?? outside?.find(state.selected, live);
  if (chosen) openDetail(chosen);
}

/** @param {Item | null} item */
function select(item) {
  const before = state.selected;
  state.selected = item?.id ?? null;
  isSought = false;
  keepState(state, before === null && item !== null ? "push" : "replace");
  map?.things.select(state.selected);
  list.mark(state.selected);
  if (item) {
    openDetail(item);
    if (item.outside) void outside?.read(item);
    map?.reveal(item);
    say(`${item.name}, ${awayWords(item)}`);
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
  own.show(item);
}

/** @param {Item | null} item @param {"list" | "map"} from */
function hover(item, from) {
  map?.things.hover(item?.id ?? null);
  if (from === "map") list.hover(item?.id ?? null);
}
