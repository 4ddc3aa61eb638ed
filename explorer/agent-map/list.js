/** Everything on the map as a list, nearest first: for those who do not see the map, and for finding by name. */
import { fill, h } from "../page/dom.js";
import { counted, distance, kindName, onFoot, USABLE } from "./words.js";

/** @typedef {import("./things.js").Thing} Thing */

/** @param {HTMLDetailsElement} details @param {(thing: Thing) => void} choose */
export function createList(details, choose) {
  const [summary, list] = /** @type {HTMLElement[]} */ ([...details.children]);
  /** @type {readonly Thing[]} */
  let things = [];
  let isDrawn = false;
  // Rows are made when they are first seen.
  const draw = () => {
    if (isDrawn || !details.open) return;
    isDrawn = true;
    fill(
      list,
      things.map((thing) => h("li", {}, toRow(thing, choose))),
    );
  };
  details.addEventListener("toggle", draw);
  return {
    /** @param {readonly Thing[]} next */
    show(next) {
      things = next;
      isDrawn = false;
      fill(summary, `List of ${things.length}, nearest first`);
      fill(list);
      draw();
    },
    /** Marks the row of what is chosen. @param {Thing | null} thing */
    mark(thing) {
      const rows = list?.querySelectorAll("button") ?? [];
      for (const [n, row] of [...rows].entries())
        row.setAttribute("aria-pressed", String(things[n] === thing));
    },
  };
}

/** @param {Thing} thing @param {(thing: Thing) => void} choose */
function toRow(thing, choose) {
  const { name, operator, usable } = thing;
  const about = thing.layer === "station" ? [`${counted(thing.free)} free`] : [];
  const quiet = [kindName(thing), operator, ...about, USABLE[usable]].filter(Boolean).join(" · ");
  return h(
    "button",
    { type: "button", class: usable, onclick: () => choose(thing), "aria-pressed": "false" },
    h("bdi", { class: "name" }, name),
    h("span", { class: "away" }, onFoot(thing.walk) ?? distance(thing.distance)),
    h("small", {}, h("bdi", {}, quiet)),
  );
}
