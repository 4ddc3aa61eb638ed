/**
 * A board for screens: departures, shared vehicles and chargers of one place, in large type, without
 * anything to press. It reads them again by itself, and shows how old they are; what fails leaves what
 * was known, in grey with its age, until it comes back.
 */
import { call } from "./data/api.js";
import { nameOf } from "./data/around.js";
import { askAddress, askSources } from "./data/asks.js";
import { byId, fill, h } from "./page/dom.js";
import { age } from "./page/format.js";
import { readSettings } from "./page/settings.js";
import { readState } from "./page/state.js";
import { language, loadTexts, pickLanguage, t } from "./page/texts.js";
import { fitRows } from "./screen/fit.js";
import { listSections } from "./screen/sections.js";

/** How often departures and vehicles are read, and chargers. */
const EVERY_MS = 60_000;
const TICK_MS = 1_000;
/** Two readings have failed. */
const LOST_MS = 2.5 * EVERY_MS;

const settings = readSettings();
const query = new URLSearchParams(location.search);
const tag = pickLanguage([query.get("lang"), ...navigator.languages]);
await loadTexts(settings.assets, { tag });
document.title = t("screen.title");
const { at, radius, kinds } = readState(location.search, null);
/** Of the place; null: not known yet. */
let zone = /** @type {string | null} */ (null);
/** How far the service's clock is ahead of this device's. */
let ahead_ms = 0;

if (at === null) fill(byId("sections"), h("p", { class: "problem" }, t("embed.nowhere")));
else begin(at);

/** @param {{ lat: number, lon: number }} point */
function begin(point) {
  const sections = listSections({
    at: point,
    radius,
    hasKind: (id) => !query.has("show") || kinds.has(id),
  });
  fill(
    byId("sections"),
    sections.map(({ element }) => element),
  );
  document.documentElement.style.setProperty("--sections", String(sections.length));
  const draw = () => {
    const now_ms = Date.now() + ahead_ms;
    for (const each of sections) {
      each.draw(now_ms);
      fitRows(each.element);
    }
    tick();
  };
  const read = async () => {
    await Promise.all(sections.map((each) => readSection(each)));
    draw();
  };
  /** @param {import("./screen/sections.js").Section} section */
  const readSection = async (section) => {
    const done = await call(section.ask);
    section.failed = done.problem !== null;
    if (done.problem !== null) return;
    section.body = done.body;
    section.read_ms = Date.now();
    const { local_time, time_zone } = done.body;
    if (typeof local_time === "string")
      ahead_ms = (Date.parse(local_time) || Date.now()) - Date.now();
    if (typeof time_zone === "string") zone = time_zone;
  };
  const tick = () => {
    const now = new Date(Date.now() + ahead_ms);
    const style = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const timeZone = zone ?? undefined;
    say("clock", new Intl.DateTimeFormat(language(), { ...style, timeZone }).format(now));
    const times = sections.flatMap(({ read_ms }) => (read_ms === null ? [] : [read_ms]));
    const since_s = times.length === 0 ? null : (Date.now() - Math.min(...times)) / 1_000;
    const isLost = sections.some(({ failed }) => failed) || (since_s ?? 0) * 1_000 > LOST_MS;
    document.documentElement.classList.toggle("lost", isLost);
    const key = isLost ? "screen.lost" : "summary.updated";
    say("state", since_s === null ? t("screen.unread") : t(key, { age: calmAge(since_s) }));
  };
  draw();
  void read();
  setInterval(() => void read(), EVERY_MS);
  // Minutes until a departure go on while nothing is read.
  setInterval(draw, 15_000);
  setInterval(tick, TICK_MS);
  addEventListener("resize", draw);
  addEventListener("online", () => void read());
  void namePlace(point);
  void creditSources(point);
}

/** Whose data these are. @param {{ lat: number, lon: number }} point */
async function creditSources(point) {
  const { problem, body } = await call(askSources(point, radius));
  if (problem !== null) return;
  const used = body.sources.filter(
    (/** @type {any} */ one) => one.attribution && one.state === "ok",
  );
  const names = new Set(used.map((/** @type {any} */ one) => one.attribution));
  say("credit", `© ${[...names].join(", ").replaceAll("© ", "")}`);
}

/** Once: a place keeps its name. @param {{ lat: number, lon: number }} point */
async function namePlace(point) {
  const { problem, body } = await call(askAddress(point));
  const name = problem === null ? nameOf(body.results ?? []) : null;
  say("place", typeof name === "string" ? name : t("screen.title"));
}

/** A screen that changes each second is not calm: seconds are of ten. @param {number} seconds */
function calmAge(seconds) {
  return age(seconds < 90 ? Math.floor(seconds / 10) * 10 : seconds);
}

/** @param {string} id @param {string} text */
function say(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
}
