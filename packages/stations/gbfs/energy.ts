/**
 * Range and charge of vehicles as their feed publishes them (mobility.md 1.12, violation 18; decisions,
 * Vehicles and docks). The unit of a charge is a property of the feed:
 * where one row writes percent, 1 is one percent in every row. Where all rows are 0 or 1 nothing shows
 * the unit (full or one percent, or a flag): they are unknown, unless the range that is left decides.
 */
import type { Mode, VehicleType } from "../entities.ts";
import { toMeasure, toNumber } from "#kit/coerce.ts";
import { type Item, member, repair } from "./gbfs-rows.ts";

export type Energy = { range_m: number | null; charge: number | null };

/** No vehicle of the kind goes further on one charge or tank; a larger range means "not known". */
const MOST_RANGE_M: Readonly<Record<Mode, number>> = {
  bicycle: 300_000,
  scooter: 300_000,
  moped: 500_000,
  car: 2_000_000,
  other: 2_000_000,
};
/** The range of a vehicle may exceed that of its type by as much as types are rounded. */
const OVER_TYPE = 1.5;
/** A fraction that arithmetic has pushed above 1 is 1; from here on it is a percentage. */
const MOST_FRACTION = 1.05;
/** A charge and the share of the range that is left differ by less: ranges are estimated. */
const MOST_OFF = 0.3;

export type Scale = "fraction" | "percent" | "mixed" | "unsaid";
type Kind = Pick<VehicleType, "mode" | "max_range_m"> | undefined;
/** A row, the range that is left, and its part of the range of its type; null: not known. */
type Ranged = { item: Item; range_m: number | null; share: number | null };

/** Reads range and charge of each row; `kindOf`: the type of a row, undefined: not stated. */
export function readEnergies(items: readonly Item[], kindOf: (item: Item) => Kind): Energy[] {
  const rows = items.map((item): Ranged => {
    const kind = kindOf(item);
    const range_m = readRange(item, kind);
    const share = kind?.max_range_m && range_m !== null ? range_m / kind.max_range_m : null;
    return { item, range_m, share };
  });
  const reported = scaleOf(items.map((item) => toNumber(chargeIn(item))));
  const scale = reported === "unsaid" ? scaleByRange(rows) : reported;
  return rows.map((row) => ({ range_m: row.range_m, charge: readCharge(row, scale) }));
}

function chargeIn({ row }: Item): unknown {
  return member(row, ["current_fuel_percent"]);
}

/**
 * Finds the unit of a feed's charges by all of them. `mixed`: percentages and fractions; `unsaid`:
 * nothing but 0 and 1.
 */
export function scaleOf(values: readonly (number | null)[]): Scale {
  const isPercent = values.some((value) => value !== null && value > MOST_FRACTION && value <= 100);
  const isFraction = values.some((value) => value !== null && value > 0 && value < 1);
  if (isPercent) return isFraction ? "mixed" : "percent";
  return isFraction ? "fraction" : "unsaid";
}

function readRange(item: Item, kind: Kind): number | null {
  const range_m = toMeasure(member(item.row, ["current_range_meters"]));
  if (range_m === null) return null;
  const { mode = "other", max_range_m = null } = kind ?? {};
  const most_m = Math.min(MOST_RANGE_M[mode], (max_range_m || Infinity) * OVER_TYPE);
  if (range_m <= most_m) return range_m;
  repair(item, "range_impossible");
  return null;
}

/** By the ranges of the rows that say 1, where they agree. */
function scaleByRange(rows: readonly Ranged[]): Scale {
  const matches = new Set(
    rows.flatMap(({ item, share }) => {
      const value = toNumber(chargeIn(item));
      const isPercent = value === null || value === 0 ? null : isPercentBy(value, share);
      return isPercent === null ? [] : isPercent;
    }),
  );
  if (matches.size !== 1) return matches.size === 0 ? "unsaid" : "mixed";
  return matches.has(true) ? "percent" : "fraction";
}

/** 0 to 1; null: not stated, not usable, or of an unknown unit. */
function readCharge({ item, range_m, share }: Ranged, scale: Scale): number | null {
  const raw = chargeIn(item);
  if (raw === undefined) return null;
  const value = toNumber(raw);
  if (value === null || value < 0 || value > 100) return unknown(item, "charge_unusable");
  if (value === 0) return readEmpty(item, scale, range_m);
  const isPercent = isPercentIn(scale, value) ?? isPercentBy(value, share);
  if (isPercent === null) return unknown(item, "charge_of_unknown_unit");
  if (!isPercent) return Math.min(1, value);
  repair(item, "charge_as_percent");
  return value / 100;
}

/** Reports whether the unit of its feed makes a charge above 0 a percentage; null: it does not say. */
export function isPercentIn(scale: Scale, value: number): boolean | null {
  if (value > MOST_FRACTION || scale === "percent") return true;
  return scale === "fraction" ? false : null;
}

/** Nothing is left in either unit; a feed that has nothing but 0 and 1 may mean that it does not know. */
function readEmpty(item: Item, scale: Scale, range_m: number | null): number | null {
  if (range_m !== null && range_m > 0) return unknown(item, "charge_contradicts_range");
  return scale === "unsaid" && range_m === null ? unknown(item, "charge_of_unknown_unit") : 0;
}

/** Where the unit of the feed does not settle it, the range that is left does; null: it does not either. */
function isPercentBy(value: number, share: number | null): boolean | null {
  if (share === null) return null;
  const [as_percent, as_fraction] = [Math.abs(share - value / 100), Math.abs(share - value)];
  if (Math.min(as_percent, as_fraction) > MOST_OFF) return null;
  return as_percent < as_fraction;
}

function unknown(
  item: Item,
  reason: "charge_unusable" | "charge_contradicts_range" | "charge_of_unknown_unit",
): null {
  repair(item, reason);
  return null;
}
