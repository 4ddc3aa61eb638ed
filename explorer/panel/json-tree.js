/** JSON that folds. What is inside a fold is made when it is opened. */
import { h, put } from "../page/dom.js";
import { t } from "../page/texts.js";

/** Lists and objects of this many parts are open from the start. */
const OPEN_UP_TO = 12;
const SHOWN_AT_ONCE = 100;

/** @param {unknown} value @returns {any} */
export function toJsonTree(value, name = /** @type {string | null} */ (null), depth = 0) {
  if (typeof value !== "object" || value === null)
    return h(
      "div",
      { class: "leaf" },
      toName(name),
      h("span", { class: typeOf(value) }, JSON.stringify(value)),
    );
  const entries = Array.isArray(value)
    ? value.map((one, n) => /** @type {[string, unknown]} */ ([String(n), one]))
    : Object.entries(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return h("div", { class: "leaf" }, toName(name), `${open}${close}`);
  const details = h(
    "details",
    { open: depth < 1 || (depth < 2 && entries.length <= OPEN_UP_TO) },
    h(
      "summary",
      {},
      toName(name),
      h("span", { class: "size" }, `${open} ${entries.length} ${close}`),
    ),
  );
  let made = false;
  const make = () => {
    if (made || !details.open) return;
    made = true;
    addSome(details, entries, depth, 0);
  };
  details.addEventListener("toggle", make);
  make();
  return details;
}

/** @param {any} details @param {[string, unknown][]} entries @param {number} depth @param {number} from */
function addSome(details, entries, depth, from) {
  const some = entries.slice(from, from + SHOWN_AT_ONCE);
  put(
    details,
    some.map(([key, one]) => toJsonTree(one, key, depth + 1)),
  );
  const left = entries.length - from - some.length;
  if (left <= 0) return;
  const button = h(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => {
        button.remove();
        addSome(details, entries, depth, from + SHOWN_AT_ONCE);
      },
    },
    t("request.more", { n: left }),
  );
  put(details, button);
}

/** @param {string | null} name */
function toName(name) {
  return name === null ? null : h("span", { class: "key" }, `${name}: `);
}

/** @param {unknown} value */
function typeOf(value) {
  return value === null ? "null" : typeof value;
}
