/** What was found wrong in the data of a source, each with examples and with what to do. */
import { h } from "../page/dom.js";
import { count } from "../page/format.js";
import { language, t } from "../page/texts.js";

/**
 * @typedef {{ reason: string, part: string | null, count: number, current: boolean, examples: string[],
 *   meaning: string, advice: string, first_at: string, last_at: string }} Finding
 */

/** @param {string} kind @param {Finding[] | null} findings null: no reading says so */
export function toFindings(kind, findings) {
  return [
    h("h2", {}, t(`quality.${kind}`)),
    findings === null
      ? h("p", { class: "nothing" }, t("quality.untold"))
      : findings.length === 0
        ? h("p", { class: "nothing" }, t("quality.none"))
        : h("ul", { class: "findings" }, findings.map(toItem)),
  ];
}

/** Meaning and advice come in English. @param {Finding} finding */
function toItem({ reason, part, count: n, current, examples, meaning, advice, first_at, last_at }) {
  const dates = new Intl.DateTimeFormat(language(), { dateStyle: "medium" });
  const rows = [
    ["examples", examples.length > 0 && examples.map((example) => h("code", {}, example))],
    ["part", part && h("code", {}, part)],
    ["seen", dates.formatRange(Date.parse(first_at), Date.parse(last_at))],
    ["advice", h("strong", { lang: "en", dir: "ltr" }, advice)],
  ];
  return h(
    "li",
    {},
    h("span", { class: "count" }, count(n)),
    h("code", {}, reason),
    current ? null : h("span", { class: "past" }, t("quality.past")),
    h("p", { lang: "en", dir: "ltr" }, meaning),
    h(
      "dl",
      {},
      rows.flatMap(([name, value]) =>
        value ? [h("dt", {}, t(`quality.finding.${name}`)), h("dd", {}, value)] : [],
      ),
    ),
  );
}
