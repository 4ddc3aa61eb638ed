/** Texts of the parts that are in the page from the start. */
import { byId } from "./dom.js";
import { t } from "./texts.js";

/** Parts of the page that a screen reader names. */
const LABELS = {
  map: "map.label",
  sheet: "sheet.label",
  filters: "filters.title",
  found: "search.found",
  here: "search.here",
  notices: "notice.label",
  detail: "detail.label",
  weather: "weather.label",
  zoom: "zoom.label",
  request: "request.label",
  credits: "credits.title",
  intro: "intro.label",
  menu: "menu.title",
  "filter-panel": "filters.title",
  "credits-list": "credits.title",
  "pulse-list": "live.title",
  forecast: "forecast.title",
};

/** Puts them in. */
export function labelPage() {
  for (const element of document.querySelectorAll("[data-text]"))
    element.textContent = t(element.getAttribute("data-text") ?? "");
  for (const [id, key] of Object.entries(LABELS)) byId(id).setAttribute("aria-label", t(key));
  byId("q").placeholder = t(
    matchMedia("(pointer: coarse)").matches ? "search.touch" : "search.hint",
  );
  document.title = `Vicinity: ${t("intro.question")}`;
}
