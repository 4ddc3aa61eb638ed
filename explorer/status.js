/** The status page: how each source is doing, and where in the world there is something to ask. */
import { call } from "./data/api.js";
import { toBaseStyle } from "./map/base-style.js";
import { createWorld } from "./map/world.js";
import { toWorkerUrl } from "./map/worker-url.js";
import { byId, fill, h, link } from "./page/dom.js";
import { age, count, UNKNOWN, words } from "./page/format.js";
import { readSettings } from "./page/settings.js";
import { currentTheme } from "./page/theme.js";

const REFRESH_MS = 15_000;
const TROUBLE = new Set(["timeout", "error", "unauthorized", "unavailable"]);
const settings = readSettings();
/** @type {any[]} */
let sources = [];
let map = /** @type {any} */ (null);

byId("find").addEventListener("input", () => showTable());
byId("troubled").addEventListener("change", () => showTable());
await Promise.all([read(), openMap()]);
setInterval(() => {
  if (!document.hidden) void read();
}, REFRESH_MS);

async function read() {
  const done = await call({ id: "sources", title: "Sources", path: "/v1/sources", query: {} });
  if (done.problem !== null) {
    byId("verdict").textContent = `The status cannot be read: ${done.problem}.`;
    return;
  }
  sources = done.body.sources;
  showVerdict();
  showTable();
  showMap();
}

function showVerdict() {
  const bad = sources.filter(({ state }) => TROUBLE.has(state));
  const loaded = sources.filter(({ kind, bbox }) => kind === "feed" && bbox !== null);
  const things = sources.reduce((sum, { entity_count }) => sum + (entity_count ?? 0), 0);
  const asked = sources.map(({ error_rate_5m }) => error_rate_5m).filter((rate) => rate !== null);
  const rate =
    asked.length === 0
      ? UNKNOWN
      : `${((asked.reduce((sum, one) => sum + one, 0) / asked.length) * 100).toFixed(1)} %`;
  byId("verdict").textContent =
    bad.length === 0
      ? "Everything that was asked answers."
      : `${bad.length} of ${sources.length} sources are in trouble.`;
  /** @type {[string, string][]} */
  const figures = [
    [String(sources.length), "sources"],
    [String(loaded.length), "systems surveyed"],
    [things.toLocaleString("en"), "things known"],
    [rate, "failed in 5 minutes"],
    [String(bad.length), "in trouble"],
  ];
  fill(
    byId("figures"),
    figures.map(([value, name]) => h("div", {}, h("strong", {}, value), h("span", {}, name))),
  );
}

function showTable() {
  const text = byId("find").value.trim().toLowerCase();
  const only = byId("troubled").checked;
  const wanted = sources.filter(
    ({ id, name, state }) =>
      (!only || TROUBLE.has(state)) && `${id} ${name}`.toLowerCase().includes(text),
  );
  const names = [
    "Source",
    "State",
    "Things",
    "Last success",
    "Failed in 5 min",
    "Licence",
    "Attribution",
  ];
  fill(
    byId("sources"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        names.map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    h("tbody", {}, wanted.map(toRow)),
  );
}

/** @param {any} source */
function toRow({
  id,
  name,
  state,
  problem,
  entity_count,
  age_s,
  error_rate_5m,
  licence,
  licence_url,
  attribution,
  attribution_url,
}) {
  const rate =
    error_rate_5m === null
      ? UNKNOWN
      : [
          h("span", { class: "bar", style: { "--share": `${Math.round(error_rate_5m * 100)}%` } }),
          `${Math.round(error_rate_5m * 100)} %`,
        ];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name, h("br"), h("code", {}, id)),
    h("td", {}, h("span", { class: `pill ${state}` }, words(state)), why(problem)),
    h("td", {}, count(entity_count)),
    h("td", {}, age_s === null ? UNKNOWN : `${age(age_s)} ago`),
    h("td", {}, rate),
    h("td", {}, licence || licence_url ? link(licence ?? "terms", licence_url) : UNKNOWN),
    h("td", { class: "wide" }, attribution ? link(attribution, attribution_url) : UNKNOWN),
  );
}

/** The cause in a word, and in a sentence. @param {{ word: string, message: string } | null} problem */
function why(problem) {
  return problem === null ? null : [h("br"), h("small", { title: problem.message }, problem.word)];
}

async function openMap() {
  const gl = await import(`${settings.assets}/maplibre-gl/maplibre-gl.mjs`);
  gl.setWorkerUrl(toWorkerUrl(settings.assets));
  gl.setWorkerCount(1);
  map = new gl.Map({
    container: byId("map"),
    style: toBaseStyle(currentTheme()),
    center: [10, 25],
    zoom: 0.9,
    attributionControl: false,
    maxPitch: 0,
    dragRotate: false,
    cooperativeGestures: false,
    scrollZoom: false,
  });
  const world = createWorld(map, settings.assets);
  map.on("style.load", () => {
    void world.look();
    showMap();
  });
}

function showMap() {
  const features = sources
    .flatMap(({ areas }) => areas ?? [])
    .map(({ south, west, north, east }) => ({
      type: "Feature",
      properties: {},
      geometry: {
        type: "Point",
        coordinates: [(west + (east < west ? east + 360 : east)) / 2, (south + north) / 2],
      },
    }));
  map?.getSource("boxes")?.setData({ type: "FeatureCollection", features });
}
