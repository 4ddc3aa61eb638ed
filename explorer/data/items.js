/** Answers of three kinds as one list of things, nearest first, as the list and the map show them. */
import { kindOf } from "../page/kinds.js";
import { kindName, withCommas, words } from "../page/format.js";
import { mapOf } from "./map-age.js";
import { usableOf } from "./wishes.js";

/**
 * @typedef {{
 *   id: string, layer: "station" | "vehicle" | "service" | "transit", kind: string, icon: string,
 *   color: string, name: string, sub: string, lat: number, lon: number, distance: number,
 *   free: number | null, total: number | null, state: string, onMap: boolean, source: string | null, raw: any,
 *   usable: "yes" | "no" | "unknown", operator: string | null, badge: { text: string, color: string | null } | null,
 *   stale: boolean, isOld: boolean, age_s?: number | null, read_at_ms?: number | null, zones?: any, prices?: any,
 *   walk: import("../page/foot.js").Walk | null, walk_reason: string | null, outside?: boolean,
 *   departure?: Departure | null, map_ms?: number
 * }} Item
 * `operator`: of vehicles and stations, as a user knows it; `stale`: the last that came, while newer
 * answers fail, and then `read_at_ms` is when it came; `isOld`: the answer says that its data are older
 * than their pace, and then `age_s` is their age, null where it is not known; `walk`: the way on foot, null where none is
 * known, and then `walk_reason` says why none of its answer is; `outside`: it is not of the circle;
 * `departure`: the next one of a stop, null where none is known; `map_ms`: of when the map is that it is
 * from, where that is over a year ago.
 */

/**
 * All that is known, each thing once: they move while pages come, so that one may be on two of them.
 * @param {Record<import("./session.js").LaneId, import("./session.js").Lane>} lanes @param {readonly any[]} sources of /v1/sources
 * @param {By} by @param {(id: string) => Departure | null} [departureOf]
 */
export function readItems(lanes, sources, by, departureOf) {
  const colors = new Map(sources.flatMap(({ id, color }) => (color ? [[id, color]] : [])));
  // Sources whose terms bind what they say to their own map.
  const bound = new Set(sources.filter(({ terms }) => terms?.map === "own").map(({ id }) => id));
  const of = (
    /** @type {import("./session.js").Lane} */ { pages, isStale: stale, at_ms: read_at_ms },
    /** @type {(body: any) => Item[]} */ read,
  ) => {
    const found = pages.flatMap(({ body }) => read(body));
    return stale ? found.map((item) => toKept(item, read_at_ms)) : found;
  };
  const all = [
    ...of(lanes.nearby, (body) => toMobility(body, colors)),
    ...of(lanes.services, (body) => toServices(body, bound)).map((item) => withMap(item, sources)),
    ...of(lanes.transport, (body) => toTransit(body, departureOf)),
  ];
  return inOrder([...new Map(all.map((item) => [item.id, item])).values()], by);
}

/** Of what an old map says. @param {Item} item @param {readonly any[]} sources @returns {Item} */
function withMap(item, sources) {
  const map = mapOf(item, sources);
  return map?.isOld ? { ...item, map_ms: map.at_ms } : item;
}

/** What newer answers do not bring: its age is that of the reading, at least. @param {Item} item @param {number | null} read_at_ms @returns {Item} */
function toKept(item, read_at_ms) {
  return {
    ...item,
    usable: item.usable === "yes" ? "unknown" : item.usable,
    stale: true,
    read_at_ms,
  };
}

/** Ages of data that are older than their pace, by the names of their sources. @param {any} body of an answer */
export function agesOf(body) {
  /** @type {Map<string, number>} */
  const ages = new Map();
  for (const { source, age_s } of body?.notices ?? [])
    if (source !== null && age_s !== null)
      ages.set(source, Math.min(age_s, ages.get(source) ?? Infinity));
  return ages;
}

/**
 * What is no longer as young as its source promises, by the class that the answer gives it.
 * @param {string | undefined} data_class @param {string | null} operator @param {ReadonlyMap<string, number>} ages
 */
function oldness(data_class, operator, ages) {
  if (data_class !== "semi_static") return {};
  return { stale: true, isOld: true, age_s: ages.get(operator ?? "") ?? null };
}

/** @typedef {import("../page/state.js").State["by"]} By @typedef {import("./next-departures.js").Departure} Departure */

/** Colours of operators by source, `#rrggbb`. @typedef {ReadonlyMap<string, string>} Colors */

/** @param {any} body @param {Colors} colors @returns {Item[]} */
export function toMobility(body, colors) {
  const { stations = [], vehicles = [], zones = [], prices = [] } = body?.results ?? {};
  const byNetwork = (/** @type {any[]} */ list) =>
    new Map(list.map((one) => [one.network.id, one]));
  const known = byNetwork(zones);
  const ages = agesOf(body);
  const priced = byNetwork(prices);
  return [
    ...stations.map((/** @type {any} */ raw) => ({
      ...toStation(raw, colors, ages),
      ...whyNoWalk(body),
      prices: priced.get(raw.network?.id) ?? null,
    })),
    ...vehicles.flatMap((/** @type {any} */ raw) =>
      raw.source?.location
        ? [
            {
              ...toVehicle(raw, colors, ages),
              ...whyNoWalk(body),
              zones: known.get(raw.network_id) ?? null,
              prices: priced.get(raw.network_id) ?? null,
            },
          ]
        : [],
    ),
  ];
}

/** Why no result of an answer has a way on foot; null: it does not say so. @param {any} body */
function whyNoWalk(body) {
  return { walk_reason: body?.walking?.reason ?? null };
}

/** What all things have. @param {Pick<Item, "id" | "layer" | "name" | "sub" | "raw" | "source" | "state"> & Partial<Item> & { of: string, at: any }} given @returns {Item} */
function toItem({ of, at, ...given }) {
  const { id: kind, icon, color } = kindOf(of);
  const item = {
    ...{ kind, icon, color, onMap: true, free: null, total: null, operator: null, badge: null },
    ...{ lat: at.location.lat, lon: at.location.lon, distance: at.distance_meters, stale: false },
    isOld: false,
    ...{ walk: at.walk ?? null, walk_reason: null },
    ...given,
  };
  return { ...item, usable: usableOf(item) };
}

/** @param {any} raw @param {Colors} colors @param {ReadonlyMap<string, number>} [ages] */
export function toStation(raw, colors, ages = new Map()) {
  const { vehicles = null, docks = null } = raw.availability ?? {};
  const operator = raw.network?.name ?? null;
  return toItem({
    id: raw.id,
    layer: "station",
    of: raw.mode ?? "bicycle",
    at: raw,
    name: raw.name,
    sub: operator ?? "",
    raw,
    free: vehicles,
    total: totalOf(raw.capacity ?? null, vehicles, docks),
    state: raw.service_status?.state ?? "unknown",
    source: raw.network?.id ?? null,
    operator,
    ...oldness(raw.data_class, operator, ages),
    badge: toBadge(operator, raw.network?.id, colors),
  });
}

/** What a full one would hold; null: not known. @param {number | null} capacity @param {number | null} vehicles @param {number | null} docks */
export function totalOf(capacity, vehicles, docks) {
  if (capacity !== null && capacity > 0) return capacity;
  return vehicles === null || docks === null ? null : vehicles + docks;
}

/** @param {any} raw @param {Colors} colors @param {ReadonlyMap<string, number>} [ages] */
export function toVehicle(raw, colors, ages = new Map()) {
  const { source } = raw;
  const of = source.mode ?? "bicycle";
  const operator = source.brand ?? raw.provenance?.[0]?.provider ?? raw.network_id;
  return toItem({
    // Of the stream, too, so that a thing is the same one wherever it is read.
    id: raw.source_id ?? raw.svc_id,
    layer: "vehicle",
    of,
    at: source,
    name: source.name ?? kindName(of),
    sub: operator,
    raw,
    state: source.service_status?.state ?? "unknown",
    source: raw.network_id,
    operator,
    ...oldness(source.data_class, operator, ages),
    badge: toBadge(operator, raw.network_id, colors),
  });
}

/** Up to two letters. @param {string | null} operator @param {string | undefined} source @param {Colors} colors */
function toBadge(operator, source, colors) {
  if (operator === null) return null;
  const initials = operator
    .split(/[^\p{L}\p{N}]+/u, 3)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32));
  const color = source === undefined ? null : (colors.get(source) ?? null);
  return { text: initials.join("").trim().slice(0, 2).toUpperCase(), color };
}

/** @param {any} body @param {ReadonlySet<string>} bound sources whose terms keep them off other maps @returns {Item[]} */
export function toServices(body, bound) {
  return (body?.results ?? []).map((/** @type {any} */ raw) => {
    const { availability, capacity, charging, usable, open_status } = raw.attributes ?? {};
    return toItem({
      id: raw.id,
      layer: "service",
      of: raw.service_type,
      at: raw,
      ...whyNoWalk(body),
      name: raw.name,
      sub: kindName(raw.service_type),
      raw,
      onMap: !bound.has(raw.source_id),
      free: charging?.available_count ?? availability?.free ?? null,
      // A car park of which nothing live is known shows no figure in its row.
      total:
        charging?.connector_count ?? (availability && (availability.capacity ?? capacity)) ?? null,
      state: usable?.state ?? open_status ?? "unknown",
      source: raw.source_id,
    });
  });
}

const TRANSIT_ICONS = /** @type {const} */ (["metro", "rail", "tram", "ferry", "bus"]);

/** @param {any} body @param {(id: string) => Departure | null} [departureOf] @returns {Item[]} */
export function toTransit(body, departureOf = () => null) {
  return (body?.results?.stations ?? []).map((/** @type {any} */ raw) => {
    const modes = raw.modes.map((/** @type {string} */ mode) =>
      mode === "rapid_transit" ? "rail" : mode,
    );
    return toItem({
      id: raw.id,
      layer: "transit",
      of: "transit",
      at: raw,
      ...whyNoWalk(body),
      icon: TRANSIT_ICONS.find((mode) => modes.includes(mode)) ?? "bus",
      raw,
      name: raw.name,
      sub: linesOf(raw.routes) || withCommas(modes.map(words)),
      state: "operational",
      source: raw.sources?.[0]?.feed_id ?? null,
      departure: departureOf(raw.id),
    });
  });
}

/** The first lines by their short names. @param {any[]} routes */
function linesOf(routes) {
  const names = [...new Set(routes.flatMap(({ short_name }) => short_name ?? []))];
  return names.length > 8 ? `${names.slice(0, 8).join(" · ")} …` : names.join(" · ");
}

/**
 * Sorts as every list of the service is: by time on foot, what has no known way last, or by the
 * straight line alone; then by that, and by id in bytes.
 * @param {readonly Item[]} items @param {By} [by]
 */
export function inOrder(items, by = "line") {
  return items.toSorted(
    (a, b) =>
      (by === "walk" ? compareWays(a.walk, b.walk) : 0) ||
      a.distance - b.distance ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}

/** Two of one second in the order of the metres that are shown. @param {Item["walk"]} a @param {Item["walk"]} b */
function compareWays(a, b) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a.seconds - b.seconds || a.meters - b.meters;
}
