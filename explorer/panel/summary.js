/** Where, how far, how much, and how new it is. */
import { byId, fill, h, line } from "../page/dom.js";
import { boundWords } from "../page/foot.js";
import { age, coordinates, count, monthOf } from "../page/format.js";
import { agesOf } from "../data/items.js";
import { MINUTES, RADII } from "../page/state.js";
import { t } from "../page/texts.js";

/** @typedef {import("../data/session.js").Lane} Lane */

/** Data that is asked for every few seconds is not called old before. */
const FRESH_S = 45;

const WHEELCHAIR =
  "M10.500 3.500v.01M10.500 7v7h5.500l2.500 5.500M10.500 10.500h4.500M8 11.500a5 5 0 1 0 6.500 6.500";

/** @typedef {{ radius?: number, minutes: number | null }} Bound a circle, or minutes on foot */

/** @param {{ bound: (bound: Bound) => void, wheelchair: () => void }} given `wheelchair`: ways without steps are wanted, or no longer */
export function createSummary({ bound, wheelchair }) {
  let said = "";
  let at_ms = /** @type {number | null} */ (null);
  let isFailing = false;
  /** Of the oldest data in the answers that are older than their pace; null: none are. */
  let oldest_s = /** @type {number | null} */ (null);
  const choice = h("select", {
    id: "radius",
    "aria-label": t("summary.radius"),
    onchange: () => {
      const [, minutes] = /^min-(.+)$/.exec(choice.value) ?? [];
      bound(
        minutes === undefined
          ? { radius: Number(choice.value), minutes: null }
          : { minutes: Number(minutes) },
      );
    },
  });
  const stepFree = h(
    "button",
    {
      type: "button",
      id: "wheelchair",
      class: "chip wish",
      "aria-label": t("foot.wheelchair"),
      title: t("foot.wheelchair"),
      onclick: wheelchair,
    },
    line(WHEELCHAIR, 18),
  );
  const where = h("h2", { dir: "auto" });
  const how = h("span", {});
  const updated = h("span", { class: "updated" });
  fill(
    byId("summary"),
    h("div", { class: "where" }, where, stepFree, choice),
    h("p", {}, byId("mode"), updated, " ", how),
  );
  let options = "";
  const tick = () => {
    updated.hidden = at_ms === null;
    if (at_ms === null) return;
    const seconds = (Date.now() - at_ms) / 1_000;
    updated.classList.toggle("old", isFailing || seconds > FRESH_S || oldest_s !== null);
    updated.textContent =
      oldest_s !== null
        ? t("summary.old", { age: age(oldest_s + seconds) })
        : seconds < 3
          ? t("summary.now")
          : t("summary.updated", { age: age(seconds) });
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
          toOptions(
            "bound.circle",
            radii.map((radius) => [radius, { radius, minutes: null }]),
          ),
          toOptions(
            "bound.foot",
            MINUTES.map((minutes) => [`min-${minutes}`, { radius: 0, minutes }]),
          ),
        );
      }
      choice.value = state.minutes === null ? String(state.radius) : `min-${state.minutes}`;
      choice.hidden = state.at === null;
      stepFree.hidden = state.at === null;
      stepFree.setAttribute("aria-pressed", String(state.wishes.has("wheelchair")));
      where.textContent = state.at ? address || coordinates(state.at) : t("intro.question");
      const coming = found - hidden - shown.length;
      const isPartial = Object.values(lanes).some(
        ({ isWanted, pages }) => isWanted && pages[0]?.body.status === "partial",
      );
      said = sentence({ state, shown, found, isLoading, hasFailed, isPartial, coming });
      const notes = [
        hidden > 0 ? t("summary.hidden", { n: hidden }) : "",
        notPotable(lanes["services"]),
        ofUnknownWay(state, shown),
        ofOldMap(shown),
      ].filter(Boolean);
      how.textContent = [said, ...notes].join(" · ");
      at_ms = lanes["nearby"]?.at_ms ?? null;
      isFailing = (lanes["nearby"]?.failed ?? null) !== null;
      oldest_s = oldestOf(lanes);
      tick();
    },
  };
}

/** When the oldest map is from that a place shown is from, where it is over a year old. @param {import("../data/items.js").Item[]} shown */
function ofOldMap(shown) {
  const times = shown.flatMap(({ map_ms }) => map_ms ?? []);
  return times.length === 0 ? "" : t("detail.map", { date: monthOf(Math.min(...times)) });
}

/** @param {{ state: import("../page/state.js").State, shown: import("../data/items.js").Item[], found: number, isLoading: boolean, hasFailed: boolean, isPartial: boolean, coming: number }} now */
function sentence({ state, shown, found, isLoading, hasFailed, isPartial, coming }) {
  if (state.at === null) return t("summary.choose");
  if (state.kinds.size === 0) return t("summary.off");
  if (found === 0 && isLoading) return t("summary.looking");
  // Nothing was found only where everything that was asked has answered, and wholly.
  if (found === 0)
    return hasFailed
      ? t("summary.failed")
      : isPartial
        ? t("notice.partial")
        : t("summary.none", { radius: boundWords(state) });
  const usable = shown.filter((item) => item.usable === "yes" && item.layer !== "transit").length;
  return [
    t("summary.found", { n: shown.length, radius: boundWords(state) }),
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

/** Seconds of the oldest data that the answers have; null: none are older than their pace. @param {Record<string, Lane>} lanes */
function oldestOf(lanes) {
  const ages = Object.values(lanes).flatMap(({ pages, isWanted }) =>
    isWanted ? [...agesOf(pages[0]?.body).values()] : [],
  );
  return ages.length === 0 ? null : Math.max(...ages);
}

/** What may be reached in time, or not: it is in the list. @param {import("../page/state.js").State} state @param {import("../data/items.js").Item[]} shown */
function ofUnknownWay({ minutes }, shown) {
  const n = minutes === null ? 0 : shown.filter(({ walk }) => walk === null).length;
  return n === 0 ? "" : t("summary.unknown", { n });
}

/** @param {string} key of their name @param {[value: string | number, bound: { radius: number, minutes: number | null }][]} rows */
function toOptions(key, rows) {
  return h(
    "optgroup",
    { label: t(key) },
    rows.map(([value, bound]) => h("option", { value }, boundWords(bound))),
  );
}

/** Water that is left out, since it is known not to be for drinking. @param {Lane | undefined} lane */
function notPotable(lane) {
  const n = lane?.pages[0]?.body.not_potable ?? 0;
  return n === 0 ? "" : t("summary.not_potable", { n, count: count(n) });
}
