/** One thing: what can be done with it, what it offers, and why it is shown so. */
import { ABORTED, call } from "../data/api.js";
import { askNearby } from "../data/asks.js";
import { mapOf } from "../data/map-age.js";
import { byId, fill, h, icon, line } from "../page/dom.js";
import { age, monthOf } from "../page/format.js";
import { t } from "../page/texts.js";
import { toActions } from "./actions.js";
import { createBoard } from "./board.js";
import { modesOf, toFacts } from "./facts.js";
import { toJsonTree } from "./json-tree.js";
import { isolate, nameOf } from "./names.js";
import { createWay } from "./way.js";
import { toWhy } from "./why.js";

/** @typedef {import("../data/items.js").Item} Item @typedef {import("../data/api.js").Call} Call */

/**
 * @param {{ state: import("../page/state.js").State, close: () => void, show: (answer: Call) => void,
 *   draw: (line: import("./way.js").Line | null) => void, report: (text: string) => void }} given
 * `draw`: shows the way on foot on the map; `report`: says something for a moment
 */
export function createDetail({ state, close, show, draw, report }) {
  const box = byId("detail");
  const board = createBoard();
  const way = createWay({ state, draw });
  /** For what the visitor has of their own, which comes later. */
  const slot = h("div", { class: "own" });
  let opened = /** @type {Item | null} */ (null);
  let pending = new AbortController();
  let plotted = new AbortController();

  const explain = async (
    /** @type {Item} */ item,
    /** @type {any} */ place,
    /** @type {any[]} */ sources,
  ) => {
    pending.abort();
    pending = new AbortController();
    // What is not of the circle is looked for around itself.
    const about = item.outside
      ? { at: item, radius: OUTSIDE_M }
      : { radius: Math.min(400, Math.ceil(item.distance) + 5) };
    const ask = askNearby({ ...state, ...about, minutes: null }, { debug: true });
    if (!ask) return;
    fill(place, toWhy(item, null, sources), h("p", { class: "quiet" }, t("why.loading")));
    const done = await findPage(ask, item.id, pending.signal);
    if (done.problem === ABORTED || opened?.id !== item.id) return;
    const entity = done.body?.debug?.entities?.find((/** @type {any} */ one) => one.id === item.id);
    const { problem } = done;
    fill(
      place,
      toWhy(item, entity ?? null, sources),
      problem === null ? null : h("p", { class: "bad" }, t("why.failed", { problem })),
      problem === null ? toRequest({ ...done, id: "why", title: t("why.title") }) : null,
    );
  };
  /** What it had free lately; the module comes with the first thing that is opened. */
  const plot = async (/** @type {Item} */ item, /** @type {any} */ place) => {
    plotted.abort();
    plotted = new AbortController();
    const { signal } = plotted;
    try {
      const { hasHistory, showHistory } = await import("./history.js");
      if (hasHistory(item) && opened?.id === item.id) await showHistory(item, place, signal);
    } catch {
      // Without a network a module that was never read is not there: the details are without a plot.
    }
  };
  const toRequest = (/** @type {Call} */ answer) =>
    h("button", { type: "button", class: "more", onclick: () => show(answer) }, t("why.request"));

  return {
    slot,
    close() {
      opened = null;
      box.hidden = true;
      pending.abort();
      plotted.abort();
      board.close();
      way.close();
    },
    /** Asks again for what failed. */
    retry: way.retry,
    /** @param {Item} item @param {any[]} sources */
    open(item, sources) {
      const isSame = opened?.id === item.id;
      opened = item;
      const facts = h(
        "section",
        { class: "facts" },
        toNotes(item, sources),
        toFacts(item, sources),
      );
      if (item.layer === "transit") board.show(item.id, item.walk);
      else board.close();
      way.show(item);
      if (isSame) {
        renew(box.querySelector(".facts"), facts);
        return;
      }
      slot.replaceChildren();
      const history = h("section", { class: "history" });
      const why = h("section", { class: "why", "aria-label": t("why.title") });
      const back = h(
        "button",
        { type: "button", class: "back quiet", onclick: close },
        line("M15 5l-7 7 7 7"),
        t("detail.back"),
      );
      const hadFocus = box.contains(document.activeElement);
      fill(
        box,
        back,
        toTitle(item, way.element),
        toActions(item, { report }),
        slot,
        facts,
        item.layer === "transit" ? board.element : null,
        history,
        why,
        toAll(() => opened?.raw),
      );
      box.style.setProperty("--kind", item.color);
      box.scrollTop = 0;
      void plot(item, history);
      if (item.layer === "station") void explain(item, why, sources);
      else fill(why, toWhy(item, null, sources));
      if (!hadFocus && document.activeElement !== document.body) back.focus();
    },
  };
}

/** Puts new facts in the place of old ones where they differ; the focus stays where it is. @param {any} old @param {any} next */
function renew(old, next) {
  if (old === null || old.isEqualNode(next)) return;
  const at = [...old.querySelectorAll("a, button")].indexOf(document.activeElement);
  old.replaceWith(next);
  if (at >= 0) next.querySelectorAll("a, button")[at]?.focus();
}

/** Metres around a thing outside of the circle. */
const OUTSIDE_M = 30;
/** Pages that are read for the reasons, at most. */
const PAGES = 10;

/** The thing is on the first page, since the circle just holds it; if not, on the next. @param {any} ask @param {string} id @param {AbortSignal} signal */
async function findPage(ask, id, signal) {
  for (let page = 1, offset = 0; ; page += 1) {
    const query = offset === 0 ? ask.query : { ...ask.query, offset };
    const done = await call({ ...ask, query }, signal);
    const has = done.body?.debug?.entities?.some((/** @type {any} */ one) => one.id === id);
    offset += done.body?.limit ?? 100;
    const isLast = offset >= (done.body?.total ?? 0) || page === PAGES;
    if (done.problem !== null || has || isLast) return done;
  }
}

/** @param {Item} item @param {any} way */
function toTitle(item, way) {
  const sub = item.layer === "transit" ? modesOf(item.raw) : item.sub;
  return h(
    "div",
    { class: "title" },
    h("span", { class: `mark ${item.layer}` }, icon(item.icon, 22)),
    h(
      "div",
      {},
      h("h2", { dir: "auto" }, item.name),
      sub === item.name ? null : h("p", { class: "quiet" }, h("bdi", {}, sub)),
      way,
    ),
  );
}

/** The state of the imported map that a place is from; null: it is from none, or that is not known. @param {Item} item @param {any[]} sources */
function toMapDate(item, sources) {
  const map = mapOf(item, sources);
  if (map === null) return null;
  const kind = map.isOld ? "notice partial" : "quiet";
  return h("p", { class: kind }, t("detail.map", { date: monthOf(map.at_ms) }));
}

/** What limits what is shown. @param {Item} item @param {any[]} sources */
function toNotes(item, sources) {
  const source = isolate(nameOf(item.source, sources));
  const { read_at_ms, isOld, age_s = null } = item;
  const old = read_at_ms
    ? age((Date.now() - read_at_ms) / 1_000)
    : isOld && age_s !== null
      ? age(age_s)
      : null;
  return [
    item.stale
      ? h(
          "p",
          { class: "notice partial" },
          old === null ? t("detail.stale.unknown") : t("detail.stale", { age: old }),
        )
      : null,
    toMapDate(item, sources),
    item.onMap ? null : h("p", { class: "notice note" }, t("detail.only", { source })),
  ];
}

/** Everything that the answer has, read when it is unfolded. @param {() => unknown} read */
function toAll(read) {
  const tree = h("div", {});
  const all = h("details", { class: "all" }, h("summary", {}, t("detail.all")), tree);
  const draw = () => fill(tree, all.open ? h("div", { class: "json" }, toJsonTree(read())) : []);
  all.addEventListener("toggle", draw);
  return all;
}
