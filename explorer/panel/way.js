/** The way on foot to the chosen thing: minutes, metres, steps, and its line for the map. */
import { ABORTED, call } from "../data/api.js";
import { askWalk } from "../data/asks.js";
import { fill, h } from "../page/dom.js";
import { distance } from "../page/format.js";
import { awayWords, reasonWords, stepWords } from "../page/foot.js";
import { t } from "../page/texts.js";

/**
 * @typedef {import("../data/items.js").Item} Item @typedef {import("../data/api.js").Call} Call
 * @typedef {{ type: string, coordinates: [number, number][] }} Line
 */

/**
 * Creates the way to one thing at a time; `element` is where it is said.
 * @param {{ state: import("../page/state.js").State, draw: (line: Line | null) => void }} given `draw`: shows a line on the map, or takes the last one away
 */
export function createWay({ state, draw }) {
  const element = h("div", { class: "far" });
  let pending = new AbortController();
  let item = /** @type {Item | null} */ (null);
  /** What was asked for last: the thing and the ends, and where the ends alone have changed, the thing. */
  let asked = { way: "", thing: "" };
  let done = /** @type {Call | null} */ (null);

  const put = () => {
    if (item !== null) fill(element, toLines(item, done, state.wishes.has("wheelchair")));
  };
  const forget = () => {
    pending.abort();
    done = null;
    draw(null);
  };
  const read = async (/** @type {Item} */ to) => {
    const { way } = asked;
    const ask = askWalk(state, to);
    // Where the answer says that it knows no ways here, there is none to be drawn.
    if (ask === null || to.walk_reason !== null) return;
    pending.abort();
    pending = new AbortController();
    const next = await call(ask, pending.signal);
    if (next.problem === ABORTED || asked.way !== way) return;
    done = next;
    // What may be on no other map is not pointed at by a line either.
    draw(to.onMap ? lineOf(next) : null);
    put();
  };

  return {
    element,
    /** @param {Item} next */
    show(next) {
      item = next;
      const thing = JSON.stringify([state.at, next.id, state.wishes.has("wheelchair")]);
      const way = JSON.stringify([
        thing,
        next.lat.toFixed(5),
        next.lon.toFixed(5),
        next.walk_reason,
      ]);
      if (thing !== asked.thing) forget();
      if (way === asked.way) return put();
      asked = { way, thing };
      put();
      void read(next);
    },
    /** Asks again for what failed. */
    retry() {
      if (item !== null && done !== null && done.problem !== null) void read(item);
    },
    close() {
      item = null;
      asked = { way: "", thing: "" };
      forget();
    },
  };
}

/** @param {Call} done @returns {Line | null} */
function lineOf({ problem, body }) {
  return problem === null && Array.isArray(body.geometry?.coordinates) ? body.geometry : null;
}

/** @param {Item} item @param {Call | null} done @param {boolean} isStepFree */
export function toLines(item, done, isStepFree) {
  const body = done?.problem === null ? done.body : null;
  const walk = typeof body?.meters === "number" ? body : body === null ? item.walk : null;
  const straight = h(
    "p",
    { class: "quiet" },
    t("foot.line", { distance: distance(item.distance) }),
  );
  if (walk !== null)
    return [
      h("p", { class: "way" }, awayWords({ ...item, walk })),
      h("p", {}, stepWords(stepsOf(item, walk))),
      toFailure(done),
      straight,
    ];
  const reason = body?.reason ?? item.walk_reason;
  const isWaiting = done === null && reason === null;
  const none = isWaiting ? t("foot.loading") : reasonWords(reason, isStepFree);
  return [toFailure(done) ?? h("p", { class: "quiet" }, none), straight];
}

/**
 * Whether the way to a thing has steps. A way of streets ends before a platform, of which the thing's own way says more.
 * @param {Pick<Item, "layer" | "walk">} item @param {import("../page/foot.js").Walk} way @returns {boolean | null}
 */
export function stepsOf({ layer, walk }, way) {
  if (layer !== "transit" || way.step_free === false) return way.step_free;
  return walk?.step_free ?? null;
}

/** @param {Call | null} done */
function toFailure(done) {
  if (done === null || done.problem === null) return null;
  return h("p", { class: "bad" }, t("foot.failed", { problem: done.problem }));
}
