/** Saving: the star next to the name of the point, and the buttons in the details of a thing. */
import { byId, fill, h, line } from "../page/dom.js";
import { t } from "../page/texts.js";
import { STAR } from "./chips.js";

/**
 * @typedef {import("../data/items.js").Item} Item @typedef {import("./favourites.js").Favourites} Favourites
 * @typedef {import("../page/state.js").State} State @typedef {(text: string) => void} Report
 */

/** Between the star and its choice, pixels. */
const GAP = 6;

/** The star opens a choice: home, work, or a place of a name. @param {{ own: Favourites, state: State, address: () => string | null, report: Report }} given */
export function addStar({ own, state, address, report }) {
  const menu = byId("own-menu");
  menu.setAttribute("aria-label", t("own.save.place"));
  const star = h(
    "button",
    {
      ...{ type: "button", id: "save-place", class: "chip", popovertarget: "own-menu" },
      "aria-label": t("own.save.place"),
      title: t("own.save.place"),
    },
    line(STAR, 18),
  );
  const save = (/** @type {"home" | "work" | null} */ role) => {
    menu.hidePopover();
    if (state.at === null) return;
    const name = role === null ? (address() ?? "") : "";
    const isSaved = own.add({ role, name, ...state.at, thing: null });
    report(t(!isSaved ? "own.full" : own.isKept ? "own.saved" : "own.unkept"));
  };
  const choice = (/** @type {"home" | "work" | null} */ role, /** @type {string} */ text) =>
    h("button", { type: "button", onclick: () => save(role) }, text);
  fill(
    menu,
    choice("home", t("own.save.home")),
    choice("work", t("own.save.work")),
    choice(null, t("own.save.other")),
  );
  menu.addEventListener("toggle", () => {
    if (!menu.matches(":popover-open")) return;
    const { right, top, bottom } = star.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = menu;
    const below = bottom + GAP;
    menu.style.left = `${Math.max(GAP, Math.min(innerWidth - wide, right - wide))}px`;
    menu.style.top = `${below + high < innerHeight ? below : Math.max(GAP, top - GAP - high)}px`;
  });
  // Behind the choice of the circle, and hidden with it where there is no point.
  byId("summary").querySelector(".where").append(star);
}

/** Whether a thing can be saved: vehicles go, and many have another id with each ride. @param {Item} item */
export function canSave({ layer }) {
  return layer !== "vehicle";
}

/** @param {Item} item @param {{ own: Favourites, report: Report }} given */
export function toSaveButton(item, { own, report }) {
  const { id, layer, kind, name, lat, lon } = item;
  const button = h("button", { type: "button", onclick: press }, line(STAR, 18), h("span", {}));
  const draw = () => {
    const isSaved = own.findThing(id) !== null;
    button.setAttribute("aria-pressed", String(isSaved));
    button.lastElementChild.textContent = t(isSaved ? "own.is_saved" : "own.save");
  };
  function press() {
    const saved = own.findThing(id);
    const thing = { id, layer: /** @type {"station"} */ (layer), kind };
    if (saved !== null) own.remove(saved.id);
    else if (!own.add({ role: null, name, lat, lon, thing })) return report(t("own.full"));
    draw();
    report(t(!own.isKept ? "own.unkept" : saved === null ? "own.saved" : "own.removed"));
  }
  draw();
  return button;
}
