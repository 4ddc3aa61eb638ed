/** Stops in boxes around a point, as stations (§4.7a; mobility.md 4.2). */
import type { Failure } from "#core/outcome.ts";
import { parseAnswer } from "#core/json.ts";
import { toCount, toList, toNumber, toRow, toText } from "#providers/coerce.ts";
import type { Wire } from "#providers/lookup.ts";
import { failureOf, openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/answers.ts";
import { REFUSAL_BYTES } from "#providers/place-rows.ts";
import {
  boxesOfCircle,
  openRows,
  transitKey,
  type TransitLookup,
  type TransitQuery,
} from "#providers/transit-lookup.ts";
import descriptor, { type TransitlandSettings } from "#providers/transitland/index.ts";
import { groupStops, toStation } from "#providers/transitland/stop.ts";

/** The most that a page may have. */
const PAGE_SIZE = 1_000;

/**
 * Stations of Transitland. Always asked by box: a point with a coordinate of exactly 0 is not heeded
 * there, and the whole world would come.
 */
export const transitlandStations: TransitLookup<TransitlandSettings> = {
  id: `${descriptor.id}.getTransportNearby`,
  provider: descriptor,
  keyOf: transitKey,
  request: (query, { url, timeout_ms, api_key }) => ({
    url: `${url}/stops?${toParameters(query)}`,
    headers: { accept: "application/json" },
    auth: { kind: "headers", headers: { apikey: api_key } },
    ...{ max_bytes: descriptor.limits.max_bytes, refusal_bytes: REFUSAL_BYTES, timeout_ms },
  }),
  read: (wire, query, { trail }) => {
    const opened = openAnswer(wire, {});
    if (!opened.ok) return { ok: false, ...(findFailure(wire) ?? opened) };
    const answer = toRow(opened.json);
    const rows = openRows(answer?.["stops"], "id", trail);
    if (!rows) return { ok: false, ...WRONG_SHAPE };
    const stations = groupStops(rows, trail).flatMap((group) => {
      const station = toStation(group, trail);
      if (typeof station !== "string") return [station];
      trail.drop(station, group.id);
      return [];
    });
    const raw = toList(answer?.["stops"]).length;
    const after = raw > 0 ? toNumber(toRow(answer?.["meta"])?.["after"]) : null;
    return { ok: true, value: { stations, next: nextPage(query, after) }, raw };
  },
};

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
function findFailure({ status, body }: Wire): Failure | null {
  const error = toText(toRow(parseAnswer(body))?.["error"]);
  return status === 500 && error !== null && /\bparameter\b/i.test(error)
    ? failureOf(400, {})
    : null;
}
