/** The answer as a whole: the sources that were asked, how long each took, and what each gave. */
import { ABORTED, call } from "../data/api.js";
import { askNearby, askServices, askTransport } from "../data/asks.js";
import { byId, fill, h } from "../page/dom.js";
import { age, capital, count, UNKNOWN, unit, words } from "../page/format.js";
import { hasText, t } from "../page/texts.js";
import { namesOf } from "./names.js";

/** A source of an answer; null is unknown. @typedef {{ id: string, status: string, reason: string | null, ms: number | null, cache: string | null, age_s: number | null, seen: number | null, used: number | null }} Row */

/** @param {{ state: import("../page/state.js").State, sources: () => any[] }} given `sources`: those of /v1/sources */
export function createAnswer({ state, sources }) {
  const box = byId("answer");
  let pending = new AbortController();
  let stale = true;

  const read = async () => {
    if (!stale || box.hidden) return;
    stale = false;
    pending.abort();
    pending = new AbortController();
    const more = { debug: true };
    const asks = [
      askNearby(state, more),
      askServices(state, more),
      askTransport(state, more),
    ].filter((one) => one !== null);
    if (box.querySelector(".part") === null)
      fill(box, h("p", { class: "quiet" }, t("answer.loading")));
    const done = await Promise.all(asks.map((one) => call(one, pending.signal)));
    if (done.some(({ problem }) => problem === ABORTED)) return;
    const parts = done.map((one) => toPart(one, sources()));
    const note = parts.length === 0 ? "answer.none" : "answer.used.note";
    fill(box, parts, h("p", { class: "quiet note" }, t(note)));
  };
  box.addEventListener("opened", () => void read());
  return {
    changed() {
      stale = true;
      void read();
    },
  };
}

/** @param {import("../data/api.js").Call} done @param {any[]} sources */
function toPart({ title, problem, body, ms }, sources) {
  const took = h("span", { class: "quiet" }, unit(ms, "millisecond", 0));
  const head = h("div", { class: "head" }, h("h3", {}, title), took);
  if (problem !== null)
    return h("section", { class: "part" }, head, h("p", { class: "bad" }, capital(problem)));
  const { debug = {} } = body;
  const notices = (body.notices ?? []).filter(isOfSource);
  return h(
    "section",
    { class: "part" },
    head,
    h("p", {}, toPill("answer.is", body.status), ` ${t("answer.found", { n: body.total ?? 0 })}`),
    notices.length > 0
      ? h("ul", { class: "causes" }, notices.map(toNotice))
      : body.message && h("p", {}, h("bdi", {}, body.message)),
    debug.resolution ? h("p", { class: "quiet" }, toMerged(debug)) : null,
    toTable(toRows(debug), title, sources),
  );
}

/** Not that a page is cut, which says nothing of a source. @param {any} notice */
function isOfSource({ source, cut }) {
  return source !== null || cut === null;
}

/** A notice is one sentence of the service that names source and cause. @param {any} notice */
function toNotice({ message }) {
  return h("li", { dir: "auto" }, capital(String(message)));
}

/** @param {any} debug */
function toMerged({ resolution, realtime = {} }) {
  const { merged = 0, possible_match = 0 } = resolution;
  return [
    t("answer.merged", { n: merged }),
    possible_match > 0 ? t("answer.possible", { n: possible_match }) : "",
    realtime.stale > 0 ? t("answer.stale", { n: realtime.stale }) : "",
    realtime.unknown > 0 ? t("answer.undated", { n: realtime.unknown }) : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The sources of a debug block, whichever of the two forms it has. @param {any} debug @returns {Row[]} */
export function toRows({ providers, cache = null, sources = [], orchestration }) {
  if (providers)
    return Object.entries(providers).map(([id, one]) => ({
      id,
      status: one.status,
      reason: one.reason ?? null,
      ms: null,
      cache,
      age_s: null,
      seen: one.raw_count ?? null,
      used: one.returned_count ?? null,
    }));
  const times = new Map(
    (orchestration?.sources ?? []).map((/** @type {any} */ one) => [one.source_id, one]),
  );
  return sources.map((/** @type {any} */ one) => {
    const { elapsed_ms = null, cache: kept = null, age_s = null } = times.get(one.source_id) ?? {};
    return {
      id: one.source_id,
      status: one.status,
      reason: one.reason ?? null,
      ms: elapsed_ms,
      cache: kept,
      age_s,
      seen: one.raw_count ?? null,
      used: one.matched_count ?? null,
    };
  });
}

const HEADS = ["answer.source", "answer.status", "answer.time", "answer.used"];

/** @param {Row[]} rows @param {string} title @param {any[]} sources */
function toTable(rows, title, sources) {
  if (rows.length === 0) return null;
  const names = namesOf(
    rows.map(({ id }) => ({ source_id: id })),
    sources,
  );
  return h(
    "table",
    { "aria-label": t("answer.sources", { title }) },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        HEADS.map((key) => h("th", { scope: "col" }, t(key))),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) => toRow(row, names.get(row.id) ?? row.id)),
    ),
  );
}

/** @param {Row} row @param {string} name */
function toRow({ id, status, reason, ms, cache, age_s, seen, used }, name) {
  const isKept = cache === "hit" && ms === null;
  const old = age_s === null ? null : t("answer.age", { age: age(age_s) });
  return h(
    "tr",
    {},
    h("th", { scope: "row", title: id }, h("bdi", {}, name)),
    h(
      "td",
      {},
      toPill("answer.status", status === "error" && isHttp(reason) ? "http" : status),
      reason === null ? null : h("small", {}, toReason(reason)),
    ),
    h(
      "td",
      {},
      ms === null ? (isKept ? t("answer.kept") : UNKNOWN) : unit(ms, "millisecond", 0),
      old === null ? null : h("small", { class: "quiet" }, old),
    ),
    h("td", {}, t("answer.of", { used: count(used), seen: count(seen) })),
  );
}

/** @param {string} keys @param {unknown} status */
function toPill(keys, status) {
  const key = `${keys}.${String(status)}`;
  const text = hasText(key) ? t(key) : words(status);
  return h("span", { class: `pill ${String(status).replaceAll(/\W/g, "")}` }, text);
}

/** Whether a source answered, and with an error. @param {string | null} reason */
function isHttp(reason) {
  return reason !== null && /(?:^|:)http_\d{3}$/.test(reason);
}

/** The cause of a failure, such as `station_status:http_500`, of which the last part says what. @param {string} reason */
function toReason(reason) {
  const cause = reason.slice(reason.lastIndexOf(":") + 1);
  const http = /^http_(\d{3})$/.exec(cause);
  if (http !== null) return t("answer.reason.http", { status: http[1] ?? "" });
  const key = `answer.reason.${cause.replace(/^circuit_open_.*/, "circuit_open")}`;
  return hasText(key) ? t(key) : capital(words(cause));
}
