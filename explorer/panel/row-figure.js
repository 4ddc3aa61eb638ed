/** The one figure that decides, at the end of a row: what is free, what is left, when it leaves. */
import { shareOf } from "../map/looks.js";
import { h } from "../page/dom.js";
import { count, UNKNOWN } from "../page/format.js";
import { t } from "../page/texts.js";
import { batteryOf, batteryWords, departureWords } from "./row-facts.js";

/** @typedef {import("../data/items.js").Item} Item */

/** @param {Item} item @param {string | null} charge what a vehicle can still go, in words @returns {any} */
export function toFigure(item, charge) {
  const { layer, free, total } = item;
  if (layer === "station") {
    const of = total === null ? "" : `/${count(total)}`;
    const label = t("list.free.of", { free: count(free), total: count(total) });
    const style = { "--share": `${Math.round(shareOf(item) * 100)}%` };
    return h(
      "span",
      { class: "free", "aria-label": label },
      `${count(free)}${of}`,
      h("span", { class: "gauge", style }),
    );
  }
  const battery = batteryWords(item);
  if (battery !== null) {
    const style = { "--share": `${batteryOf(item)}%` };
    const label = t("list.left", { charge: battery });
    return h(
      "span",
      { class: "free", "aria-label": label },
      battery,
      h("span", { class: "gauge", style }),
    );
  }
  if (layer === "transit") return toDeparture(item);
  if (charge !== null) return h("span", { class: "free" }, t("list.left", { charge }));
  if (layer === "service" && total !== null)
    return h(
      "span",
      { class: "free" },
      t("list.free", { free: free === null ? UNKNOWN : count(free), total: count(total) }),
    );
  return null;
}

/** @param {Item} item */
function toDeparture(item) {
  const words = departureWords(item);
  if (words === null) return null;
  const { text, full, isLive } = words;
  return h(
    "span",
    { class: isLive ? "free next live" : "free next", title: full },
    h("span", { class: "sr" }, ` ${full} `),
    h("span", { "aria-hidden": "true" }, text),
  );
}
