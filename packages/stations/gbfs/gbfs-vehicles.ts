/** free_bike_status / vehicle_status: single vehicles (mobility.md 1.8, R5). */
import type { Mode, VehicleInfo, VehicleType } from "../entities.ts";
import type { Location } from "#kit/geo.ts";
import { implausible } from "../plausible.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toLocalisedName, toText, toTexts, toTime_s } from "#kit/coerce.ts";
import { type Energy, readEnergies } from "./energy.ts";
import {
  drop,
  listRows,
  readFlag,
  readLocation,
  readRentalUris,
  readTime_s,
  toItems,
} from "./gbfs-rows.ts";
import type { Item } from "./gbfs-rows.ts";

/** What a row says of its own kind: Lyft's `type`, Bird's `vehicle_type` (mobility.md 1.12 #23). */
const OWN_MODE: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["electric_bike", "bicycle"],
  ["classic_bike", "bicycle"],
  ["bike", "bicycle"],
  ["ebike", "bicycle"],
  ["e-bike", "bicycle"],
  ["bicycle", "bicycle"],
  ["electric_scooter", "scooter"],
  ["scooter", "scooter"],
  ["e-scooter", "scooter"],
  ["moped", "moped"],
  ["car", "car"],
]);

type VehicleOptions = {
  doc_time_s: number;
  /** Schemes of the system's apps; absent: none. */
  app_schemes?: readonly string[];
  /** The system's types of vehicles; absent: none. */
  types?: readonly VehicleType[];
  /** What the system rents, where it has no types; null or absent: not known. */
  mode?: Mode | null;
};

/**
 * Reads vehicles; null: no list. Whether a vehicle is already counted at its station: the packer
 * knows.
 */
export function readVehicles(
  wire: unknown,
  options: VehicleOptions,
  trail: TrailRecorder,
): VehicleInfo[] | null {
  const rows = listRows(wire, ["vehicles", "bikes"]);
  if (!rows) return null;
  const placed: { item: Item; location: Location | null }[] = [];
  for (const item of toItems(rows, ["vehicle_id", "bike_id"], trail).values()) {
    const station_id = toId(item.row["station_id"]);
    const location = readLocation(item.row);
    const docked = location === "coordinates_missing" && station_id !== null;
    if (typeof location === "string" && !docked) drop(item, location);
    else placed.push({ item, location: typeof location === "string" ? null : location });
  }
  const items = placed.map(({ item }) => item);
  const energies = readEnergies(items, kindsOf(options));
  const vehicles = placed.map((one, i) => toVehicle({ ...one, ...energies[i]! }, options));
  return withoutStrays(vehicles, trail);
}

/** The type of a row; without types of their own, vehicles are what the row or the system says. */
function kindsOf({ types = [], mode = null }: VehicleOptions) {
  const byId = new Map(types.map((type) => [type.id, type]));
  return ({ row }: Item) => {
    const type = byId.get(toId(row["vehicle_type_id"]) ?? "");
    if (type) return type;
    const own_mode = ownModeOf(row) ?? mode;
    return own_mode === null ? undefined : { mode: own_mode, max_range_m: null };
  };
}

/**
 * Sets modes in a system without types: where all vehicles that state their kind state the same
 * one, the others are taken to be of it; where they differ, the others stay unknown (R1).
 */
export function withSharedMode(vehicles: readonly VehicleInfo[]): VehicleInfo[] {
  const modes = new Set(vehicles.flatMap(({ own_mode }) => own_mode ?? []));
  const [mode] = modes;
  if (mode === undefined) return [...vehicles];
  const shared = modes.size === 1 ? mode : "other";
  return vehicles.map((one) => ({ ...one, own_mode: one.own_mode ?? shared }));
}

function withoutStrays(vehicles: VehicleInfo[], trail: TrailRecorder): VehicleInfo[] {
  const placed = vehicles.filter((vehicle) => vehicle.location !== null);
  const strays = implausible(placed.map((vehicle) => vehicle.location!));
  if (strays.size === 0) return vehicles;
  const gone = new Set(placed.filter((_, index) => strays.has(index)));
  for (const vehicle of gone) trail.drop("location_implausible", vehicle.id);
  return vehicles.filter((vehicle) => !gone.has(vehicle));
}

function toVehicle(
  { item, location, range_m, charge }: Energy & { item: Item; location: Location | null },
  { doc_time_s, app_schemes = [] }: VehicleOptions,
): VehicleInfo {
  const { row, id } = item;
  return {
    id,
    location,
    station_id: toId(row["station_id"]),
    home_station_id: toId(row["home_station_id"]),
    type_id: toId(row["vehicle_type_id"]),
    own_mode: ownModeOf(row),
    name: readName(item),
    is_reserved: readFlag(item, "is_reserved"),
    is_disabled: readFlag(item, "is_disabled"),
    last_reported_s: readTime_s(item, "last_reported", doc_time_s),
    available_until_s: toTime_s(row["available_until"]),
    range_m,
    charge,
    pricing_plan_id: toId(row["pricing_plan_id"]),
    equipment: toTexts(row["vehicle_equipment"]),
    rental_uris: readRentalUris(item, app_schemes),
  };
}

function ownModeOf(row: Item["row"]): Mode | null {
  return readOwnMode(row["type"]) ?? readOwnMode(row["vehicle_type"]);
}

function readOwnMode(value: unknown): Mode | null {
  return OWN_MODE.get(toText(value)?.toLowerCase() ?? "") ?? null;
}

/** Lyft repeats the id as name: that is none. */
function readName(item: Item): string | null {
  const name = toLocalisedName(item.row["name"], []);
  return name === item.id ? null : name;
}
