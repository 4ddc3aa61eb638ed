/** Style sheets of parts that are loaded later. */
import { h } from "./dom.js";

/** Resolves when it is there, or cannot be. @param {string} href @returns {Promise<unknown>} */
export async function addStyles(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = h("link", { rel: "stylesheet", href });
  const done = new Promise((resolve) => {
    for (const event of ["load", "error"]) link.addEventListener(event, resolve);
  });
  document.head.append(link);
  await done;
}
