/** Physical modes of Navitia as the contract's (mobility.md 4.1); those of NTFS, and no others. */
import { orderModes } from "#transit/schedule/schedule-modes.ts";
import type { TransitMode } from "#transit/schedule/station.ts";
import { type Row, toId, toList, toRow } from "#kit/coerce.ts";

const MODES: ReadonlyMap<string, TransitMode> = new Map([
  ["Bus", "bus"],
  ["BusRapidTransit", "bus"],
  ["Shuttle", "bus"],
  ["Coach", "coach"],
  ["Tramway", "tram"],
  ["Metro", "metro"],
  ["RapidTransit", "rapid_transit"],
  ["LocalTrain", "rail"],
  ["LongDistanceTrain", "rail"],
  ["Train", "rail"],
  ["RailShuttle", "rail"],
  ["Ferry", "ferry"],
  ["Boat", "ferry"],
  ["Funicular", "cable_transport"],
  ["SuspendedCableCar", "cable_transport"],
  ["Taxi", "taxi"],
]);

/**
 * Reads `physical_modes`, each once, in their order, since the first is the main one. A mode that
 * is not known to us is `other`, a row without an id is none.
 */
export function navitiaModes(wire: unknown): TransitMode[] {
  const ids = toList(wire).map((value) => toId(toRow(value)?.["id"]));
  return [...new Set(ids.filter((id) => id !== null).map(toMode))];
}

/**
 * Returns the modes of a station, in the contract's order; those of its lines where it has none of
 * its own.
 */
export function stationModes(stop_area: Row): TransitMode[] {
  const modes = navitiaModes(stop_area["physical_modes"]);
  if (modes.length > 0) return orderModes(modes);
  const lines = toList(stop_area["lines"]).map((line) => toRow(line)?.["physical_modes"]);
  return orderModes(lines.flatMap(navitiaModes));
}

/** "physical_mode:Metro". */
function toMode(id: string): TransitMode {
  return MODES.get(id.slice(id.lastIndexOf(":") + 1)) ?? "other";
}
