/** Things of the stream as the map draws them, one with what the circle's answer has of the same. */
import { toStation, toVehicle, totalOf } from "../data/items.js";
import { usableOf } from "../data/wishes.js";
import { metresBetween } from "../map/geometry.js";
import { has } from "./box.js";

/**
 * @typedef {import("../data/items.js").Item} Item @typedef {import("./known.js").LiveItem} LiveItem
 * @typedef {import("./known.js").Known} Known @typedef {{ lat: number, lon: number }} Point
 * @typedef {{ name: string, color: string | null, isShown: boolean }} Network `isShown`: what it has is in the stream
 * @typedef {{ networks: ReadonlyMap<string, Network>, at: Point | null }} Context
 */

/** Networks of the sources by id. @param {Known} known @returns {Map<string, Network>} */
export function networksOf({ sources }) {
  /** @type {Map<string, Network>} */
  const networks = new Map();
  for (const { network, color, state } of sources.values()) {
    if (network === null) continue;
    const { id, name } = network;
    const isShown = state === "fresh" || state === "old" || networks.get(id)?.isShown === true;
    networks.set(id, { name, color: color ?? networks.get(id)?.color ?? null, isShown });
  }
  return networks;
}

/** A thing that is known from the stream alone; what the stream does not say is not known. @param {LiveItem} live @param {Context} context @returns {Item} */
export function toThing(live, { networks, at }) {
  const { id, location, network_id } = live;
  const network = networks.get(network_id);
  const name = network?.name ?? network_id;
  const colors = new Map(network?.color ? [[network_id, network.color]] : []);
  const common = {
    location,
    distance_meters: at === null ? null : metresBetween(at, location),
    mode: live.modes[0],
    service_status: { state: live.state },
    action_state: { pickup: live.pickup, ...(live.return ? { return: live.return } : {}) },
  };
  const provenance = [{ source_id: id, network_id, source: "gbfs", provider: name }];
  const item =
    live.kind === "station"
      ? toStation(
          {
            ...common,
            ...{ id, name: live.name ?? name, provenance, capacity: live.capacity ?? null },
            availability: { vehicles: live.vehicles ?? null, docks: live.docks ?? null },
            network: { id: network_id, name },
          },
          colors,
        )
      : toVehicle(
          {
            ...{ source_id: id, network_id, provenance },
            source: {
              ...common,
              brand: name,
              vehicle_type: { form_factor: live.form_factor ?? undefined },
              ...(typeof live.battery === "number" ? { battery: live.battery } : {}),
            },
          },
          colors,
        );
  return { ...item, outside: true };
}

/**
 * The same for one that is known already: a vehicle that has only moved is not made from the beginning.
 * @param {{ live: LiveItem, thing: Item }} made @param {LiveItem} live @param {Context} context @returns {Item}
 */
export function renew({ live: before, thing }, live, context) {
  const isMoved =
    live.kind === "vehicle" &&
    live.state === before.state &&
    live.battery === before.battery &&
    live.pickup === before.pickup &&
    live.modes[0] === before.modes[0] &&
    live.network_id === before.network_id &&
    live.form_factor === before.form_factor;
  if (!isMoved) return toThing(live, context);
  const { location } = live;
  const distance = context.at === null ? thing.distance : metresBetween(context.at, location);
  const source = { ...thing.raw.source, location, distance_meters: distance };
  return { ...thing, ...location, distance, raw: { ...thing.raw, source } };
}

/** What an answer has of a thing, with where it is and how much it has by the stream. @param {Item} item @param {LiveItem} live @returns {Item} */
export function refresh(item, live) {
  const { location, state } = live;
  const { lat, lon } = location;
  if (item.layer !== "station") {
    if (item.lat === lat && item.lon === lon && item.state === state) return item;
    return again({ ...item, lat, lon, state });
  }
  const { vehicles = null, docks = null } = live;
  const isSame = item.lat === lat && item.lon === lon && item.state === state;
  const was = item.raw.availability ?? {};
  if (isSame && item.free === vehicles && (was.docks ?? null) === docks) return item;
  const total = totalOf(item.raw.capacity ?? live.capacity ?? null, vehicles, docks);
  const raw = { ...item.raw, availability: { ...was, vehicles, docks } };
  return again({ ...item, lat, lon, state, free: vehicles, total, raw, stale: item.isOld });
}

/** @param {Item} item @returns {Item} */
function again(item) {
  return { ...item, usable: usableOf(item) };
}

/** Whether the stream would have a thing if it were there. @param {Item} item @param {{ box: import("./box.js").Box, networks: ReadonlyMap<string, Network> }} scope */
export function isCovered({ layer, source, lat, lon }, { box, networks }) {
  if (layer !== "station" && layer !== "vehicle") return false;
  return source !== null && networks.get(source)?.isShown === true && has(box, { lat, lon });
}
