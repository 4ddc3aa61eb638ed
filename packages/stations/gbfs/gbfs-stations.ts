/** station_information: where stations are and what they hold at most (mobility.md 1.6, R4, R5). */
import type { StationInfo, StationStatus } from "../entities.ts";
import type { Location } from "#kit/geo.ts";
import { implausible } from "../plausible.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toLocalised, toLocalisedName, toNumber, toTexts } from "#kit/coerce.ts";
import { hasArea, pointInArea } from "./gbfs-area.ts";
import { ABSURD_DOCKS, isFakeCity } from "./fake-city.ts";
import {
  drop,
  listRows,
  member,
  readCount,
  readFlag,
  readLocation,
  readRentalUris,
  repair,
  toItems,
} from "./gbfs-rows.ts";
import type { Item } from "./gbfs-rows.ts";
import { withoutTwins } from "./twins.ts";
import { knownCounts, readTypedCounts, sumOf } from "./typed-counts.ts";

export type StationOptions = {
  /** Wanted languages, best first, followed by those of the system. */
  languages: readonly string[];
  /** For coordinates and fake stations, when it is at hand. */
  status?: ReadonlyMap<string, StationStatus>;
  version: string | null;
  /** Schemes of the system's apps; absent: none. */
  app_schemes?: readonly string[];
};

/** Reads stations; null: no list of stations. An empty list is an answer. */
export function readStations(
  wire: unknown,
  options: StationOptions,
  trail: TrailRecorder,
): StationInfo[] | null {
  const rows = listRows(wire, ["stations"]);
  if (!rows) return null;
  const items = toItems(rows, ["station_id"], trail);
  const stations: StationInfo[] = [];
  for (const item of items.values()) {
    const status = options.status?.get(item.id);
    const location = locate(item, status);
    if (!location) continue;
    if (isFake(item, status, items.size)) drop(item, "fake_city_station");
    else stations.push(toStation(item, location, options));
  }
  return withoutTwins(withoutStrays(stations, trail), trail);
}

/** Own coordinates, else those in station_status (violation 14), a point in its area, or it is dropped. */
function locate(item: Item, status: StationStatus | undefined): Location | null {
  const location = readLocation(item.row);
  if (typeof location !== "string") return location;
  if (status?.location) {
    repair(item, "coordinates_from_status");
    return status.location;
  }
  const inside = location === "coordinates_missing" ? pointInArea(item.row) : null;
  if (inside) {
    repair(item, "coordinates_from_area");
    return inside;
  }
  drop(item, location);
  return null;
}

function isFake(item: Item, status: StationStatus | undefined, siblings: number): boolean {
  if ((toNumber(item.row["capacity"]) ?? 0) >= ABSURD_DOCKS) return true;
  return status !== undefined && (status.placeholder === true || isFakeCity(status, siblings));
}

function withoutStrays(stations: StationInfo[], trail: TrailRecorder): StationInfo[] {
  const strays = implausible(stations);
  if (strays.size === 0) return stations;
  return stations.filter((station, index) => {
    if (strays.has(index)) trail.drop("location_implausible", station.id);
    return !strays.has(index);
  });
}

function toStation(
  item: Item,
  location: Location,
  { languages, app_schemes = [] }: StationOptions,
): StationInfo {
  const { row, id } = item;
  const local = (...names: string[]) => toLocalised(member(row, names), languages);
  const short_name = local("short_name", "stationCode");
  const address = local("address");
  const has_area = hasArea(row);
  return {
    id,
    name: toLocalisedName(row["name"], languages) ?? fallbackName(item, short_name ?? address),
    short_name,
    lat: location.lat,
    lon: location.lon,
    ...readCapacities(item),
    is_virtual: has_area ? true : readFlag(item, "is_virtual_station", "is_virtual"),
    has_area,
    is_charging: readFlag(item, "is_charging_station"),
    address,
    cross_street: local("cross_street"),
    post_code: local("post_code"),
    city: local("city"),
    region_id: toId(row["region_id"]),
    external_id: toId(row["external_id"]),
    legacy_id: toId(row["legacy_id"]),
    parking_type: local("parking_type"),
    opening_hours: local("station_opening_hours"),
    rental_methods: toTexts(row["rental_methods"]).map((method) => method.toLowerCase()),
    rental_uris: readRentalUris(item, app_schemes),
  };
}

/** mobility.md 1.10, 1.12 #11: short name, address, then "Station <id>". */
function fallbackName(item: Item, name: string | null): string {
  repair(item, "name_missing");
  return name ?? `Station ${item.id}`;
}

/** R4. Vehicles that may park (virtual stations) and docks are two limits; docks go first. */
function readCapacities(
  item: Item,
): Pick<StationInfo, "capacity" | "vehicle_capacity" | "dock_capacity"> {
  const vehicles = readTypedCounts(item, "vehicle_types_capacity", "vehicle_capacity");
  const docks = readTypedCounts(item, "vehicle_docks_capacity", "vehicle_type_capacity");
  const published = readCount(item, "capacity");
  return {
    capacity: published || sumOf(docks) || sumOf(vehicles) || null,
    vehicle_capacity: knownCounts(vehicles),
    dock_capacity: knownCounts(docks),
  };
}
