/** Evidence for a thing: the sources that saw it, what was made one, what they disagree about. */
import { h } from "../page/dom.js";
import { age, UNKNOWN, words } from "../page/format.js";

/** @param {any} raw an item of the answer @param {any} entity its part of the debug block, or null @param {any[]} sources */
export function toWhy(raw, entity, sources) {
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const parts = [
    toVerdict(raw, entity),
    entity
      ? toObservations(entity.observations, names)
      : toSources(raw.sources ?? raw.attributes?.sources),
    toProvenance(raw.provenance ?? []),
    toConflicts(raw.conflicts ?? []),
    toMisses(entity?.near_misses ?? []),
  ].filter((part) => part !== null);
  return [
    h("h3", {}, "Why?"),
    ...(parts.length > 0
      ? parts
      : [h("p", { class: "quiet" }, "One source saw it, and nothing had to be decided.")]),
  ];
}

/** @param {any} raw @param {any} entity */
function toVerdict({ resolution_status, resolution_confidence }, entity) {
  if (resolution_status === undefined) return null;
  const seen = entity?.observations.filter((/** @type {any} */ one) => one.merged).length ?? 1;
  const sure =
    typeof resolution_confidence === "number"
      ? ` We are ${Math.round(resolution_confidence * 100)} % sure of it.`
      : "";
  const text = {
    merged: `${seen} observations were found to be one station.${sure}`,
    possible_match: `It may be the same as another one; too little speaks for it to merge them.${sure}`,
    unresolved: "One source saw it, and nothing had to be merged.",
  }[/** @type {"merged" | "possible_match" | "unresolved"} */ (resolution_status)];
  return h("p", { class: `verdict ${resolution_status}` }, text ?? words(resolution_status));
}

/** @param {any[]} observations @param {Map<string, string>} names */
function toObservations(observations, names) {
  return h(
    "ul",
    { class: "observations" },
    observations.map((one) =>
      h(
        "li",
        {},
        h(
          "div",
          { class: "head" },
          h("strong", {}, names.get(systemOf(one.source_id)) ?? systemOf(one.source_id)),
          h(
            "span",
            { class: "quiet" },
            one.age_s === null ? "age unknown" : `${age(one.age_s)} old`,
          ),
        ),
        h("code", {}, one.entity_id),
        one.score === null ? null : toScore(one.score),
        h(
          "ul",
          { class: "reasons" },
          one.reasons.map((/** @type {string} */ reason) => h("li", {}, words(reason))),
        ),
      ),
    ),
  );
}

/** @param {number} score */
function toScore(score) {
  const share = Math.max(0, Math.min(1, score));
  return h(
    "div",
    { class: "score" },
    h("span", { class: "gauge", style: { "--share": `${Math.round(share * 100)}%` } }),
    h("span", {}, `score ${score.toFixed(2)}`),
  );
}

/** Services and transit name their sources plainly. @param {any[] | undefined} sources */
function toSources(sources) {
  if (!sources || sources.length === 0) return null;
  return h(
    "ul",
    { class: "observations" },
    sources.map((one) =>
      h(
        "li",
        {},
        h(
          "div",
          { class: "head" },
          h("strong", {}, one.provider ?? one.source_id),
          h("span", { class: "quiet" }, one.feed_id ?? one.region ?? ""),
        ),
        h("code", {}, one.external_id ?? one.source_id),
      ),
    ),
  );
}

/** Which member came from whom. @param {any[]} provenance */
function toProvenance(provenance) {
  const rows = provenance.flatMap(({ fields, provider, network_id }) =>
    fields.map((/** @type {string} */ field) => [words(field), provider, network_id]),
  );
  if (rows.length === 0) return null;
  return [
    h("h4", {}, "Who said what"),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Who said what" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Field", "Publisher", "Network"].map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              row.map((/** @type {string} */ cell) => h("td", {}, cell)),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** @param {any[]} conflicts */
function toConflicts(conflicts) {
  if (conflicts.length === 0) return null;
  return [
    h("h4", {}, "Where they disagree"),
    h(
      "ul",
      { class: "conflicts" },
      conflicts.map((one) =>
        h(
          "li",
          {},
          h("strong", {}, words(one.field)),
          h("span", { class: "chosen" }, toValue(one.value)),
          (one.others ?? []).map((/** @type {any} */ other) =>
            h("span", { class: "other" }, `${sourceOf(other.source_id)}: `, toValue(other.value)),
          ),
        ),
      ),
    ),
  ];
}

/** @param {any[]} misses */
function toMisses(misses) {
  if (misses.length === 0) return null;
  return [
    h("h4", {}, "Near, but not the same"),
    h(
      "ul",
      { class: "misses" },
      misses.map((one) =>
        h(
          "li",
          {},
          h("code", {}, one.entity_id ?? one.id ?? one.source_id ?? UNKNOWN),
          typeof one.score === "number" ? toScore(one.score) : null,
          h(
            "ul",
            { class: "reasons" },
            (one.reasons ?? []).map((/** @type {string} */ reason) => h("li", {}, words(reason))),
          ),
        ),
      ),
    ),
  ];
}

/** `citybikes:network:id` is a source and what it calls the thing. @param {unknown} id */
function sourceOf(id) {
  return String(id).split(":").slice(0, -1).join(" ") || String(id);
}

/** Writes any value as one line of text. @param {any} value @returns {string} */
export function toValue(value) {
  if (value === null || value === undefined || value === "") return UNKNOWN;
  if (Array.isArray(value)) return value.map(toValue).join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, one]) => `${words(name)} ${toValue(one)}`)
      .join(", ");
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

/** @param {string} id */
function systemOf(id) {
  return id.split(":").slice(0, -1).join(":") || id;
}
