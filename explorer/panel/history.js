/** What a station, charger or car park had free in the last 24 hours: bars of ten minutes, and a table. */
import { ABORTED, call } from "../data/api.js";
import { fill, h } from "../page/dom.js";
import { count } from "../page/format.js";
import { language, t } from "../page/texts.js";
import { toTimePlot } from "./time-plot.js";

/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {{ at: string, vehicles?: number | null, docks?: number | null, free?: number | null }} Sample */

/** Members of a sample that are drawn, with their names. */
const SERIES = /** @type {const} */ ([
  ["vehicles", "attr.vehicles"],
  ["docks", "attr.docks"],
  ["free", "history.free"],
]);

/** How ids begin for which the service records counts; of others it knows nothing. */
const RECORDED = /** @type {const} */ ({ station: "svc_station_", service: "svc_place_" });

/** Whether there may be counts of a thing at all. @param {Item} item */
export function hasHistory({ id, layer, free }) {
  if (layer === "station") return id.startsWith(RECORDED.station);
  return layer === "service" && typeof free === "number" && id.startsWith(RECORDED.service);
}

/**
 * Reads the counts of a thing and shows them in `place`.
 * @param {Item} item @param {any} place @param {AbortSignal} signal
 */
export async function showHistory({ id, total, raw }, place, signal) {
  const path = `/v1/places/${encodeURIComponent(id)}/history`;
  const done = await call({ id: "history", title: t("history.title"), path, query: {} }, signal);
  if (done.problem === ABORTED || signal.aborted) return;
  const most = raw.capacity ?? total ?? null;
  fill(place, h("h3", {}, t("history.title")), toContent(done, most));
}

/** @param {import("../data/api.js").Call} done @param {number | null} capacity */
function toContent({ problem, body }, capacity) {
  if (problem !== null) return h("p", { class: "bad" }, t("history.failed", { problem }));
  const { known_since, samples } = body;
  if (known_since === null) return h("p", { class: "quiet" }, t("history.off"));
  const since = clock().format(Math.max(Date.parse(known_since), Date.parse(body.from)));
  if (samples.length === 0) return h("p", { class: "quiet" }, t("history.none", { time: since }));
  const series = SERIES.filter(([member]) =>
    samples.some((/** @type {Sample} */ one) => typeof one[member] === "number"),
  );
  return [
    series.map(([member, name]) => toSeries(body, { member, name: t(name), capacity })),
    h(
      "p",
      { class: "quiet span" },
      h("span", {}, clock().format(Date.parse(body.from))),
      h("span", {}, clock().format(Date.parse(body.until))),
    ),
    h("p", { class: "quiet" }, t("history.since", { time: since })),
    toTable(samples, series),
  ];
}

/** @param {any} body @param {{ member: "vehicles" | "docks" | "free", name: string, capacity: number | null }} series */
function toSeries({ from, until, step_s, samples }, { member, name, capacity }) {
  const known = samples.filter((/** @type {any} */ one) => typeof one[member] === "number");
  const values = known.map((/** @type {any} */ one) => one[member]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const label = t("history.label", {
    ...{ name, n: known.length, least: count(least), most: count(most) },
  });
  const start_ms = Date.parse(from);
  const step_ms = step_s * 1_000;
  const places = Math.floor((Date.parse(until) - start_ms) / step_ms) + 1;
  const bars = known.map((/** @type {any} */ one) => ({
    place: Math.round((Date.parse(one.at) - start_ms) / step_ms),
    value: one[member],
  }));
  return h(
    "figure",
    {},
    h(
      "figcaption",
      { "aria-hidden": "true" },
      h("span", {}, name),
      h("span", {}, `${count(least)}–${count(most)}`),
    ),
    toTimePlot(bars, { places, most: Math.max(most, capacity ?? 0, 1), label }),
  );
}

/** @param {Sample[]} samples @param {(typeof SERIES)[number][]} series */
function toTable(samples, series) {
  const table = h("div", {});
  const details = h("details", {}, h("summary", {}, t("history.table")), table);
  const draw = () => {
    if (!details.open || table.childElementCount > 0) return;
    const head = [t("history.time"), ...series.map(([, name]) => t(name))];
    fill(
      table,
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head.map((one) => h("th", { scope: "col" }, one)),
          ),
        ),
        h(
          "tbody",
          {},
          samples.toReversed().map((one) => toRow(one, series)),
        ),
      ),
    );
  };
  details.addEventListener("toggle", draw);
  return details;
}

/** @param {Sample} sample @param {(typeof SERIES)[number][]} series */
function toRow(sample, series) {
  const time = h("time", { datetime: sample.at }, clock().format(Date.parse(sample.at)));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, time),
    series.map(([member]) => h("td", {}, count(sample[member]))),
  );
}

/** Of this device. */
function clock() {
  return new Intl.DateTimeFormat(language(), {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
}
