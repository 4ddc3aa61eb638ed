/** The status page: how each source does now and did in the last 24 hours, and where there is what. */
import { call } from "./data/api.js";
import { byId, fill, h } from "./page/dom.js";
import { readSettings } from "./page/settings.js";
import { loadTexts, t } from "./page/texts.js";
import { watchTheme } from "./page/theme.js";
import { describeMap, openMap } from "./status/map.js";
import { listSpots } from "./status/places.js";
import { createTable } from "./status/table.js";
import { hideUnread, showFigures, showUnread, showVerdict } from "./status/verdict.js";

const REFRESH_MS = 15_000;
/** The service looks at its sources as often. */
const HISTORY_MS = 300_000;
const HEALTHS = /** @type {const} */ (["bad", "poor", "good", "quiet"]);

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
document.title = t("status.title");

/** The last reading that came. @type {{ sources: any[], at_ms: number } | null} */
let last = null;
/** The history of each source, and when it was read. */
let histories = { by: /** @type {Map<string, any>} */ (new Map()), at_ms: -Infinity };
let map = /** @type {Awaited<ReturnType<typeof openMap>> | null} */ (null);
let begun_ms = -Infinity;

const table = createTable({
  shown: (n) => (byId("shown").textContent = t("status.shown", { n })),
});
openFilters();
void drawMap();
await read();
setInterval(() => void readIfDue(), 1_000);
document.addEventListener("visibilitychange", () => void readIfDue());

function readIfDue() {
  const isDue = performance.now() - begun_ms >= REFRESH_MS;
  return !document.hidden && isDue ? read() : null;
}

async function read() {
  begun_ms = performance.now();
  const wantsHistory = begun_ms - histories.at_ms >= HISTORY_MS;
  const query = /** @type {Record<string, string>} */ (wantsHistory ? { history: "24h" } : {});
  const done = await call({ id: "sources", title: "", path: "/v1/sources", query });
  begun_ms = performance.now();
  if (done.problem !== null) return showUnread(done.problem, last?.at_ms ?? null);
  /** @type {any[]} */
  const given = done.body.sources;
  if (wantsHistory)
    histories = { by: new Map(given.map(({ id, history }) => [id, history])), at_ms: begun_ms };
  const sources = given.map((source) => ({
    ...source,
    history: histories.by.get(source.id) ?? null,
  }));
  last = { sources, at_ms: Date.now() };
  const spots = listSpots(sources);
  hideUnread();
  showVerdict(sources, spots, settings.cities ?? []);
  showFigures(sources, spots);
  table.setSources(sources);
  byId("map").setAttribute("aria-label", describeMap(spots));
  map?.setSpots(spots);
}

/** The rest of the page does without it. */
async function drawMap() {
  try {
    map = await openMap(settings.assets);
    if (last) map.setSpots(listSpots(last.sources));
  } catch {
    byId("map").hidden = true;
  }
}

function openFilters() {
  const find = byId("find");
  find.addEventListener("input", () => table.setFilter({ text: find.value }));
  const state = byId("state");
  fill(
    state,
    h("option", { value: "" }, t("status.filter.all")),
    HEALTHS.map((health) => h("option", { value: health }, t(`status.health.${health}`))),
  );
  state.addEventListener("change", () => table.setFilter({ health: state.value }));
  fill(
    byId("legend"),
    HEALTHS.map((health) =>
      h(
        "li",
        {},
        h("span", { class: `dot ${health}`, "aria-hidden": "true" }),
        h("strong", {}, t(`status.health.${health}`)),
        " ",
        t(`status.health.${health}.means`),
      ),
    ),
  );
}
