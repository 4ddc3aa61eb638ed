/** The quality of one source: how it did in 24 hours and 30 days, and what its publisher could do. */
import { call } from "./data/api.js";
import { byId, fill, h, link } from "./page/dom.js";
import { age, count, UNKNOWN } from "./page/format.js";
import { readSettings } from "./page/settings.js";
import { language, loadTexts, t } from "./page/texts.js";
import { watchTheme } from "./page/theme.js";
import { toFindings } from "./quality/findings.js";
import { toSpan } from "./quality/span.js";
import { toShare } from "./status/strip.js";

const settings = readSettings();
await loadTexts(settings.assets, { folder: "status" });
for (const element of document.querySelectorAll("[data-text]"))
  element.textContent = t(element.getAttribute("data-text") ?? "");
for (const element of document.querySelectorAll("[data-name]"))
  element.setAttribute("aria-label", t(element.getAttribute("data-name") ?? ""));
byId("theme").addEventListener(
  "click",
  watchTheme(() => undefined),
);
document.title = t("quality.title", { name: t("quality.heading") });
byId("print").addEventListener("click", () => print());

const id = new URLSearchParams(location.search).get("source") ?? "";
if (id === "") showProblem(t("quality.choose"));
else {
  const path = `/v1/sources/${encodeURIComponent(id)}/quality`;
  const { problem, body } = await call({ id: "quality", title: "", path, query: {} });
  if (problem === null) show(body, path);
  else showProblem(problem);
}

/** @param {string} problem */
function showProblem(problem) {
  const place = byId("unread");
  place.textContent = problem;
  place.hidden = false;
}

/** @param {any} body @param {string} path */
function show(body, path) {
  const { source, last_24_hours: day, last_30_days: month } = body;
  document.title = t("quality.title", { name: source.name });
  fill(byId("name"), t("quality.of", { name: source.name }));
  fill(byId("about"), toAbout(source, month));
  byId("unasked").hidden = body.requested;
  fill(
    byId("figures"),
    toFigure("available-day", toAvailable(day)),
    toFigure("available-month", toAvailable(month)),
    toFigure("age-median", month.age === null ? UNKNOWN : age(month.age.p50_s)),
    toFigure("age-most", month.age === null ? UNKNOWN : age(month.age.max_s)),
    toFigure("left-out", body.dropped === null ? UNKNOWN : count(sumOf(body.dropped))),
  );
  fill(byId("day"), toSpan("day", day));
  fill(byId("month"), toSpan("month", month));
  for (const kind of ["contradictions", "dropped", "repaired"])
    fill(byId(kind), toFindings(kind, body[kind]));
  const data = byId("data");
  data.href = path;
  data.textContent = path;
  byId("report").hidden = false;
}

/** @param {{ count: number, current: boolean }[]} findings */
function sumOf(findings) {
  return findings.reduce((sum, each) => sum + (each.current ? each.count : 0), 0);
}

/** @param {{ availability: number | null }} span */
function toAvailable({ availability }) {
  return availability === null ? UNKNOWN : toShare(availability);
}

/** @param {string} name @param {string} value */
function toFigure(name, value) {
  return h("div", {}, h("dt", {}, t(`quality.figure.${name}`)), h("dd", {}, value));
}

/** What it is, under which licence, and the dates of the report. @param {any} source @param {any} month */
function toAbout({ id: own_id, licence, licence_url, attribution, attribution_url }, month) {
  const dates = new Intl.DateTimeFormat(language(), { dateStyle: "long", timeZone: "UTC" });
  const terms = licence || licence_url ? link(licence ?? t("status.terms"), licence_url) : UNKNOWN;
  return [
    h("code", {}, own_id),
    " · ",
    h("span", {}, t("quality.licence"), " ", terms),
    attribution ? [" · ", link(attribution, attribution_url)] : null,
    " · ",
    h("span", {}, dates.formatRange(Date.parse(month.from), Date.parse(month.until))),
  ];
}
