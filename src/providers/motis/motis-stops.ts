/**
 * Stops of a MOTIS server as stations (§4.7a; mobility.md 4.3): a remote reader of GTFS, so that
 * they carry provider `gtfs` (decisions, Transport). It states neither routes nor operators here.
 */
import { parseAnswer } from "#kit/json.ts";
import type { Failure } from "#kit/outcome.ts";
import { orderModes } from "#transit/schedule/schedule-modes.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { type Row, toCount, toId, toName, toRow, toText, toTexts } from "#kit/coerce.ts";
import { listIn } from "#providers/json-lists.ts";
import type { LookupSettings, WireAnswer } from "#providers/lookup.ts";
import { motisFeed, modeOf } from "#providers/motis/motis-modes.ts";
import { openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { type Dropped, toLocation } from "#providers/place-rows.ts";
import type { TransitReader } from "#providers/source.ts";
import {
  boxesOfCircle,
  openRows,
  transitKey,
  type TransitQuery,
} from "#providers/transit-lookup.ts";

/** Stations of MOTIS. Its pages are the boxes of the circle. */
export const motisStops: TransitReader<LookupSettings> = {
  operation: "getTransportNearby",
  keyOf: (query) => JSON.stringify([transitKey(query), query.language]),
  request: (query, { url }) => ({
    url: `${url}/api/v6/map/stops?${toParameters(query)}`,
    headers: { accept: "application/json" },
  }),
  read: (wire, query, { trail }) => {
    const opened = openAnswer(wire, {});
    if (!opened.ok) return { ok: false, ...(findFailure(wire) ?? opened) };
    const list = listIn(opened.json, null);
    const rows = openRows(list, "stopId", trail);
    if (!rows) return { ok: false, ...WRONG_SHAPE };
    const groups = Map.groupBy(rows, ({ row, id }) => toId(row["parentId"]) ?? id);
    const stations = [...groups].flatMap(([id, group]) => {
      // The station itself before its platforms, which a server may send that does not group.
      const own = group.find((one) => one.id === id);
      const members = [...new Set([...(own ? [own] : []), ...group])].map(({ row }) => row);
      const station = toStation(id, members);
      if (typeof station !== "string") return [station];
      trail.drop(station, id);
      return [];
    });
    const raw = list?.length ?? 0;
    return { ok: true, value: { stations, next: nextPage(query) }, raw };
  },
};

function toParameters(query: TransitQuery): string {
  const boxes = boxesOfCircle(query);
  const { south, west, north, east } = boxes[toCount(query.page) ?? 0] ?? boxes[0]!;
  const parameters = new URLSearchParams({
    min: `${south},${west}`,
    max: `${north},${east}`,
    grouped: "true",
    ...(query.language !== null && { language: query.language }),
  });
  return parameters.toString().replaceAll("%2C", ",");
}

function nextPage(query: TransitQuery): string | null {
  const next = (toCount(query.page) ?? 0) + 1;
  return next < boxesOfCircle(query).length ? String(next) : null;
}

function toStation(id: string, rows: readonly Row[]): TransitStation | Dropped {
  const [first] = rows;
  const location = toLocation(first?.["lat"], first?.["lon"]);
  if (typeof location === "string") return location;
  const name = toName(first?.["name"]);
  if (name === null) return "name_missing";
  const modes = orderModes(
    rows.flatMap((row) => toTexts(row["modes"])).map((mode) => modeOf(mode)),
  );
  if (modes.length === 0) return "modes_unknown";
  return stationOf(id, { ...location, name, modes });
}

/** A station of the timetable that its id names; what the server does not say of it is unknown. */
export function stationOf(
  id: string,
  station: Pick<TransitStation, "lat" | "lon" | "name" | "modes">,
): TransitStation {
  return {
    ...station,
    operators: [],
    routes: [],
    realtime: null,
    alerts: null,
    wheelchair: "unknown",
    fetched_at_ms: 0,
    source: {
      provider: "gtfs",
      region: null,
      source_id: id,
      operator_id: null,
      feed_id: motisFeed(id),
    },
  };
}

/** A box with more than 8,192 stops is refused, with statuses that say something else. */
function findFailure({ body }: WireAnswer): Failure | null {
  const error = toText(toRow(parseAnswer(body))?.["error"]);
  const isTooMany = error !== null && /\btoo many stops\b/i.test(error);
  return isTooMany ? { status: "error", reason: "too_many_stops" } : null;
}
