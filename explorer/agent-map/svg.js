/** Elements of SVG from plain values; text is only ever set as text. */

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element; attributes that are null are left out. @param {string} tag @param {Record<string, string | number | null>} [given] @param {...(SVGElement | string)} children */
export function svg(tag, given = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given))
    if (value !== null) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
