/** free_bike_status / vehicle_status: single vehicles (mobility.md 1.8, R5). */
import type { Location, Mode, VehicleInfo } from "#core/entities.ts";
import { implausible } from "#core/plausible.ts";
import type { TrailRecorder } from "#core/trail.ts";
import {
  toId,
  toLocalisedName,
  toMeasure,
  toNumber,
  toText,
  toTexts,
  toTime_s,
} from "#providers/coerce.ts";
import {
  drop,
  listRows,
  member,
  readFlag,
  readLocation,
  readRentalUris,
  readTime_s,
  repair,
  toItems,
} from "#providers/gbfs/rows.ts";
import type { Item } from "#providers/gbfs/rows.ts";

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

/** `app_schemes`: schemes of the system's apps; absent: none. */
type VehicleOptions = { doc_time_s: number; app_schemes?: readonly string[] };

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
  const vehicles: VehicleInfo[] = [];
  for (const item of toItems(rows, ["vehicle_id", "bike_id"], trail).values()) {
    const station_id = toId(item.row["station_id"]);
    const location = readLocation(item.row);
    const docked = location === "coordinates_missing" && station_id !== null;
    if (typeof location === "string" && !docked) drop(item, location);
    else vehicles.push(toVehicle(item, typeof location === "string" ? null : location, options));
  }
  return withoutStrays(vehicles, trail);
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
  item: Item,
  location: Location | null,
  { doc_time_s, app_schemes = [] }: VehicleOptions,
): VehicleInfo {
  const { row, id } = item;
  const range_m = toMeasure(member(row, ["current_range_meters"]));
  return {
    id,
    location,
    station_id: toId(row["station_id"]),
    home_station_id: toId(row["home_station_id"]),
    type_id: toId(row["vehicle_type_id"]),
    own_mode: readOwnMode(row["type"]) ?? readOwnMode(row["vehicle_type"]),
    name: readName(item),
    is_reserved: readFlag(item, "is_reserved"),
    is_disabled: readFlag(item, "is_disabled"),
    last_reported_s: readTime_s(item, "last_reported", doc_time_s),
    available_until_s: toTime_s(row["available_until"]),
    range_m,
    charge: readCharge(item, range_m),
    pricing_plan_id: toId(row["pricing_plan_id"]),
    equipment: toTexts(row["vehicle_equipment"]),
    rental_uris: readRentalUris(item, app_schemes),
  };
}

/** 0..1; above 1 it is a percentage (violation 18); 0 next to a remaining range is "not known". */
function readCharge(item: Item, range_m: number | null): number | null {
  const raw = member(item.row, ["current_fuel_percent"]);
  const percent = toNumber(raw);
  if (raw === undefined) return null;
  if (percent === null || percent < 0 || percent > 100)
    return unknownCharge(item, "charge_unusable");
  if (percent === 0 && (range_m ?? 0) > 0) return unknownCharge(item, "charge_contradicts_range");
  if (percent <= 1) return percent;
  repair(item, "charge_as_percent");
  return percent / 100;
}

function unknownCharge(item: Item, reason: "charge_unusable" | "charge_contradicts_range"): null {
  repair(item, reason);
  return null;
}

function readOwnMode(value: unknown): Mode | null {
  return OWN_MODE.get(toText(value)?.toLowerCase() ?? "") ?? null;
}

/** Lyft repeats the id as name: that is none. */
function readName(item: Item): string | null {
  const name = toLocalisedName(item.row["name"], []);
  return name === item.id ? null : name;
}
