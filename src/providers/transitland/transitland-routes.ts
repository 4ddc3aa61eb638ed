/** Routes and agencies of Transitland's stops (mobility.md 4.2, 11.2). */
import { modeOfRouteType } from "#transit/schedule/schedule-modes.ts";
import type { TransitOperator, TransitRoute } from "#transit/schedule/station.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import { type Row, toId, toList, toName, toNumber, toRow } from "#kit/coerce.ts";
import { toColors } from "#providers/transit-lookup.ts";

/** Reads the routes of all rows; an id may occur more than once. */
export function readTransitlandRoutes(
  rows: readonly Row[],
  station_id: string,
  trail: TrailRecorder,
): { operators: TransitOperator[]; routes: TransitRoute[] } {
  const wires = rows.flatMap((row) => toList(row["route_stops"])).map(toRow);
  const matches = wires.map((wire) => toRow(wire?.["route"])).filter((route) => route !== null);
  const routes = matches.map(toTransitlandRoute);
  // Without an id or a type it cannot be shown, nor does it say by what the station is served.
  if (routes.includes(null)) trail.repair("route_unusable", station_id);
  return {
    operators: matches.flatMap((route) => toOperator(toRow(route["agency"])) ?? []),
    routes: routes.filter((route) => route !== null),
  };
}

export function toTransitlandRoute(row: Row): TransitRoute | null {
  const [id, type] = [toId(row["route_id"]), toNumber(row["route_type"])];
  if (id === null || type === null) return null;
  return {
    id,
    short_name: toName(row["route_short_name"]),
    long_name: toName(row["route_long_name"]),
    mode: modeOfRouteType(type),
    operator_id: toOperator(toRow(row["agency"]))?.id ?? null,
    ...toColors(row["route_color"], row["route_text_color"]),
  };
}

/** The Onestop id holds over all feeds; that of the agency only within its own. */
export function toOperator(agency: Row | null): TransitOperator | null {
  const id = toId(agency?.["onestop_id"]) ?? toId(agency?.["agency_id"]);
  const name = toName(agency?.["agency_name"]);
  if (id === null || name === null) return null;
  const url = cleanDeepLink("web", agency?.["agency_url"]);
  return { id, name, ...(url !== null && { url }) };
}
