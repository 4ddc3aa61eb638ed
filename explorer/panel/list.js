/** The results as a list, grouped by kind or by distance alone, linked with the map both ways. */
import { doubtsOf } from "../data/wishes.js";
import { byId, fill, h, icon, line } from "../page/dom.js";
import { awayWords, minutesOf, paceWords } from "../page/foot.js";
import {
  age,
  chargeOf,
  count,
  distance,
  kindTitle,
  monthOf,
  withCommas,
  openWords,
  words,
} from "../page/format.js";
import { hasText, t } from "../page/texts.js";
import { departureWords, factsOf } from "./row-facts.js";
import { toFigure } from "./row-figure.js";

/**
 * @typedef {import("../data/items.js").Item} Item @typedef {import("../data/wishes.js").Group} Group
 * @typedef {import("../page/state.js").State["by"]} By
 */

/** Rows of a group at first, and more at each press. */
const FIRST = 4;
const MORE = 60;
/** Rows of the list by distance that are drawn at once; the rest when the user scrolls there. */
const CHUNK = 60;

/** Someone who walks. */
const WALKER =
  "M13 3.500v.01M12 7.500l-2 6 3.500 2.500 1 5.500M10 13.500 7.500 21M12 7.500 8 10M12 7.500l4.500 4";

/**
 * @param {{ select: (item: Item) => void, hover: (item: Item | null) => void, order: (by: By) => void, sort: any }} handlers
 * `order`: another measure of what is near is wanted; `sort`: the choice of an order
 */
export function createList(handlers) {
  const box = byId("results");
  const body = h("div");
  const bones = h("div");
  const end = h("div", { class: "end" });
  const order = h("div", { class: "order" });
  fill(box, order, body, bones, byId("notes"), end);
  /** @type {Map<string, { element: any, signature: string }>} */
  const built = new Map();
  /** Rows shown of each group. @type {Map<string, number>} */
  const shown = new Map();
  /** @type {Map<string, Section>} */
  const sections = new Map();
  /** @type {Group[]} */
  let groups = [];
  let place = "";
  /** @type {import("../page/state.js").State["wishes"]} */
  let wishes = new Set();

  const row = (/** @type {Item} */ item) => {
    const doubts = doubtsOf(item, wishes);
    const signature = signatureOf(item) + doubts.join();
    const old = built.get(item.id);
    if (old?.signature === signature) return old.element;
    const element = toRow(item, doubts, handlers);
    old?.element.replaceWith(element);
    built.set(item.id, { element, signature });
    return element;
  };
  const focus = (/** @type {string} */ id) => built.get(id)?.element.firstElementChild.focus();
  const limitOf = (/** @type {Group} */ { kind, items }) =>
    shown.get(kind ?? "") ??
    (kind === null ? CHUNK : items.length <= FIRST + 1 ? items.length : FIRST);

  const grow = (/** @type {string} */ kind) => {
    const group = groups.find((one) => (one.kind ?? "") === kind);
    if (group === undefined) return;
    shown.set(kind, limitOf(group) + MORE);
    draw();
  };
  const draw = () => {
    // A row that is replaced or moved loses the focus.
    const focused = document.activeElement?.closest(".rows > li")?.getAttribute("data-id");
    const wanted = groups.map((group) => {
      const limit = limitOf(group);
      const section = sectionOf(sections, group.kind, grow);
      arrange(section.rows, group.items.slice(0, limit).map(row));
      headOf(section.head, group, wishes);
      const rest = group.items.length - limit;
      section.more.hidden = rest <= 0 || group.kind === null;
      section.more.textContent = t("list.more", { n: Math.max(0, rest) });
      return section.element;
    });
    arrange(body, wanted);
    if (focused && document.activeElement === document.body) focus(focused);
    // Observed again: an end that is in view before and after is no change, so it would not be reported.
    watcher.unobserve(end);
    watcher.observe(end);
  };
  const watcher = new IntersectionObserver(
    (seen) => {
      const flat = groups[0];
      if (flat?.kind !== null || !seen.some(({ isIntersecting }) => isIntersecting)) return;
      const limit = limitOf(flat);
      if (limit >= flat.items.length) return;
      shown.set("", limit + CHUNK);
      draw();
    },
    { root: null, rootMargin: "600px" },
  );

  return {
    /** @param {{ groups: Group[], isLoading: boolean, selected: string | null, place: string, by: By, wishes: import("../page/state.js").State["wishes"] }} now `place`: where the lists begin from their start when it changes */
    show({ groups: next, isLoading, selected, place: at, by, wishes: wished }) {
      if (at !== place) {
        shown.clear();
        box.scrollTop = 0;
      }
      place = at;
      wishes = wished;
      groups = next;
      const items = groups.flatMap((group) => group.items);
      const total = items.length;
      sayOrder(order, end, { items, by, change: handlers.order, sort: handlers.sort });
      if (built.size > 4 * CHUNK + total) built.clear();
      draw();
      const isBare = isLoading && total === 0;
      fill(bones, isBare ? Array.from({ length: 8 }, () => h("div", { class: "bone" })) : []);
      end.hidden = total === 0;
      this.mark(selected);
    },
    /** @param {string | null} id */
    mark(id) {
      for (const { element } of built.values())
        element.firstElementChild.removeAttribute("aria-current");
      if (id) built.get(id)?.element.firstElementChild.setAttribute("aria-current", "true");
    },
    /** Marks the row of what is under the pointer on the map. @param {string | null} id */
    hover(id) {
      for (const one of body.querySelectorAll(".hover")) one.classList.remove("hover");
      if (id) built.get(id)?.element.classList.add("hover");
    },
    /** Brings a thing into the list, opens its group as far as needed, and focuses its row. @param {string} id */
    focus(id) {
      const group = groups.find(({ items }) => items.some((item) => item.id === id));
      if (group === undefined) return;
      const at = group.items.findIndex((item) => item.id === id);
      if (at >= limitOf(group)) {
        shown.set(group.kind ?? "", at + 1);
        draw();
      }
      focus(id);
    },
  };
}

/**
 * Says which order the list has, offers the other one where both are possible, and why ways are not
 * known; at the end, how fast they are walked and how many are not known.
 * @param {any} head @param {any} end @param {{ items: Item[], by: By, change: (by: By) => void, sort: any }} now
 */
function sayOrder(head, end, { items, by, change, sort }) {
  const unknown = items.filter(({ walk }) => walk === null);
  const isKnown = unknown.length < items.length;
  const reason = unknown.find(({ walk_reason }) => walk_reason !== null)?.walk_reason ?? null;
  const signature = JSON.stringify([by, isKnown, reason, unknown.length, items.length]);
  head.hidden = items.length === 0;
  if (head.dataset.signature === signature) return;
  head.dataset.signature = signature;
  const focused = head.contains(document.activeElement) ? document.activeElement : null;
  const other = by === "walk" ? "line" : "walk";
  const said = isKnown
    ? [
        h("span", {}, t(`order.${by}`)),
        h(
          "button",
          { type: "button", class: "more", onclick: () => change(other) },
          t(`by.${other}`),
        ),
      ]
    : [h("span", {}, noneWords(reason))];
  fill(head, sort, said);
  fill(
    end,
    isKnown ? h("p", { class: "quiet" }, paceWords()) : null,
    isKnown && unknown.length > 0
      ? h("p", { class: "quiet" }, t("order.unknown", { n: unknown.length }))
      : null,
  );
  if (focused === sort) sort.focus();
  else if (focused !== null) head.querySelector("button")?.focus();
}

/** The order where no way is known, and why none is. @param {string | null} reason */
function noneWords(reason) {
  const key = `order.none.${reason}`;
  return t(hasText(key) ? key : "order.line");
}

/** Puts children in an order with as few moves as it takes. @param {any} parent @param {any[]} wanted */
function arrange(parent, wanted) {
  wanted.forEach((element, n) => {
    if (parent.children[n] !== element) parent.insertBefore(element, parent.children[n] ?? null);
  });
  while (parent.children.length > wanted.length) parent.lastElementChild?.remove();
}

/** @typedef {{ element: any, head: any, rows: any, more: any }} Section */

/** The section of a kind, made once: a button that is replaced while it is pressed gets no click. @param {Map<string, Section>} sections @param {string | null} kind @param {(kind: string) => void} grow @returns {Section} */
function sectionOf(sections, kind, grow) {
  const known = sections.get(kind ?? "");
  if (known !== undefined) return known;
  const label = kind === null ? t("list.all") : kindTitle(kind);
  const head = h("h3", {});
  const rows = h("ol", { class: "rows", "aria-label": label });
  const more = h("button", { type: "button", class: "more", onclick: () => grow(kind ?? "") });
  const title = kind === null ? null : h("div", { class: "kind" }, head, more);
  const element = h("section", {}, title, rows);
  const made = { element, head, rows, more };
  sections.set(kind ?? "", made);
  return made;
}

/** @param {any} head @param {Group} group @param {import("../page/state.js").State["wishes"]} wishes */
function headOf(head, { kind, items, usable }, wishes) {
  if (kind === null) return;
  const text = `${kindTitle(kind)} · ${count(items.length)}`;
  const able = items[0]?.layer === "transit" || usable === 0 ? "" : t("list.usable", { n: usable });
  const now = able + knownWords(items, wishes);
  if (head.textContent !== text + now) fill(head, text, h("span", { class: "quiet" }, now));
}

/** How far the nearest thing is that is known to meet all wishes, where the first is not. @param {readonly Item[]} items @param {import("../page/state.js").State["wishes"]} wishes */
function knownWords(items, wishes) {
  const known = items.find((item) => doubtsOf(item, wishes).length === 0);
  if (known === undefined || known === items[0]) return "";
  return t("list.known", { away: awayWords(known) });
}

/** @param {Item} item */
function signatureOf(item) {
  const { name, sub, distance: away, free, total, onMap, stale, walk } = item;
  const way = walk && [walk.seconds, walk.meters];
  return JSON.stringify([
    name,
    sub,
    Math.round(away),
    way,
    free,
    total,
    saidOf(item),
    factsOf(item),
    departureWords(item),
    onMap,
    stale,
    ageWords(item),
  ]);
}

/** The state and, of a vehicle, what it can still go. @param {Item} item */
function saidOf({ layer, state, raw }) {
  const open = layer === "service" ? openWords(raw.attributes) : null;
  return [open ?? words(state), layer === "vehicle" ? chargeOf(raw.source) : null];
}

/** @param {Item} item @param {readonly import("../page/state.js").Wish[]} doubts wishes of which it is not known whether it meets them @param {{ select: (item: Item) => void, hover: (item: Item | null) => void }} handlers */
function toRow(item, doubts, { select, hover }) {
  const props = {
    type: "button",
    class: ["row", item.stale ? "stale" : "", item.usable === "no" ? "not-now" : ""].join(" "),
    onclick: () => select(item),
    onmouseenter: () => hover(item),
    onmouseleave: () => hover(null),
    onfocus: () => hover(item),
    onblur: () => hover(null),
  };
  return h(
    "li",
    { style: { "--kind": item.color }, "data-id": item.id },
    h(
      "button",
      props,
      h("span", { class: `mark ${item.layer}` }, icon(item.icon, 15)),
      h(
        "span",
        { class: "what" },
        h("span", { class: "name", dir: "auto" }, item.name),
        h(
          "span",
          { class: "sub" },
          subOf(item),
          stateOf(item),
          ageOf(item),
          item.onMap ? null : h("em", {}, ` · ${t("list.only")}`),
        ),
        doubts.length === 0 ? null : h("span", { class: "sub doubt" }, doubtWords(doubts)),
      ),
      h("span", { class: "figures" }, toFigure(item, saidOf(item)[1] ?? null), toAway(item)),
    ),
  );
}

/** @param {readonly import("../page/state.js").Wish[]} doubts */
function doubtWords(doubts) {
  return `${withCommas(doubts.map((wish) => t(`wish.${wish}`)))}: ${t("attr.unknown")}`;
}

/** An operator or a kind, and what decides between things of it. A kind is the heading already. @param {Item} item */
function subOf(item) {
  const facts = factsOf(item);
  // An operator that the name begins with is not said again.
  const isSaid = item.name.startsWith(item.sub);
  const isKind = item.layer === "service" && facts.length > 0;
  const said = isSaid || isKind ? facts : [item.sub, ...facts];
  return said.map((fact, n) => h("em", {}, n > 0 ? " · " : "", h("bdi", {}, fact)));
}

/** Of data that are older than their pace, and of a map of over a year ago. @param {Item} item */
function ageWords({ isOld, age_s = null, map_ms }) {
  if (map_ms !== undefined) return t("detail.map", { date: monthOf(map_ms) });
  if (!isOld) return null;
  return age_s === null ? t("map.stale") : t("list.old", { age: age(age_s) });
}

/** @param {Item} item */
function ageOf(item) {
  const said = ageWords(item);
  return said === null ? null : h("em", { class: "age" }, ` · ${said}`);
}

/** Minutes and metres on foot, or the straight line where they are not known. @param {Item} item */
function toAway(item) {
  const { walk, distance: metres } = item;
  const full = h("span", { class: "sr" }, ` ${awayWords(item)} `);
  if (walk === null)
    return h(
      "span",
      { class: "away" },
      full,
      h("small", { "aria-hidden": "true" }, distance(metres)),
    );
  const minutes = `${t("walk", { n: minutesOf(walk.seconds) })} · `;
  return h(
    "span",
    { class: "away foot" },
    full,
    line(WALKER, 13),
    h("span", { "aria-hidden": "true" }, minutes, h("small", {}, distance(walk.meters))),
  );
}

/** @param {Item} item */
function stateOf(item) {
  const { layer, state } = item;
  if (state === "operational" || state === "unknown" || layer === "transit") return null;
  return h("em", {}, ` · ${saidOf(item)[0]}`);
}
