/** Stations around a point (§4.7a; mobility.md 4.1), and the region that they lie in. */
import type { Location } from "#kit/geo.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { toId, toList, toRow, toText } from "#kit/coerce.ts";
import { listIn } from "#providers/json-lists.ts";
import {
  ask,
  askNearby,
  type NavitiaSettings,
  nextPage,
  openNavitia,
  navitiaPoint,
} from "#providers/navitia/navitia-asking.ts";
import { navitiaStation } from "#providers/navitia/stop-area.ts";
import { WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import type { Reader, TransitReader } from "#providers/source.ts";
import { openRows, transitKey } from "#providers/transit-lookup.ts";

/** Modes come at a depth of 2, lines with their networks at 3. */
const DEPTH = 3;

/**
 * Stop areas. The region of their sources is that of the settings: the answer names none, so that it
 * is asked for by `navitiaRegion`.
 */
export const navitiaStations: TransitReader<NavitiaSettings> = {
  operation: "getTransportNearby",
  keyOf: transitKey,
  request: (query, settings) => askNearby(query, settings, { type: "stop_area", depth: DEPTH }),
  read: (wire, _query, { settings, trail }) => {
    const opened = openNavitia(wire);
    if (!opened.ok) return opened;
    if (!opened.covered)
      return { ok: true, value: { stations: [], next: null, covered: false }, raw: 0 };
    const list = listIn(opened.json, "places_nearby");
    const rows = openRows(list, "id", trail);
    if (!rows) return { ok: false, ...WRONG_SHAPE };
    const region = settings.region ?? null;
    const stations = rows.flatMap(({ row, id }) => {
      const area = toRow(row["stop_area"]);
      const own_id = toId(area?.["id"]) ?? id;
      const station = area ? navitiaStation(area, own_id, { region, trail }) : "not_a_stop_area";
      if (typeof station !== "string") return [station];
      trail.drop(station, own_id);
      return [];
    });
    const raw = toList(list).length;
    return { ok: true, value: { stations, next: nextPage(opened.json) }, raw };
  },
};

/** The id of the region that a point lies in (`sources[].region`); null: no region holds it. */
export const navitiaRegion: Reader<Location, NavitiaSettings, string | null> = {
  operation: "region",
  keyOf: ({ lat, lon }) => JSON.stringify([lat, lon]),
  request: (query, settings) =>
    ask(`/coverage/${navitiaPoint(query)}?disable_geojson=true`, settings),
  read: (wire, _query, { trail }) => {
    const opened = openNavitia(wire);
    if (!opened.ok) return opened;
    if (!opened.covered) return { ok: true, value: null, raw: 0 };
    const rows = openRows(toRow(opened.json)?.["regions"], "id", trail);
    if (!rows) return { ok: false, ...WRONG_SHAPE };
    // Regions overlap, and one that is not running answers nothing.
    const match = rows.find(({ row }) => toText(row["status"]) === "running") ?? rows[0];
    return { ok: true, value: match?.id ?? null, raw: rows.length };
  },
};

/** The stations with the region that their point lies in, where they do not know one themselves. */
export function inRegion(
  stations: readonly TransitStation[],
  region: string | null,
): TransitStation[] {
  return stations.map((station) => ({
    ...station,
    source: { ...station.source, region: station.source.region ?? region },
  }));
}
