/** What is there now at a place or thing of the visitor, of one question that has a bound. */
import { agesOf, toMobility, toServices } from "../data/items.js";
import { docksOf } from "../panel/row-facts.js";

/**
 * @typedef {import("./favourites.js").Favourite} Favourite @typedef {import("../data/api.js").Ask} Ask
 * @typedef {import("../live/known.js").LiveItem} LiveItem @typedef {import("../live/known.js").LiveSource} LiveSource
 * @typedef {{ kind: string, n: number }} Count `kind`: a mode, `docks` or `plugs`
 * @typedef {{ state: "counts", counts: Count[] } | { state: "old", age_s: number | null } | { state: "gone" | "waiting" | "unknown" }} Now
 * `counts`: what can be used, none of it where nothing is; `old`: data are older than their pace, so that
 * nothing of it counts; `waiting`: sources are being read
 */

/** Half a side of the box around a place, metres. */
const REACH_M = 200;
const METRES_PER_DEGREE = 111_195;

/** null: nothing about it changes from minute to minute. @param {Favourite} favourite @returns {Ask | null} */
export function askNow({ id, thing, lat, lon }) {
  const common = { id: `own-${id}`, title: "" };
  if (thing?.layer === "transit") return null;
  if (thing !== null)
    return { ...common, path: `/v1/places/${encodeURIComponent(thing.id)}`, query: { lat, lon } };
  const high = REACH_M / METRES_PER_DEGREE;
  const wide = Math.min(0.1, high / Math.max(0.01, Math.cos((lat * Math.PI) / 180)));
  const bbox = [lon - wide, Math.max(-90, lat - high), lon + wide, Math.min(90, lat + high)];
  // At the antimeridian a box is cut, rather than turned around the world.
  bbox[0] = Math.max(-180, bbox[0] ?? 0);
  bbox[2] = Math.min(180, bbox[2] ?? 0);
  const text = bbox.map((part) => Number(part.toFixed(5))).join(",");
  return { ...common, path: "/v1/nearby/stream", query: { bbox: text, once: true } };
}

/** @param {Favourite} favourite @param {{ status: number | null, body: any }} answer @returns {Now} */
export function readNow({ thing }, { status, body }) {
  if (status === 404 && body?.error?.code === "unknown_place") return { state: "gone" };
  if (status !== 200 || body === null) return { state: "unknown" };
  if (thing === null) return ofBox(body);
  const [item] =
    thing.layer === "station"
      ? toMobility(body, new Map())
      : toServices({ results: body.results?.places ?? [] }, new Set());
  if (item === undefined) return { state: "unknown" };
  if (item.isOld) {
    const [age_s = null] = agesOf(body).values();
    return { state: "old", age_s };
  }
  const { free } = item;
  if (thing.layer === "service")
    return item.kind === "charging" && free !== null
      ? { state: "counts", counts: [{ kind: "plugs", n: free }] }
      : { state: "unknown" };
  const docks = docksOf(item);
  const counts = [
    ...(free === null ? [] : [{ kind: item.kind, n: free }]),
    ...(docks === null ? [] : [{ kind: "docks", n: docks }]),
  ];
  return counts.length === 0 ? { state: "unknown" } : { state: "counts", counts };
}

/** @param {{ items?: LiveItem[], sources?: LiveSource[], at?: string }} body @returns {Now} */
function ofBox({ items = [], sources = [], at = "" }) {
  const fresh = new Set(
    sources.flatMap(({ state, network }) => (state === "fresh" && network ? [network.id] : [])),
  );
  const late = sources.filter(({ state }) => state === "old" || state === "lost");
  /** @type {Map<string, number>} */
  const counts = new Map();
  let docks = /** @type {number | null} */ (null);
  for (const item of items.filter(({ network_id }) => fresh.has(network_id))) {
    const n = item.kind === "vehicle" ? Number(item.pickup === "available_now") : item.vehicles;
    const mode = item.modes[0] ?? "bicycle";
    if (typeof n === "number" && item.pickup !== "unavailable_now")
      counts.set(mode, (counts.get(mode) ?? 0) + n);
    if (typeof item.docks === "number" && item.return !== "unavailable_now")
      docks = (docks ?? 0) + item.docks;
  }
  // Of several kinds of vehicles the one of which there are most.
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1]);
  if (most !== undefined) {
    const [kind, n] = most;
    return {
      state: "counts",
      counts: [{ kind, n }, ...(docks === null ? [] : [{ kind: "docks", n: docks }])],
    };
  }
  if (late.length > 0) {
    const times = late.flatMap(({ as_of }) => (as_of === null ? [] : [Date.parse(as_of)]));
    const age_s = (Date.parse(at) - Math.min(...times)) / 1_000;
    return { state: "old", age_s: Number.isFinite(age_s) ? age_s : null };
  }
  if (sources.some(({ state }) => state === "waiting")) return { state: "waiting" };
  return { state: "counts", counts: [] };
}
