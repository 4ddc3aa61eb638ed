/**
 * Equipment of a charging station and what of it is free (§2.5), from units that can charge one car
 * each (or `count` cars): unreported values are left out. A sum is only given when every part was
 * reported, since a partial one would be read as the whole, and "unknown" as zero.
 */
import type { CONNECTOR_TYPES } from "#api/tokens.ts";
import { toRfc3339 } from "#kit/time.ts";
import { present } from "#kit/present.ts";

/** The only primary type of the contract. */
export const CHARGING_TYPE = "electric_vehicle_charging_station";

export type ConnectorType = (typeof CONNECTOR_TYPES)[number];

export type UnitState = "available" | "occupied" | "out_of_service";

/** Equipment that charges `count` cars; null: not reported. */
export type Unit = { count: number | null; state: UnitState | null; updated_s: number | null };

/** A unit offers a connector; one unit may offer several, of which a car takes one. */
export type ConnectorOffer = { type: ConnectorType; max_kw: number | null; unit: Unit };

export type ChargingAvailability = {
  available_count?: number;
  out_of_service_count?: number;
  availability_updated_at?: string;
};

export type ConnectorItem = ChargingAvailability & {
  type: ConnectorType;
  max_kw?: number;
  count?: number;
};

/** Empty unless every unit says how many it is and how it is. */
export function toAvailability(units: readonly Unit[]): ChargingAvailability {
  const count = sumOfConnectors(units);
  if (count === null || units.some(({ state }) => state === null)) return {};
  const countOf = (wanted: UnitState): number =>
    sumOfConnectors(units.filter(({ state }) => state === wanted)) ?? 0;
  const times = units.flatMap(({ updated_s }) => updated_s ?? []);
  return {
    available_count: countOf("available"),
    out_of_service_count: countOf("out_of_service"),
    ...(times.length > 0 ? { availability_updated_at: toRfc3339(Math.max(...times)) } : {}),
  };
}

/** One item for each type and power, in the order in which they are first offered. */
export function toConnectors(offers: readonly ConnectorOffer[]): ConnectorItem[] {
  const groups = Map.groupBy(offers, ({ type, max_kw }) => `${type} ${max_kw}`);
  return [...groups.values()].map((group) => {
    const { type, max_kw } = group[0]!;
    const units = group.map(({ unit }) => unit);
    const entry = present({ max_kw, count: sumOfConnectors(units) });
    return { type, ...entry, ...toAvailability(units) };
  });
}

/** Adds up the counts; null: there is none, or not for all. */
export function sumOfConnectors(units: readonly Pick<Unit, "count">[]): number | null {
  const counts = units.flatMap(({ count }) => count ?? []);
  if (counts.length === 0 || counts.length < units.length) return null;
  return counts.reduce((total, count) => total + count, 0);
}

/** Direct current, or alternating current of one or three phases. */
export type ElectricCurrent = "dc" | "ac_1" | "ac_3";

/** From here on volts are between two phases; below, between a phase and neutral. */
const MIN_LINE_TO_LINE_V = 300;
/** The standards end at 3.75 MW: more is no power, or not in kilowatts. */
const MAX_KW = 4_000;

/** Returns the power of voltage and current, kW; null unless both and the kind of current are known. */
export function powerOf_kw(
  volts: number | null,
  amperes: number | null,
  current: ElectricCurrent | null,
): number | null {
  if (volts === null || amperes === null || current === null) return null;
  const phases = current !== "ac_3" ? 1 : volts < MIN_LINE_TO_LINE_V ? 3 : Math.sqrt(3);
  return toKw((volts * amperes * phases) / 1_000);
}

/** Rounds to the nearest 10 W; zero, less and the impossible are unknown. */
export function toKw(kw: number | null): number | null {
  if (kw === null || !(kw > 0 && kw <= MAX_KW)) return null;
  const rounded = Math.round(kw * 100) / 100;
  return rounded > 0 ? rounded : null;
}
