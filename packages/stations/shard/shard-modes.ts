/** R1 and R2: the modes of a vehicle type, a station or a whole system. */
import type { Mode, StationInfo, StationStatus, VehicleType } from "../entities.ts";
import { modeMask } from "./bits.ts";

export type ModeResolver = {
  /** Mode of a vehicle type id; unknown ids fall back by R1. */
  ofType(type_id: string | null): Mode;
  electric(type_id: string): boolean | null;
  reservable(type_id: string): boolean;
  /** All modes of the system: its types', or the hint, or bicycle (mobility.md 1.5). */
  system: Mode[];
};

export function createModeResolver(types: readonly VehicleType[], hint: Mode | null): ModeResolver {
  const byId = new Map(types.map((type) => [type.id, type]));
  const system: Mode[] = types.length
    ? [...new Set(types.map((type) => type.mode))]
    : [hint ?? "bicycle"];
  const fallback: Mode = system.length === 1 ? system[0]! : "other";
  return {
    ofType: (type_id) => (type_id === null ? undefined : byId.get(type_id))?.mode ?? fallback,
    electric: (type_id) => byId.get(type_id)?.electric ?? null,
    reservable: (type_id) => byId.get(type_id)?.reservable === true,
    system,
  };
}

/** Every type id that station information and status name (count 0 included, R2). */
export function stationTypeIds(info: StationInfo, status: StationStatus | null): string[] {
  return [
    ...(status?.by_type.map((entry) => entry.type_id) ?? []),
    ...(status?.uncounted_type_ids ?? []),
    ...(status?.dock_type_ids ?? []),
    ...info.vehicle_capacity.flatMap((entry) => entry.type_ids),
    ...info.dock_capacity.flatMap((entry) => entry.type_ids),
  ];
}

/** Mask of R2: the modes its types name, else all modes of the system. */
export function stationModeMask(typeIds: readonly string[], modes: ModeResolver): number {
  return modeMask(typeIds.length ? typeIds.map((id) => modes.ofType(id)) : modes.system);
}
