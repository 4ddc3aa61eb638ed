/** A shared vehicle in the words of the legacy routes (§4.11, §4.12; mobility 7.3). */
import { sha256 } from "@noble/hashes/sha2.js";
import type { VEHICLE_ATTRIBUTES, VEHICLE_TYPES } from "#api/legacy.ts";
import type { Mode, VehicleType } from "#stations/entities.ts";

type LegacyType = (typeof VEHICLE_TYPES)[number];
type LegacyAttribute = (typeof VEHICLE_ATTRIBUTES)[number];

export const LEGACY_TYPES: Readonly<Record<Exclude<Mode, "other">, LegacyType>> = {
  scooter: "SCOOTER",
  moped: "MOTORSCOOTER",
  bicycle: "BIKE",
  car: "CAR",
};

/** Whole percent, 0 to 100; null: unknown. `charge` 0..1, ranges in metres; NaN: not stated. */
export function toBattery(
  charge: number,
  range_m: number,
  max_range_m: number | null,
): number | null {
  const share = Number.isNaN(charge) && max_range_m ? range_m / max_range_m : charge;
  if (Number.isNaN(share)) return null;
  return Math.min(100, Math.max(0, Math.round(share * 100)));
}

export function toAttributes(
  type: VehicleType | null,
  equipment: readonly string[],
): LegacyAttribute[] {
  const factor = type?.form_factor ?? "";
  const isPedalled = /bicycle/.test(factor) && type?.propulsion === "human";
  const has = (word: string): boolean =>
    [...(type?.accessories ?? []), ...equipment].some((item) => item.includes(word));
  const attributes: [LegacyAttribute, boolean][] = [
    ["ELECTRIC", type?.electric === true],
    ["GEARS", isPedalled || has("gears")],
    ["CARGO", factor === "cargo_bicycle"],
    ["CHILD_SEAT", has("child_seat")],
  ];
  return attributes.flatMap(([attribute, holds]) => (holds ? [attribute] : []));
}

const encoder = new TextEncoder();

/** A positive number of 31 bits: the same for the same vehicle of the same system. */
export function toNumberId(source_id: string): number {
  const [a, b, c, d] = sha256(encoder.encode(source_id));
  return ((a! << 24) | (b! << 16) | (c! << 8) | d!) & 0x7fff_ffff;
}
