/** The next departures of a station, as a board that is asked for again while it is open. */
import { ABORTED, call } from "../data/api.js";
import { askDepartures } from "../data/asks.js";
import { fill, h } from "../page/dom.js";
import { leaveWords } from "../page/foot.js";
import { age, UNKNOWN, words } from "../page/format.js";
import { hasText, language, t } from "../page/texts.js";
import { routeColors } from "./colors.js";
import { sayNotice } from "./notices.js";

/** @typedef {import("../data/api.js").Call} Call @typedef {import("../page/foot.js").Walk | null} Walk */

/** How often a board that is in view is read again. */
const EVERY_MS = 30_000;
const TICK_MS = 1_000;

/** Creates the board of one station at a time; `element` is where it is shown. */
export function createBoard() {
  const rows = h("div", {});
  const updated = h("p", { class: "quiet updated" });
  const element = h("section", { class: "board", "aria-label": t("board.title") });
  fill(element, h("h3", {}, t("board.title")), rows, updated);
  let shown = /** @type {string | null} */ (null);
  let pending = new AbortController();
  /** When it was last asked for, and when the rows on it came. @type {{ asked_ms: number, read_ms: number | null }} */
  let times = { asked_ms: 0, read_ms: null };
  let ticking = 0;
  /** The way on foot to the station, and how far the service's clock is ahead of this device's. @type {{ walk: Walk, ahead_ms: number }} */
  const foot = { walk: null, ahead_ms: 0 };

  const read = async (/** @type {string} */ id) => {
    times.asked_ms = Date.now();
    pending.abort();
    pending = new AbortController();
    const done = await call(askDepartures(id), pending.signal);
    if (done.problem === ABORTED || shown !== id) return;
    if (done.problem === null) {
      times.read_ms = Date.now();
      foot.ahead_ms = (Date.parse(done.body.local_time) || times.read_ms) - times.read_ms;
      renew(rows, toBoard(done.body));
    } else if (times.read_ms === null || done.status === 404) renew(rows, toProblem(done));
    tick();
  };
  const tick = () => {
    const { asked_ms, read_ms } = times;
    const isVisible = document.visibilityState === "visible" && element.isConnected;
    if (shown !== null && isVisible && Date.now() - asked_ms >= EVERY_MS) void read(shown);
    const seconds = read_ms === null ? 0 : (Date.now() - read_ms) / 1_000;
    sayWhenToLeave(rows, Date.now() + foot.ahead_ms, foot.walk);
    updated.hidden = read_ms === null;
    updated.classList.toggle("old", seconds * 1_000 > EVERY_MS * 1.5);
    updated.textContent = t("board.updated", { age: age(seconds) });
  };

  return {
    element,
    /** Shows the departures of a station and keeps them new until it is closed. @param {string} id @param {Walk} walk the way to it */
    show(id, walk) {
      foot.walk = walk;
      if (shown === id) return tick();
      shown = id;
      times = { asked_ms: 0, read_ms: null };
      updated.hidden = true;
      fill(rows, h("p", { class: "quiet" }, t("board.loading")));
      clearInterval(ticking);
      ticking = setInterval(tick, TICK_MS);
      void read(id);
    },
    close() {
      shown = null;
      clearInterval(ticking);
      pending.abort();
    },
  };
}

/** In each row whose time is known, when one must leave to walk there in time. @param {any} box @param {number} now_ms by the service's clock @param {Walk} walk */
function sayWhenToLeave(box, now_ms, walk) {
  for (const one of box.querySelectorAll(".leave")) {
    const said = leaveWords((Date.parse(one.dataset.at) - now_ms) / 1_000, walk);
    one.hidden = said === null;
    one.classList.toggle("bad", said?.isMissed === true);
    if (said !== null && one.textContent !== said.text) one.textContent = said.text;
  }
}

/** Replaces the rows; what was unfolded stays so. @param {any} box @param {any} children */
function renew(box, children) {
  const open = [...box.querySelectorAll("details")].map((one) => one.open);
  fill(box, children);
  for (const [n, one] of [...box.querySelectorAll("details")].entries())
    one.open = open[n] ?? false;
}

/** @param {Call} done */
function toProblem({ status, problem }) {
  const isUnknown = status === 404;
  const text = isUnknown ? t("board.unknown") : t("board.failed", { problem: problem ?? "" });
  return h("p", { class: isUnknown ? "quiet" : "bad" }, text);
}

/** @param {any} body */
function toBoard({ status, message, notices = [], time_zone, results }) {
  const { departures, alerts } = results;
  const isPartial = status === "partial";
  return [
    isPartial
      ? h("p", { class: "notice note" }, `${t("board.partial")} ${toCauses(message, notices)}`)
      : null,
    alerts.map((/** @type {any} */ alert) => toAlert(alert)),
    departures.length === 0
      ? h("p", { class: "quiet" }, t(isPartial ? "board.none.known" : "board.none"))
      : h(
          "ol",
          {},
          departures.map((/** @type {any} */ one) => toRow(one, time_zone)),
        ),
  ];
}

/** What is missing and why, in the words of the page. @param {string | undefined} message @param {readonly any[]} notices */
function toCauses(message, notices) {
  const named = notices.filter(({ source }) => source !== null);
  if (language() === "en" || named.length === 0) return message ?? "";
  return named.map((notice) => `${sayNotice(notice)}.`).join(" ");
}

/** What an alert says, and its effect in a word where it states one. @param {any} alert */
function toAlert({ header, description, effect }) {
  const key = `board.effect.${String(effect)}`;
  const what = hasText(key) ? t(key) : null;
  if (header === null && description === null && what === null) return null;
  const title = [
    h("bdi", {}, header ?? t("board.alert")),
    what === null ? null : h("span", {}, ` · ${what}`),
  ];
  if (description === null) return h("p", { class: "notice note" }, title);
  return h(
    "details",
    { class: "notice note" },
    h("summary", {}, title),
    h("p", { dir: "auto" }, description),
  );
}

/** @param {any} departure @param {string | undefined} zone */
function toRow(departure, zone) {
  const { line, headsign, platform, planned_at, expected_at, status, continues_as } = departure;
  const track = platform?.live ?? platform?.planned ?? null;
  const gone = status === "cancelled" || status === "skipped";
  const at = planned_at ?? expected_at;
  return h(
    "li",
    { class: gone ? "gone" : null },
    h(
      "span",
      { class: "line", style: routeColors(line), title: line.long_name ?? null, dir: "auto" },
      line.short_name ?? line.long_name ?? words(line.mode),
    ),
    h(
      "span",
      { class: "to", dir: "auto" },
      headsign ?? t("board.headsign"),
      continues_as ? h("small", { class: "quiet" }, toNext(continues_as)) : null,
    ),
    track === null ? null : h("span", { class: "track quiet" }, t("board.platform", { track })),
    h(
      "span",
      { class: "time" },
      h("time", { datetime: at }, toClock(at, zone)),
      toLive(departure, zone),
      gone ? null : h("span", { class: "leave", "data-at": leavesAt(departure), hidden: true }),
    ),
  );
}

/** When to be there, as the service has it: where only an interval is promised, the planned time is one of many. @param {any} departure */
function leavesAt({ planned_at, expected_at, headway_seconds }) {
  return expected_at ?? (headway_seconds === undefined ? planned_at : null);
}

/** As what the vehicle goes on, with its riders. @param {any} next */
function toNext({ line, headsign }) {
  const name = line.short_name ?? line.long_name ?? words(line.mode);
  return t("board.continues", { line: headsign === null ? name : `${name} ${headsign}` });
}

/** What the live data say. Their silence is not "on time". @param {any} departure @param {string | undefined} zone */
function toLive({ status, expected_at, delay_seconds, headway_seconds, realtime }, zone) {
  const say = (/** @type {string} */ kind, /** @type {string} */ text) =>
    h("span", { class: `live ${kind}` }, text);
  if (status === "cancelled") return say("bad", t("board.cancelled"));
  if (status === "skipped") return say("bad", t("board.skipped"));
  if (headway_seconds !== undefined)
    return say("quiet", t("board.every", { n: Math.max(1, Math.round(headway_seconds / 60)) }));
  if (expected_at === null)
    return say("quiet", t(realtime === "planned_only" ? "board.planned" : "board.silent"));
  if (status === "added") return say("good", t("board.added"));
  const late_min = delay_seconds === null ? null : Math.round(delay_seconds / 60);
  if (late_min === 0) return say("good", t("board.punctual"));
  const kind = (late_min ?? 0) > 0 ? "late" : "good";
  return say(kind, t("board.expected", { time: toClock(expected_at, zone) }));
}

/** HH:MM at the place; in UTC where its time zone is not known. @param {string} time @param {string | undefined} zone */
function toClock(time, zone) {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? UNKNOWN : clockIn(zone ?? "UTC").format(at);
}

/** @param {string} timeZone @returns {Intl.DateTimeFormat} */
function clockIn(timeZone) {
  const style = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  try {
    return new Intl.DateTimeFormat(language(), { ...style, timeZone });
  } catch {
    return clockIn("UTC");
  }
}
