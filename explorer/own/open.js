/** What a visitor has of their own on the page: saved places, and notices. Loaded after the first answers. */
import { fill } from "../page/dom.js";
import { loadSheet } from "../page/sheet-link.js";
import { writeState } from "../page/state.js";
import { addTexts } from "../page/texts.js";
import { createChips } from "./chips.js";
import { Favourites } from "./favourites.js";
import { createNotify } from "./notify.js";
import { PlacesNow } from "./places-now.js";
import { addStar, canSave, toSaveButton } from "./save.js";

/** @typedef {import("../data/items.js").Item} Item */

/**
 * @param {{ assets: string, state: import("../page/state.js").State, last: import("../offline/last-answers.js").LastAnswers,
 *   follow: () => void, address: () => string | null, slot: HTMLElement, report: (text: string) => void }} given
 * `follow`: shows what the address of the page has; `slot`: in the details, for the buttons of a thing; `report`: says something for a moment
 */
export async function openOwn({ assets, state, last, follow, address, slot, report }) {
  await Promise.all([addTexts(assets, "own"), loadSheet(assets, "own/own.css")]);
  const own = new Favourites({ openStore: () => localStorage, changed });
  const places = new PlacesNow({ list: () => own.list(), changed: () => chips.draw(), last });
  const chips = createChips({ own, find: (id) => places.find(id), go });
  addStar({ own, state, address, report });
  const icon = `${assets}/icons/icon-192.png`;
  const notify = createNotify({ report, icon, changed: drawThing });
  let thing = /** @type {Item | null} */ (null);
  let drawn = "";
  addEventListener("storage", () => own.follow());
  chips.draw();
  void places.ask();

  /** @param {import("./favourites.js").Favourite} favourite */
  function go({ lat, lon, thing: saved }) {
    const kinds = new Set(saved === null ? state.kinds : [...state.kinds, saved.kind]);
    const next = { ...state, at: { lat, lon }, kinds, selected: saved?.id ?? null };
    history.pushState(null, "", writeState(next));
    follow();
  }

  function changed() {
    chips.draw();
    drawThing();
    void places.ask();
  }

  function drawThing() {
    drawn = "";
    if (thing !== null) show(thing);
  }

  /** @param {Item} item */
  function show(item) {
    thing = item;
    const buttons = notify.toButtons(item);
    const text = JSON.stringify([
      item.id,
      buttons.map((one) => [one.textContent, one.ariaPressed]),
    ]);
    if (text === drawn && slot.childElementCount > 0) return;
    drawn = text;
    const at = [...slot.querySelectorAll("button")].findIndex(
      (one) => one === document.activeElement,
    );
    fill(slot, canSave(item) ? toSaveButton(item, { own, report }) : null, buttons);
    if (at >= 0) slot.querySelectorAll("button")[at]?.focus();
  }

  return { show };
}
