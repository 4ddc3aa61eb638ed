/** Why a thing is shown as it is: its sources, what made them one, and where they differ. */
import { h } from "../page/dom.js";
import { age, capital, distance, withCommas, words } from "../page/format.js";
import { hasText, t } from "../page/texts.js";
import { isolate, namesOf, nameOf } from "./names.js";
import { metresBetween, toCertainty, toReasons } from "./reasons.js";
import { listOf, wordOf } from "./values.js";

/** @typedef {import("../data/items.js").Item} Item */

/** @param {Item} item @param {any} entity its part of the debug block; null: it is not known yet, or has none @param {readonly any[]} sources of /v1/sources */
export function toWhy(item, entity, sources) {
  const { raw } = item;
  const seen = seenBy(item, entity, sources);
  const names = new Map([
    ...sources.map(({ id, name }) => /** @type {[string, string]} */ ([id, name])),
    // Apart, so that another station of a source leaves its name as the first sentence has it.
    ...namesOf(entity?.near_misses ?? [], sources),
    ...namesOf(raw.provenance ?? [], sources),
  ]);
  return [
    h("h3", {}, t("why.title")),
    h("p", { class: "verdict" }, toVerdict(item, seen)),
    toSame(raw, entity, names),
    toConflicts(raw, names),
    toMisses(raw, entity?.near_misses ?? [], names),
    toMachine(raw, entity),
  ];
}

/** Sources of a thing with the ages of what they said, in seconds; null: not known. @param {Item} item @param {any} entity @param {readonly any[]} sources @returns {{ name: string, age_s: number | null }[]} */
function seenBy({ raw, layer }, entity, sources) {
  if (layer === "transit")
    return raw.sources.map((/** @type {any} */ one) => ({
      name: feedName(one, sources),
      age_s: null,
    }));
  if (layer === "service") {
    const all = raw.attributes?.sources ?? [{ source_id: raw.source_id }];
    return all.map((/** @type {any} */ { source_id }) => ({
      name:
        source_id === raw.source_id && raw.provider
          ? raw.provider.name
          : nameOf(source_id, sources),
      age_s: null,
    }));
  }
  const names = namesOf(raw.provenance ?? [], sources);
  const ages = new Map(
    // Of the reports themselves, by which it is decided whose counts are shown.
    (entity?.observations ?? []).map((/** @type {any} */ one) => [
      one.source_id,
      one.report_age_s ?? one.age_s,
    ]),
  );
  return [...names].map(([id, name]) => ({ name, age_s: ages.get(id) ?? null }));
}

/** A publisher of timetables. @param {any} source @param {readonly any[]} sources */
function feedName({ provider, feed_id }, sources) {
  const feed = sources.find(({ id }) => id === `${provider}:${feed_id}`);
  return feed?.attribution ?? feed?.name ?? nameOf(provider, sources);
}

/** @param {Item} item @param {{ name: string, age_s: number | null }[]} seen */
function toVerdict({ layer, raw }, seen) {
  const list = listOf(
    seen.map(({ name, age_s }) =>
      age_s === null ? isolate(name) : t("why.source", { name: isolate(name), age: age(age_s) }),
    ),
  );
  const said =
    seen.length === 0 ? t("why.unnamed") : t(`why.seen.${layer}`, { n: seen.length, list });
  const status = raw.resolution_status;
  const sure = status === "merged" ? toCertainty(raw.resolution_confidence) : null;
  const open = status === "possible_match" ? t("why.possible") : null;
  return [said, sure, open].filter(Boolean).join(" ");
}

/** What made each further observation one with the first. @param {any} raw @param {any} entity @param {Map<string, string>} names */
function toSame(raw, entity, names) {
  const others = (entity?.observations ?? []).slice(1);
  return others.flatMap((/** @type {any} */ one) =>
    one.reasons.length === 0
      ? []
      : [
          h("p", { class: "same" }, t("why.same", { name: isolate(labelOf(one, names)) })),
          toList(one.reasons, metresBetween(raw.location, one.location)),
        ],
  );
}

/** @param {any} observation @param {Map<string, string>} names */
function labelOf({ source_id }, names) {
  return names.get(source_id) ?? source_id;
}

/** @param {readonly string[]} reasons @param {number | null} metres */
function toList(reasons, metres) {
  return h(
    "ul",
    { class: "reasons" },
    toReasons(reasons, metres).map(({ text, isFor }) =>
      h("li", { class: isFor ? null : "against" }, text),
    ),
  );
}

/** @param {any} raw @param {Map<string, string>} names */
function toConflicts(raw, names) {
  const sentences = [
    ...(raw.conflicts ?? []).flatMap((/** @type {any} */ one) => observed(one, raw, names)),
    ...(raw.attributes?.conflicts ?? []).flatMap((/** @type {any} */ one) => stated(one, names)),
  ];
  if (sentences.length === 0) return null;
  return [
    h("h4", {}, t("why.differ")),
    h(
      "ul",
      { class: "conflicts" },
      sentences.map((one) => h("li", {}, one)),
    ),
  ];
}

/** A conflict of stations: the value shown is the newest of the counts, else that of the best source. @param {any} conflict @param {any} raw @param {Map<string, string>} names @returns {string[]} */
function observed({ field, source_id, value, others = [] }, raw, names) {
  const source = isolate(names.get(source_id) ?? source_id);
  return others.flatMap((/** @type {any} */ other) => {
    const second = isolate(names.get(other.source_id) ?? other.source_id);
    if (field === "location") {
      const metres = metresBetween(value, other.value);
      const away = { source, other: second, distance: distance(metres) };
      return [`${t("why.differ.place", away)} ${t("why.rule.best")}`];
    }
    const isCount = field === "availability";
    const pairs = isCount
      ? ["vehicles", "docks"].flatMap((name) =>
          differ(value?.[name], other.value?.[name])
            ? [[name, value[name], other.value[name]]]
            : [],
        )
      : [[field, value, other.value]];
    const rule = t(isCount ? "why.rule.newest" : "why.rule.best");
    return pairs.map(([name, shown, another]) => {
      const said = {
        source,
        shown: textOf(name, shown),
        other: second,
        another: textOf(name, another),
      };
      return `${t("why.differ.field", { field: fieldOf(name), ...said })} ${rule}`;
    });
  });
}

/** @param {unknown} a @param {unknown} b */
function differ(a, b) {
  return typeof a === "number" && typeof b === "number" && a !== b;
}

/** A conflict of places: the value that is shown comes first. @param {any} conflict @param {Map<string, string>} names @returns {string[]} */
function stated({ name, values = [] }, names) {
  const [first, ...others] = values;
  return others.map((/** @type {any} */ other) => {
    const said = t("why.differ.field", {
      field: fieldOf(name),
      source: isolate(names.get(first.source_id) ?? first.source_id),
      shown: textOf(name, first.value),
      other: isolate(names.get(other.source_id) ?? other.source_id),
      another: textOf(name, other.value),
    });
    return `${said} ${t("why.rule.first")}`;
  });
}

/** @param {string} field */
function fieldOf(field) {
  const key = `attr.${field}`;
  return hasText(key) ? t(key) : capital(words(field));
}

/** @param {string} field @param {unknown} value */
function textOf(field, value) {
  if (typeof value === "number") return String(value);
  if (typeof value === "object" && value !== null) return isolate(JSON.stringify(value));
  return isolate(
    field === "name" || field === "opening_hours"
      ? String(value)
      : (wordOf(field, value) ?? t("attr.unknown")),
  );
}

/** @param {any} raw @param {any[]} misses @param {Map<string, string>} names */
function toMisses(raw, misses, names) {
  if (misses.length === 0) return null;
  return [
    h("h4", {}, t("why.misses")),
    h(
      "ul",
      { class: "misses" },
      misses.map((one) => {
        const metres = metresBetween(raw.location, one.location);
        const name = isolate(labelOf(one, names));
        return h("li", {}, h("p", {}, t("why.miss", { name })), toList(one.reasons ?? [], metres));
      }),
    ),
  ];
}

/** Scores, ids and fields, as the answer has them. @param {any} raw @param {any} entity */
function toMachine(raw, entity) {
  const rows = (raw.provenance ?? []).map((/** @type {any} */ one) => [
    one.source_id,
    withCommas(one.fields ?? []),
  ]);
  const seen = [...(entity?.observations ?? []), ...(entity?.near_misses ?? [])];
  if (rows.length === 0 && seen.length === 0) return null;
  return h(
    "details",
    { class: "machine" },
    h("summary", {}, t("why.machine")),
    seen.length === 0 ? null : h("ul", { class: "observations" }, seen.map(toObservation)),
    rows.length === 0 ? null : toFields(rows),
  );
}

/** @param {any} observation */
function toObservation({ source_id, entity_id, score, reasons = [] }) {
  return h(
    "li",
    {},
    h("code", {}, source_id),
    entity_id === undefined ? null : h("code", {}, entity_id),
    typeof score === "number" ? toScore(score) : null,
    h("code", {}, reasons.join(" · ")),
  );
}

/** @param {number} score */
function toScore(score) {
  const share = Math.max(0, Math.min(1, score));
  return h(
    "div",
    { class: "score" },
    h("span", { class: "gauge", style: { "--share": `${Math.round(share * 100)}%` } }),
    h("span", {}, t("why.score", { score: score.toFixed(2) })),
  );
}

/** @param {string[][]} rows */
function toFields(rows) {
  const heads = ["why.observation", "why.fields"].map((key) => h("th", { scope: "col" }, t(key)));
  return h(
    "table",
    { class: "plain" },
    h("thead", {}, h("tr", {}, heads)),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map((cell) => h("td", {}, h("code", {}, cell))),
        ),
      ),
    ),
  );
}
