/**
 * What this is, in a sentence: over the map until it is closed, with where to look first. How to import
 * what is missing is said to who is on the machine of the service, by the name of its address.
 */
import { byId, fill, h, line } from "../page/dom.js";
import { t } from "../page/texts.js";
import { listBases } from "../data/bases.js";

/** @typedef {import("../page/settings.js").Settings} Settings */

const KEY = "vicinity-intro";
/** Names by which a machine asks itself: there the visitor is the operator. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Chips of bases; more are found by the search. */
const MOST_BASES = 12;

/** @param {{ settings: Settings, go: (city: { lat: number, lon: number, name: string }) => void, host?: string }} given */
export function createIntro({ settings, go, host = location.hostname }) {
  const box = byId("intro");
  const isSandbox = settings.mode === "sandbox";
  const missing = h("ul", { class: "missing" });
  const bases = h("div", {});
  let are_bases = "";
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
    isSandbox ? toChips("intro.cities", settings.cities, go) : [bases, missing],
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
    /** In live mode: the imported bases, and for the operator what is not there and the one command that adds it. @param {any[]} sources */
    show(sources) {
      if (isSandbox) return;
      const places = listBases(sources).slice(0, MOST_BASES);
      const text = JSON.stringify(places);
      // Around a point fewer sources are known than in the world: what was shown stays.
      if (places.length > 1 && text !== are_bases) {
        are_bases = text;
        fill(bases, toChips("intro.bases", places, go));
      }
      if (!LOOPBACK.test(host)) return;
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

/** @template {{ lat: number, lon: number, name: string }} C @param {string} label @param {readonly C[]} cities @param {(city: C) => void} go */
function toChips(label, cities, go) {
  return h(
    "ul",
    { class: "cities", "aria-label": t(label) },
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
