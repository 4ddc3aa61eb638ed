/** The point that is asked about: dragged, or moved with the arrow keys; and the way back to it. */
import { travel } from "./geometry.js";
import { h } from "../page/dom.js";
import { distance } from "../page/format.js";
import { t } from "../page/texts.js";

/** @typedef {{ lat: number, lon: number }} Point */

/** Bearings of the arrow keys, in half turns. */
const TURNS = /** @type {Record<string, number>} */ ({
  ArrowUp: 0,
  ArrowRight: 0.5,
  ArrowDown: 1,
  ArrowLeft: 1.5,
});

/**
 * @param {any} gl @param {any} map
 * @param {{ pick(point: Point): void, drag(point: Point): void, click(event: MouseEvent): void }} handlers
 */
export function createPoint(gl, map, handlers) {
  const element = h(
    "button",
    {
      class: "point",
      type: "button",
      id: "point",
      "aria-label": t("map.point", { step: distance(25) }),
    },
    h("span", { class: "point-dot" }),
  );
  const marker = new gl.Marker({ element, draggable: true });
  const at = () => {
    const { lat, lng } = marker.getLngLat().wrap();
    return { lat, lon: lng };
  };
  marker.on("drag", () => handlers.drag(at()));
  marker.on("dragend", () => handlers.pick(at()));
  element.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    event.stopPropagation();
    // The space bar and Enter click, too, and point at nothing.
    if (event.detail > 0) handlers.click(event);
  });
  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const turn = TURNS[event.key];
    if (turn === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    handlers.pick(travel(at(), turn * Math.PI, event.shiftKey ? 100 : 25));
  });
  let added = false;
  return {
    /** @param {Point} point */
    put({ lat, lon }) {
      marker.setLngLat([lon, lat]);
      if (!added) marker.addTo(map);
      added = true;
    },
  };
}

/** A button that is there while the point is out of sight. @param {HTMLElement} container @param {string} text @param {() => void} back */
export function createWayBack(container, text, back) {
  const element = h("button", { class: "way-back", type: "button", hidden: true }, text);
  element.addEventListener("click", back);
  container.append(element);
  return {
    /** @param {boolean} is */
    show(is) {
      if (element.hidden === is) element.hidden = !is;
    },
  };
}
