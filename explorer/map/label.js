/** A name over the map, at a place that moves with it. The list has the same as text. */
import { radiusOf } from "./marks.js";
import { PIN_HEIGHT, PIN_RADIUS, POINTED } from "./parts.js";
import { h } from "../page/dom.js";
import { walkWords } from "../page/foot.js";
import { count, distance, kindTitle } from "../page/format.js";
import { t } from "../page/texts.js";

/** @typedef {import("./marks.js").Mark} Mark @typedef {{ left: number, right: number, top: number, bottom: number }} Padding */

const EDGE_PX = 6;

/**
 * Names of the chosen thing and of what is pointed at.
 * @param {HTMLElement} container @param {() => Padding} paddingOf
 * @param {ReturnType<typeof import("./layer.js").createLayer>} layer
 */
export function createNames(container, paddingOf, layer) {
  const labels = [createLabel(container, paddingOf), createLabel(container, paddingOf)];
  /** @type {(Mark | null)[]} */
  let marks = [null, null];
  return {
    /** @param {Mark | null} chosen @param {Mark | null} pointed */
    show(chosen, pointed) {
      marks = [chosen, pointed];
      for (const [n, mark] of marks.entries()) labels[n]?.show(mark ? linesOf(mark) : []);
    },
    /** Where the map is now. @param {number} size of marks */
    put(size) {
      for (const [n, mark] of marks.entries()) {
        if (!mark) continue;
        const reach = radiusOf(mark) * POINTED * size;
        const pin = { above: (PIN_HEIGHT + PIN_RADIUS) * size, below: EDGE_PX };
        labels[n]?.put(layer.toScreen(mark), n === 0 ? pin : { above: reach, below: reach });
      }
    },
  };
}

/** @param {HTMLElement} container @param {() => Padding} paddingOf */
export function createLabel(container, paddingOf) {
  const element = h("div", { class: "map-label", "aria-hidden": "true", hidden: true });
  container.append(element);
  let room = { least: 0, most: 0, top: 0 };
  let size = { width: 0, height: 0 };
  let shown = "";
  return {
    /** Lines of text, the first one strong; none: it is hidden. @param {readonly string[]} lines */
    show(lines) {
      const next = lines.join("\n");
      if (next === shown) return;
      shown = next;
      element.hidden = lines.length === 0;
      element.replaceChildren(
        ...lines.map((text, n) => h(n === 0 ? "strong" : "span", { dir: "auto" }, text)),
      );
      // Once for each text, since a frame that asks for the layout waits for it.
      const pad = paddingOf();
      size = { width: element.offsetWidth, height: element.offsetHeight };
      const least = pad.left + EDGE_PX;
      const most = container.clientWidth - pad.right - size.width - EDGE_PX;
      room = { least, most: Math.max(least, most), top: pad.top };
    },
    /** Over a place, or under it where there is no room. @param {{ x: number, y: number }} at @param {{ above: number, below: number }} reach pixels that it keeps clear of */
    put({ x, y }, { above, below }) {
      if (shown === "") return;
      const left = Math.min(room.most, Math.max(room.least, x - size.width / 2));
      const over = y - above - size.height - EDGE_PX;
      const top = over < room.top ? y + below + EDGE_PX : over;
      element.style.setProperty(
        "transform",
        `translate(${Math.round(left)}px,${Math.round(top)}px)`,
      );
    },
  };
}

/** What a mark is, as lines of text. @param {Mark} mark */
function linesOf({ item, members }) {
  if (members.length > 1) return [t("map.many", { n: members.length, kind: kindTitle(item.kind) })];
  const { name, sub, free, total, walk } = item;
  const facts = [
    ...(typeof item.distance === "number" ? [walkWords(walk) ?? distance(item.distance)] : []),
    ...(free === null ? [] : [t("list.free.of", { free: count(free), total: count(total) })]),
    ...(item.stale ? [t("map.stale")] : []),
  ];
  return [name || sub, facts.join(" · ")].filter((text) => text !== "");
}
