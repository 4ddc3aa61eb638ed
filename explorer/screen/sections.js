/** The sections of the board: what each asks for, and its rows. Unknown numbers are a dash, never zero. */
import { toPoint } from "../data/asks.js";
import { fill, h, icon } from "../page/dom.js";
import { age, count, distance, kindTitle, unit, UNKNOWN, words } from "../page/format.js";
import { t } from "../page/texts.js";
import { routeColors } from "../panel/colors.js";

/**
 * @typedef {{ ask: import("../data/api.js").Ask, element: any, body: any, read_ms: number | null, failed: boolean,
 *   draw(now_ms: number): void }} Section
 * @typedef {{ title: string, icon: string, ask: import("../data/api.js").Ask,
 *   toRows(body: any, now_ms: number): any[] }} Kind
 */

/** Rows that are asked for: more fit on no screen. */
const ROWS = 14;
/** From this age on a report is not taken for the present, s. */
const OLD_S = 900;

/** @param {{ at: { lat: number, lon: number }, radius: number, hasKind(id: string): boolean }} place @returns {Section[]} */
export function listSections({ at, radius, hasKind }) {
  const query = { ...toPoint(at), radius };
  const near = { ...query, radius: Math.min(radius, 400) };
  /** @type {(Kind & { kind: string })[]} */
  const all = [
    {
      kind: "transit",
      title: t("board.title"),
      icon: "bus",
      ask: toAsk("departures", "/v1/departures/nearby", { ...query, limit: ROWS }),
      toRows: toDepartures,
    },
    {
      kind: "bicycle",
      title: t("group.mode"),
      icon: "bicycle",
      ask: toAsk("nearby", "/v1/nearby", { ...near, include: "stations", limit: ROWS }),
      toRows: toStations,
    },
    {
      kind: "charging",
      title: kindTitle("charging"),
      icon: "charging",
      ask: toAsk("charging", "/v1/services/nearby", { ...query, types: "charging", limit: ROWS }),
      toRows: toChargers,
    },
  ];
  return all.filter(({ kind }) => hasKind(kind)).map(toSection);
}

/** @param {string} id @param {string} path @param {import("../data/api.js").Query} query */
function toAsk(id, path, query) {
  return { id, title: id, path, query };
}

/** @param {Kind} kind @returns {Section} */
function toSection({ title, icon: name, ask, toRows }) {
  const rows = h("ol", { class: "rows" });
  const more = h("p", { class: "more" });
  const element = h(
    "section",
    { "aria-label": title, class: ask.id },
    h("h2", {}, icon(name, 24), title),
    rows,
    more,
  );
  /** @type {Section} */
  const section = {
    ask,
    element,
    body: null,
    read_ms: null,
    failed: false,
    draw(now_ms) {
      const { body, failed } = section;
      element.classList.toggle("lost", failed);
      if (body === null) return void fill(rows, note(t("screen.unread")));
      const made = toRows(body, now_ms);
      const isPartial = body.status === "partial";
      const none = made.length === 0 ? t(isPartial ? "screen.partial" : "screen.none") : null;
      const missing =
        none === null && isPartial ? h("li", { class: "note" }, t("screen.partial")) : null;
      fill(rows, none === null ? made : note(none), missing);
      const listed = body.results.departures ?? body.results.stations ?? body.results;
      // What was listed and has left by now is not more.
      element.dataset["beyond"] = String(Math.max(0, (body.total ?? 0) - listed.length));
    },
  };
  return section;
}

/** @param {string} text */
function note(text) {
  return h("li", { class: "note" }, text);
}

/** @param {any} body @param {number} now_ms */
function toDepartures({ results }, now_ms) {
  return results.departures.flatMap((/** @type {any} */ one) => {
    const at_ms = Date.parse(one.expected_at ?? one.planned_at);
    const minutes = Math.floor((at_ms - now_ms) / 60_000);
    // What has left, or does not come, is not waited for.
    if (minutes < -1 || one.status === "skipped") return [];
    const { line, headsign } = one;
    const isGone = one.status === "cancelled";
    const track = one.platform?.live ?? one.platform?.planned ?? null;
    const wait = minutes <= 0 ? t("screen.now") : unit(minutes, "minute", 0);
    return [
      h(
        "li",
        { class: isGone ? "gone" : null },
        h(
          "span",
          { class: "line", style: routeColors(line), dir: "auto" },
          line.short_name ?? line.long_name ?? words(line.mode),
        ),
        h(
          "span",
          { class: "what", dir: "auto" },
          headsign ?? t("board.headsign"),
          h(
            "small",
            {},
            track === null
              ? one.station.name
              : `${one.station.name} · ${t("board.platform", { track })}`,
          ),
        ),
        h(
          "strong",
          { class: one.expected_at === null ? "planned" : "live" },
          isGone ? t("board.cancelled") : wait,
        ),
      ),
    ];
  });
}

/** @param {any} body @param {number} now_ms */
function toStations({ results }, now_ms) {
  return results.stations.map((/** @type {any} */ one) => {
    const { vehicles, docks, last_reported, observed_at } = one.availability;
    return toRow(
      { ...one, at: last_reported ?? observed_at, isOld: one.data_class !== "realtime" },
      now_ms,
      [
        h("strong", {}, count(vehicles)),
        h("strong", { class: "docks" }, h("small", {}, t("screen.docks")), count(docks)),
      ],
    );
  });
}

/** @param {any} body @param {number} now_ms */
function toChargers({ results }, now_ms) {
  return results.map((/** @type {any} */ one) => {
    const { charging } = one.attributes;
    const {
      available_count: free,
      connector_count: of,
      availability_updated_at: at,
    } = charging ?? {};
    const kw = (charging?.connectors ?? []).map((/** @type {any} */ each) => each.max_kw ?? 0);
    const power = Math.max(0, ...kw);
    const shown = [count(free), of === undefined ? UNKNOWN : count(of)].join("/");
    return toRow(
      { ...one, at: at ?? null, isOld: false, more: power > 0 ? `${count(power)} kW` : null },
      now_ms,
      [h("strong", { dir: "ltr" }, shown)],
    );
  });
}

/** @param {any} one @param {number} now_ms @param {any[]} figures */
function toRow({ name, distance_meters, at, isOld, more = null }, now_ms, figures) {
  const age_s = at === null ? null : (now_ms - Date.parse(at)) / 1_000;
  const old = isOld || (age_s !== null && age_s > OLD_S);
  const when = old && age_s !== null ? t("screen.age", { age: age(age_s) }) : null;
  const facts = [distance(distance_meters), more, when].filter((each) => each !== null);
  return h(
    "li",
    { class: old ? "old" : null },
    h(
      "span",
      { class: "what", dir: "auto" },
      name,
      h(
        "small",
        {},
        facts.flatMap((fact, n) => [n > 0 ? " · " : "", h("bdi", {}, fact)]),
      ),
    ),
    ...figures,
  );
}
