/** Vehicles of a system in GBFS 3.0 and 2.3, without those of which it is not known whether they can be taken. */
import { EQUIPMENT } from "#api/tokens.ts";
import { hash32 } from "#kit/ids.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { RentalUris } from "../entities.ts";
import { getField, MODES_MASK, modeMask, TRI } from "../shard/bits.ts";
import { repeatsText } from "../shard/shard-repeats.ts";
import type { Statics } from "../shard/shard-statics.ts";
import { equipmentOf, type Vehicles } from "../shard/shard-vehicles.ts";
import { type OutRow, type OutVersion, timeValue } from "./out-envelope.ts";
import type { LeftOut } from "./out-stations.ts";
import { isListed } from "./out-types.ts";

export type VehicleSubject = {
  vehicles: Vehicles;
  statics: Statics;
  row: number;
  state: number;
  /** Of its publisher, as received. */
  id: string;
  /** Id of the published station where it is parked; null: at none. */
  station_id: string | null;
};

export type VehicleOptions = {
  version: OutVersion;
  /** Ids of the pricing plans that the system lists. */
  plan_ids: ReadonlySet<string>;
};

const BICYCLES = modeMask(["bicycle"]);
const KNOWN_EQUIPMENT: ReadonlySet<string> = new Set(EQUIPMENT);
/** Beyond it, no time is valid in the format. */
const LAST_TIME_S = 253_402_300_799;

/**
 * Makes the id of a vehicle of the id that was received and the system: it changes when that one changes,
 * so that no reader can follow a vehicle longer than its publisher lets them.
 */
function outVehicleId(system_id: string, received_id: string): string {
  return hash32(["gbfs-out", system_id, received_id].join("\u0000"));
}

/** A row of vehicle_status, or free_bike_status; else why there is none. */
export function vehicleRow(
  subject: VehicleSubject,
  { version, plan_ids }: VehicleOptions,
): OutRow | LeftOut {
  const { vehicles, statics, row, state, id, station_id } = subject;
  const [reserved, disabled] = [getField(state, "reserved"), getField(state, "disabled")];
  if (getField(state, "unknown") === 1 || reserved === TRI.unknown || disabled === TRI.unknown)
    return "unknown_state";
  const { types, system } = statics.meta;
  const type = types[vehicles.type[row]!];
  // Without types a system rents bicycles, says the format.
  const isDefault = !types.some(isListed) && (state & MODES_MASK) === BICYCLES;
  if (type ? !isListed(type) : !isDefault) return "unknown_type";
  const { rental_uris, pricing_plan_id } = membersOf(vehicles, row, id);
  const equipment = equipmentOf(vehicles, row).filter((each) => KNOWN_EQUIPMENT.has(each));
  return {
    [version === "3.0" ? "vehicle_id" : "bike_id"]: outVehicleId(statics.meta.system_id, id),
    lat: vehicles.index.lat[row]!,
    lon: vehicles.index.lon[row]!,
    is_reserved: reserved === TRI.yes,
    is_disabled: disabled === TRI.yes,
    ...(type ? { vehicle_type_id: type.id } : {}),
    ...levels(vehicles, row),
    ...times(vehicles, row, version),
    ...(station_id === null ? {} : { station_id }),
    ...(pricing_plan_id !== undefined && plan_ids.has(pricing_plan_id) ? { pricing_plan_id } : {}),
    ...(equipment.length === 0 ? {} : { vehicle_equipment: equipment }),
    ...(rental_uris === undefined || system === null ? {} : { rental_uris }),
  };
}

function membersOf({ repeats }: Vehicles, row: number, id: string) {
  return JSON.parse(`{${repeatsText(repeats, row, id).slice(1)}}`) as {
    rental_uris?: RentalUris;
    pricing_plan_id?: string;
  };
}

/** Columns of 32 bits: what they add to a number behind its fourth digit is none of it. */
function levels({ range_m, charge }: Vehicles, row: number): OutRow {
  const [range, share] = [range_m[row]!, charge[row]!];
  return {
    ...(Number.isNaN(range) ? {} : { current_range_meters: Math.round(range) }),
    ...(Number.isNaN(share) ? {} : { current_fuel_percent: Math.round(share * 10_000) / 10_000 }),
  };
}

function times({ last_reported, until }: Vehicles, row: number, version: OutVersion): OutRow {
  const reported_s = last_reported[row]!;
  const until_s = until[row] ?? 0;
  return {
    ...(reported_s === 0 ? {} : { last_reported: timeValue(reported_s, version) }),
    ...(until_s > 0 && until_s <= LAST_TIME_S ? { available_until: toRfc3339(until_s) } : {}),
  };
}
