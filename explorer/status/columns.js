/** The columns of the table: what each shows of a source, and what it is sorted by. */
import { h, link } from "../page/dom.js";
import { age, count, percent, UNKNOWN, words } from "../page/format.js";
import { hasText, t } from "../page/texts.js";
import { healthOf, isOff, severity } from "./health.js";
import { availability } from "./history.js";
import { middleOf, toMapAddress } from "./places.js";
import { toShare, toStrip } from "./strip.js";

/**
 * `worst`: whether sorting begins with the largest; null sorts last.
 * @typedef {{ id: string, value: (source: any) => string | number | null, cell: (source: any) => any,
 *   descending?: boolean }} Column
 */

/** @type {readonly Column[]} */
export const COLUMNS = [
  { id: "state", value: (source) => severity(healthOf(source)), cell: toState, descending: true },
  {
    id: "history",
    value: ({ history }) => history?.slots.reduce(countFailures, 0) ?? null,
    cell: ({ history }) => toStrip(history ?? null),
    descending: true,
  },
  {
    id: "available",
    value: ({ history }) => availability(history ?? null),
    cell: ({ history }) => {
      const share = availability(history ?? null);
      return share === null ? UNKNOWN : toShare(share);
    },
  },
  {
    id: "failed",
    value: ({ error_rate_5m }) => error_rate_5m,
    cell: ({ error_rate_5m }) => (error_rate_5m === null ? UNKNOWN : percent(error_rate_5m)),
    descending: true,
  },
  {
    id: "age",
    value: ageOfData,
    cell: (source) => age(ageOfData(source)),
    descending: true,
  },
  {
    id: "things",
    value: ({ entity_count }) => entity_count,
    cell: ({ entity_count }) => count(entity_count),
    descending: true,
  },
  {
    id: "licence",
    value: ({ licence }) => licence,
    cell: ({ licence, licence_url }) =>
      licence || licence_url ? link(licence ?? t("status.terms"), licence_url) : UNKNOWN,
  },
];

/** Seconds: of an imported map its own age, not that of the import; null: not known. @param {any} source */
function ageOfData({ age_s, base }) {
  if (!base) return age_s;
  return base.data_at === null
    ? null
    : Math.max(0, (Date.now() - Date.parse(base.data_at)) / 1_000);
}

/** @param {number} sum @param {import("./history.js").Slot | null} slot */
function countFailures(sum, slot) {
  return sum + (slot?.failures ?? 0);
}

/** @param {any} source */
function toState(source) {
  const { state, problem } = source;
  const health = healthOf(source);
  const name =
    health === "poor" ? t("status.health.poor") : stateName(isOff(source) ? "off" : state);
  const word = problem && wordOf(problem.word);
  return [
    h("span", { class: `pill state ${health}` }, name),
    word === null || word === name
      ? null
      : h("span", { class: "cause", title: problem.message }, word),
  ];
}

/** @param {string} state */
export function stateName(state) {
  const key = `status.state.${state}`;
  return hasText(key) ? t(key) : words(state);
}

/** Of a failure. @param {string} word */
export function wordOf(word) {
  const key = `problem.${word.replaceAll(" ", "_")}`;
  return hasText(key) ? t(key) : word;
}

const CATALOGUE = /_(?:catalogue|networks)$/;

/** What sort of source it is. @param {any} source */
export function sortOf({ id, kind, base }) {
  if (kind === "lookup") return "lookup";
  if (base || id.startsWith("openbase:")) return "base";
  if (id.startsWith("gtfs:")) return "timetable";
  return CATALOGUE.test(id) ? "catalogue" : "feed";
}

/** The head of a row: name, sort, id and the way to the map. @param {any} source */
export function toHead(source) {
  const at = middleOf(source);
  const { id, name } = source;
  return [
    h("bdi", { class: "who" }, name),
    h(
      "span",
      { class: "what" },
      t(`status.sort.${sortOf(source)}`),
      ...(name === id ? [] : [" · ", h("code", {}, id)]),
    ),
    at &&
      h(
        "a",
        { href: toMapAddress(at), class: "to-map", "aria-label": t("status.map.of", { name }) },
        t("status.map.link"),
      ),
    h(
      "a",
      {
        href: `/quality?source=${encodeURIComponent(id)}`,
        class: "to-quality",
        "aria-label": t("quality.of", { name }),
      },
      t("quality.link"),
    ),
  ];
}
