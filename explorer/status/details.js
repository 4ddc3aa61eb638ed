/** What a row opens to: the cause, when it failed, its terms, and what it holds. */
import { h, link } from "../page/dom.js";
import { age, ageOf, count, withCommas, percent, UNKNOWN } from "../page/format.js";
import { language, t } from "../page/texts.js";
import { listFailures } from "./history.js";
import { toPeriod } from "./strip.js";

/** Latest failures that are listed. */
const MOST_FAILURES = 12;

/** @param {any} source */
export function toDetails(source) {
  const rows = [
    ["problem", source.problem?.message],
    ["failures", toFailures(source.history ?? null)],
    ["last", toLast(source)],
    ["terms", toTerms(source)],
    ["operations", withCommas(source.operations)],
    ["timetable", toTimetable(source.timetable)],
    ["live", toLive(source.timetable?.live)],
    ["base", toBase(source.base)],
  ].filter(([, value]) => value);
  return h(
    "dl",
    { class: "details" },
    rows.flatMap(([name, value]) => [h("dt", {}, t(`status.detail.${name}`)), h("dd", {}, value)]),
  );
}

/** @param {import("./history.js").History | null} history */
function toFailures(history) {
  if (history === null) return t("status.history.none");
  const failures = listFailures(history);
  if (failures.length === 0) return t("status.detail.failures.none");
  const shown = failures.slice(0, MOST_FAILURES).map((each) =>
    h(
      "li",
      {},
      t("status.detail.failure", {
        period: toPeriod(each),
        failures: each.failures,
        attempts: each.attempts,
      }),
    ),
  );
  const others = failures.length - shown.length;
  return h("ul", {}, shown, others > 0 && h("li", {}, t("status.history.others", { n: others })));
}

/** @param {any} source */
function toLast({ last_success_at, age_s }) {
  if (last_success_at === null) return UNKNOWN;
  return t("status.detail.last.at", { time: toTime(last_success_at), age: age(age_s) });
}

/** @param {any} source */
function toTerms({ licence, licence_url, attribution, attribution_url, terms }) {
  const parts = [
    licence || licence_url ? link(licence ?? t("status.terms"), licence_url) : null,
    attribution ? link(attribution, attribution_url) : null,
    terms?.map === "own" ? t("status.detail.own-map") : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.flatMap((part, i) => (i === 0 ? [part] : [" · ", part]));
}

/** @param {any} timetable */
function toTimetable(timetable) {
  if (!timetable) return null;
  const { trips, calls, runs_from, runs_until, time_zone } = timetable;
  return t("status.detail.timetable.holds", {
    trips,
    calls,
    from: runs_from === null ? UNKNOWN : toDay(runs_from),
    until: runs_until === null ? UNKNOWN : toDay(runs_until),
    zone: time_zone ?? UNKNOWN,
  });
}

/** @param {any} live */
function toLive(live) {
  if (!live) return null;
  const { problem, resting, made_at, runs, matched_share, alerts } = live;
  if (problem) return problem.message;
  if (resting) return t("status.detail.live.resting");
  if (made_at === null) return t("status.detail.live.unasked");
  return t("status.detail.live.holds", {
    runs,
    alerts,
    share: matched_share === null ? UNKNOWN : percent(matched_share),
    age: ageOf(made_at),
  });
}

/** @param {any} base */
function toBase(base) {
  if (!base) return null;
  const { data_at, imported_at, bytes, holds } = base;
  const parts = Object.entries(holds).map(
    ([part, counts]) =>
      `${part}: ${count(Object.values(/** @type {Record<string, number>} */ (counts)).reduce((a, b) => a + b, 0))}`,
  );
  return t("status.detail.base.holds", {
    data: data_at === null ? UNKNOWN : toTime(data_at),
    imported: toTime(imported_at),
    size: (bytes / 1e6).toLocaleString(language(), { maximumFractionDigits: 1 }),
    parts: parts.length === 0 ? UNKNOWN : withCommas(parts),
  });
}

/** @param {string} time */
function toTime(time) {
  return new Intl.DateTimeFormat(language(), {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
  }).format(Date.parse(time));
}

/** @param {string} date of no time zone */
function toDay(date) {
  const style = /** @type {const} */ ({ dateStyle: "medium", timeZone: "UTC" });
  return new Intl.DateTimeFormat(language(), style).format(Date.parse(date));
}
