/** vehicle_types: form, propulsion and whether a type can be reserved (mobility.md 1.5, R1). */
import type { Mode, VehicleType } from "../entities.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { LIMITS } from "#api/limits.ts";
import {
  toId,
  toIds,
  toList,
  toLocalisedName,
  toMeasure,
  toNumber,
  toText,
  toTexts,
} from "#kit/coerce.ts";
import { listRows, repair, toItems } from "./gbfs-rows.ts";
import type { Item } from "./gbfs-rows.ts";

/** R1; "bike" and the like are seen although never specified (mobility.md 1.12 #12). */
const MODE_OF_FORM: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["bicycle", "bicycle"],
  ["cargo_bicycle", "bicycle"],
  ["bike", "bicycle"],
  ["cargo_bike", "bicycle"],
  ["scooter", "scooter"],
  ["scooter_standing", "scooter"],
  ["scooter_seated", "scooter"],
  ["moped", "moped"],
  ["car", "car"],
  ["other", "other"],
]);

/** Does the motor run on electricity, if only in part? */
const ELECTRIC: ReadonlyMap<string, boolean> = new Map([
  ["human", false],
  ["electric_assist", true],
  ["electric", true],
  ["combustion", false],
  ["combustion_diesel", false],
  ["hybrid", true],
  ["plug_in_hybrid", true],
  ["hydrogen_fuel_cell", true],
]);

export function readVehicleTypes(
  wire: unknown,
  trail: TrailRecorder,
  options: { languages: readonly string[] } = { languages: [] },
): VehicleType[] | null {
  const rows = listRows(wire, ["vehicle_types"]);
  if (!rows) return null;
  const items = toItems(rows, ["vehicle_type_id"], trail);
  return [...items.values()].map((item) => toType(item, options.languages));
}

/** R1. An unknown or missing form is `other`. */
function modeOfFormFactor(text: string | null): Mode {
  return MODE_OF_FORM.get(text?.toLowerCase() ?? "") ?? "other";
}

function toType(item: Item, languages: readonly string[]): VehicleType {
  const { row, id } = item;
  const form_factor = readToken(row["form_factor"]);
  const propulsion = readToken(row["propulsion_type"]);
  if (!MODE_OF_FORM.has(form_factor ?? "")) repair(item, "form_factor_unknown");
  if (!ELECTRIC.has(propulsion ?? "")) repair(item, "propulsion_unknown");
  return {
    id,
    mode: modeOfFormFactor(form_factor),
    form_factor,
    propulsion,
    electric: ELECTRIC.get(propulsion ?? "") ?? null,
    name: toLocalisedName(row["name"], languages),
    make: toLocalisedName(row["make"], languages),
    model: toLocalisedName(row["model"], languages),
    max_range_m: toMeasure(row["max_range_meters"]),
    reservable: readReservable(row["default_reserve_time"]),
    accessories: toTexts(row["vehicle_accessories"]),
    return_constraint: readToken(row["return_constraint"]),
    ...toPositive("rider_capacity", row["rider_capacity"]),
    ...toPositive("max_permitted_speed", row["max_permitted_speed"]),
    pricing_plan_id: toId(row["default_pricing_plan_id"]),
    ...toPlans(row["pricing_plan_ids"]),
  };
}

/** A whole number above 0; nothing: another value states nothing. */
function toPositive<N extends string>(name: N, value: unknown): { [K in N]?: number } {
  const number = toNumber(value);
  const isStated = number !== null && Number.isInteger(number) && number > 0;
  return (isStated ? { [name]: number } : {}) as { [K in N]?: number };
}

function toPlans(value: unknown): Pick<VehicleType, "pricing_plan_ids"> {
  const ids = toIds(toList(value).slice(0, LIMITS.prices.type_plans_max));
  return ids.length === 0 ? {} : { pricing_plan_ids: ids };
}

function readToken(value: unknown): string | null {
  return toText(value)?.toLowerCase() ?? null;
}

/** Minutes a vehicle is held; 0 = cannot be reserved, absent = unknown (mobility.md 1.5). */
function readReservable(value: unknown): boolean | null {
  const minutes = toNumber(value);
  return minutes === null || minutes < 0 ? null : minutes > 0;
}
