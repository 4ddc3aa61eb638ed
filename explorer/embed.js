/**
 * The map of one point for pages of others (docs/embed.md): what is shown is what the address says. It
 * stores nothing, reads no storage, and leads to the whole page for everything else.
 */
import { call } from "./data/api.js";
import { askSources } from "./data/asks.js";
import { readItems } from "./data/items.js";
import { createSession } from "./data/session.js";
import { choose } from "./data/wishes.js";
import { toChosen, toRows } from "./embed/things.js";
import { NO_LAST_ANSWERS } from "./offline/last-answers.js";
import { byId, fill } from "./page/dom.js";
import { age } from "./page/format.js";
import { readSettings } from "./page/settings.js";
import { readState, reachOf, writeState } from "./page/state.js";
import { loadTexts, pickLanguage, t } from "./page/texts.js";
import { createCredits } from "./panel/credits.js";

/** @typedef {import("./data/items.js").Item} Item */

/** Things in the list at most. */
const ROWS = 30;
const TICK_MS = 1_000;

const settings = readSettings();
const query = new URLSearchParams(location.search);
const tag = pickLanguage([query.get("lang"), ...navigator.languages]);
await loadTexts(settings.assets, { tag });
document.title = t("embed.title");
byId("map").setAttribute("aria-label", t("embed.title"));
for (const element of document.querySelectorAll("[data-text]"))
  element.textContent = t(element.getAttribute("data-text") ?? "");

const state = readState(location.search, null);
const hasList = query.get("list") === "1";
document.documentElement.classList.toggle("with-list", hasList);
/** @type {Item[]} */
let items = [];
/** @type {any[]} */
let sources = [];
let map = /** @type {Awaited<ReturnType<typeof import("./map/map.js").openMap>> | null} */ (null);
const credits = createCredits(settings);
const session = createSession({ state, changed: show, settled: tick, last: NO_LAST_ANSWERS });

if (state.at === null) say(t("embed.nowhere"), true);
else await begin(state.at);

/** @param {{ lat: number, lon: number }} at */
async function begin(at) {
  setInterval(tick, TICK_MS);
  const asked = session.ask();
  const { problem, body } = await call(askSources(at, reachOf(state)), session.signal());
  if (problem === null) sources = body.sources;
  await asked;
  const { openMap } = await import("./map/map.js");
  map = await openMap({
    container: byId("map"),
    settings,
    at,
    radius: reachOf(state),
    zoom: state.zoom,
    theme: document.documentElement.dataset["theme"] === "dark" ? "dark" : "light",
    handlers: {
      // The point is that of the address.
      pick: () => map?.move(at),
      select,
      hover: (item) => map?.things.hover(item?.id ?? null),
      zoomed: () => undefined,
    },
  });
  performance.mark("vicinity-map");
  show();
}

function show() {
  const known = choose(readItems(session.lanes, sources, state.by), state);
  // What may be on no other map is for the whole page.
  items = known.filter(({ onMap }) => onMap);
  map?.things.show(items);
  map?.things.select(state.selected);
  const chosen = items.find(({ id }) => id === state.selected) ?? null;
  const place = byId("chosen");
  place.hidden = chosen === null;
  fill(place, chosen === null ? null : toChosen(chosen, () => select(null)));
  if (hasList) {
    byId("rows").hidden = false;
    const nearest = items.toSorted((a, b) => a.distance - b.distance).slice(0, ROWS);
    fill(byId("rows"), toRows(nearest, { select, selected: state.selected }));
  }
  const calls = Object.values(session.lanes).flatMap(({ pages }) => pages);
  credits.show(sources, calls, items);
  // The whole page with the same point, kinds and thing, in a tab of its own.
  byId("open").href = writeState(state);
  tick();
}

/** @param {Item | null} item */
function select(item) {
  state.selected = item?.id ?? null;
  show();
  if (item !== null) map?.reveal(item);
}

/** How old the answer is, or why there is none. */
function tick() {
  const wanted = Object.values(session.lanes).filter(({ isWanted }) => isWanted);
  const failed = wanted.find((lane) => lane.failed !== null)?.failed ?? null;
  const times = wanted.flatMap(({ at_ms }) => (at_ms === null ? [] : [at_ms]));
  const ages = times.map((at_ms) => (Date.now() - at_ms) / 1_000);
  if (failed !== null && times.length === 0) return say(failed.problem ?? "", true);
  if (times.length === 0) return;
  const since_s = Math.max(...ages);
  const old = items.flatMap(({ isOld, age_s }) => (isOld && age_s ? [age_s] : []));
  if (old.length > 0) say(t("summary.old", { age: age(Math.max(...old) + since_s) }), true);
  else say(t("summary.updated", { age: age(since_s) }), failed !== null);
}

/** @param {string} text @param {boolean} isBad */
function say(text, isBad) {
  const place = byId("state");
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("bad", isBad);
}
