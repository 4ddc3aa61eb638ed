/** One stop area of Navitia as a station (§2.8; mobility.md 4.1, 11.2). */
import type { TrailRecorder } from "#kit/trail.ts";
import type { TransitMode, TransitOperator, TransitRoute } from "#transit/schedule/station.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { type Row, toId, toList, toName, toRow } from "#kit/coerce.ts";
import { navitiaModes, stationModes } from "#providers/navitia/navitia-modes.ts";
import { type Dropped, toLocation } from "#providers/place-rows.ts";
import { toColors, uniqueById } from "#providers/transit-lookup.ts";

/** The station, or why it is dropped. What it knows of wheelchairs is nothing: stop points do. */
export function navitiaStation(
  row: Row,
  id: string,
  { region, trail }: { region: string | null; trail: TrailRecorder },
): TransitStation | Dropped {
  const at = toRow(row["coord"]);
  const location = toLocation(at?.["lat"], at?.["lon"]);
  if (typeof location === "string") return location;
  const name = toName(row["name"]) ?? toName(row["label"]);
  if (name === null) return "name_missing";
  const modes = stationModes(row);
  if (modes.length === 0) return "modes_unknown";
  const lines = toList(row["lines"])
    .map(toRow)
    .filter((line) => line !== null);
  const operators = uniqueById(lines.flatMap(toOperator));
  return {
    ...location,
    name,
    modes,
    operators,
    routes: toRoutes(lines, modes, { id, trail }),
    realtime: null,
    alerts: null,
    wheelchair: "unknown",
    fetched_at_ms: 0,
    source: {
      provider: "navitia",
      region,
      source_id: id,
      operator_id: operators[0]?.id ?? null,
      feed_id: null,
    },
  };
}

function toOperator(line: Row): TransitOperator[] {
  const network = toRow(line["network"]);
  const [id, name] = [toId(network?.["id"]), toName(network?.["name"])];
  return id === null || name === null ? [] : [{ id, name }];
}

function toRoutes(
  lines: readonly Row[],
  modes: readonly TransitMode[],
  { id, trail }: { id: string; trail: TrailRecorder },
): TransitRoute[] {
  const routes = lines.map((line) => toRoute(line, modes));
  // A line without an id or a mode says nothing that one could show; its station stays.
  if (routes.includes(null)) trail.repair("route_unusable", id);
  return uniqueById(routes.filter((route) => route !== null));
}

function toRoute(line: Row, station_modes: readonly TransitMode[]): TransitRoute | null {
  const id = toId(line["id"]);
  const mode = lineMode(line, station_modes);
  if (id === null || mode === null) return null;
  return {
    id,
    short_name: toName(line["code"]),
    long_name: toName(line["name"]),
    mode,
    operator_id: toOperator(line)[0]?.id ?? null,
    ...toColors(line["color"], line["text_color"]),
  };
}

/** A line may have modes with which it does not come here; without any it has the station's one. */
function lineMode(line: Row, station_modes: readonly TransitMode[]): TransitMode | null {
  const modes = navitiaModes(line["physical_modes"]);
  const here = modes.find((mode) => station_modes.includes(mode)) ?? modes[0];
  return here ?? (station_modes.length === 1 ? station_modes[0]! : null);
}
