/** The questions behind what is seen. */
import { idsOf } from "../page/kinds.js";
import { reachOf } from "../page/state.js";
import { language, t } from "../page/texts.js";

/** Shared mobility reaches no further (the service says so in `warnings`). */
export const MOBILITY_REACH_M = 400;
const PAGE_SIZE = 200;
/** Things of shared mobility that are asked for and drawn, at most. */
export const MOST = 5_000;

/** @typedef {import("./api.js").Ask} Ask @typedef {import("../page/state.js").State} State */

/** @param {State} state @param {{ offset?: number, debug?: boolean }} [more] @returns {Ask | null} */
export function askNearby(state, { offset = 0, debug = false } = {}) {
  const { at, kinds } = state;
  const radius = reachOf(state);
  const modes = idsOf("mode").filter((id) => kinds.has(id));
  if (!at || modes.length === 0) return null;
  const all = modes.length === idsOf("mode").length;
  return {
    id: offset === 0 ? "nearby" : `nearby-${offset}`,
    title: t("lane.nearby"),
    path: "/v1/nearby",
    query: {
      ...toPoint(at),
      ...(radius === MOBILITY_REACH_M ? {} : { radius: Math.min(radius, MOBILITY_REACH_M) }),
      ...(all ? {} : { modes: modes.join(",") }),
      include: "stations,vehicles,alerts,zones,prices",
      limit: PAGE_SIZE,
      ...onFoot(state),
      ...(offset === 0 ? {} : { offset }),
      ...(debug ? { debug: true } : {}),
    },
  };
}

/** @param {State} state @param {{ debug?: boolean }} [more] @returns {Ask | null} */
export function askServices(state, { debug = false } = {}) {
  const { at, kinds } = state;
  const types = idsOf("service").filter((id) => kinds.has(id));
  if (!at || types.length === 0) return null;
  const query = {
    ...{ ...toPoint(at), types: types.join(","), ...toCircle(state, 200) },
    language: language(),
  };
  return {
    id: "services",
    title: t("lane.services"),
    path: "/v1/services/nearby",
    query: debug ? { ...query, debug: true } : query,
  };
}

/** @param {State} state @param {{ debug?: boolean }} [more] @returns {Ask | null} */
export function askTransport(state, { debug = false } = {}) {
  const { at, kinds } = state;
  if (!at || !kinds.has("transit")) return null;
  const query = { ...toPoint(at), ...toCircle(state, 100), language: language() };
  return {
    id: "transport",
    title: t("lane.transport"),
    path: "/v1/transport/nearby",
    query: debug ? { ...query, debug: true } : query,
  };
}

/** What a search of places has: the circle, and ways on foot. @param {State} state @param {number} limit @returns {import("./api.js").Query} */
function toCircle(state, limit) {
  return { radius: reachOf(state), limit, ...onFoot(state) };
}

/** Ways to the results, of whom and how long. @param {Pick<State, "minutes" | "wishes">} state @returns {import("./api.js").Query} */
function onFoot({ minutes, wishes }) {
  return {
    walk: true,
    ...(minutes === null ? {} : { within_minutes: minutes }),
    ...toProfile(wishes),
  };
}

/** Who needs a wheelchair walks without steps. @param {State["wishes"]} wishes @returns {import("./api.js").Query} */
function toProfile(wishes) {
  return wishes.has("wheelchair") ? { profile: "step_free" } : {};
}

/** The way on foot from the point to a thing, drawn. @param {State} state @param {{ lat: number, lon: number }} to @returns {Ask | null} */
export function askWalk({ at, wishes }, to) {
  if (!at) return null;
  const from = toPoint(at);
  return {
    id: "walk",
    title: t("lane.walk"),
    path: "/v1/walk",
    query: { from: `${from.lat},${from.lon}`, to: toExact(to), ...toProfile(wishes) },
  };
}

/** What can be reached on foot, as an outline; what is reached comes with the searches. @param {State} state @returns {Ask | null} */
export function askReach({ at, minutes, wishes }) {
  if (!at || minutes === null) return null;
  return {
    id: "reach",
    title: t("lane.reach"),
    path: "/v1/reach",
    query: {
      ...{ ...toPoint(at), minutes, ...toProfile(wishes) },
      ...{ families: "stations", format: "geojson" },
    },
  };
}

/** The next departures of a station. @param {string} id @returns {Ask} */
export function askDepartures(id) {
  return {
    id: "departures",
    title: t("lane.departures"),
    path: `/v1/departures/${encodeURIComponent(id)}`,
    query: { limit: 12 },
  };
}

/** The next departures of all stops of the circle. @param {State} state @returns {Ask | null} */
export function askNextDepartures(state) {
  const { at, kinds } = state;
  if (!at || !kinds.has("transit")) return null;
  const radius = Math.min(reachOf(state), DEPARTURES_REACH_M);
  return {
    id: "next-departures",
    title: t("lane.departures"),
    path: "/v1/departures/nearby",
    query: { ...toPoint(at), radius, limit: 60, language: language() },
  };
}
const DEPARTURES_REACH_M = 2_000;

/** @param {{ lat: number, lon: number }} at @param {number} radius @returns {Ask} */
export function askSources(at, radius) {
  return {
    id: "sources",
    title: t("lane.sources"),
    path: "/v1/sources",
    query: { ...toPoint(at), radius },
  };
}

/** Everything that there is in the world. @returns {Ask} */
export function askWorld() {
  return { id: "sources", title: t("lane.sources"), path: "/v1/sources", query: {} };
}

/** @param {{ lat: number, lon: number }} at @returns {Ask} */
export function askAddress(at) {
  return {
    id: "address",
    title: t("lane.address"),
    path: "/v1/reverse-geocode",
    query: { ...toPoint(at), language: language() },
  };
}

/** @param {string} q @param {{ lat: number, lon: number } | null} at @returns {Ask} */
export function askPlaces(q, at) {
  return {
    id: "places",
    title: t("lane.places"),
    path: "/v1/place-search",
    query: { q, ...(at ? toPoint(at) : {}), language: language(), prefix: true },
  };
}

/** An address, or a code of the post, that is no name of a place. @param {string} q @returns {Ask} */
export function askAddresses(q) {
  return {
    id: "addresses",
    title: t("lane.places"),
    path: "/v1/geocode",
    query: { q, language: language() },
  };
}

/** The nearest places of some classes. @param {string} classes @param {{ lat: number, lon: number }} at @returns {Ask} */
export function askClasses(classes, at) {
  return {
    id: "classes",
    title: t("lane.places"),
    path: "/v1/places/nearby",
    query: {
      ...{ ...toPoint(at), classes, radius: CLASS_REACH_M, limit: 8 },
      ...{ sort: "walk", language: language() },
    },
  };
}
const CLASS_REACH_M = 3_000;

/** @param {string} template @param {{ lat: number, lon: number }} at @returns {Ask} */
export function askWeather(template, at) {
  return { id: "weather", title: t("lane.weather"), path: toLegacyPath(template, at), query: {} };
}

/** @param {string} template @param {{ lat: number, lon: number }} at @returns {Ask} */
export function askForecast(template, at) {
  return {
    id: "forecast",
    title: t("forecast.title"),
    path: toLegacyPath(template, at),
    query: {},
  };
}

/** @param {string} template @param {{ lat: number, lon: number }} at */
function toLegacyPath(template, at) {
  const { lat, lon } = toPoint(at);
  return template.replace("{coords}", `${lat},${lon}`).replace("{lang}", language());
}

/** As its source has it, so that the way is as long as the one in the list. @param {{ lat: number, lon: number }} to */
function toExact({ lat, lon }) {
  return [lat, lon].map((part) => part.toFixed(7)).join(",");
}

/** A metre is enough. @param {{ lat: number, lon: number }} at */
export function toPoint({ lat, lon }) {
  return { lat: Number(lat.toFixed(5)), lon: Number(lon.toFixed(5)) };
}
