/** Stops of Transitland that are one station, as that station (§2.8; mobility.md 4.2, 11.2). */
import type { TrailRecorder } from "#kit/trail.ts";
import { orderModes } from "#transit/schedule/schedule-modes.ts";
import type { TransitStation, Wheelchair } from "#transit/schedule/station.ts";
import { wheelchairOf } from "#transit/schedule/schedule-stations.ts";
import { type Row, toId, toList, toName, toNumber, toRow, toTime_s } from "#kit/coerce.ts";
import { type Dropped, toLocation } from "#providers/place-rows.ts";
import { type OpenRow, uniqueById } from "#providers/transit-lookup.ts";
import { readTransitlandRoutes } from "#providers/transitland/transitland-routes.ts";

const STATION = 1;

/** Rows of a station; `own`: the row of the station itself, where the answer has it. */
export type Group = { id: string; own: Row | null; platforms: Row[] };

/** Entrances, nodes and boarding areas (2, 3, 4) are never stations of their own. */
export function groupStops(rows: readonly OpenRow[], trail: TrailRecorder): Group[] {
  const groups = new Map<string, Group>();
  for (const { row, id } of rows) {
    const type = typeOf(row);
    if (type !== 0 && type !== STATION) {
      trail.drop("not_a_stop", id);
      continue;
    }
    const parent_id = type === STATION ? null : toId(toRow(row["parent"])?.["id"]);
    const key = parent_id ?? id;
    const group = groups.get(key) ?? { id: key, own: null, platforms: [] };
    groups.set(key, group);
    if (parent_id === null) group.own = row;
    else group.platforms.push(row);
  }
  return [...groups.values()];
}

/** Absent means a stop or platform. */
function typeOf(row: Row): number | null {
  return row["location_type"] == null ? 0 : toNumber(row["location_type"]);
}

/** The station, or why it is dropped. */
export function transitlandStation(group: Group, trail: TrailRecorder): TransitStation | Dropped {
  const { own, platforms } = group;
  const rows = own ? [own, ...platforms] : platforms;
  const location = locationOf(group);
  if (typeof location === "string") return location;
  const name = firstOf(wheresOf(group), (row) => toName(row["stop_name"]));
  if (name === null) return "name_missing";
  const source_id = sourceIdOf(group);
  if (source_id === null) return "id_missing";
  const { operators, routes } = readTransitlandRoutes(rows, source_id, trail);
  const boarding = own ? boardingOf(own) : "unknown";
  const wheelchair = wheelchairOf(boarding, platforms.map(boardingOf));
  // Of a station whose platforms are on another page, too.
  if (routes.length === 0) return "modes_unknown";
  return {
    ...location,
    name,
    modes: orderModes(routes.map(({ mode }) => mode)),
    operators: uniqueById(operators),
    routes: uniqueById(routes),
    realtime: null,
    alerts: null,
    wheelchair,
    fetched_at_ms: (firstOf(rows, fetchedAt_s) ?? 0) * 1_000,
    source: {
      provider: "transitland",
      region: firstOf(rows, regionOf),
      source_id,
      operator_id: operators[0]?.id ?? null,
      feed_id: firstOf(rows, transitlandFeed),
    },
  };
}

function firstOf<T>(rows: readonly Row[], of: (row: Row) => T | null): T | null {
  for (const row of rows) {
    const match = of(row);
    if (match !== null) return match;
  }
  return null;
}

/** Rows that may have name, place and id, best first: the station, its platforms' copy of it, they. */
function wheresOf({ own, platforms }: Group): Row[] {
  const parents = platforms.map((row) => toRow(row["parent"]));
  return [own, ...parents, ...platforms].filter((row) => row !== null);
}

function locationOf(group: Group): ReturnType<typeof toLocation> {
  const matches = wheresOf(group).map((row) => {
    const at = toList(toRow(row["geometry"])?.["coordinates"]);
    return toLocation(at[1], at[0]);
  });
  return matches.find((location) => typeof location !== "string") ?? matches[0]!;
}

/**
 * Of a station its `stop_id`, which its platforms know as well: of another page, or without its own
 * row, it is still the same station. Other stops have Onestop ids, which are better where they are.
 */
function sourceIdOf({ own, platforms }: Group): string | null {
  if (own && platforms.length === 0 && typeOf(own) !== STATION)
    return toId(own["onestop_id"]) ?? toId(own["stop_id"]);
  const rows = [own, ...platforms.map((row) => toRow(row["parent"]))];
  return firstOf(
    rows.filter((row) => row !== null),
    (row) => toId(row["stop_id"]),
  );
}

export function boardingOf(row: Row): Wheelchair {
  const boarding = toNumber(row["wheelchair_boarding"]);
  return boarding === 1 ? "yes" : boarding === 2 ? "no" : "unknown";
}

function regionOf(row: Row): string | null {
  const place = toRow(row["place"]);
  return toId(place?.["adm1_iso"]) ?? toId(place?.["adm0_iso"]);
}

export function transitlandFeed(row: Row): string | null {
  return toId(toRow(toRow(row["feed_version"])?.["feed"])?.["onestop_id"]);
}

function fetchedAt_s(row: Row): number | null {
  return toTime_s(toRow(row["feed_version"])?.["fetched_at"]);
}
