/** The contents at the side: guide and operations, a search over them, and where the reader is. */
import { byId, h, put } from "../page/dom.js";

/** @typedef {import("./spec.js").Operation} Operation */

/** Lists the operations by tag below the guide. @param {{ name: string, members: Operation[] }[]} tags */
export function addOperations(tags) {
  put(
    byId("contents-list"),
    tags.map(({ name, members }) =>
      h("li", { class: "group" }, h("strong", {}, name), h("ul", {}, members.map(toItem))),
    ),
  );
}

/** @param {Operation} operation */
function toItem({ id, method, path, summary, parameters }) {
  const words = [id, method, path, summary, ...parameters.map((one) => one.name)].join(" ");
  return h(
    "li",
    { "data-words": words.toLowerCase() },
    h("a", { href: `#${id}` }, summary, h("span", { class: "path" }, `${method} ${path}`)),
  );
}

/** Narrows the contents to what is typed; `/` leads there, Enter to the first match, Escape back. */
export function watchSearch() {
  const input = byId("search");
  const narrow = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const item of listItems()) {
      const text = item.dataset["words"] ?? item.textContent.toLowerCase();
      const hidden = !words.every((/** @type {string} */ word) => text.includes(word));
      item.hidden = hidden;
      if (!hidden) left += 1;
    }
    for (const group of document.querySelectorAll("#contents .group"))
      /** @type {any} */ (group).hidden = group.querySelector("li:not([hidden])") === null;
    byId("found").textContent =
      words.length === 0 ? "" : left === 1 ? "1 entry" : `${left} entries`;
  };
  input.addEventListener("input", narrow);
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") {
      input.value = "";
      narrow();
    }
    if (event.key !== "Enter") return;
    const link = listItems()
      .find((item) => !item.hidden)
      ?.querySelector("a");
    link?.click();
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input, textarea, select")) return;
    event.preventDefault();
    byId("contents").open = true;
    input.focus();
  });
}

/** @returns {any[]} */
function listItems() {
  return [...document.querySelectorAll("#contents-list .group li")];
}

/** Marks the entry of the section that is being read. */
export function watchPlace() {
  const links = new Map(
    [...document.querySelectorAll("#contents-list a")].map((link) => [
      link.getAttribute("href"),
      link,
    ]),
  );
  /** @type {Element | undefined} */
  let current;
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.find((one) => one.isIntersecting);
      const link = entry && links.get(`#${entry.target.id}`);
      if (!link || link === current) return;
      current?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "location");
      current = link;
    },
    // A line in the upper part of the window.
    { rootMargin: "-20% 0px -79% 0px" },
  );
  for (const section of document.querySelectorAll("main section[id]")) observer.observe(section);
}

/** On a narrow window the contents are folded, and fold again when an entry is chosen. */
export function watchWidth() {
  const wide = matchMedia("(min-width: 960px)");
  const contents = byId("contents");
  const apply = () => void (contents.open = wide.matches);
  wide.addEventListener("change", apply);
  contents.addEventListener("click", (/** @type {Event} */ event) => {
    if (!wide.matches && /** @type {Element} */ (event.target).closest("a")) contents.open = false;
  });
  apply();
}
