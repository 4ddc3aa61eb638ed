/** The `lines` of /v1/nearby: routes of the transit stations in range (decisions, Global nearby). */
import { LIMITS } from "#contract/limits.ts";
import { transitId } from "#core/transit/results.ts";
import type { TransitMode, TransitOperator } from "#core/transit/station.ts";
import type { Circle } from "#world/world.ts";
import type { HeldFeed } from "./finders.ts";

export type LineItem = {
  id: string;
  short_name: string | null;
  long_name: string | null;
  mode: TransitMode;
  operators: TransitOperator[];
  station_ids: string[];
  color?: string;
  text_color?: string;
};

export type FindLines = (circle: Circle) => LineItem[];

/** From the feeds that are loaded; at most 200, by id. */
export function createFindLines(list: () => readonly HeldFeed[]): FindLines {
  return ({ lat, lon, radius_m }) => {
    const lines = new Map<string, LineItem>();
    for (const { feed_id, feed } of list())
      for (const { row } of feed?.search(lat, lon, radius_m) ?? []) {
        const station = feed!.station(row);
        const station_id = transitId(station.source);
        for (const { id: route_id, operator_id, ...route } of station.routes) {
          const id = `${feed_id}:${route_id}`;
          const operators = station.operators.filter((operator) => operator.id === operator_id);
          const line = lines.get(id) ?? { id, ...route, operators, station_ids: [] };
          line.station_ids.push(station_id);
          lines.set(id, line);
        }
      }
    return [...lines.values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, LIMITS.nearby.lines_max)
      .map((line) => ({ ...line, station_ids: line.station_ids.toSorted() }));
  };
}
