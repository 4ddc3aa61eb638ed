/** The results as a list, in the order of the answer, linked with the map both ways. */
import { byId, fill, h, icon } from "../page/dom.js";
import { chargeOf, count, distance, openWords, UNKNOWN, words } from "../page/format.js";
import { shareOf } from "../map/sprites.js";

/** @typedef {import("../data/items.js").Item} Item */

/** Rows drawn at once; the rest when the user scrolls there. */
const CHUNK = 60;

/** @param {{ select: (item: Item) => void, hover: (item: Item | null) => void, more: () => void }} handlers */
export function createList(handlers) {
  const box = byId("results");
  const rows = h("ol", { class: "rows", "aria-label": "Results, nearest first" });
  const bones = h("div");
  const end = h("div", { class: "end" }, bones);
  // One for all time: a button that is replaced while it is pressed gets no click.
  const more = h("button", { type: "button", class: "more", onclick: handlers.more });
  fill(box, rows, end);
  /** @type {Map<string, { element: any, signature: string }>} */
  const built = new Map();
  /** @type {Item[]} */
  let items = [];
  let shown = CHUNK;
  let place = "";

  const row = (/** @type {Item} */ item) => {
    const signature = signatureOf(item);
    const old = built.get(item.id);
    if (old?.signature === signature) return old.element;
    const element = toRow(item, handlers);
    old?.element.replaceWith(element);
    built.set(item.id, { element, signature });
    return element;
  };
  const focus = (/** @type {string} */ id) => built.get(id)?.element.firstElementChild.focus();
  const draw = () => {
    // A row that is replaced or moved loses the focus.
    const focused = document.activeElement?.closest(".rows > li")?.getAttribute("data-id");
    const wanted = items.slice(0, shown).map(row);
    wanted.forEach((element, n) => {
      if (rows.children[n] !== element) rows.insertBefore(element, rows.children[n] ?? null);
    });
    while (rows.children.length > wanted.length) rows.lastElementChild?.remove();
    if (focused && document.activeElement === document.body) focus(focused);
    // Observed again: an end that is in view before and after is no change, so it would not be reported.
    watcher.unobserve(end);
    watcher.observe(end);
  };
  const watcher = new IntersectionObserver(
    (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting) || shown >= items.length) return;
      shown += CHUNK;
      draw();
    },
    { root: null, rootMargin: "600px" },
  );

  return {
    /** @param {{ items: Item[], unseen: number, waiting: number, selected: string | null, asked: boolean }} now */
    show({ items: next, unseen, waiting, selected, asked }) {
      const first = next[0]?.id ?? "";
      if (first !== place && next.length > 0 && items.length === 0) shown = CHUNK;
      place = first;
      items = next;
      if (built.size > 4 * CHUNK + items.length) built.clear();
      draw();
      if (unseen > 0 && waiting === 0) {
        more.textContent = `Show ${Math.min(100, unseen)} more of ${unseen}`;
        if (!more.isConnected) end.prepend(more);
      } else more.remove();
      const bare = waiting > 0 && items.length === 0 && asked;
      fill(bones, bare ? Array.from({ length: 6 }, () => h("div", { class: "bone" })) : []);
      this.mark(selected);
    },
    /** @param {string | null} id */
    mark(id) {
      for (const { element } of built.values())
        element.firstElementChild.removeAttribute("aria-current");
      if (id) built.get(id)?.element.firstElementChild.setAttribute("aria-current", "true");
    },
    /** @param {string | null} id */
    hover(id) {
      for (const one of rows.querySelectorAll(".hover")) one.classList.remove("hover");
      if (id) built.get(id)?.element.classList.add("hover");
    },
    focus,
  };
}

/** @param {Item} item */
function signatureOf(item) {
  const { name, sub, distance: away, free, total, onMap } = item;
  return JSON.stringify([name, sub, Math.round(away), free, total, saidOf(item), onMap]);
}

/** The state and, of a vehicle, what it can still go. @param {Item} item */
function saidOf({ layer, state, raw }) {
  const open = layer === "service" ? openWords(raw.attributes) : null;
  return [open ?? words(state), layer === "vehicle" ? chargeOf(raw.source) : null];
}

/** @param {Item} item @param {{ select: (item: Item) => void, hover: (item: Item | null) => void }} handlers */
function toRow(item, { select, hover }) {
  const figure = toFigure(item);
  const props = {
    type: "button",
    class: "row",
    onclick: () => select(item),
    onmouseenter: () => hover(item),
    onmouseleave: () => hover(null),
    onfocus: () => hover(item),
    onblur: () => hover(null),
  };
  const away = distance(item.distance);
  return h(
    "li",
    { style: { "--kind": item.color }, "data-id": item.id },
    h(
      "button",
      props,
      h("span", { class: `mark ${item.layer}` }, icon(item.icon, 16)),
      h(
        "span",
        { class: "what" },
        h("span", { class: "name" }, item.name),
        h(
          "span",
          { class: "sub" },
          item.sub,
          stateOf(item),
          item.onMap ? null : h("em", {}, " · list only"),
        ),
      ),
      h("span", { class: "figures" }, h("span", { class: "away" }, away), figure),
    ),
  );
}

/** @param {Item} item */
function stateOf(item) {
  const { layer, state } = item;
  if (state === "operational" || state === "unknown" || layer === "transit") return null;
  return h("em", {}, ` · ${saidOf(item)[0]}`);
}

/** @param {Item} item */
function toFigure(item) {
  const { layer, free, total } = item;
  if (layer === "station") {
    const bar = h("span", {
      class: "gauge",
      style: { "--share": `${Math.round(shareOf(item) * 100)}%` },
    });
    const of = total === null ? "" : `/${total}`;
    return h(
      "span",
      { class: "free", "aria-label": `${free ?? "unknown"} free of ${total ?? "unknown"}` },
      `${count(free)}${of}`,
      bar,
    );
  }
  const [, charge] = saidOf(item);
  if (charge) return h("span", { class: "free", "aria-label": `${charge} left` }, charge);
  if (layer === "service" && total !== null)
    return h("span", { class: "free" }, `${free ?? UNKNOWN}/${total} free`);
  return null;
}
