/** The panel: which of its views is open, and on a phone how much of it. */
import { byId } from "../page/dom.js";

const VIEWS = /** @type {const} */ (["results", "answer", "detail"]);
const SIZES = ["half", "full", "peek"];

export function createSheet() {
  const sheet = byId("sheet");
  const tabs = [byId("tab-list"), byId("tab-answer")];
  let tab = /** @type {"results" | "answer"} */ ("results");
  /** @param {(typeof VIEWS)[number]} view */
  const open = (view) => {
    for (const one of VIEWS) byId(one).hidden = one !== view;
    sheet.dataset["view"] = view;
  };
  /** @param {number} at */
  const choose = (at) => {
    tabs.forEach((one, n) => {
      one.setAttribute("aria-selected", String(n === at));
      one.tabIndex = n === at ? 0 : -1;
    });
    tab = at === 0 ? "results" : "answer";
    open(tab);
    byId(tab).dispatchEvent(new Event("opened"));
  };
  tabs.forEach((one, n) => {
    one.addEventListener("click", () => choose(n));
    one.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      choose(1 - n);
      tabs[1 - n].focus();
    });
  });
  byId("handle").addEventListener("click", () => {
    const at = SIZES.indexOf(sheet.dataset["size"] ?? "half");
    const next = SIZES[(at + 1) % SIZES.length] ?? "half";
    sheet.dataset["size"] = next;
    byId("handle").setAttribute("aria-expanded", String(next !== "peek"));
  });
  // The bar is over the column; how tall it is depends on its text.
  new ResizeObserver(() => {
    document.documentElement.style.setProperty("--bar", `${byId("bar").offsetHeight}px`);
  }).observe(byId("bar"));
  return {
    detail: () => open("detail"),
    back: () => open(tab),
  };
}
