/** The forecast of the point, in a popover of the weather: the next hours, then the days. */
import { ABORTED, call } from "../data/api.js";
import { askForecast } from "../data/asks.js";
import { byId, fill, h, link } from "../page/dom.js";
import { UNKNOWN } from "../page/format.js";
import { language, t } from "../page/texts.js";
import { creditOf } from "./credits.js";
import { toDays, toHours } from "./forecast-steps.js";
import { degrees, fallWords, windSpeed } from "./weather-words.js";

/** @typedef {import("./forecast-steps.js").Body} Body @typedef {import("./weather-words.js").Units} Units */

/** An answer that is shown again without asking is at most so old. */
const KEPT_MS = 600_000;

/**
 * @param {{ settings: import("../page/settings.js").Settings, at: () => { lat: number, lon: number } | null,
 *   sources: () => any[], opened: () => void, say: (text: string) => void }} given
 * `sources`: those of /v1/sources, for the credit; `opened`: called when it opens; `say`: to a screen reader
 */
export function createForecast({ settings, at, sources, opened, say }) {
  const box = byId("forecast");
  const place = h("div", {});
  fill(box, h("h2", {}, t("forecast.title")), place);
  /** What is shown, and when it was read. */
  let shown = { path: "", at_ms: 0 };
  let reading = new AbortController();

  async function read() {
    const point = at();
    if (settings.weather === null || point === null) return;
    const question = askForecast(settings.weather.forecast, point);
    if (question.path === shown.path && Date.now() - shown.at_ms < KEPT_MS) return;
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    shown = { path: "", at_ms: 0 };
    fill(place, h("p", { class: "quiet" }, t("forecast.loading")));
    const { problem, body } = await call(question, signal);
    if (problem === ABORTED || signal.aborted) return;
    if (problem !== null) return fail(problem);
    shown = { path: question.path, at_ms: Date.now() };
    fill(place, toContent(body, settings.units, toCredits(sources())));
    say(t("forecast.title"));
  }

  /** @param {string} problem */
  function fail(problem) {
    const text = t("forecast.failed", { problem });
    // What is pressed goes with the text around it: the focus stays in the popover.
    const again = () => {
      box.focus();
      void read();
    };
    const button = h("button", { type: "button", class: "chip", onclick: again });
    button.textContent = t("notice.retry");
    fill(place, h("p", { class: "bad" }, text), button);
    say(text);
  }

  box.addEventListener("toggle", () => {
    if (!box.matches(":popover-open")) return;
    opened();
    void read();
  });
  return {
    /** There is another weather, perhaps of another point. */
    changed: () => void (box.matches(":popover-open") && read()),
  };
}

/** @param {any[]} sources */
function toCredits(sources) {
  return sources
    .filter(({ operations }) => operations.includes("getForecast"))
    .flatMap((source) => {
      const text = creditOf(source);
      return text === null ? [] : h("p", { class: "quiet" }, link(text, source.attribution_url));
    });
}

/** @param {Body} body @param {Units} units @param {any[]} credits */
function toContent(body, units, credits) {
  const hours = toHours(body).map(({ local_ms, temp, words, fall, wind }) => ({
    head: [h("span", { dir: "ltr" }, clock().format(local_ms)), h("small", {}, words)],
    cells: [degrees(temp, units), fallWords(fall), windSpeed(wind, units)],
  }));
  if (hours.length === 0) return h("p", { class: "quiet" }, t("forecast.none"));
  const days = toDays(body).map(({ local_ms, until_ms, least, most, fall, wind }) => ({
    head: [
      h("span", {}, day().format(local_ms)),
      until_ms === null ? null : h("small", { dir: "ltr" }, spanOf(local_ms, until_ms)),
    ],
    cells: [rangeOf(least, most, units), fallWords(fall), windSpeed(wind, units)],
  }));
  return [
    toTable(t("forecast.hours"), t("history.time"), hours),
    days.length === 0 ? null : toTable(t("forecast.days"), t("forecast.day"), days),
    h("p", { class: "quiet" }, t("forecast.note", { zone: zoneOf(body.city.timezone) })),
    credits,
  ];
}

/** @param {string} title @param {string} first @param {{ head: any[], cells: (string | null)[] }[]} rows */
function toTable(title, first, rows) {
  const heads = [first, t("forecast.temperature"), t("forecast.fall"), t("forecast.wind")];
  return h(
    "table",
    {},
    h("caption", {}, title),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((one) => h("th", { scope: "col" }, one)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(({ head, cells: [warmth, ...others] }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, head),
          h("td", {}, h("bdi", { dir: "ltr" }, warmth)),
          others.map((one) => h("td", {}, one ?? UNKNOWN)),
        ),
      ),
    ),
  );
}

/** @param {number} least @param {number} most @param {Units} units */
function rangeOf(least, most, units) {
  const [low, high] = [Math.round(least) + 0, Math.round(most) + 0];
  return low === high ? degrees(most, units) : `${low} … ${degrees(most, units)}`;
}

/** @param {number} from_ms @param {number} until_ms */
function spanOf(from_ms, until_ms) {
  return `${clock().format(from_ms)}–${clock().format(until_ms)}`;
}

/** Such as UTC+5:30. @param {number} offset_s */
function zoneOf(offset_s) {
  const minutes = Math.round(Math.abs(offset_s) / 60);
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return `UTC${offset_s < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

/** Of the place, whose moments come as if they were of UTC. */
function clock() {
  const style = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return new Intl.DateTimeFormat(language(), { ...style, timeZone: "UTC" });
}

function day() {
  const style = /** @type {const} */ ({ weekday: "short", day: "numeric", month: "short" });
  return new Intl.DateTimeFormat(language(), { ...style, timeZone: "UTC" });
}
