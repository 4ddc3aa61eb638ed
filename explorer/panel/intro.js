/** What this is, in a sentence: over the map until it is closed, with where to look first. */
import { byId, fill, h, line } from "../page/dom.js";
import { t } from "../page/texts.js";

/** @typedef {import("../page/settings.js").Settings} Settings */

const KEY = "vicinity-intro";

/** @param {{ settings: Settings, go: (city: { lat: number, lon: number, name: string }) => void }} given */
export function createIntro({ settings, go }) {
  const box = byId("intro");
  const isSandbox = settings.mode === "sandbox";
  const missing = h("ul", { class: "missing" });
  const close = () => {
    box.hidden = true;
    keep();
  };
  byId("mode").hidden = !isSandbox;
  byId("mode").textContent = t("intro.simulated");
  byId("mode").title = t("intro.sandbox");
  box.hidden = isKept();
  fill(
    box,
    h(
      "p",
      {},
      h("strong", {}, t("intro.sentence")),
      " ",
      isSandbox ? t("intro.sandbox") : t("intro.live"),
    ),
    isSandbox ? toCities(settings.cities, go) : missing,
    h(
      "button",
      { type: "button", class: "quiet close", "aria-label": t("intro.close"), onclick: close },
      line("M6 6l12 12M18 6 6 18", 16),
    ),
  );
  return {
    open() {
      box.hidden = false;
      box.querySelector("button")?.focus();
    },
    /** In live mode: what is not there, and the one command that adds it. @param {any[]} sources */
    show(sources) {
      if (isSandbox) return;
      const operations = new Set(
        sources.filter(({ state }) => state !== "disabled").flatMap((one) => one.operations),
      );
      const lacks = [
        settings.base || settings.style
          ? null
          : [t("missing.base"), "vicinity import osm FILE.osm.pbf --id ID"],
        operations.has("getTransportNearby")
          ? null
          : [t("missing.transit"), "vicinity import gtfs FILE.zip"],
        operations.has("getServicesNearby")
          ? null
          : [t("missing.services"), "vicinity import osm FILE.osm.pbf --id ID"],
      ].filter((one) => one !== null);
      fill(
        missing,
        lacks.map(([what = "", command = ""]) => h("li", {}, `${what} `, h("code", {}, command))),
      );
    },
  };
}

/** @param {Settings["cities"]} cities @param {(city: { lat: number, lon: number, name: string }) => void} go */
function toCities(cities, go) {
  return h(
    "ul",
    { class: "cities", "aria-label": t("intro.cities") },
    cities.map((city) =>
      h(
        "li",
        {},
        h("button", { type: "button", class: "chip", onclick: () => go(city) }, city.name),
      ),
    ),
  );
}

function isKept() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, "closed");
  } catch {
    // Then it is open again at the next visit.
  }
}
