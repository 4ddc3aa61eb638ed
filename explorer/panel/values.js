/** Rows of facts and the words of their values. Unknown is said, and never guessed. */
import { h, toSafeHref } from "../page/dom.js";
import { words } from "../page/format.js";
import { hasText, language, t } from "../page/texts.js";

/** A name and the value next to it; null: the row is left out. @typedef {[name: string, value: any] | null} Row */

/** @param {readonly Row[]} rows */
export function toTable(rows) {
  const known = rows.flatMap((row) => (row === null ? [] : [row]));
  if (known.length === 0) return null;
  return h(
    "dl",
    {},
    known.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

/** A row that is left out where nothing is known. @param {string} key @param {any} value @returns {Row} */
export function ifKnown(key, value) {
  return isEmpty(value) ? null : [t(key), value];
}

/** A row that says when nothing is known. @param {string} key @param {any} value @returns {Row} */
export function always(key, value) {
  return [t(key), isEmpty(value) ? unknown() : value];
}

export function unknown() {
  return h("span", { class: "quiet" }, t("attr.unknown"));
}

/** @param {any} value */
function isEmpty(value) {
  return value === null || value === undefined || value === "";
}

/** Text of a publisher in its own direction. @param {unknown} value */
export function named(value) {
  return typeof value === "string" && value !== "" ? h("bdi", {}, value) : null;
}

/** The word for a value of a fact, such as `attr.access.customers`. @param {string} fact @param {unknown} value @returns {string | null} */
export function wordOf(fact, value) {
  const isWord = typeof value === "string" && value !== "" && value !== "unknown";
  if (!isWord && typeof value !== "boolean") return null;
  const key = `attr.${fact}.${value}`;
  if (hasText(key)) return t(key);
  const plain = value === true ? "yes" : value === false ? "no" : value;
  return plain === "yes" || plain === "no" ? t(`attr.${plain}`) : words(plain);
}

/** A day as people write it; other text is left as it is. @param {unknown} text */
export function dayOf(text) {
  const day = typeof text === "string" ? /^\d{4}-\d\d-\d\d/.exec(text)?.[0] : undefined;
  const at = Date.parse(day ?? "");
  if (Number.isNaN(at)) return named(text);
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeZone: "UTC" }).format(at);
}

/** The host of a web address as a link to it; null: it is none that may be followed. @param {unknown} address */
export function toSite(address) {
  const href = toSafeHref(address);
  if (href === null) return null;
  return toLink(new URL(href).host, href);
}

/** @param {string} text @param {string} href which is safe */
export function toLink(text, href) {
  const rel = "noopener noreferrer nofollow";
  return h("a", { href, target: "_blank", rel }, h("bdi", {}, text));
}

/** Names joined as the language does, such as "a, b and c". @param {readonly string[]} names */
export function listOf(names) {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}
