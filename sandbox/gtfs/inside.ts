// Ways within stations: pathways.txt and levels.txt.
import { listStationWays, type StationPlace, type StationWay } from "../world/station-ways.ts";
import type { Network, Part, TransitStation } from "../world/transit-model.ts";
import { platformIdOf, stationIdOf, type StopRow } from "../world/transit-stops.ts";
import type { Row } from "./csv.ts";

export const WAYS = [
  ...["pathway_id", "from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional", "length"],
  ...["max_slope", "stair_count"],
];
export const LEVELS = ["level_id", "level_index", "level_name"];

type Inside = { readonly ways: readonly Row[]; readonly levels: readonly Row[] };
export const NOTHING_INSIDE: Inside = { ways: [], levels: [] };

/** The stop of a place in a station, as a feed names it. */
export function stopIdOf(station: TransitStation, part: Part, place: StationPlace): string {
  const id = stationIdOf(station, part);
  if (place.kind === "door") return `${id}_E${place.n + 1}`;
  if (place.kind === "hall") return `${id}_N`;
  const platform = platformIdOf(station, part, place.index);
  return place.area === null ? platform : `${platform}_${"ab"[place.area]}`;
}

/** Name of a way that is a lift: a lift stops at one place more than it has ways. */
export const pathwayIdOf = (station: TransitStation, part: Part, n: number): string =>
  `${stationIdOf(station, part)}_W${n + 1}`;

export function listInside({ stations }: Network, part: Part): Inside {
  const levelled = stations.map((station) => ({ station, ways: listStationWays(station, part) }));
  const known = levelled.filter(
    ({ station, ways }) =>
      ways.length > 0 && station.platforms.some(({ parts }) => parts.includes(part)),
  );
  if (known.length === 0) return NOTHING_INSIDE;
  const ways = known.flatMap(({ station, ways: own }) =>
    own.map((way, n) => toRow(station, part, way, n)),
  );
  return { ways, levels: LEVEL_ROWS };
}

const toRow = (station: TransitStation, part: Part, way: StationWay, n: number): Row => ({
  pathway_id: pathwayIdOf(station, part, n),
  from_stop_id: stopIdOf(station, part, way.from),
  to_stop_id: stopIdOf(station, part, way.to),
  pathway_mode: way.mode,
  is_bidirectional: Number(way.both),
  length: way.length_m === null ? "" : way.length_m.toFixed(1),
  max_slope: way.slope ?? "",
  stair_count: way.mode === 2 ? 34 : "",
});

const LEVEL_ROWS: readonly Row[] = [
  { level_id: "street", level_index: 0, level_name: "Street" },
  { level_id: "hall", level_index: -1, level_name: "Hall" },
  { level_id: "tracks", level_index: -2, level_name: "Tracks" },
];

/** Of stops in stations that have levels; "" is none. */
export function levelIdOf({ station, location_type }: StopRow): string {
  if (listStationWays(station, 0).length + listStationWays(station, 1).length === 0) return "";
  return { 0: "tracks", 1: "", 2: "street", 3: "hall", 4: "" }[location_type];
}
