/**
 * Transitland: the GTFS feeds of the world behind one interface, with a key. Reference:
 * interline-io/transitland-lib, doc/openapi/rest.json and server/rest (mobility.md 4.2).
 */
import { ANSWER_BOUNDS } from "#kit/feed-bounds.ts";
import type { Failure } from "#kit/outcome.ts";
import { parseAnswer } from "#kit/json.ts";
import { toCount, toList, toNumber, toRow, toText } from "#kit/coerce.ts";
import { listIn } from "#providers/json-lists.ts";
import type { WireAnswer } from "#providers/lookup.ts";
import { failureOf, openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { address, lookupSettings, secret } from "#providers/settings.ts";
import { defineSource, type TransitReader } from "#providers/source.ts";
import {
  boxesOfCircle,
  openRows,
  transitKey,
  type TransitQuery,
} from "#providers/transit-lookup.ts";
import {
  askTransitland,
  type TransitlandSettings,
} from "#providers/transitland/transitland-asking.ts";
import { transitlandDepartures } from "#providers/transitland/transitland-departures.ts";
import { groupStops, transitlandStation } from "#providers/transitland/stop.ts";

/** The most that a page may have. */
const PAGE_SIZE = 1_000;

/**
 * Stations around a point (§4.7a). Always asked by box: a point with a coordinate of exactly 0 is not heeded
 * there, and the whole world would come.
 */
export const transitlandStations: TransitReader<TransitlandSettings> = {
  operation: "getTransportNearby",
  keyOf: transitKey,
  request: (query, settings) => askTransitland(`/stops?${toParameters(query)}`, settings),
  read: (wire, query, { trail }) => {
    const opened = openAnswer(wire, {});
    if (!opened.ok) return { ok: false, ...(findFailure(wire) ?? opened) };
    const answer = toRow(opened.json);
    const list = listIn(opened.json, "stops");
    const rows = openRows(list, "id", trail);
    if (!rows) return { ok: false, ...WRONG_SHAPE };
    const stations = groupStops(rows, trail).flatMap((group) => {
      const station = transitlandStation(group, trail);
      if (typeof station !== "string") return [station];
      trail.drop(station, group.id);
      return [];
    });
    const raw = toList(list).length;
    const after = raw > 0 ? toNumber(toRow(answer?.["meta"])?.["after"]) : null;
    return { ok: true, value: { stations, next: nextPage(query, after) }, raw };
  },
};

export default defineSource({
  id: "transitland",
  name: "Transitland",
  kind: "lookup",
  operations: ["getTransportNearby", "getDeparturesNearby", "getStationDepartures"],
  // Each feed has a licence of its own besides.
  terms: {
    attribution: "Transitland",
    attribution_url: "https://www.transit.land/terms",
    licence: null,
    licence_url: null,
    store: "all",
  },
  // A thousand stops, each with its routes and their agencies.
  limits: { max_bytes: ANSWER_BOUNDS.bytes },
  lifecycle: "active",
  config: lookupSettings("Transitland: the second provider of public transport.", {
    url: address("Base address, before /stops.", "https://transit.land/api/v2/rest"),
    api_key: secret(),
  }),
  needs: ["url", "api_key"],
  key: { variable: "TRANSITLAND_API_KEY", member: "api_key" },
  policy: { cache_s: 86_400, places: 8 },
  stations: { provider: "transitland", reader: transitlandStations },
  departures: {
    provider: "transitland",
    reader: transitlandDepartures,
    asked_by: "station",
    from_now: true,
    // Its planned arrivals are made of the times of departure.
    kinds: ["departures"],
  },
});

function toParameters(query: TransitQuery): string {
  const { box, after } = toPage(query.page);
  const boxes = boxesOfCircle(query);
  const { west, south, east, north } = boxes[box] ?? boxes[0]!;
  const parameters = new URLSearchParams({
    bbox: [west, south, east, north].join(","),
    include_routes: "true",
    limit: String(PAGE_SIZE),
    ...(after !== null && { after }),
  });
  return parameters.toString().replaceAll("%2C", ",");
}

/** "<which box>:<cursor>"; the first box without a cursor where nothing is said. */
function toPage(page: string | null): { box: number; after: string | null } {
  const [box, after] = (page ?? "").split(":");
  return { box: toCount(box) ?? 0, after: after || null };
}

/** On with the cursor, on with the second box, or no further. A cursor must move. */
function nextPage(query: TransitQuery, after: number | null): string | null {
  const { box, after: before } = toPage(query.page);
  const moves = after !== null && Number.isSafeInteger(after) && after > (toNumber(before) ?? 0);
  if (moves) return `${box}:${after}`;
  return box + 1 < boxesOfCircle(query).length ? `${box + 1}:` : null;
}

/** A parameter that is not understood there is a 500. */
function findFailure({ status, body }: WireAnswer): Failure | null {
  const error = toText(toRow(parseAnswer(body))?.["error"]);
  return status === 500 && error !== null && /\bparameter\b/i.test(error)
    ? failureOf(400, {})
    : null;
}
