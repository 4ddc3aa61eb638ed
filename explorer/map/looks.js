/** What a mark looks like: form, text and colours. Pure, so that contrast can be computed in a test. */

/** @typedef {import("../data/items.js").Item} Item */
/**
 * Members that the page may add to an item.
 * @typedef {{ stale?: boolean, usable?: "yes" | "no" | "unknown",
 *   badge?: { text: string, color: string | null } | null }} Extra
 * @typedef {Item & Extra} Thing
 * @typedef {{ form: "station" | "round" | "square" | "cluster" | "dot" | "pin" | "letter",
 *   icon: string, color: string, grey: boolean, text: string, share: number }} Look
 * @typedef {{ body: string, icon: string, rim: string, paper: string, ring: string, track: string, number: string }} Colors
 */

const GREY = "#626c79";
const ACCENT = "#0b6b67";
const BLANK = { icon: "", color: GREY, grey: false, text: "", share: 0 };
/** Rings have this many lengths, so that stations share sprites. */
const STEPS = 12;
const UNUSABLE = new Set(["unavailable", "maintenance", "closed"]);

export const PIN = /** @type {Look} */ ({ ...BLANK, form: "pin", color: ACCENT });

/** Whether it can be used, as far as is known. @param {Thing} thing */
export function isUsable({ usable, state }) {
  return usable === undefined ? !UNUSABLE.has(state) : usable !== "no";
}

/** Neither last known nor out of use. @param {Thing} thing */
export function isGrey(thing) {
  return thing.stale || !isUsable(thing);
}

/** How full it is, from 0 to 1. @param {Pick<Item, "free" | "total">} item */
export function shareOf({ free, total }) {
  return free === null || total === null || total === 0 ? 0 : Math.min(1, free / total);
}

/** @param {import("./marks.js").Mark} mark @returns {Look} */
export function lookOf({ item, members, form }) {
  const { layer, icon, color } = item;
  const grey = isGrey(item);
  if (form === "dot") return { ...BLANK, form: "dot", color, grey };
  if (members.length > 1)
    return { ...BLANK, form: "cluster", icon, color, grey, text: short(members.length) };
  if (layer === "vehicle") return { ...BLANK, form: "round", icon, color, grey };
  if (layer !== "station") return { ...BLANK, form: "square", icon, color, grey };
  const share = Math.round(shareOf(item) * STEPS) / STEPS;
  return { ...BLANK, form: "station", color, grey, share, text: numberOf(item) };
}

/** Looks of equal keys are drawn once. @param {Look} look @param {boolean} dark */
export function keyOf({ form, icon, color, grey, text, share }, dark) {
  return [dark ? "d" : "l", form, icon, color, grey, text, share].join("/");
}

/** How many are free: at most three signs. @param {Thing} item */
function numberOf(item) {
  const { free } = item;
  if (!isUsable(item) && (free ?? 0) === 0) return "×";
  return free === null ? "?" : String(Math.min(free, 999));
}

/** @param {number} count */
function short(count) {
  return count < 1000 ? String(count) : `${Math.min(99, Math.floor(count / 1000))}k`;
}

const COLOR = /^#[\da-f]{6}$/i;

/** The letters of an operator in its colour, if it has one; null: there is none. @param {Thing} thing @returns {Look | null} */
export function letterOf({ badge }) {
  if (!badge) return null;
  const text = Array.from(badge.text).slice(0, 2).join("");
  const color = badge.color !== null && COLOR.test(badge.color) ? badge.color : GREY;
  return { ...BLANK, form: "letter", color, text };
}

/** On a dark ground bodies are light and what is on them is dark. @param {Pick<Look, "color" | "grey">} look @param {boolean} dark @returns {Colors} */
export function colorsOf({ color, grey }, dark) {
  const own = grey ? GREY : color;
  if (!dark)
    return {
      body: own,
      icon: "#ffffff",
      rim: "#ffffff",
      paper: "#ffffff",
      ring: own,
      track: "#e3e6ea",
      number: own,
    };
  const light = mix(own, grey ? 0.3 : 0.5);
  return {
    body: light,
    icon: "#12161b",
    rim: "#12161b",
    paper: "#1b2129",
    ring: light,
    track: "#3a434d",
    number: light,
  };
}

/** Black or white, whichever is read better on a colour. @param {string} color */
export function inkOn(color) {
  return luminance(color) > 0.179 ? "#000000" : "#ffffff";
}

/** Contrast of two colours, from 1 to 21 (WCAG 2). @param {string} a @param {string} b */
export function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (/** @type {number} */ (high) + 0.05) / (/** @type {number} */ (low) + 0.05);
}

/** @param {string} color */
function luminance(color) {
  const [r = 0, g = 0, b = 0] = toParts(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} color */
function toParts(color) {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Towards white. @param {string} color @param {number} share */
function mix(color, share) {
  const parts = toParts(color).map((part) => Math.round(part + (255 - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
