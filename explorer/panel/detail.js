/** One thing: what it offers, and why we say so. */
import { ABORTED, call } from "../data/api.js";
import { askNearby } from "../data/asks.js";
import { byId, fill, h, icon, line, link } from "../page/dom.js";
import { ageOf, capital, count, distance, openWords, UNKNOWN, words } from "../page/format.js";
import { shareOf } from "../map/sprites.js";
import { toValue, toWhy } from "./why.js";
import { toZones } from "./zones.js";

/** @typedef {import("../data/items.js").Item} Item @typedef {import("../data/api.js").Call} Call */

/** @param {{ state: import("../page/state.js").State, close: () => void, show: (answer: Call) => void }} given */
export function createDetail({ state, close, show }) {
  const box = byId("detail");
  let opened = /** @type {string | null} */ (null);
  let pending = new AbortController();

  const explain = async (
    /** @type {Item} */ item,
    /** @type {any} */ place,
    /** @type {any[]} */ sources,
  ) => {
    pending.abort();
    pending = new AbortController();
    const ask = askNearby(
      { ...state, radius: Math.min(400, Math.ceil(item.distance) + 5) },
      { debug: true },
    );
    if (!ask) return;
    fill(place, h("p", { class: "quiet" }, "Asking for the reasons …"));
    const done = await findPage(ask, item.id, pending.signal);
    if (done.problem === ABORTED || opened !== item.id) return;
    if (done.problem !== null)
      return void fill(
        place,
        h("p", { class: "bad" }, `The reasons did not come: ${done.problem}.`),
      );
    const entity = done.body.debug?.entities?.find((/** @type {any} */ one) => one.id === item.id);
    const raw = item.raw;
    fill(
      place,
      toWhy(raw, entity ?? null, sources),
      h(
        "button",
        {
          type: "button",
          class: "more",
          onclick: () => show({ ...done, id: "why", title: "Why?" }),
        },
        "The request behind this",
      ),
    );
  };

  return {
    close() {
      opened = null;
      box.hidden = true;
      pending.abort();
    },
    /** @param {Item} item @param {any[]} sources */
    open(item, sources) {
      const again = opened === item.id;
      opened = item.id;
      const why = again
        ? box.querySelector(".why")
        : h("section", { class: "why", "aria-label": "Why?" });
      const back = again
        ? box.querySelector(".back")
        : h(
            "button",
            { type: "button", class: "back quiet", onclick: close },
            line("M15 5l-7 7 7 7"),
            "All results",
          );
      const hadFocus = box.contains(document.activeElement);
      const head = toHead(item, sources);
      if (again) return void box.querySelector(".facts")?.replaceWith(head);
      fill(box, back, head, why);
      box.style.setProperty("--kind", item.color);
      box.scrollTop = 0;
      if (item.layer === "station") void explain(item, why, sources);
      else fill(why, toWhy(item.raw, null, sources));
      if (!hadFocus && document.activeElement !== document.body) back.focus();
    },
  };
}

/** The thing is on the first page, since the circle just holds it; if not, on the next. @param {any} ask @param {string} id @param {AbortSignal} signal */
async function findPage(ask, id, signal) {
  for (let offset = 0; ; offset += 100) {
    const done = await call(
      offset === 0 ? ask : { ...ask, query: { ...ask.query, offset } },
      signal,
    );
    const has = done.body?.debug?.entities?.some((/** @type {any} */ one) => one.id === id);
    if (done.problem !== null || has || offset + 100 >= (done.body?.total ?? 0) || offset >= 900)
      return done;
  }
}

/** @param {Item} item @param {any[]} sources */
function toHead(item, sources) {
  const source = sources.find(({ id }) => id === item.source);
  return h(
    "section",
    { class: "facts" },
    h(
      "div",
      { class: "title" },
      h("span", { class: `mark ${item.layer}` }, icon(item.icon, 22)),
      h(
        "div",
        {},
        h("h2", {}, item.name),
        h("p", { class: "quiet" }, `${item.sub} · ${distance(item.distance)} away`),
      ),
    ),
    item.onMap
      ? null
      : h(
          "p",
          { class: "notice note" },
          `Shown here only: the terms of ${source?.name ?? item.source} bind its results to its own map.`,
        ),
    FACTS[item.layer](item.raw, item),
  );
}

/** @type {Record<Item["layer"], (raw: any, item: Item) => any[]>} */
const FACTS = {
  station: (raw, item) => [
    h(
      "div",
      { class: "numbers" },
      number(raw.availability.vehicles, "to take"),
      number(raw.availability.docks, "free docks"),
      number(raw.capacity, "capacity"),
    ),
    h("div", { class: "gauge wide", style: { "--share": `${Math.round(shareOf(item) * 100)}%` } }),
    h(
      "p",
      { class: "quiet" },
      `Read ${ageOf(raw.availability.observed_at)} ago · reported by the station ${ageOf(raw.availability.last_reported)} ago`,
    ),
    toActions(raw.action_state),
    table([
      ["State", words(raw.service_status?.state ?? "unknown")],
      ["Electric", count(raw.availability.electric)],
      ["Out of order", count(raw.availability.disabled_vehicles)],
      ["Network", raw.network.name],
    ]),
  ],
  vehicle: (raw, { zones }) => [
    toActions(raw.source.action_state),
    table([
      ["State", words(raw.source.service_status?.state ?? "unknown")],
      ["Battery", typeof raw.source.battery === "number" ? `${raw.source.battery} %` : UNKNOWN],
      ["Range", distance(raw.source.range_m)],
      ["Brand", raw.source.brand ?? UNKNOWN],
      ["Network", raw.network_id],
      ["Id of the publisher", raw.source_id],
    ]),
    toZones(zones ?? null),
  ],
  service: ({ attributes, ...raw }) => [
    h("p", { class: "open" }, capital(openWords(attributes) ?? "open or closed: not known")),
    toAttributes(attributes),
    table([
      ["Source", raw.source_id],
      ["Id of the source", raw.external_id ?? UNKNOWN],
    ]),
  ],
  transit: (raw) => [
    h(
      "ul",
      { class: "routes" },
      raw.routes.map((/** @type {any} */ route) =>
        h(
          "li",
          { style: routeColors(route), title: route.long_name ?? "" },
          route.short_name ?? route.long_name ?? words(route.mode),
        ),
      ),
    ),
    table([
      ["Modes", raw.modes.map(words).join(", ")],
      ["Operators", raw.operators.map((/** @type {any} */ one) => one.name).join(", ")],
      ["Wheelchair", raw.accessibility.wheelchair],
      ["Read", `${ageOf(raw.freshness.fetched_at)} ago`],
    ]),
  ],
};

/** Only what is a colour becomes one. @param {any} route @returns {Record<string, string>} */
function routeColors({ color, text_color }) {
  const sound = (/** @type {unknown} */ hex) =>
    typeof hex === "string" && /^[0-9a-f]{6}$/i.test(hex);
  return sound(color)
    ? {
        "--route": `#${color}`,
        "--route-text":
          sound(text_color) && contrast(color, text_color) >= 4.5
            ? `#${text_color}`
            : contrast(color, "ffffff") >= contrast(color, "000000")
              ? "#ffffff"
              : "#000000",
      }
    : {};
}

/** WCAG 2 contrast of two colours. @param {string} a @param {string} b */
function contrast(a, b) {
  const light = (/** @type {string} */ hex) => {
    const [r = 0, g = 0, blue = 0] = [0, 2, 4].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [one, two] = [light(a), light(b)];
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}

/** @param {unknown} value @param {string} label */
function number(value, label) {
  return h("div", {}, h("strong", {}, count(value)), h("span", {}, label));
}

const ACTIONS = /** @type {Record<string, string>} */ ({
  available_now: "yes",
  unavailable_now: "no",
  unknown: "unknown",
});

/** @param {Record<string, string> | undefined} states */
function toActions(states) {
  const actions = Object.entries(states ?? {}).filter(([id]) => id !== "navigate");
  return h(
    "ul",
    { class: "actions", "aria-label": "What can be done" },
    actions.map(([id, is]) =>
      h(
        "li",
        { class: ACTIONS[is] ?? "unknown" },
        h("span", {}, words(id)),
        h("span", { class: "sr" }, `: ${words(is)}`),
      ),
    ),
  );
}

/** @param {[string, any][]} rows */
function table(rows) {
  return h(
    "dl",
    {},
    rows.flatMap(([name, value]) => [
      h("dt", {}, name),
      h("dd", {}, value === "" || value === null ? UNKNOWN : value),
    ]),
  );
}

/** Whatever a source says about a place, as text; addresses as links when they are sound. @param {Record<string, unknown>} attributes */
function toAttributes(attributes) {
  const { usable: _, open_status: __, ...facts } = attributes;
  const rows = Object.entries(facts).map(
    ([name, value]) =>
      /** @type {[string, any]} */ ([
        capital(words(name)),
        typeof value === "string" ? link(value, value) : toValue(value),
      ]),
  );
  return table(rows);
}
