/** The questions behind what is seen. */
import { idsOf } from "../page/kinds.js";
import { language, t } from "../page/texts.js";

/** Shared mobility reaches no further (the service says so in `warnings`). */
export const MOBILITY_REACH_M = 400;
const PAGE_SIZE = 200;
/** Things of shared mobility that are asked for and drawn, at most. */
export const MOST = 5_000;

/** @typedef {import("./api.js").Ask} Ask @typedef {import("../page/state.js").State} State */

/** @param {State} state @param {{ offset?: number, debug?: boolean }} [more] @returns {Ask | null} */
export function askNearby({ at, radius, kinds }, { offset = 0, debug = false } = {}) {
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
      include: "stations,vehicles,alerts,zones",
      limit: PAGE_SIZE,
      ...(offset === 0 ? {} : { offset }),
      ...(debug ? { debug: true } : {}),
    },
  };
}

/** @param {State} state @param {{ debug?: boolean }} [more] @returns {Ask | null} */
export function askServices({ at, radius, kinds }, { debug = false } = {}) {
  const types = idsOf("service").filter((id) => kinds.has(id));
  if (!at || types.length === 0) return null;
  const query = { ...toPoint(at), types: types.join(","), radius, limit: 200 };
  return {
    id: "services",
    title: t("lane.services"),
    path: "/v1/services/nearby",
    query: debug ? { ...query, debug: true } : query,
  };
}

/** @param {State} state @param {{ debug?: boolean }} [more] @returns {Ask | null} */
export function askTransport({ at, radius, kinds }, { debug = false } = {}) {
  if (!at || !kinds.has("transit")) return null;
  const query = { ...toPoint(at), radius, limit: 100, language: language() };
  return {
    id: "transport",
    title: t("lane.transport"),
    path: "/v1/transport/nearby",
    query: debug ? { ...query, debug: true } : query,
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

/** @param {string} template @param {{ lat: number, lon: number }} at @returns {Ask} */
export function askWeather(template, at) {
  const { lat, lon } = toPoint(at);
  const path = template.replace("{coords}", `${lat},${lon}`).replace("{lang}", language());
  return { id: "weather", title: t("lane.weather"), path, query: {} };
}

/** A metre is enough. @param {{ lat: number, lon: number }} at */
function toPoint({ lat, lon }) {
  return { lat: Number(lat.toFixed(5)), lon: Number(lon.toFixed(5)) };
}
