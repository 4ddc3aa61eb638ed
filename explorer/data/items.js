/** Answers of three kinds as one list of things, nearest first, as the list and the map show them. */
import { kindOf } from "../page/kinds.js";

/**
 * @typedef {{
 *   id: string, layer: "station" | "vehicle" | "service" | "transit", kind: string, icon: string,
 *   color: string, name: string, sub: string, lat: number, lon: number, distance: number,
 *   free: number | null, total: number | null, state: string, onMap: boolean, source: string | null, raw: any,
 *   zones?: any
 * }} Item
 */

/** @param {any} body @returns {Item[]} */
export function toMobility(body) {
  const { stations = [], vehicles = [], zones = [] } = body?.results ?? {};
  const known = new Map(zones.map((/** @type {any} */ one) => [one.network.id, one]));
  return [
    ...stations.map(toStation),
    ...vehicles.flatMap((/** @type {any} */ raw) =>
      toVehicle(raw).map((item) => ({ ...item, zones: known.get(raw.network_id) ?? null })),
    ),
  ];
}

/** @param {any} raw @returns {Item} */
function toStation(raw) {
  const kind = kindOf(raw.mode ?? "bicycle");
  const { vehicles = null, docks = null } = raw.availability ?? {};
  return {
    id: raw.id,
    layer: "station",
    kind: kind.id,
    icon: kind.icon,
    color: kind.color,
    name: raw.name,
    sub: raw.network?.name ?? "",
    raw,
    onMap: true,
    lat: raw.location.lat,
    lon: raw.location.lon,
    distance: raw.distance_meters,
    free: vehicles,
    total: totalOf(raw.capacity ?? null, vehicles, docks),
    state: raw.service_status?.state ?? "unknown",
    source: raw.network?.id ?? null,
  };
}

/** What a full one would hold. @param {number | null} capacity @param {number | null} vehicles @param {number | null} docks */
function totalOf(capacity, vehicles, docks) {
  if (capacity !== null && capacity > 0) return capacity;
  return vehicles === null || docks === null ? null : vehicles + docks;
}

/** @param {any} raw @returns {Item[]} */
function toVehicle(raw) {
  const { source } = raw;
  if (!source?.location) return [];
  const kind = kindOf(source.mode ?? "bicycle");
  const provider = raw.provenance?.[0]?.provider ?? raw.network_id;
  return [
    {
      id: raw.svc_id ?? raw.source_id,
      layer: "vehicle",
      kind: kind.id,
      icon: kind.icon,
      color: kind.color,
      name: source.name ?? `${kind.one.slice(0, 1).toUpperCase()}${kind.one.slice(1)}`,
      sub: provider,
      raw,
      onMap: true,
      lat: source.location.lat,
      lon: source.location.lon,
      distance: source.distance_meters,
      free: null,
      total: null,
      state: source.service_status?.state ?? "unknown",
      source: raw.network_id,
    },
  ];
}

/** @param {any} body @param {ReadonlySet<string>} bound sources whose terms keep them off other maps @returns {Item[]} */
export function toServices(body, bound) {
  return (body?.results ?? []).map((/** @type {any} */ raw) => {
    const kind = kindOf(raw.service_type);
    const charging = raw.attributes?.charging;
    return {
      id: raw.id,
      layer: "service",
      kind: kind.id,
      icon: kind.icon,
      color: kind.color,
      name: raw.name,
      sub: kind.one,
      raw,
      onMap: !bound.has(raw.source_id),
      lat: raw.location.lat,
      lon: raw.location.lon,
      distance: raw.distance_meters,
      free: charging?.available_count ?? null,
      total: charging?.connector_count ?? null,
      state: raw.attributes?.usable?.state ?? raw.attributes?.open_status ?? "unknown",
      source: raw.source_id,
    };
  });
}

const TRANSIT_ICONS = /** @type {const} */ (["metro", "rail", "tram", "ferry", "bus"]);

/** @param {any} body @returns {Item[]} */
export function toTransit(body) {
  const { color } = kindOf("transit");
  return (body?.results?.stations ?? []).map((/** @type {any} */ raw) => {
    const modes = raw.modes.map((/** @type {string} */ mode) =>
      mode === "rapid_transit" ? "rail" : mode,
    );
    const icon = TRANSIT_ICONS.find((mode) => modes.includes(mode)) ?? "bus";
    return {
      id: raw.id,
      layer: "transit",
      kind: "transit",
      icon,
      color,
      onMap: true,
      raw,
      name: raw.name,
      sub: raw.modes.map((/** @type {string} */ mode) => mode.replaceAll("_", " ")).join(", "),
      lat: raw.location.lat,
      lon: raw.location.lon,
      distance: raw.distance_meters,
      free: null,
      total: null,
      state: "operational",
      source: raw.sources?.[0]?.feed_id ?? null,
    };
  });
}

/** Sorts by distance, then by id in bytes, as every list of the service is. @param {Item[]} items */
export function inOrder(items) {
  return items.toSorted(
    (a, b) => a.distance - b.distance || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}
