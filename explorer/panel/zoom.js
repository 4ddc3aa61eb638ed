/** The buttons that zoom the map. */
import { byId, h, line } from "../page/dom.js";
import { t } from "../page/texts.js";

const BUTTONS = /** @type {const} */ ([
  ["zoom.in", 1, "M12 6v12M6 12h12"],
  ["zoom.out", -1, "M6 12h12"],
]);

/** @param {(by: number) => void} zoom called with the steps to zoom in by */
export function addZoom(zoom) {
  for (const [name, by, d] of BUTTONS) {
    const props = { type: "button", "aria-label": t(name), onclick: () => zoom(by) };
    byId("zoom").append(h("button", props, line(d)));
  }
}
