/**
 * Range and charge of vehicles as their feed publishes them (mobility.md 1.12, violation 18; decisions,
 * Vehicles and docks). The unit of a charge is a property of the feed:
 * where one row writes percent, 1 is one percent in every row.
 */
import type { Mode, VehicleType } from "#core/entities.ts";
import { toMeasure, toNumber } from "#providers/coerce.ts";
import { type Item, member, repair } from "#providers/gbfs/rows.ts";

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

type Scale = "fraction" | "percent" | "mixed" | "unsaid";
type Kind = Pick<VehicleType, "mode" | "max_range_m"> | undefined;

/** Reads range and charge of each row; `kindOf`: the type of a row, undefined: not stated. */
export function readEnergies(items: readonly Item[], kindOf: (item: Item) => Kind): Energy[] {
  const scale = scaleOf(items.map((item) => toNumber(chargeIn(item))));
  return items.map((item) => {
    const kind = kindOf(item);
    const range_m = readRange(item, kind);
    return { range_m, charge: readCharge(item, { scale, range_m, kind }) };
  });
}

function chargeIn({ row }: Item): unknown {
  return member(row, ["current_fuel_percent"]);
}

/** `mixed`: percentages and fractions; `unsaid`: nothing but 0 and 1. */
function scaleOf(values: readonly (number | null)[]): Scale {
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

type About = { scale: Scale; range_m: number | null; kind: Kind };

/** 0 to 1; null: not stated, not usable, or of an unknown unit. */
function readCharge(item: Item, { scale, range_m, kind }: About): number | null {
  const raw = chargeIn(item);
  if (raw === undefined) return null;
  const value = toNumber(raw);
  if (value === null || value < 0 || value > 100) return unknown(item, "charge_unusable");
  if (value === 0) return (range_m ?? 0) > 0 ? unknown(item, "charge_contradicts_range") : 0;
  const share = kind?.max_range_m && range_m !== null ? range_m / kind.max_range_m : null;
  const isPercent = value > MOST_FRACTION || isPercentBy(scale, value, share);
  if (isPercent === null) return unknown(item, "charge_of_unknown_unit");
  if (!isPercent) return Math.min(1, value);
  repair(item, "charge_as_percent");
  return value / 100;
}

/** Where the feed does not settle the unit, the range that is left does; null: it does not either. */
function isPercentBy(scale: Scale, value: number, share: number | null): boolean | null {
  if (scale === "percent") return true;
  if (scale === "fraction") return false;
  if (share === null) return scale === "mixed" ? null : false;
  return Math.abs(share - value / 100) < Math.abs(share - value);
}

function unknown(
  item: Item,
  reason: "charge_unusable" | "charge_contradicts_range" | "charge_of_unknown_unit",
): null {
  repair(item, reason);
  return null;
}
