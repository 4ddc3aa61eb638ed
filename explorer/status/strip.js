/** The last 24 hours of a source as a strip of bars: the worse, the higher, so that colour is not all. */
import { h } from "../page/dom.js";
import { age, count, withCommas, percent } from "../page/format.js";
import { language, t } from "../page/texts.js";
import { availability, listFailures, slotHealth, timesOf } from "./history.js";

/** @typedef {import("./history.js").History} History */

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 24;
const HEIGHTS = { unknown: 3, quiet: 6, good: 13, poor: 18, bad: 24 };
/** Named in the text of a strip; all of them are in the details. */
const MOST_NAMED = 3;

/** @param {History | null} history */
export function toStrip(history) {
  if (history === null) return h("span", { class: "no-strip" }, t("status.history.none"));
  const svg = document.createElementNS(SVG, "svg");
  const { length } = history.slots;
  const given = {
    class: "strip",
    viewBox: `0 0 ${length} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": describe(history),
  };
  for (const [name, value] of Object.entries(given)) svg.setAttribute(name, value);
  /** @type {Record<string, string>} */
  const outlines = {};
  for (const [index, slot] of history.slots.entries()) {
    const health = slotHealth(slot);
    const height = HEIGHTS[health];
    outlines[health] = `${outlines[health] ?? ""}M${index} ${HEIGHT}v-${height}h1v${height}z`;
  }
  for (const [health, outline] of Object.entries(outlines)) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", outline);
    path.setAttribute("class", health);
    svg.append(path);
  }
  return svg;
}

/** The strip in words. @param {History} history */
function describe(history) {
  const share = availability(history);
  const failures = listFailures(history);
  const times = withCommas(failures.slice(0, MOST_NAMED).map(toPeriod));
  return [
    share === null
      ? t("status.history.unasked")
      : t("status.history.share", { share: toShare(share) }),
    ...(failures.length === 0 ? [] : [t("status.history.failed", { times })]),
    ...(failures.length > MOST_NAMED
      ? [t("status.history.others", { n: failures.length - MOST_NAMED })]
      : []),
  ].join(" ");
}

/** One decimal below 100 %, where it says most; 100 % only where all of it succeeded. @param {number} share */
export function toShare(share) {
  if (share === 0 || share === 1) return percent(share);
  return Math.min(share, 0.999).toLocaleString(language(), {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}

/** @param {{ begin_ms: number, end_ms: number }} times */
export function toPeriod({ begin_ms, end_ms }) {
  const format = new Intl.DateTimeFormat(language(), {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return format.formatRange(begin_ms, end_ms);
}

/** What a slot says. @param {History} history @param {number} index */
export function describeSlot(history, index) {
  const slot = history.slots[index] ?? null;
  const period = toPeriod(timesOf(history, index));
  const health = slotHealth(slot);
  if (slot === null) return [period, t("status.slot.unknown")];
  const { attempts, failures, age_s } = slot;
  return [
    period,
    attempts > 0
      ? t("status.slot.attempts", { n: attempts, failures: count(failures) })
      : t(`status.slot.${health}`),
    ...(age_s === null ? [] : [t("status.slot.age", { age: age(age_s) })]),
  ];
}

/**
 * Shows what is under the pointer on any strip inside `root`.
 * @param {HTMLElement} root @param {(strip: Element) => History | null} historyOf
 */
export function followPointer(root, historyOf) {
  const tip = h("div", { id: "tip", hidden: true });
  document.body.append(tip);
  const hide = () => (tip.hidden = true);
  const show = (/** @type {PointerEvent} */ event) => {
    const strip = /** @type {Element} */ (event.target).closest(".strip");
    const history = strip && historyOf(strip);
    if (!strip || !history) return hide();
    const { left, width, top } = strip.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    const index = Math.min(
      Math.max(0, Math.floor(share * history.slots.length)),
      history.slots.length - 1,
    );
    tip.replaceChildren(...describeSlot(history, index).map((line) => h("div", {}, line)));
    tip.hidden = false;
    const half = tip.offsetWidth / 2;
    const x = Math.min(Math.max(event.clientX, half + 8), innerWidth - half - 8);
    tip.style.setProperty("left", `${x - half}px`);
    tip.style.setProperty("top", `${Math.max(4, top - tip.offsetHeight - 6)}px`);
  };
  root.addEventListener("pointermove", show);
  root.addEventListener("pointerdown", show);
  root.addEventListener("pointerleave", hide);
  addEventListener("scroll", hide, { capture: true, passive: true });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") hide();
  });
}
