/** Things of the map for pages of others: a card of the chosen one, and rows. */
import { h, icon, line } from "../page/dom.js";
import { awayWords } from "../page/foot.js";
import { ageOf as ageOfTime, chargeOf, count, openWords } from "../page/format.js";
import { t } from "../page/texts.js";
import { factsOf } from "../panel/row-facts.js";

/** @typedef {import("../data/items.js").Item} Item */

/** @param {Item} item @param {() => void} close */
export function toChosen(item, close) {
  return [
    toMark(item),
    h(
      "div",
      { class: item.stale || item.isOld ? "old" : null },
      h("strong", { dir: "auto" }, item.name),
      h("span", {}, [...wordsOf(item), awayWords(item)].join(" · ")),
      toTime(item),
    ),
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": t("detail.back"), onclick: close },
      line("M6 6l12 12M18 6L6 18"),
    ),
  ];
}

/** @param {readonly Item[]} items @param {{ select(item: Item): void, selected: string | null }} given */
export function toRows(items, { select, selected }) {
  return items.map((item) =>
    h(
      "li",
      { style: { "--kind": item.color } },
      h(
        "button",
        {
          type: "button",
          class: item.stale || item.isOld ? "old" : null,
          "aria-pressed": String(item.id === selected),
          onclick: () => select(item),
        },
        toMark(item),
        h(
          "span",
          {},
          h("strong", { dir: "auto" }, item.name),
          h("span", {}, [...wordsOf(item), awayWords(item)].join(" · ")),
        ),
      ),
    ),
  );
}

/** @param {Item} item */
function toMark(item) {
  return h(
    "span",
    { class: `mark ${item.layer}`, style: { "--kind": item.color } },
    icon(item.icon, 15),
  );
}

/** What decides: how many are free, what is in the battery, until when it is open. Unknown is left out. @param {Item} item @returns {string[]} */
function wordsOf(item) {
  const { layer, free, total, raw } = item;
  const figure =
    typeof free !== "number"
      ? null
      : total === null
        ? t("attr.vehicles") + " " + count(free)
        : t("list.free", { free: count(free), total: count(total) });
  const hours = layer === "service" ? openWords(raw.attributes) : null;
  const battery = layer === "vehicle" ? chargeOf(raw.source ?? {}) : null;
  return [figure, battery, hours, ...factsOf(item)].filter((one) => one !== null);
}

/** When a station was last reported. @param {Item} item */
function toTime({ layer, raw }) {
  const { last_reported, observed_at } = raw.availability ?? {};
  const at = layer === "station" ? (last_reported ?? observed_at) : null;
  return at ? h("span", { class: "quiet" }, t("screen.age", { age: ageOfTime(at) })) : null;
}
