/** Style sheets that a module brings, where the page does not have them already. */
import { h } from "./dom.js";

/** Resolves when it is there, or cannot be read. A page in one piece has all of them. @param {string} assets @param {string} path */
export async function loadSheet(assets, path) {
  const href = `${assets}/${path}`;
  if (document.querySelector(`link[href="${href}"], link[data-joined]`)) return;
  const link = h("link", { rel: "stylesheet", href });
  const done = new Promise((resolve) => {
    for (const event of ["load", "error"]) link.addEventListener(event, resolve);
  });
  document.head.append(link);
  await done;
}
