/** The `lines` of /v1/nearby: routes of the transit stations in range (decisions, Global nearby). */
import { LIMITS } from "#api/limits.ts";
import type { QueriedSource } from "#core/coverage.ts";
import { distance_m } from "#kit/geo.ts";
import type { ListedNotice } from "#core/notices.ts";
import { mergeStations, NEAR_M } from "#transit/schedule/merge-boards.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitMode, TransitOperator, TransitStation } from "#transit/schedule/station.ts";
import type { Circle } from "#world/system-entry.ts";
import { listQueried } from "../search-reply.ts";
import { stationsOf } from "./transit-finders.ts";
import { findOutOfDays, listMissing, toMissing } from "./gaps.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";

export type LineItem = {
  id: string;
  short_name: string | null;
  long_name: string | null;
  mode: TransitMode;
  operators: TransitOperator[];
  /** The first ones by id. */
  station_ids: string[];
  /** How many there are, where they are not all listed. */
  station_count?: number;
  color?: string;
  text_color?: string;
};

/**
 * `within_m`: up to there all stations were looked at; null: all of the circle. `gaps`: timetables of
 * the area that cannot answer.
 */
export type FoundLines = ListedNotice<LineItem> & {
  within_m: number | null;
  gaps: readonly QueriedSource[];
};
export type FindLines = (circle: Circle, now_ms: number) => FoundLines;

/**
 * Finds stations in the feeds that are loaded; at most 200, by id. A stop that several feeds know
 * is one station, under the id that GET /v1/transport/nearby gives it.
 */
export function createFindLines(list: () => readonly HeldFeed[]): FindLines {
  return ({ lat, lon, radius_m }, now_ms) => {
    // Of a station on the edge also the pin that lies outside.
    const wide = { lat, lon, radius_m: radius_m + NEAR_M };
    const { groups: feeds, within_m, here } = stationsOf(list(), wide);
    const listed = new Map<string, string>();
    for (const { lead, sources } of mergeStations(feeds))
      if (distance_m(lat, lon, lead.lat, lead.lon) <= radius_m)
        for (const source of sources) listed.set(transitId(source), transitId(lead.source));
    const lines = new Map<string, Line>();
    for (const station of feeds.flat()) {
      const station_id = listed.get(transitId(station.source));
      if (station_id !== undefined) addLines(lines, station, station_id);
    }
    const items = [...lines.values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, LIMITS.nearby.lines_max)
      .map(({ station_ids: ids, ...line }): LineItem => {
        const station_ids = [...ids].sort().slice(0, MOST_NAMED);
        const isCut = ids.size > MOST_NAMED;
        return { ...line, station_ids, ...(isCut && { station_count: ids.size }) };
      });
    const now = { from_ms: now_ms, to_ms: now_ms + 1 };
    const gaps = [
      ...listMissing(list(), wide).map(toMissing),
      ...here.flatMap((stored) => findOutOfDays(stored, now) ?? []),
    ];
    return { items, total: lines.size, within_m, gaps: listQueried(gaps, now_ms) };
  };
}

const MOST_NAMED = LIMITS.nearby.named_stations_max;

type Line = Omit<LineItem, "station_ids" | "station_count"> & { station_ids: Set<string> };

function addLines(lines: Map<string, Line>, station: TransitStation, station_id: string): void {
  for (const { id: route_id, operator_id, ...route } of station.routes) {
    const id = `${station.source.feed_id}:${route_id}`;
    const operators = station.operators.filter((operator) => operator.id === operator_id);
    const line = lines.get(id) ?? { id, ...route, operators, station_ids: new Set() };
    line.station_ids.add(station_id);
    lines.set(id, line);
  }
}
