/** One network's document (`/v2/networks/{id}`): its stations with their counts, and vehicles. */
import type { StationInfo, StationStatus, VehicleInfo } from "../entities.ts";
import { implausible } from "../plausible.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toBool, toId, toName, toNumber, toRow, toText, toTime_s } from "#kit/coerce.ts";
import { drop, type Item, readCount, readLocation, repair, toItems } from "../gbfs/gbfs-rows.ts";
import type { GbfsReason } from "../gbfs/gbfs-reasons.ts";
import { isPercentIn, type Scale, scaleOf } from "../gbfs/energy.ts";
import { type ListedNetworks, readListedNetworks } from "./listed.ts";
import { type CityBikesNetwork, readNetwork } from "./networks.ts";

export type NetworkDoc = {
  network: CityBikesNetwork;
  stations: readonly unknown[];
  /** null: none are listed. */
  vehicles: readonly unknown[] | null;
};

/** Reads a network's document, in its envelope or bare; null: it is none. */
export function readNetworkDoc(wire: unknown, trail: TrailRecorder): NetworkDoc | null {
  const document = toRow(wire);
  const bare = document?.["network"] === undefined;
  const row = bare ? document : toRow(document["network"]);
  const network = readNetwork(row);
  const stations = row?.["stations"];
  const vehicles = row?.["vehicles"];
  if (!network || (!Array.isArray(stations) && !Array.isArray(vehicles))) return null;
  if (bare) trail.repair("envelope_missing" satisfies GbfsReason, network.id);
  return {
    network,
    stations: Array.isArray(stations) ? stations : [],
    vehicles: Array.isArray(vehicles) ? vehicles : null,
  };
}

export function readStations(doc: NetworkDoc, trail: TrailRecorder): StationInfo[] {
  const stations: StationInfo[] = [];
  for (const item of toItems(doc.stations, ["id"], trail).values()) {
    const station = toStation(item);
    if (station) stations.push(station);
  }
  const strays = implausible(stations);
  return stations.filter((station, index) => {
    if (strays.has(index)) trail.drop("location_implausible", station.id);
    return !strays.has(index);
  });
}

function toStation(item: Item): StationInfo | null {
  const { row, id } = item;
  const location = readLocation(row);
  if (typeof location === "string") {
    drop(item, location);
    return null;
  }
  const extra = toRow(row["extra"]) ?? {};
  const name = toName(row["name"]);
  if (name === null) repair(item, "name_missing");
  return {
    id,
    name: name ?? `Station ${id}`,
    ...location,
    capacity: capacityOf(extra),
    is_virtual: toBool(extra["virtual"]),
    address: toText(extra["address"]),
    post_code: toText(extra["post_code"]),
    uid: toId(extra["uid"]),
    station_id: toId(extra["station_id"]),
    ...NOT_PUBLISHED,
  };
}

/** 0 slots is a way of not saying. */
function capacityOf(extra: Row): number | null {
  const slots = toNumber(extra["slots"]);
  return slots !== null && slots >= 1 ? Math.floor(slots) : null;
}

/** Members of a station that CityBikes does not publish. */
const NOT_PUBLISHED = {
  short_name: null,
  vehicle_capacity: [],
  dock_capacity: [],
  has_area: false,
  is_charging: null,
  cross_street: null,
  city: null,
  region_id: null,
  external_id: null,
  legacy_id: null,
  parking_type: null,
  opening_hours: null,
  rental_methods: [],
  rental_uris: null,
};

/** Reads the counts; `empty_slots` null: docks unknown, whatever they are. */
export function readStatus(
  doc: NetworkDoc,
  doc_s: number,
  trail: TrailRecorder,
): Map<string, StationStatus> {
  const statuses = new Map<string, StationStatus>();
  for (const item of toItems(doc.stations, ["id"], trail).values()) {
    const extra = toRow(item.row["extra"]) ?? {};
    const vehicles = readCount(item, "free_bikes");
    const last_reported_s = reportedAt(item, extra, doc_s);
    const isFresh = last_reported_s !== null && doc_s - last_reported_s <= FRESH_S;
    statuses.set(item.id, {
      id: item.id,
      vehicles,
      docks: readCount(item, "empty_slots"),
      docks_unlimited: false,
      electric: electricOf(extra, vehicles),
      ...flagsOf(extra),
      counts: isFresh ? "fresh" : "old",
      last_reported_s,
      ...NOT_COUNTED,
    });
  }
  return statuses;
}

/** Of a station that spoke within this time counts say whether it rents (R9). */
const FRESH_S = 15 * 60;

type Flags = Pick<StationStatus, "is_installed" | "is_renting" | "is_returning">;

/** Words that say closed go before everything; a word that is not known leaves it open (R9). */
function flagsOf(extra: Row): Flags {
  const listed = readListedNetworks(extra);
  if (listed === "closed" || listed === "planned")
    return { is_installed: INSTALLED[listed], is_renting: false, is_returning: false };
  return {
    is_installed: INSTALLED[listed],
    is_renting: toBool(extra["renting"]),
    is_returning: toBool(extra["returning"]),
  };
}

/** What is listed is installed, unless its words speak against it. */
const INSTALLED: Readonly<Record<ListedNetworks, boolean | null>> = {
  usable: true,
  closed: null,
  planned: false,
  unknown: null,
};

const NOT_COUNTED = {
  disabled_vehicles: null,
  disabled_docks: null,
  by_type: [],
  dock_type_ids: [],
  location: null,
};

function electricOf(extra: Row, vehicles: number | null): number | null {
  const electric = toNumber(extra["ebikes"]);
  if (electric === null || electric < 0 || vehicles === null) return null;
  return electric <= vehicles ? Math.floor(electric) : null;
}

/** The operator's own time where it is passed on, else the time of CityBikes' reading. */
function reportedAt(item: Item, extra: Row, doc_s: number): number | null {
  const time_s = toTime_s(extra["last_updated"], doc_s);
  if (time_s !== null) return time_s;
  const read = toTime_s(item.row["timestamp"], doc_s);
  if (read === null && item.row["timestamp"] !== undefined) repair(item, "time_absurd");
  return read;
}

/** A vehicle that says nothing of itself is not known to be in order. */
const DISABLED: Readonly<Record<ListedNetworks, boolean | null>> = {
  usable: false,
  closed: true,
  planned: true,
  unknown: null,
};

const KINDS: ReadonlyMap<string, "bicycle" | "scooter"> = new Map(
  Object.entries({
    bike: "bicycle",
    ebike: "bicycle",
    ass_bike: "bicycle",
    scooter: "scooter",
  }),
);

export function readVehicles(doc: NetworkDoc, doc_s: number, trail: TrailRecorder): VehicleInfo[] {
  const items = [...toItems(doc.vehicles ?? [], ["id"], trail).values()];
  const scale = scaleOf(items.map(batteryOf));
  const vehicles: VehicleInfo[] = [];
  for (const item of items) {
    const location = readLocation(item.row);
    if (typeof location === "string") drop(item, location);
    else vehicles.push(toVehicle(item, location, { doc_s, scale }));
  }
  return vehicles;
}

function batteryOf({ row }: Item): number | null {
  return toNumber(toRow(row["extra"])?.["battery"]);
}

/** 0 to 1; the unit is that of the network, as it is of a feed. */
function chargeOf(battery: number | null, scale: Scale): number | null {
  if (battery === null || battery < 0 || battery > 100) return null;
  if (battery === 0) return scale === "unsaid" ? null : 0;
  const isPercent = isPercentIn(scale, battery);
  if (isPercent === null) return null;
  return isPercent ? battery / 100 : Math.min(1, battery);
}

/** `scale`: the unit of batteries in the network. */
function toVehicle(
  item: Item,
  location: { lat: number; lon: number },
  { doc_s, scale }: { doc_s: number; scale: Scale },
): VehicleInfo {
  const { row, id } = item;
  const extra = toRow(row["extra"]) ?? {};
  return {
    id,
    location,
    station_id: null,
    home_station_id: null,
    type_id: null,
    name: null,
    // Every network of CityBikes rents bicycles, unless it says otherwise (R1).
    own_mode: KINDS.get(toText(row["kind"]) ?? "bike") ?? "other",
    is_reserved: null,
    is_disabled: DISABLED[readListedNetworks(extra, "unknown")],
    last_reported_s: toTime_s(row["timestamp"], doc_s),
    available_until_s: null,
    range_m: null,
    charge: chargeOf(batteryOf(item), scale),
    pricing_plan_id: null,
    equipment: [],
    rental_uris: null,
  };
}
