/** A span of a source's history: two plots, and the table behind them. */
import { h } from "../page/dom.js";
import { age, count, UNKNOWN } from "../page/format.js";
import { language, t } from "../page/texts.js";
import { toShare } from "../status/strip.js";
import { toPlot } from "./plot.js";

/**
 * @typedef {{ attempts: number, failures: number, state: string, age_s: number | null }} Slot
 * @typedef {{ from: string, until: string, step_s: number, attempts: number, failures: number,
 *   availability: number | null, age: { p50_s: number, p99_s: number, max_s: number } | null,
 *   slots: (Slot | null)[] }} Span
 */

/** @param {"day" | "month"} name @param {Span} span */
export function toSpan(name, span) {
  const { slots, availability, attempts, failures, age: ages } = span;
  const share = availability === null ? UNKNOWN : toShare(availability);
  const available = t("quality.available.says", { share, attempts, failures: count(failures) });
  const fresh =
    ages === null
      ? t("quality.age.unknown")
      : t("quality.age.says", {
          p50: age(ages.p50_s),
          p99: age(ages.p99_s),
          most: age(ages.max_s),
        });
  const most_s = ages?.max_s ?? 0;
  return [
    h("h2", {}, t(`quality.span.${name}`)),
    toFigure({ title: t("quality.available"), says: available, top: "100%", span, name }, () =>
      slots.map((slot) =>
        slot === null || slot.attempts === 0
          ? { kind: slot === null ? "unknown" : "quiet", parts: [] }
          : { kind: "", parts: toParts(slot) },
      ),
    ),
    toFigure(
      {
        title: t("quality.age"),
        says: fresh,
        top: ages === null ? UNKNOWN : age(most_s),
        span,
        name,
      },
      () =>
        slots.map((slot) =>
          slot === null || slot.age_s === null || most_s === 0
            ? { kind: slot === null ? "unknown" : "quiet", parts: [] }
            : { kind: "", parts: [{ name: "age", share: slot.age_s / most_s }] },
        ),
    ),
    toTable(name, span),
  ];
}

/** What succeeded below, what failed on top of it. @param {Slot} slot */
function toParts({ attempts, failures }) {
  return [
    { name: "good", share: (attempts - failures) / attempts },
    { name: "bad", share: failures / attempts },
  ];
}

/**
 * @param {{ title: string, says: string, top: string, span: Span, name: string }} about
 * @param {() => import("./plot.js").Bar[]} listBars
 */
function toFigure({ title, says, top, span, name }, listBars) {
  const format = toTime(name);
  return h(
    "figure",
    { class: "plot" },
    h("figcaption", {}, h("strong", {}, title), " ", says),
    h("span", { class: "most", "aria-hidden": "true" }, top),
    toPlot(listBars(), `${title}. ${says}`),
    h(
      "div",
      { class: "ends", "aria-hidden": "true" },
      h("span", {}, format.format(Date.parse(span.from))),
      h("span", {}, format.format(Date.parse(span.until))),
    ),
  );
}

/** Slots of which nothing is known are left out. @param {"day" | "month"} name @param {Span} span */
function toTable(name, { slots, from, step_s }) {
  const format = toTime(name);
  const rows = slots.flatMap((slot, i) => {
    if (slot === null) return [];
    const begin_ms = Date.parse(from) + i * step_s * 1000;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, format.format(begin_ms)),
      h("td", {}, count(slot.attempts)),
      h("td", {}, count(slot.failures)),
      h("td", {}, age(slot.age_s)),
    );
  });
  if (rows.length === 0) return h("p", { class: "nothing" }, t("quality.unknown"));
  const heads = ["time", "attempts", "failures", "age"];
  return h(
    "details",
    {},
    h("summary", {}, t("quality.table")),
    h(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": t(`quality.span.${name}`) },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((head) => h("th", { scope: "col" }, t(`quality.column.${head}`))),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ),
  );
}

/** Days are those of UTC. @param {string} name */
function toTime(name) {
  return new Intl.DateTimeFormat(
    language(),
    name === "day"
      ? { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
      : { day: "numeric", month: "short", timeZone: "UTC" },
  );
}
