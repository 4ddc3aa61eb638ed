/** Wheelchair access as stop points know it, for the stop areas that they belong to (mobility.md 4.1). */
import type { TransitStation } from "#transit/schedule/station.ts";
import { type Row, toId, toList, toRow, toTexts } from "#kit/coerce.ts";
import { listIn } from "#providers/json-lists.ts";
import {
  askNearby,
  type NavitiaSettings,
  nextPage,
  openNavitia,
} from "#providers/navitia/navitia-asking.ts";
import { WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import type { Reader } from "#providers/source.ts";
import { openRows, transitKey, type TransitQuery } from "#providers/transit-lookup.ts";

const EQUIPMENT = "has_wheelchair_boarding";

export type NavitiaStopPoint = { stop_area_id: string; wheelchair: boolean };
export type NavitiaStopPointPage = { points: NavitiaStopPoint[]; next: string | null };

/** Stop points around a point, page by page as stations are. */
export const navitiaStopPoints: Reader<TransitQuery, NavitiaSettings, NavitiaStopPointPage> = {
  operation: "stop_points",
  keyOf: transitKey,
  request: (query, settings) => askNearby(query, settings, { type: "stop_point", depth: 1 }),
  read: (wire, _query, { trail }) => {
    const opened = openNavitia(wire);
    if (!opened.ok) return opened;
    if (!opened.covered) return { ok: true, value: { points: [], next: null }, raw: 0 };
    const list = listIn(opened.json, "places_nearby");
    const rows = openRows(list, "id", trail);
    if (!rows) return { ok: false, ...WRONG_SHAPE };
    const points = rows.flatMap(({ row, id }) => {
      const point = toStopPoint(toRow(row["stop_point"]));
      if (!point) trail.drop("stop_area_missing", id);
      return point ?? [];
    });
    const raw = toList(list).length;
    return { ok: true, value: { points, next: nextPage(opened.json) }, raw };
  },
};

function toStopPoint(row: Row | null): NavitiaStopPoint | null {
  const stop_area_id = toId(toRow(row?.["stop_area"])?.["id"]);
  if (stop_area_id === null) return null;
  return { stop_area_id, wheelchair: toTexts(row?.["equipments"]).includes(EQUIPMENT) };
}

/**
 * The stations with what their stop points know. An equipment that is not listed may be missing or
 * not recorded, which cannot be distinguished: it is never a "no".
 */
export function withWheelchair(
  stations: readonly TransitStation[],
  points: readonly NavitiaStopPoint[],
): TransitStation[] {
  const boarding = new Set(
    points.filter(({ wheelchair }) => wheelchair).map(({ stop_area_id }) => stop_area_id),
  );
  return stations.map((station) =>
    boarding.has(station.source.source_id) ? { ...station, wheelchair: "yes" } : station,
  );
}
