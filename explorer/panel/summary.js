/** Where, how far, how much, and how new it is. */
import { byId, fill, h } from "../page/dom.js";
import { age, coordinates, count, distance } from "../page/format.js";
import { RADII } from "../page/state.js";
import { t } from "../page/texts.js";

/** @typedef {import("../data/session.js").Lane} Lane */

/** Data that is asked for every few seconds is not called old before. */
const FRESH_S = 45;

/** @param {{ radius: (metres: number) => void }} given */
export function createSummary({ radius }) {
  let said = "";
  let at_ms = /** @type {number | null} */ (null);
  let isFailing = false;
  const choice = h("select", {
    id: "radius",
    "aria-label": t("summary.radius"),
    onchange: () => radius(Number(choice.value)),
  });
  const where = h("h2", { dir: "auto" });
  const how = h("span", {});
  const updated = h("span", { class: "updated" });
  fill(byId("summary"), h("div", { class: "where" }, where, choice), h("p", {}, updated, how));
  let options = "";
  const tick = () => {
    updated.hidden = at_ms === null;
    if (at_ms === null) return;
    const seconds = (Date.now() - at_ms) / 1_000;
    updated.classList.toggle("old", isFailing || seconds > FRESH_S);
    updated.textContent = `${seconds < 3 ? t("summary.now") : t("summary.updated", { age: age(seconds) })} · `;
  };
  setInterval(tick, 1_000);
  return {
    text: () => said,
    /**
     * @param {{ state: import("../page/state.js").State, shown: import("../data/items.js").Item[], found: number, hidden: number,
     *   isLoading: boolean, hasFailed: boolean, address: string | null, lanes: Record<string, Lane> }} now
     * `found`: what the answers count, which may be more than has come yet; `hidden`: left out by wishes
     */
    show({ state, shown, found, hidden, isLoading, hasFailed, address, lanes }) {
      const radii = [...new Set([...RADII, state.radius])].toSorted((a, b) => a - b);
      if (options !== radii.join()) {
        options = radii.join();
        fill(
          choice,
          radii.map((one) => h("option", { value: one }, distance(one))),
        );
      }
      choice.value = String(state.radius);
      choice.hidden = state.at === null;
      where.textContent = state.at ? address || coordinates(state.at) : t("intro.question");
      const coming = found - hidden - shown.length;
      said = sentence({ state, shown, found, isLoading, hasFailed, coming });
      const notes = [
        hidden > 0 ? t("summary.hidden", { n: hidden }) : "",
        notPotable(lanes["services"]),
      ].filter(Boolean);
      how.textContent = [said, ...notes].join(" · ");
      at_ms = lanes["nearby"]?.at_ms ?? null;
      isFailing = (lanes["nearby"]?.failed ?? null) !== null;
      tick();
    },
  };
}

/** @param {{ state: import("../page/state.js").State, shown: import("../data/items.js").Item[], found: number, isLoading: boolean, hasFailed: boolean, coming: number }} now */
function sentence({ state, shown, found, isLoading, hasFailed, coming }) {
  if (state.at === null) return t("summary.choose");
  if (state.kinds.size === 0) return t("summary.off");
  if (found === 0 && isLoading) return t("summary.looking");
  // Nothing was found only where everything that was asked has answered.
  if (found === 0)
    return hasFailed ? t("summary.failed") : t("summary.none", { radius: distance(state.radius) });
  const usable = shown.filter((item) => item.usable === "yes" && item.layer !== "transit").length;
  return [
    t("summary.found", { n: shown.length, radius: distance(state.radius) }),
    usable > 0 ? t("summary.usable", { n: usable }) : "",
    isLoading && coming > 0
      ? t("summary.coming", { n: coming })
      : isLoading
        ? t("summary.more")
        : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Water that is left out, since it is known not to be for drinking. @param {Lane | undefined} lane */
function notPotable(lane) {
  const n = lane?.pages[0]?.body.not_potable ?? 0;
  return n === 0 ? "" : t("summary.not_potable", { n, count: count(n) });
}
