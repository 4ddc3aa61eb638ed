/** Elements from plain values. Text is only ever set as text: nothing here makes markup of it. */
import { ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element: `on…` members are listeners, all others attributes; null and false leave one out.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return put(element, ...children);
}

/** Adds what is there. @param {any} element @param {...(Child | Child[])} children */
export function put(element, ...children) {
  for (const child of /** @type {Child[]} */ (children.flat(Infinity))) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** Replaces whatever is inside. @param {any} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren();
  return put(element, ...children);
}

/** @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** A pictogram; it says nothing to a screen reader. @param {string} name */
export function icon(name, size = 16) {
  const svg = document.createElementNS(SVG, "svg");
  const given = { viewBox: "0 0 15 15", width: size, height: size, "aria-hidden": "true" };
  for (const [key, value] of Object.entries(given)) svg.setAttribute(key, String(value));
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS["parking"] ?? "");
  path.setAttribute("fill", "currentColor");
  svg.append(path);
  return svg;
}

/** Lines of our own interface. @param {string} d */
export function line(d, size = 18) {
  const svg = document.createElementNS(SVG, "svg");
  const given = {
    viewBox: "0 0 24 24",
    width: size,
    height: size,
    "aria-hidden": "true",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  for (const [key, value] of Object.entries(given)) svg.setAttribute(key, String(value));
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
}

/**
 * An address of a feed as a link, if it is one that may be followed; else null.
 * @param {unknown} address
 */
export function toSafeHref(address) {
  if (typeof address !== "string" || address.length > 2048 || !URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === "https:" && url.username === "" ? url.href : null;
}

/** Text with a link when the address is sound, else the text. @param {string} text @param {unknown} address */
export function link(text, address) {
  const href = toSafeHref(address);
  if (href === null) return document.createTextNode(text);
  return h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, text);
}
